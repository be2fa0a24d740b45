// PerViewEditor: summary of one number per view, and a button for the table.
#pragma once

#include "widgets/inspector/editors/value_editor.h"

class QPushButton;

namespace tl::ui {

class PerViewEditor final : public ValueEditor {
  Q_OBJECT
 public:
  PerViewEditor(const ParamDecl& decl, QWidget* parent);
  void show_value(const ParamValue& value) override;
  void show_validity(Validity validity) override;

 private:
  void open_table();
  QPushButton* button_;
  NumberList list_;
};

}  // namespace tl::ui
