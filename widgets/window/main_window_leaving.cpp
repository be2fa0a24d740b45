// MainWindow: how it is left, and what windows that are gone have left: unfinished work, recovery.
#include <QCloseEvent>
#include <utility>

#include "core/live/notification.h"
#include "widgets/session/learning_session.h"
#include "widgets/session/pruning_session.h"
#include "widgets/session/training_session.h"
#include "widgets/text/amounts.h"
#include "widgets/training/pruning_controls.h"
#include "widgets/training/training_controls.h"
#include "widgets/views/state/painter.h"
#include "widgets/views/views_area.h"
#include "widgets/views/volume/movie_dialog.h"
#include "widgets/window/files/autosave.h"
#include "widgets/window/files/file_flows.h"
#include "widgets/window/main_window.h"
#include "widgets/window/notices.h"
#include "widgets/window/state/settings.h"
#include "widgets/window/welcome_page.h"

namespace tl::ui {
namespace {

QString run_text(const live::RunProgress& run) {
  QString text = run.doing.empty() ? MainWindow::tr("waiting to begin") : QString::fromStdString(run.doing);
  if (run.fraction > 0) text += MainWindow::tr(" · %1 %").arg(static_cast<int>(100 * run.fraction));
  if (run.seconds_left >= 0) text += MainWindow::tr(" · %1 left").arg(duration_text(run.seconds_left));
  return MainWindow::tr("A run goes on (%1). Files that it has not completed are not written.").arg(text);
}

// What the status line says, without the first word.
QString where_text(const QString& activity) { return activity.section(QStringLiteral(" · "), 1); }

QString training_text(const TrainingSession& training) {
  if (training.state() == TrainingState::ended)
    return MainWindow::tr("The trained network is not saved: it was neither accepted nor rejected.");
  const QString where = where_text(training_activity(training));
  return training.keeps_checkpoint()
             ? MainWindow::tr("A network is being trained (%1). It can go on later from its checkpoint.").arg(where)
             : MainWindow::tr("A network is being trained (%1). What it has learned is lost.").arg(where);
}

QString pruning_text(const PruningSession& pruning) {
  if (!pruning.is_busy()) return MainWindow::tr("The pruned network is not saved.");
  return MainWindow::tr("A network is being pruned (%1). It ends without a result.")
      .arg(where_text(pruning_activity(pruning)));
}

}  // namespace

QStringList MainWindow::unfinished_work(Leaving what) const {
  QStringList work;
  if (session_.has_run()) work << run_text(session_.run_progress());
  if (learning_session_->is_busy())
    work << tr("Parameters are being learned (%n iterations so far). The values found so far are lost.", nullptr,
               static_cast<int>(learning_session_->progress().size()));
  if (learning_session_->state() == LearningState::ended)
    work << tr("The learned values were neither accepted nor rejected. They are lost.");
  const TrainingState training = training_session_->state();
  if (training != TrainingState::idle && training != TrainingState::stopping) work << training_text(*training_session_);
  if (pruning_session_->is_unsaved() && pruning_session_->state() != PruningState::stopping)
    work << pruning_text(*pruning_session_);
  if (views_->state().painter().is_interpolating()) work << tr("Labels are being painted between slices.");
  // It has the voxels of its own: only closing the window ends it.
  if (what == Leaving::window)
    for (const MovieDialog* dialog : findChildren<MovieDialog*>())
      if (dialog->is_busy()) work << tr("A movie is being saved. Nothing of it is kept.");
  return work;
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!files_->confirm_leaving(Leaving::window)) {
    event->ignore();
    return;
  }
  files_->stop_opening();
  session_.stop();
  training_session_->cancel();
  pruning_session_->cancel();
  autosave_->discard();
  workspaces_->remember();
  settings_.set_layout(QStringLiteral("window"), saveGeometry());
  event->accept();
}

// On the welcome page; a window that began with a file says it there.
void MainWindow::connect_recovery() {
  connect(welcome_, &WelcomePage::recovery_wanted, files_, &FileFlows::recover);
  connect(welcome_, &WelcomePage::recovery_refused, this, [this](const WindowRecord& gone) {
    WindowRecords::discard(gone);
    welcome_->offer_recovery(autosave_->records().left_copies());
  });
  // The copy goes once this window has one of its own.
  connect(files_, &FileFlows::recovered, this, [this](const WindowRecord& from) {
    if (autosave_->save_now()) WindowRecords::discard(from);
  });
  connect(files_, &FileFlows::open_elsewhere, this, [this](const QString& why) { notices_->show_error(why); });
  connect(files_, &FileFlows::entered, this, [this] {
    const auto copies = autosave_->records().left_copies();
    if (std::exchange(copies_reported_, true) || copies.empty()) return;
    messages_.add(LogLevel::warning, {}, tr("The welcome page has unsaved changes of a window that ended."));
  });
}

}  // namespace tl::ui
