// LearningPanel: the page that finds parameters: targets, objective, run with plots, result, history, landscape,
// checks.
#pragma once

#include "widgets/jobs/job_page.h"
#include "widgets/session/learning_session.h"
#include "widgets/session/selection.h"

class QListView;

namespace tl::ui {

class GradientCheckPanel;
class LandscapePanel;
class LearningPlots;
class LearningStart;
class ObjectiveChooser;
class RunModel;

class LearningPanel final : public JobPage {
  Q_OBJECT
 public:
  LearningPanel(LearningSession& learning, Selection& selection, QWidget* parent = nullptr);
  [[nodiscard]] LearningStart& start() { return *start_; }
  [[nodiscard]] LearningPlots& plots();
  [[nodiscard]] LandscapePanel& landscape() { return *landscape_; }
  [[nodiscard]] GradientCheckPanel& checks() { return *checks_; }
  [[nodiscard]] RunModel& runs() { return *runs_; }
  void open_checks();
  void open_landscape();

 private:
  struct Parts;
  LearningPanel(LearningSession& learning, Selection& selection, const Parts& parts, QWidget* parent);
  LearningStart* start_;
  LandscapePanel* landscape_;
  GradientCheckPanel* checks_;
  RunModel* runs_;
  QListView* history_;
  QToolButton *landscape_fold_ = nullptr, *history_fold_ = nullptr, *checks_fold_ = nullptr;
};

}  // namespace tl::ui
