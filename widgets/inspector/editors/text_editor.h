// TextEditor: a text on one line.
#pragma once

#include "widgets/inspector/editors/value_editor.h"

namespace tl::ui {

class EntryLine;

class TextEditor final : public ValueEditor {
  Q_OBJECT
 public:
  TextEditor(const ParamDecl& decl, QWidget* parent);
  void show_value(const ParamValue& value) override;
  void show_validity(Validity validity) override;

 private:
  EntryLine* line_;
};

}  // namespace tl::ui
