// JobPage: the page of one kind of job: form, buttons, result, table of steps and curves in one column that scrolls.
#pragma once

#include <QScrollArea>

#include "widgets/jobs/job_spec.h"
#include "widgets/session/job_session.h"

class QToolButton;
class QVBoxLayout;

namespace tl::ui {

class JobControls;

// Where the curves are shown: in the dock below the controls, or at a place that the window chooses.
enum class CurvesPosition { dock, elsewhere };

class JobPage : public QScrollArea {
  Q_OBJECT
 public:
  JobPage(JobSession& job, JobSpec spec, QWidget* parent = nullptr);
  [[nodiscard]] JobSession& job() const { return job_; }
  [[nodiscard]] const JobSpec& spec() const { return spec_; }
  [[nodiscard]] JobControls& controls() { return *controls_; }
  [[nodiscard]] JobPlots& plots() { return *plots_; }
  // dock: moves the curves into the dock; elsewhere: the window gives them another parent.
  void show_curves_in(CurvesPosition place);
  // What would be lost by leaving the page; empty: nothing.
  [[nodiscard]] QString unsaved() const;

 protected:
  [[nodiscard]] QVBoxLayout& column() { return *column_; }
  void wheelEvent(QWheelEvent* event) override;

 private:
  void follow_result();
  void show_result();
  JobSession& job_;
  const JobSpec spec_;
  QVBoxLayout* column_;
  JobControls* controls_;
  QWidget* result_;
  JobPlots* plots_;
  bool result_is_new_ = false;  // nobody has scrolled since the job ended
};

// Adds a button that folds `body`, closed at first, and `body` to the end of a column.
QToolButton* add_fold(QVBoxLayout& column, const QString& title, QWidget* body);

}  // namespace tl::ui
