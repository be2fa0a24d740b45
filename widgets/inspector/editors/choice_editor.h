// ChoiceEditor: drop-down list of named choices.
#pragma once

#include "widgets/inspector/editors/value_editor.h"

class QComboBox;

namespace tl::ui {

class ChoiceEditor final : public ValueEditor {
  Q_OBJECT
 public:
  ChoiceEditor(const ParamDecl& decl, QWidget* parent);
  void show_value(const ParamValue& value) override;
  void show_validity(Validity validity) override;

 private:
  QComboBox* box_;
};

}  // namespace tl::ui
