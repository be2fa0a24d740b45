// ListEditor: edits a short list of numbers as text such as "1, 2, 3".
#include "widgets/inspector/editors/list_editor.h"

#include "widgets/text/entry_line.h"
#include "widgets/text/quantity_text.h"

namespace tl::ui {

ListEditor::ListEditor(const ParamDecl& decl, QWidget* parent)
    : ValueEditor(decl, parent), line_(new EntryLine(this)), unit_(decl.unit) {
  hold(line_);
  line_->setPlaceholderText(tr("none; for example 1, 2"));
  connect(line_, &EntryLine::committed, this, [this](const QString& text) { enter_text(text, unit_, Change::step); });
  connect(line_, &EntryLine::editing_cancelled, this, &ValueEditor::left);
}
void ListEditor::show_value(const ParamValue& value) {
  QStringList words;
  if (const auto* list = std::get_if<NumberList>(&value)) {
    for (const double v : list->values) words << QString::fromStdString(format_quantity(v, Unit::none));
    unit_ = list->unit;
  }
  line_->show_text(words.join(QStringLiteral(", ")));
  line_->set_suffix(unit_text(unit_));
}
void ListEditor::show_validity(Validity validity) { line_->show_validity(validity); }

}  // namespace tl::ui
