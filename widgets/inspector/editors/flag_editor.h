// FlagEditor: check box for yes or no.
#pragma once

#include "widgets/inspector/editors/value_editor.h"

class QCheckBox;

namespace tl::ui {

class FlagEditor final : public ValueEditor {
  Q_OBJECT
 public:
  FlagEditor(const ParamDecl& decl, QWidget* parent);
  void show_value(const ParamValue& value) override;
  void show_validity(Validity /*validity*/) override {}  // every value is valid

 private:
  QCheckBox* box_;
};

}  // namespace tl::ui
