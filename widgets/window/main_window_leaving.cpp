// MainWindow: leaving it with unfinished work, and recovering unsaved copies of windows that ended.
#include <QCloseEvent>
#include <utility>

#include "core/live/notification.h"
#include "widgets/export/export_dialog.h"
#include "widgets/jobs/job_page.h"
#include "widgets/language/translated.h"
#include "widgets/queue/queue_session.h"
#include "widgets/session/stream_session.h"
#include "widgets/stream/stream_dock.h"
#include "widgets/text/amounts.h"
#include "widgets/text/error_text.h"
#include "widgets/views/state/painter.h"
#include "widgets/views/views_area.h"
#include "widgets/window/files/autosave.h"
#include "widgets/window/files/file_flows.h"
#include "widgets/window/main_window.h"
#include "widgets/window/notices.h"
#include "widgets/window/state/settings.h"
#include "widgets/window/welcome_page.h"

namespace tl::ui {
namespace {

QString run_text(const live::RunProgress& run) {
  QString text = !run.doing.empty() ? translated(run.doing)
                 : run.running      ? MainWindow::tr("just begun")
                                    : MainWindow::tr("waiting to begin");
  if (run.fraction > 0) text += MainWindow::tr(" · %1 %").arg(static_cast<int>(100 * run.fraction));
  if (run.seconds_left >= 0) text += MainWindow::tr(" · %1 left").arg(duration_text(run.seconds_left));
  return MainWindow::tr("A run is in progress (%1). Files that it has not completed are not written.").arg(text);
}

}  // namespace

QStringList MainWindow::unfinished_work(Leaving what) const {
  QStringList work;
  if (session_.has_run()) work << run_text(session_.run_progress());
  for (const JobPage* page : jobs_)
    if (const QString lost = page->unsaved(); !lost.isEmpty()) work << lost;
  if (what == Leaving::window && queue_session_->is_busy())
    work << tr("The queue runs. The scan that is being reconstructed will wait again; its results are deleted.");
  if (views_->state().painter().is_interpolating()) work << tr("Labels are being painted between slices.");
  // A stream continues with another pipeline.
  if (what == Leaving::window)
    if (const QString lost = stream_->unsaved(); !lost.isEmpty()) work << lost;
  if (what == Leaving::window)
    for (const ExportDialog* dialog : findChildren<ExportDialog*>())
      if (dialog->is_filming()) work << tr("A movie is being exported. Nothing of it is kept.");
  return work;
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!files_->confirm_leaving(Leaving::window)) {
    event->ignore();
    return;
  }
  if (files_->goes_on_in_background())
    if (const Result<void> begun = go_on_in_background(); !begun.ok()) {
      notices_->show_error(tr("The work cannot continue in the background: %1").arg(error_text(begun.error())));
      event->ignore();
      return;
    }
  files_->stop_opening();
  session_.stop();
  for (JobPage* page : jobs_) page->job().cancel();
  stream_session_->close();
  queue_session_->cancel();
  autosave_->discard();
  workspaces_->remember();
  settings_.set_layout(QStringLiteral("window"), saveGeometry());
  event->accept();
}

// On the welcome page; in a window that began with a file, as a message.
void MainWindow::connect_recovery() {
  connect(welcome_, &WelcomePage::recovery_wanted, files_, &FileFlows::recover);
  connect(welcome_, &WelcomePage::recovery_refused, this, [this](const WindowRecord& gone) {
    WindowRecords::discard(gone);
    welcome_->offer_recovery(autosave_->records().left_copies());
  });
  // The old copy is deleted when this window has written its own.
  connect(files_, &FileFlows::recovered, this, [this](const WindowRecord& from) {
    if (autosave_->save_now()) WindowRecords::discard(from);
  });
  connect(files_, &FileFlows::open_elsewhere, this, [this](const QString& why) {
    notices_->show_error(why, {{tr("Show the difference"), [this] { files_->show_difference(); }},
                               {tr("Save as…"), [this] { files_->save_as(); }}});
  });
  connect(files_, &FileFlows::entered, this, [this] {
    const auto copies = autosave_->records().left_copies();
    if (std::exchange(copies_reported_, true) || copies.empty()) return;
    messages_.add(LogLevel::warning, {}, tr("The welcome page has unsaved changes of a window that ended."));
  });
}

}  // namespace tl::ui
