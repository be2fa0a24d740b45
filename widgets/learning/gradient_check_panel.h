// GradientCheckPanel: checks gradients of the objective with respect to the marked parameters, and the adjoint and
// gradients of the selected node.
#pragma once

#include <QWidget>

#include "widgets/learning/check_model.h"
#include "widgets/session/learning_session.h"
#include "widgets/session/selection.h"

class QLabel;
class QPushButton;
class QTableView;

namespace tl::ui {

class GradientCheckPanel final : public QWidget {
  Q_OBJECT
 public:
  GradientCheckPanel(LearningSession& learning, Selection& selection, QWidget* parent = nullptr);
  [[nodiscard]] CheckModel& model() { return model_; }
  void check_selected_node();

 private:
  void refresh();
  void show_gradients(const live::GradientCheckEnd& end);
  void show_node(const live::NodeCheckEnd& end);
  void show_message(const QString& text, const char* tone);
  void fit_table();
  LearningSession& learning_;
  Selection& selection_;
  CheckModel model_;
  QPushButton *gradients_, *node_;
  QLabel* note_;
  QTableView* table_;
  bool wanted_ = false;  // this panel requested the next result of a gradient check
};

}  // namespace tl::ui
