// The main window's queue of scans: its workspace, the effect of F5, and its messages.
#include <QDir>
#include <QFileInfo>
#include <QSplitter>
#include <QStackedWidget>

#include "widgets/canvas/canvas.h"
#include "widgets/queue/queue_session.h"
#include "widgets/queue/runs_area.h"
#include "widgets/views/views_area.h"
#include "widgets/window/dock_folds.h"
#include "widgets/window/files/file_flows.h"
#include "widgets/window/header_bar.h"
#include "widgets/window/main_window.h"
#include "widgets/window/run_flows.h"
#include "widgets/window/state/settings.h"

namespace tl::ui {

bool MainWindow::shows_runs() const {
  return workspaces_ != nullptr && workspaces_->current() == Workspace::runs && mode_ == Mode::free &&
         pages_->currentWidget() == main_;
}

// The workspace Runs has the centre and the right side for itself; the left dock stays. The queue of the last window is
// opened when it is first looked at, because an open queue is locked against other programs.
void MainWindow::arrange_runs() {
  const bool runs = shows_runs();
  views_->setVisible(!runs);
  runs_area_->setVisible(runs);
  right_->setVisible(!runs && docks_->is_shown(QStringLiteral("right")));
  if (header_ != nullptr) header_->show_queue(runs ? runs_area_->queue().toggle_text() : QString());
  if (!runs) return;
  const QString last = settings_.queue_folder();
  if (queue_session_->folder().isEmpty() && QFileInfo(last).isDir()) queue_session_->open(last);
  queue_session_->look_again();
  runs_area_->queue().table().setFocus(Qt::OtherFocusReason);
}

void MainWindow::run_or_toggle_queue() {
  if (!shows_runs()) return runs_->run_all();
  if (const QString why = queue_session_->obstacle(); !queue_session_->is_busy() && !why.isEmpty())
    return messages_.add(LogLevel::warning, {}, why);
  runs_area_->queue().start_or_pause();
}

// The queue of the last window, if there was one, is continued.
void MainWindow::run_in_queue() {
  if (queue_session_->folder().isEmpty() && QFileInfo(settings_.queue_folder()).isDir())
    queue_session_->open(settings_.queue_folder());
  if (!queue_session_->add_document()) return;
  workspaces_->show(Workspace::runs);
  queue_session_->start();
}

// Watches the folder that the last window watched. Its scans run in the queue of that window, which another program may
// use by now: then that program watches.
void MainWindow::watch_again() {
  const Settings::Watched last = settings_.watched();
  if (last.folder.isEmpty() || !queue_session_->watched().folder().isEmpty()) return;
  if (!QFileInfo(last.folder).isDir())
    return messages_.add(
        LogLevel::warning, {},
        tr("The folder %1 is not watched: it does not exist").arg(QDir::toNativeSeparators(last.folder)));
  if (last.runs) {
    const QString queue = settings_.queue_folder();
    if (queue_session_->folder().isEmpty() && QFileInfo(queue).isDir()) queue_session_->open(queue);
    if (!queue_session_->foreign().isEmpty()) return;
  }
  queue_session_->watch(last.folder, last.quiet_s);
  queue_session_->use_found(last.runs ? QueueSession::Found::run : QueueSession::Found::listed);
  messages_.add(LogLevel::info, {}, tr("The folder %1 is watched again").arg(QDir::toNativeSeparators(last.folder)));
}

void MainWindow::connect_queue() {
  connect(queue_session_, &QueueSession::folder_changed, this,
          [this] { settings_.set_queue_folder(queue_session_->folder()); });
  connect(queue_session_, &QueueSession::forecasts_changed, this, [this] {
    if (shows_runs()) header_->show_queue(runs_area_->queue().toggle_text());
  });
  connect(&queue_session_->watched(), &QueueWatch::changed, this, [this] {
    const QueueWatch& watch = queue_session_->watched();
    settings_.set_watched(
        {watch.folder(), watch.quiet_s(), queue_session_->use_of_found() == QueueSession::Found::run});
  });
  // After the window is shown, since it reports what is found.
  QMetaObject::invokeMethod(this, &MainWindow::watch_again, Qt::QueuedConnection);
  connect(queue_session_, &QueueSession::refused, this,
          [this](const QString& why) { messages_.add(LogLevel::warning, {}, why); });
  connect(queue_session_, &JobSession::state_changed, this, [this] {
    if (shows_runs()) header_->show_queue(runs_area_->queue().toggle_text());
    const QueueSession& queue = *queue_session_;
    if (!queue.failure().isEmpty()) messages_.add(LogLevel::error, {}, queue.failure());
    if (queue.state() != JobState::ended) return;
    const auto scans = queue.progress().scans, failed = queue.progress().failed;
    messages_.add(failed > 0 ? LogLevel::warning : LogLevel::info, {},
                  failed > 0   ? tr("The queue has ended: %1 scans, of which %2 failed").arg(scans).arg(failed)
                  : scans == 1 ? tr("The queue has ended: one scan")
                               : tr("The queue has ended: %1 scans").arg(scans));
  });
  connect(runs_area_, &RunsArea::open_wanted, files_, &FileFlows::open_voxels);
  connect(files_, &FileFlows::entered, this, [this] {
    // A result that was opened from the queue is looked at in the views.
    if (workspaces_->current() == Workspace::runs && runs_area_->isVisible()) workspaces_->show(Workspace::see);
  });
}

}  // namespace tl::ui
