// ValueEditor: shared by all editors of a form; selects the editor for a declaration.
#include "widgets/inspector/editors/value_editor.h"

#include <QVBoxLayout>

#include "widgets/inspector/editors/array_editor.h"
#include "widgets/inspector/editors/choice_editor.h"
#include "widgets/inspector/editors/flag_editor.h"
#include "widgets/inspector/editors/list_editor.h"
#include "widgets/inspector/editors/number_editor.h"
#include "widgets/inspector/editors/path_editor.h"
#include "widgets/inspector/editors/per_view_editor.h"
#include "widgets/inspector/editors/text_editor.h"
#include "widgets/language/translated.h"
#include "widgets/text/quantity_text.h"
#include "widgets/theme/layouts.h"

namespace tl::ui {

ValueEditor::ValueEditor(const ParamDecl& decl, QWidget* parent) : QWidget(parent), decl_(decl) {}

void ValueEditor::hold(QWidget* field) {
  framed(new QVBoxLayout(this))->addWidget(field);
  setFocusProxy(field);
  field->setAccessibleName(translated(decl_.title));
}

void ValueEditor::enter_text(const QString& text, Unit unit, Change change) {
  const bool is_number = decl_.kind == ParamKind::number;
  const QString trimmed = is_number ? QString::fromStdString(typed_number(text)) : text.trimmed();
  const bool ends_in_number = !trimmed.isEmpty() && (trimmed.back().isDigit() || trimmed.back() == QChar('.'));
  const std::string unit_symbol(symbol(unit));
  std::string written = trimmed.toStdString();
  if (ends_in_number && !unit_symbol.empty() && unit != decl_.unit) written += " " + unit_symbol;
  const Result<ParamValue> value = parse_value(decl_, written);
  if (value.ok()) {
    Q_EMIT entered(value.value(), change);
  } else {
    Q_EMIT unreadable(value.error());
  }
}

ValueEditor* make_editor(const ParamDecl& decl, QWidget* parent) {
  switch (decl.kind) {
    case ParamKind::flag: return new FlagEditor(decl, parent);
    case ParamKind::integer:
    case ParamKind::number: return new NumberEditor(decl, parent);
    case ParamKind::choice: return new ChoiceEditor(decl, parent);
    case ParamKind::text: return new TextEditor(decl, parent);
    case ParamKind::path: return new PathEditor(decl, parent);
    case ParamKind::numbers:
      if (decl.per_view) return new PerViewEditor(decl, parent);
      return new ListEditor(decl, parent);
    case ParamKind::array: return new ArrayEditor(decl, parent);
  }
  return nullptr;
}

}  // namespace tl::ui
