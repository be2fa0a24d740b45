// ListEditor: a short list of numbers on one line, with the unit after the last.
#pragma once

#include "widgets/inspector/editors/value_editor.h"

namespace tl::ui {

class EntryLine;

class ListEditor final : public ValueEditor {
  Q_OBJECT
 public:
  ListEditor(const ParamDecl& decl, QWidget* parent);
  void show_value(const ParamValue& value) override;
  void show_validity(Validity validity) override;

 private:
  EntryLine* line_;
  Unit unit_;
};

}  // namespace tl::ui
