// SweepDialog: slices for nine values of one parameter, or three of each of two, side by side; a click sets them in the
// pipeline.
#pragma once

#include <QDialog>

#include "widgets/inspector/dialogs/sweep_view.h"

class QComboBox;
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
  // A number parameter of a node of the pipeline.
  struct Choice {
    std::string node;
    const ParamDecl* decl = nullptr;
  };
  void start();
  void take(int tile);
  void set_in(Graph& graph, const Choice& choice, Unit unit, double value) const;
  void add_choices();  // for the second parameter
  void begin_second();
  [[nodiscard]] Number value_of(const Choice& choice) const;  // the middle of its range if automatic
  [[nodiscard]] const Choice* second() const;                 // nullptr: one parameter is swept
  LiveSession& session_;
  QString node_;
  const ParamDecl& decl_;
  std::vector<Choice> choices_;
  Unit unit_;
  SweepView* view_;
  QDoubleSpinBox *centre_, *step_, *second_centre_, *second_step_;
  QComboBox* second_;
};

}  // namespace tl::ui
