// SweepDialog: nine values of one parameter beside each other; a click puts one into the pipeline.
#pragma once

#include <QDialog>

#include "widgets/inspector/dialogs/sweep_view.h"

class QDoubleSpinBox;

namespace tl::ui {

// GUI thread only.
class SweepDialog final : public QDialog {
  Q_OBJECT
 public:
  // A number or whole number of a node.
  SweepDialog(LiveSession& session, const QString& node, const ParamDecl& decl, QWidget* parent);
  [[nodiscard]] SweepView& view() { return *view_; }

 private:
  void start();
  void take(double value);
  [[nodiscard]] Number value_of_node() const;  // where it is automatic: the middle of its range
  LiveSession& session_;
  QString node_;
  const ParamDecl& decl_;
  Unit unit_;
  SweepView* view_;
  QDoubleSpinBox *centre_, *step_;
};

}  // namespace tl::ui
