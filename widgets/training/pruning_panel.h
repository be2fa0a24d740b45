// PruningPanel: the part of the learning dock that prunes a network: form, buttons, result, steps, plots.
#pragma once

#include "widgets/learning/learning_panel.h"
#include "widgets/session/pruning_session.h"
#include "widgets/training/scrolling_page.h"

namespace tl::ui {

class PruningPlots;

class PruningPanel final : public ScrollingPage {
  Q_OBJECT
 public:
  explicit PruningPanel(PruningSession& pruning, QWidget* parent = nullptr);
  [[nodiscard]] PruningPlots& plots() { return *plots_; }
  // dock: moves the plots into the dock; elsewhere: the window gives them another parent.
  void show_curves_in(CurvesPosition place);

 private:
  PruningPlots* plots_;
};

}  // namespace tl::ui
