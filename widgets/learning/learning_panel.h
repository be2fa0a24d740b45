// LearningPanel: the learning dock: targets, objective, run with plots, result, history, landscape, checks.
#pragma once

#include <QScrollArea>

#include "widgets/session/learning_session.h"
#include "widgets/session/selection.h"

class QListView;
class QToolButton;
class QVBoxLayout;

namespace tl::ui {

class GradientCheckPanel;
class LandscapePanel;
class LearningControls;
class LearningPlots;
class RunModel;

// Where the plots are: in the dock below the controls, or where the window chooses.
enum class CurvesPosition { dock, elsewhere };

class LearningPanel final : public QScrollArea {
  Q_OBJECT
 public:
  LearningPanel(LearningSession& learning, Selection& selection, QWidget* parent = nullptr);
  [[nodiscard]] LearningControls& controls() { return *controls_; }
  [[nodiscard]] LearningPlots& plots() { return *plots_; }
  [[nodiscard]] LandscapePanel& landscape() { return *landscape_; }
  [[nodiscard]] GradientCheckPanel& checks() { return *checks_; }
  [[nodiscard]] RunModel& runs() { return *runs_; }
  // dock: moves the plots into the dock; elsewhere: the window gives them another parent.
  void show_curves_in(CurvesPosition place);
  void open_checks();
  void open_landscape();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  void scroll_over_lists();
  void follow_result();
  void show_result();
  QToolButton* add_fold(QVBoxLayout& column, const QString& title, QWidget* body);
  LearningSession& learning_;
  QVBoxLayout* column_;
  LearningControls* controls_;
  LearningPlots* plots_;
  LandscapePanel* landscape_;
  GradientCheckPanel* checks_;
  RunModel* runs_;
  QWidget* result_;
  bool result_is_new_ = false;  // nobody has scrolled since learning ended
  QListView* history_;
  QToolButton *landscape_fold_ = nullptr, *history_fold_ = nullptr, *checks_fold_ = nullptr;
};

}  // namespace tl::ui
