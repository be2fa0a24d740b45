// The main window's notices: errors and ends of runs over the page, with buttons that lead on.
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QUrl>

#include "core/live/notification.h"
#include "widgets/canvas/canvas.h"
#include "widgets/history/history_keeper.h"
#include "widgets/history/history_page.h"
#include "widgets/inspector/inspector.h"
#include "widgets/language/translated.h"
#include "widgets/queue/queue_history.h"
#include "widgets/queue/queue_session.h"
#include "widgets/queue/runs_area.h"
#include "widgets/session/learning_session.h"
#include "widgets/session/missing_inputs.h"
#include "widgets/session/pruning_session.h"
#include "widgets/session/sweep_session.h"
#include "widgets/session/training_session.h"
#include "widgets/text/amounts.h"
#include "widgets/text/error_text.h"
#include "widgets/views/state/painter.h"
#include "widgets/views/views_area.h"
#include "widgets/window/files/file_flows.h"
#include "widgets/window/files/report_flow.h"
#include "widgets/window/main_window.h"
#include "widgets/window/message_panel.h"
#include "widgets/window/notices.h"
#include "widgets/window/run_flows.h"
#include "widgets/window/state/settings.h"

namespace tl::ui {

void MainWindow::connect_notices() {
  connect(files_, &FileFlows::open_failed, this, [this](const QString& why) {
    notices_->show_error(tr("Not opened: %1").arg(why), {{tr("Open another…"), [this] { files_->open_dialog(); }}});
  });
  connect(files_, &FileFlows::save_failed, this, [this](const QString& file, const QString& why) {
    notices_->show_error(tr("%1 was not saved: %2").arg(file, why), {{tr("Save as…"), [this] { files_->save_as(); }}});
  });
  const Painter& painter = views_->state().painter();
  connect(&painter, &Painter::failed, this, [this](const QString& why) {
    messages_.add(LogLevel::error, {}, tr("Not painted: %1").arg(why));
    notices_->show_error(tr("Not painted: %1").arg(why));
  });
  connect(&painter, &Painter::notice, this, [this](const QString& what) {
    messages_.add(LogLevel::info, {}, what);
    notices_->show_done(what, {});
  });
  connect(files_, &FileFlows::translated, this, &MainWindow::show_translated);
  connect(files_, &FileFlows::was_saved, notices_, &Notices::close_error);
  connect(files_, &FileFlows::entered, notices_, &Notices::close_error);
  connect(runs_, &RunFlows::started, notices_, &Notices::close_error);
  connect(runs_, &RunFlows::failed, this, &MainWindow::show_failure);
  connect(runs_, &RunFlows::wrote, this, &MainWindow::show_written);
  connect(&session_, &LiveSession::status_changed, this, &MainWindow::watch_status);
  connect(message_panel_, &MessagePanel::node_wanted, this, &MainWindow::go_to_problem);
  connect_recovery();
  // Errors of the history do not stop the work.
  auto* keeper = new HistoryKeeper(session_, history::Store(history::default_file()), this);
  connect(runs_, &RunFlows::started, keeper, [this, keeper] {
    if (const Graph* exported = runs_->exported()) return keeper->begin_run(history::Kind::exported, *exported);
    keeper->begin_run(history::Kind::run);
  });
  keeper->follow(*learning_session_);
  keeper->follow(*training_session_, history::Kind::training);
  keeper->follow(*pruning_session_, history::Kind::training);
  keeper->follow(*sweep_session_, history::Kind::run);
  new QueueHistory(*queue_session_, *keeper, keeper);
  auto* page = new HistoryPage(history::Store(history::default_file()));
  runs_area_->set_history(page);
  connect(page, &HistoryPage::open_wanted, files_, &FileFlows::open_voxels);
  connect(page, &HistoryPage::repeat_wanted, files_, &FileFlows::open_graph);
  connect(page, &HistoryPage::report_written, this, &MainWindow::show_report);
  connect(page, &HistoryPage::failed, this, [this](const QString& why) { messages_.add(LogLevel::warning, {}, why); });
  connect(keeper, &HistoryKeeper::failed, this,
          [this](const QString& what) { messages_.add(LogLevel::warning, {}, what); });
}

// The first losses; the message list has all.
void MainWindow::show_translated(const QString& program, const QStringList& lost) {
  if (lost.isEmpty()) return;
  constexpr qsizetype most = 5;
  QString text = tr("From %1, without these settings, which have no counterpart here:").arg(program);
  for (const QString& loss : lost.first(std::min(most, lost.size()))) text += QStringLiteral("\n") + loss;
  if (lost.size() > most)
    text += QStringLiteral("\n") + tr("and %n more, see Messages", nullptr, static_cast<int>(lost.size() - most));
  notices_->show_error(text);
}

// Selects the node, and the parameter that its error is about.
void MainWindow::go_to_problem(const QString& node) {
  selection_.set_one(node);
  canvas_->reveal(node);
  inspector_->show_problem();
}

void MainWindow::show_failure(const QString& node, const QString& why) {
  if (node.isEmpty()) return notices_->show_error(why);
  const QString title = session_.document().card_title(node);
  std::vector<NoticeButton> buttons = remedies_of(node);
  buttons.push_back({tr("Go to %1").arg(title), [this, node] { go_to_problem(node); }});
  notices_->show_error(QStringLiteral("%1: %2").arg(title, why), buttons, node);
}

// The user searches for a missing file once; the new folder of files that moved with it is remembered.
std::vector<NoticeButton> MainWindow::remedies_of(const QString& node) {
  const std::vector<MissingInput> missing = missing_inputs(session_.document(), node);
  if (missing.empty()) return {};
  std::vector<NoticeButton> buttons;
  for (const MovedFolder& moved : settings_.moved_folders())
    if (const QString now = moved.place_of(missing.front().file); !now.isEmpty()) {
      buttons.push_back({tr("Use %1").arg(QDir::toNativeSeparators(now)),
                         [this, first = missing.front(), now] { relocate(session_.document(), first, now); }});
      break;
    }
  buttons.push_back({tr("Locate…"), [this, first = missing.front()] { locate(first); }});
  return buttons;
}

void MainWindow::locate(const MissingInput& missing) {
  const QFileInfo earlier(missing.file);
  const QString question = tr("Where is %1?").arg(earlier.fileName());
  // A name without an ending is that of a folder of images.
  const QString now = earlier.suffix().isEmpty()
                          ? QFileDialog::getExistingDirectory(this, question, earlier.absolutePath())
                          : QFileDialog::getOpenFileName(this, question, earlier.absolutePath());
  if (now.isEmpty()) return;
  settings_.remember_moved(MovedFolder::between(missing.file, now));
  relocate(session_.document(), missing, now);
}

// A node that fails while images are computed is reported like a node of a run. Its banner disappears together with its
// error.
void MainWindow::watch_status(const QString& node) {
  const live::NodeStatus status = session_.status(node);
  const bool free = notices_->node().isEmpty() && !notices_->error().isVisible();
  if (status.state == live::State::failed && status.error && free)
    show_failure(node, error_text(*status.error));
  else if (!status.error && notices_->node() == node)
    notices_->close_error();
}

void MainWindow::show_written(const QStringList& files, double seconds) {
  const QFileInfo first(files.constFirst());
  const QString took = duration_text(seconds);
  const QString text = files.size() == 1
                           ? tr("Wrote %1 in %2").arg(first.fileName(), took)
                           : tr("Wrote %1 and %2 more in %3").arg(first.fileName()).arg(files.size() - 1).arg(took);
  notices_->show_done(text, {{tr("Show folder"), [this, folder = first.absolutePath()] { show_outside(folder); }},
                             {tr("Report…"), [this] { reports_->ask_and_write(this); }},
                             {tr("Open"), [this, file = first.absoluteFilePath()] { show_outside(file); }}});
}

void MainWindow::show_report(const QString& file) {
  const QString text = tr("Wrote %1").arg(QDir::toNativeSeparators(file));
  messages_.add(LogLevel::info, {}, text);
  notices_->show_done(text, {{tr("Open"), [this, file] { show_outside(file); }}});
}

void MainWindow::show_outside(const QString& path) {
  if (!QDesktopServices::openUrl(QUrl::fromLocalFile(path)))
    notices_->show_error(tr("No program opens %1").arg(QDir::toNativeSeparators(path)));
}

}  // namespace tl::ui
