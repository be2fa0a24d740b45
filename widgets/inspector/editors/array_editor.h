// ArrayEditor: says what an array holds. Its numbers come from learning, nobody types them; the field's reset gives
// them up.
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
