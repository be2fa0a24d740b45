// PerViewEditor: summarises one number per view, and opens their table by a button.
#include "widgets/inspector/editors/per_view_editor.h"

#include <QPushButton>
#include <algorithm>

#include "widgets/inspector/editors/per_view_dialog.h"
#include "widgets/text/quantity_text.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/style_property.h"

namespace tl::ui {

PerViewEditor::PerViewEditor(const ParamDecl& decl, QWidget* parent)
    : ValueEditor(decl, parent), button_(new QPushButton(glyph_icon(Glyph::table), {}, this)) {
  hold(button_);
  connect(button_, &QPushButton::clicked, this, &PerViewEditor::open_table);
}

void PerViewEditor::open_table() {
  auto* dialog = new PerViewDialog(decl(), list_, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &PerViewDialog::chosen, this,
          [this](const NumberList& list) { Q_EMIT entered(ParamValue{list}, Change::step); });
  dialog->open();
}

void PerViewEditor::show_value(const ParamValue& value) {
  const auto* list = std::get_if<NumberList>(&value);
  list_ = list != nullptr ? *list : NumberList{{}, decl().unit};
  if (list_.values.empty()) {
    button_->setText(tr("none"));
    return;
  }
  const auto [low, high] = std::minmax_element(list_.values.begin(), list_.values.end());
  const auto text = [](double v) { return QString::number(v, 'g', 4); };
  button_->setText(list_.values.size() == 1 ? tr("%1 %2, all views").arg(text(*low), unit_text(list_.unit))
                                            : tr("%1 views, %2 to %3 %4")
                                                  .arg(QString::number(list_.values.size()), text(*low), text(*high),
                                                       unit_text(list_.unit)));
}
void PerViewEditor::show_validity(Validity validity) {
  set_style_property(*button_, "invalid", validity == Validity::invalid);
}

}  // namespace tl::ui
