// ArrayEditor: summarises an array, such as "512 x 512 values, -0.01 to 0.02".
#include "widgets/inspector/editors/array_editor.h"

#include <QLabel>
#include <QVBoxLayout>

#include "widgets/language/translated.h"
#include "widgets/text/quantity_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/style_property.h"

namespace tl::ui {

ArrayEditor::ArrayEditor(const ParamDecl& decl, QWidget* parent) : ValueEditor(decl, parent), text_(new QLabel(this)) {
  auto* row = framed(new QVBoxLayout(this));
  row->addWidget(text_);
  text_->setWordWrap(true);
  text_->setAccessibleName(translated(decl.title));
}

void ArrayEditor::show_value(const ParamValue& value) {
  const bool set = !std::holds_alternative<std::monostate>(value);
  text_->setText(set ? shown_value(decl(), value) : tr("auto: %1").arg(translated(decl().automatic)));
}
void ArrayEditor::show_validity(Validity validity) {
  set_style_property(*text_, "tone", validity == Validity::invalid ? "error" : "");
}

}  // namespace tl::ui
