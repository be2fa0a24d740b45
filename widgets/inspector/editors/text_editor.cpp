// TextEditor: edits a text on one line.
#include "widgets/inspector/editors/text_editor.h"

#include "widgets/language/translated.h"
#include "widgets/text/entry_line.h"

namespace tl::ui {

TextEditor::TextEditor(const ParamDecl& decl, QWidget* parent) : ValueEditor(decl, parent), line_(new EntryLine(this)) {
  hold(line_);
  connect(line_, &EntryLine::committed, this,
          [this](const QString& text) { Q_EMIT entered(ParamValue{text.toStdString()}, Change::step); });
  connect(line_, &EntryLine::editing_cancelled, this, &ValueEditor::left);
}
void TextEditor::show_value(const ParamValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  line_->show_text(text != nullptr ? QString::fromStdString(*text) : QString());
  line_->setPlaceholderText(text != nullptr ? QString() : tr("auto: %1").arg(translated(decl().automatic)));
}
void TextEditor::show_validity(Validity validity) { line_->show_validity(validity); }

}  // namespace tl::ui
