// The main window's work that continues after it is closed: a run, learning, the queue.
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "core/graph/graph_json.h"
#include "core/io/output/output_file.h"
#include "core/run/cluster/task_words.h"
#include "core/run/many/scan_list.h"
#include "widgets/queue/queue_session.h"
#include "widgets/queue/slurm_forms.h"
#include "widgets/session/command_line.h"
#include "widgets/session/learning_session.h"
#include "widgets/session/training_session.h"
#include "widgets/window/files/background_work.h"
#include "widgets/window/files/file_flows.h"
#include "widgets/window/main_window.h"
#include "widgets/window/notices.h"
#include "widgets/window/run_flows.h"

namespace tl::ui {
namespace {

QString text_of_path(const std::filesystem::path& path) { return QFile::decodeName(path.c_str()); }
std::filesystem::path path_of(const QString& file) { return QFile::encodeName(file).toStdString(); }

QStringList texts_of(const std::vector<std::string>& words) {
  QStringList texts;
  for (const std::string& word : words) texts << QFile::decodeName(word.c_str());
  return texts;
}

// A copy, because the document's file may be changed, or have never been saved.
Result<QString> kept_pipeline(const QString& place, const Graph& graph, const Registry& registry) {
  const QString file = place + QStringLiteral("/pipeline.json");
  TL_TRY(save_pipeline(graph, registry, QFile::encodeName(file).toStdString(), io::no_inputs(io::Overwrite::refuse)));
  return file;
}

// The rows of the queue that have not ended.
std::vector<tl::ScanRow> rows_left(const QueueSession& queue) {
  std::vector<tl::ScanRow> rows;
  for (const tl::ScanRow& row : queue.rows()) {
    if (!queue.is_waiting(row) && !queue.is_running(row)) continue;
    rows.push_back(row);
    rows.back().pipeline = task_of(row, QFile::encodeName(queue.folder()).toStdString()).pipeline;
    rows.back().state = ScanState::waiting;
  }
  return rows;
}

// Writes them in the format that the command line reads.
Result<QString> kept_rows(const QString& place, const std::vector<tl::ScanRow>& rows) {
  const QString file = place + QStringLiteral("/rows.csv");
  TL_TRY(io::write_text(QFile::encodeName(file).toStdString(), csv_of(rows), io::no_inputs(io::Overwrite::refuse)));
  return file;
}

}  // namespace

QString MainWindow::background_offer() const {
  if (!background_->obstacle().isEmpty()) return {};
  QStringList what;
  if (session_.has_run()) what << tr("the run");
  if (learning_session_->is_busy()) what << tr("learning");
  if (queue_session_->is_busy()) what << tr("the queue");
  const bool trains = training_session_->is_busy();
  const bool has_checkpoint = trains && !training_session_->written_checkpoint().isEmpty();
  if (trains && !has_checkpoint) what << tr("the training");
  const QString goes_on =
      tr("In the background the training continues from its last checkpoint, without the window. A desktop "
         "notification reports its end.");
  if (what.isEmpty()) return trains ? goes_on : QString();
  return tr("In the background %1 would begin again, and continue without the window. A desktop notification reports "
            "the end; the result is then in the history.")
             .arg(what.join(tr(" and "))) +
         (trains && has_checkpoint ? QLatin1Char(' ') + goes_on : QString());
}

Result<void> MainWindow::go_on_in_background() {
  const Registry& registry = session_.document().registry();
  const QString title = session_.document().title();
  const QString results = QDir(text_of_path(session_.options().output_dir)).absolutePath();
  TaskProgram program{path_of(command_line_program()), session_.options().memory, io::Overwrite::refuse,
                      OutsideOutputs::refuse};
  if (session_.has_run()) {
    const Graph& graph = runs_->exported() != nullptr ? *runs_->exported() : session_.document().graph();
    TL_TRY(const QString place, background_->new_job_folder());
    TL_TRY(const QString pipeline, kept_pipeline(place, graph, registry));
    TaskProgram as_asked = program;
    as_asked.outside = OutsideOutputs::write;
    if (runs_->existing() == live::Existing::replace) as_asked.overwrite = io::Overwrite::replace;
    const auto words = run_words(as_asked, path_of(pipeline), path_of(results));
    TL_TRY(background_->start(place, {tr("Run of %1").arg(title), texts_of(words), results, {}}));
  }
  if (learning_session_->is_busy()) {
    TL_TRY(const QString place, background_->new_job_folder());
    TL_TRY(const QString pipeline, kept_pipeline(place, session_.document().graph(), registry));
    const auto words = learn_words(program, path_of(pipeline), path_of(place + QStringLiteral("/found.json")));
    TL_TRY(background_->start(place, {tr("Learning of %1").arg(title), texts_of(words), place, {}}));
  }
  if (training_session_->is_busy()) {
    TL_TRY(const QString place, background_->new_job_folder());
    TL_TRY(const QString pipeline, kept_pipeline(place, session_.document().graph(), registry));
    const QString checkpoint = place + QStringLiteral("/checkpoint"), left = training_session_->written_checkpoint();
    if (!left.isEmpty() && !QFile::copy(left, checkpoint))
      return io_error("the checkpoint cannot be copied", left.toStdString(), "Free some space on this disk");
    const QString next_to_it = training_session_->suggested_file();
    const QString network = next_to_it.isEmpty() ? place + QStringLiteral("/network.safetensors") : next_to_it;
    const auto words = train_words(program, path_of(pipeline), path_of(network), path_of(checkpoint),
                                   train::words_of_plan(training_session_->plan()));
    TL_TRY(background_->start(
        place, {tr("Training of %1").arg(title), texts_of(words), QFileInfo(network).absolutePath(), {}}));
  }
  if (queue_session_->is_busy()) {
    TL_TRY(const QString place, background_->new_job_folder());
    const std::vector<tl::ScanRow> left = rows_left(*queue_session_);
    TL_TRY(const QString rows, kept_rows(place, left));
    // Each row has its own pipeline.
    const std::string pipeline = left.empty() ? std::string() : left.front().pipeline;
    const QString folder = queue_session_->folder();
    const auto words = table_words(program, pipeline, path_of(rows), path_of(folder));
    TL_TRY(background_->start(place, {tr("Queue in %1").arg(QDir(folder).dirName()), texts_of(words), folder,
                                      folder + QStringLiteral("/.scans.lock")}));
  }
  return ok();
}

void MainWindow::connect_background() {
  files_->set_background_offer([this] { return background_offer(); });
  connect(background_, &BackgroundWork::goes_on, this, [this](const BackgroundJob& job) {
    messages_.add(LogLevel::info, {},
                  tr("%1 has been running in the background since %2")
                      .arg(job.title, job.begun.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm"))));
  });
  connect(background_, &BackgroundWork::ended, this, &MainWindow::report_background_end);
  // After the window is shown, since it reports what is found.
  QMetaObject::invokeMethod(background_, &BackgroundWork::look, Qt::QueuedConnection);
}

void MainWindow::report_background_end(const BackgroundJob& job) {
  const bool is_done = job.state == BackgroundJob::State::done;
  const QString text = is_done ? tr("%1 has ended in the background; results are in %2").arg(job.title, job.folder)
                               : tr("%1 failed in the background").arg(job.title);
  messages_.add(is_done ? LogLevel::info : LogLevel::error, {}, text);
  const NoticeButton log{tr("Show the log"),
                         [this, job] { show_log(this, job.title, QFile::encodeName(job.log()).toStdString()); }};
  if (is_done)
    notices_->show_done(text, {log});
  else
    notices_->show_error(text, {log});
}

}  // namespace tl::ui
