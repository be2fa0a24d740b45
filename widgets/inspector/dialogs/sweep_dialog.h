// SweepDialog: slices for nine values of one parameter side by side; a click sets the value in the pipeline.
#pragma once

#include <QDialog>

#include "widgets/inspector/dialogs/sweep_view.h"

class QDoubleSpinBox;

namespace tl::ui {

// GUI thread only.
class SweepDialog final : public QDialog {
  Q_OBJECT
 public:
  // `decl`: a number or an integer of the node.
  SweepDialog(LiveSession& session, const QString& node, const ParamDecl& decl, QWidget* parent);
  [[nodiscard]] SweepView& view() { return *view_; }

 private:
  void start();
  void take(double value);
  [[nodiscard]] Number value_of_node() const;  // the middle of its range if automatic
  LiveSession& session_;
  QString node_;
  const ParamDecl& decl_;
  Unit unit_;
  SweepView* view_;
  QDoubleSpinBox *centre_, *step_;
};

}  // namespace tl::ui
