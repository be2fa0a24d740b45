// TrainingPlots: the losses and the F1 scores of a training, while it goes on and afterwards.
#pragma once

#include <QWidget>

#include "widgets/session/training_session.h"

class QBoxLayout;

namespace tl::ui {

class PlotPanel;

inline constexpr int plot_height_in_dock = 150;  // px

class TrainingPlots final : public QWidget {
  Q_OBJECT
 public:
  explicit TrainingPlots(TrainingSession& training, QWidget* parent = nullptr);
  void set_direction(Qt::Orientation direction);  // plots below each other, or side by side
  [[nodiscard]] PlotPanel& loss() { return *loss_; }
  [[nodiscard]] PlotPanel& f1() { return *f1_; }

 private:
  void refresh();
  TrainingSession& training_;
  PlotPanel *loss_, *f1_;
  QBoxLayout* box_;
  std::size_t epochs_ = 0;  // that are plotted
};

}  // namespace tl::ui
