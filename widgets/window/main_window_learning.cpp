// The main window's learning dock: position of its plots, and its messages.
#include <QLayout>
#include <QSplitter>
#include <QStackedWidget>
#include <algorithm>
#include <utility>

#include "widgets/jobs/job_controls.h"
#include "widgets/jobs/job_page.h"
#include "widgets/jobs/job_plots.h"
#include "widgets/learning/learning_panel.h"
#include "widgets/learning/learning_start.h"
#include "widgets/queue/queue_session.h"
#include "widgets/session/learning_session.h"
#include "widgets/session/training_session.h"
#include "widgets/training/learning_dock.h"
#include "widgets/window/main_window.h"
#include "widgets/window/notices.h"
#include "widgets/window/status_line.h"

namespace tl::ui {

// Shows the plots in the dock below the controls, or instead of the canvas.
void MainWindow::arrange_plots(CurvesPosition place) {
  for (JobPage* page : jobs_) {
    page->show_curves_in(place);
    if (place == CurvesPosition::dock) continue;
    plots_area_->layout()->addWidget(&page->plots());
    page->plots().set_direction(Qt::Horizontal);
  }
  if (place == CurvesPosition::elsewhere) show_plots_of_page();
}

// Shows the plots of the open page of the learning dock.
void MainWindow::show_plots_of_page() {
  if (plots_area_->isHidden()) return;
  for (JobPage* page : jobs_) page->plots().setVisible(page == learning_dock_->page());
}

// In other workspaces the learning section is shown only if some parameter is marked to be learned.
void MainWindow::show_learning_section() {
  if (workspaces_ == nullptr) return;
  learning_section_->setVisible(workspaces_->current() == Workspace::learn ||
                                !learning_session_->settings().targets.empty());
}

// Reports in the messages, and over the page if the job's own page is not visible.
void MainWindow::report_end_of(JobPage& page) {
  const JobSpec& spec = page.spec();
  if (const QString why = page.job().failure(); !why.isEmpty()) {
    messages_.add(LogLevel::error, {}, why);
    if (!page.isVisible() && !spec.failed.isEmpty()) notices_->show_error(spec.failed.arg(why));
  }
  if (page.job().state() != JobState::ended || page.isVisible() || !spec.ended) return;
  notices_->show_done(spec.ended(), {{tr("Show the result"), [this, &page] { show_job(page); }}});
}

// Shows the first running job in the status line.
void MainWindow::show_progress_of_jobs(StatusLine& status) {
  const auto show = [this, &status] {
    for (const JobPage* page : jobs_)
      if (const QString activity = job_activity(page->job(), page->spec()); !activity.isEmpty())
        return status.show_job(activity, std::max(page->job().done(), 0.0));
    if (queue_session_->is_busy())
      return status.show_job(tr("queue: %1").arg(QString::fromStdString(queue_session_->progress().running)),
                             std::max(queue_session_->done(), 0.0));
    status.show_job({}, 0);
  };
  for (const JobPage* page : jobs_) connect(&page->job(), &JobSession::progressed, &status, show);
  connect(queue_session_, &JobSession::progressed, &status, show);
  connect(queue_session_, &JobSession::state_changed, &status, show);
}

void MainWindow::connect_learning() {
  connect(learning_session_, &LearningSession::settings_changed, this, &MainWindow::show_learning_section);
  connect(learning_dock_, &LearningDock::page_changed, this, &MainWindow::show_plots_of_page);
  // The reason why learning does not start is shown in its dock and in the messages.
  connect(&learning_->start(), &LearningStart::refused, this, [this](const QString& why) {
    messages_.add(LogLevel::warning, {}, why);
    learning_dock_->show_page(*learning_);
    if (pages_->currentWidget() == main_ && !learning_->isVisible()) workspaces_->show(Workspace::learn);
  });
  connect(&learning_->start(), &LearningStart::waiting, this,
          [this](const QString& what) { messages_.add(LogLevel::info, {}, what); });
  for (JobPage* page : jobs_) {
    connect(&page->job(), &JobSession::state_changed, this, [this, page] { report_end_of(*page); });
    connect(&page->job(), &JobSession::saved, this,
            [this](const QString& what) { messages_.add(LogLevel::info, {}, what); });
  }
  // If the pipeline has painted labels and no marked parameter, its network is to be trained.
  connect(&session_.document(), &Document::graph_changed, this, [this] {
    const bool is_painted = training_session_->obstacle().isEmpty();
    if (is_painted && !std::exchange(was_painted_, true) && learning_session_->settings().targets.empty())
      learning_dock_->show_page(*training_);
    was_painted_ = is_painted;
  });
}

void MainWindow::show_job(JobPage& page) {
  if (pages_->currentWidget() != main_) show_main_page();
  workspaces_->show(Workspace::learn);
  learning_dock_->show_page(page);
  go_to(page, Workspace::learn);
}

}  // namespace tl::ui
