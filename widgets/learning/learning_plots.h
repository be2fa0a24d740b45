// LearningPlots: a run while it goes on and afterwards: the loss, a small plot per parameter, the landscape, a slider
// over the steps.
#pragma once

#include "widgets/jobs/job_plots.h"
#include "widgets/learning/run_content.h"
#include "widgets/session/learning_session.h"

class QGridLayout;
class QTimer;

namespace tl::ui {

class StepSlider;

class LearningPlots final : public JobPlots {
  Q_OBJECT
 public:
  explicit LearningPlots(LearningSession& learning, QWidget* parent = nullptr);
  void set_direction(Qt::Orientation direction) override;
  void show_records(const ShownRecords& shown);  // earlier runs
  [[nodiscard]] PlotPanel& loss() { return *loss_; }
  [[nodiscard]] PlotPanel& parameter(std::size_t index = 0) { return *parameters_.at(index); }
  [[nodiscard]] std::size_t parameters() const { return parameters_.size(); }
  // Visible if a landscape is known, or a single number is learned.
  [[nodiscard]] PlotPanel& landscape() { return *landscape_; }
  [[nodiscard]] StepSlider& steps() { return *steps_; }

 private:
  void refresh();
  void refresh_targets();
  void arrange();
  LearningSession& learning_;
  PlotPanel *loss_, *landscape_;
  std::vector<PlotPanel*> parameters_;  // one at least
  StepSlider* steps_;
  QTimer* refresh_timer_;
  QWidget* multiples_;
  QGridLayout* grid_;
  Qt::Orientation direction_ = Qt::Vertical;
  ShownRecords shown_;
  std::vector<std::pair<std::string, std::string>> targets_;
};

}  // namespace tl::ui
