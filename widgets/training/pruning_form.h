// PruningForm: what is pruned and how: network, method, share to keep, steps, training in between, name of the output.
#pragma once

#include <QWidget>
#include <functional>

#include "widgets/session/pruning_session.h"

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace tl::ui {

class PruningForm final : public QWidget {
  Q_OBJECT
 public:
  explicit PruningForm(PruningSession& pruning, QWidget* parent = nullptr);

 private:
  void make_network_fields();
  void make_method_fields();
  void make_training_fields();
  void make_output_field();
  void add_row(const QString& title, QWidget* field, const QString& help);
  QWidget* row_with_button(QLineEdit* line, const QString& help, const std::function<void()>& choose);
  QSpinBox* whole(int low, int high, int64_t train::PruningPlan::*member);
  QDoubleSpinBox* share();
  void change(const std::function<void(train::PruningPlan&)>& edit);
  void choose_network();
  void choose_output();
  void refresh();
  PruningSession& pruning_;
  QFormLayout* form_;
  QComboBox *origin_, *method_;
  QLineEdit *file_, *output_;
  QLabel* note_;
  QSpinBox *epochs_ = nullptr, *epoch_steps_ = nullptr;
  // Fields of numbers, with how they show the plan.
  std::vector<std::function<void(const train::PruningPlan&)>> shows_;
  std::vector<QWidget*> fields_;
};

}  // namespace tl::ui
