// TrainingPanel: the part of the learning dock that trains a segmentation network: form, buttons, result, plots.
#pragma once

#include "widgets/learning/learning_panel.h"
#include "widgets/session/training_session.h"
#include "widgets/training/scrolling_page.h"

namespace tl::ui {

class TrainingPlots;

class TrainingPanel final : public ScrollingPage {
  Q_OBJECT
 public:
  explicit TrainingPanel(TrainingSession& training, QWidget* parent = nullptr);
  [[nodiscard]] TrainingPlots& plots() { return *plots_; }
  // dock: moves the plots into the dock; elsewhere: the window gives them another parent.
  void show_curves_in(CurvesPosition place);

 private:
  TrainingPlots* plots_;
};

}  // namespace tl::ui
