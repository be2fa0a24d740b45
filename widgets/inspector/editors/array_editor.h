// ArrayEditor: shows a summary of an array. Its values come from learning and cannot be typed; the field's reset button
// removes them.
#pragma once

#include "widgets/inspector/editors/value_editor.h"

class QLabel;

namespace tl::ui {

class ArrayEditor final : public ValueEditor {
  Q_OBJECT

 public:
  ArrayEditor(const ParamDecl& decl, QWidget* parent);
  void show_value(const ParamValue& value) override;
  void show_validity(Validity validity) override;

 private:
  QLabel* text_;
};

}  // namespace tl::ui
