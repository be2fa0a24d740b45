// ArrayEditor: says what an array holds. Its numbers come from learning; here they can be given up again.
#pragma once

#include "widgets/inspector/value_editor.h"

class QLabel;
class QToolButton;

namespace tl::ui {

class ArrayEditor final : public ValueEditor {
  Q_OBJECT

 public:
  ArrayEditor(const ParamDecl& decl, QWidget* parent);
  void show_value(const ParamValue& value) override;
  void show_validity(Validity validity) override;

 private:
  QLabel* text_;
  QToolButton* give_up_;
};

}  // namespace tl::ui
