// ArrayEditor: "512 x 512 values, -0.01 to 0.02", and a button that gives them up.
#include "widgets/inspector/array_editor.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "widgets/inspector/quantity_text.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/style_property.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

ArrayEditor::ArrayEditor(const ParamDecl& decl, QWidget* parent)
    : ValueEditor(decl, parent), text_(new QLabel(this)), give_up_(new QToolButton(this)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Theme::space(1));
  text_->setWordWrap(true);
  row->addWidget(text_, 1);
  row->addWidget(give_up_);
  setFocusProxy(give_up_);
  give_up_->setIcon(glyph_icon(Glyph::reset));
  give_up_->setAutoRaise(true);
  give_up_->setToolTip(tr("Forget these numbers: %1").arg(QString::fromStdString(decl.automatic)));
  give_up_->setAccessibleName(tr("Forget %1").arg(QString::fromStdString(decl.title)));
  connect(give_up_, &QToolButton::clicked, this, [this] { Q_EMIT entered(ParamValue{}, Change::step); });
}

void ArrayEditor::show_value(const ParamValue& value) {
  const bool set = !std::holds_alternative<std::monostate>(value);
  text_->setText(set ? shown_value(decl(), value) : tr("auto: %1").arg(QString::fromStdString(decl().automatic)));
  give_up_->setVisible(set && !decl().automatic.empty());
}
void ArrayEditor::show_validity(Validity validity) {
  set_style_property(*text_, "tone", validity == Validity::invalid ? "error" : "");
}

}  // namespace tl::ui
