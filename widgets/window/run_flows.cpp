// RunFlows: dialogs and messages of a run: if outputs already exist, the run is started again after the user agrees to
// replace them.
#include "widgets/window/run_flows.h"

#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <utility>

#include "core/graph/graph.h"
#include "widgets/text/amounts.h"
#include "widgets/text/error_text.h"
#include "widgets/window/state/message_model.h"

namespace tl::ui {
RunFlows::RunFlows(LiveSession& session, MessageModel& messages, QWidget* window)
    : QObject(window), session_(session), messages_(messages), window_(window) {
  connect(&session_, &LiveSession::run_finished, this, &RunFlows::finished);
}

void RunFlows::run_all() { begin(RunRequest::all); }
void RunFlows::run_all_again() { begin(RunRequest::all_again); }

void RunFlows::begin(RunRequest what) {
  if (!opening_.isEmpty()) {
    waits_ = what;
    messages_.add(LogLevel::info, {}, tr("%1 runs as soon as it is open.").arg(QFileInfo(opening_).fileName()));
    return;
  }
  asked_ = what;
  run(live::Existing::refuse);
}

void RunFlows::wait_for_pipeline(const QString& file) { opening_ = file; }

void RunFlows::pipeline_is_there() {
  opening_.clear();
  if (const RunRequest waited = std::exchange(waits_, RunRequest::none); waited != RunRequest::none) begin(waited);
}

void RunFlows::stay_with_pipeline() {
  opening_.clear();
  waits_ = RunRequest::none;
}

void RunFlows::run(live::Existing existing) {
  existing_ = existing;
  Q_EMIT started();
  switch (asked_) {
    case RunRequest::all: session_.run_all(existing); break;
    case RunRequest::all_again: session_.force_all(existing); break;
    case RunRequest::exported: session_.run_graph(export_.graph, export_.outputs, existing); break;
    case RunRequest::none: break;
  }
}

void RunFlows::run_export(const exports::Plan& plan) {
  asked_ = RunRequest::exported;
  export_ = plan;
  run(live::Existing::replace);
}

// The node because of which a run did not end well: the first in the order of the pipeline that has an error.
QString RunFlows::failed_node() const {
  const Document& document = session_.document();
  const auto order = topological_order(document.graph());
  if (!order.ok()) return {};
  for (const std::string& id : order.value())
    if (session_.status(QString::fromStdString(id)).error) return QString::fromStdString(id);
  return {};
}

void RunFlows::finished(const live::RunEnd& end) {
  if (!end.existing.empty() && asked_ != RunRequest::none) {
    const QString first = QDir::toNativeSeparators(QString::fromStdString(end.existing.front().string()));
    QMessageBox box(QMessageBox::NoIcon, tr("The output exists"), tr("Replace %1?").arg(first), QMessageBox::NoButton,
                    window_);
    QPushButton* replace = box.addButton(tr("Replace"), QMessageBox::AcceptRole);
    box.addButton(QMessageBox::Cancel);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() == replace) {
      run(live::Existing::replace);
      return;
    }
    // The user's own decision, not an error.
    messages_.add(LogLevel::info, {}, tr("Not run: %1 was not replaced.").arg(first));
    return;
  }
  if (end.error) {
    const bool stopped = end.error->kind == ErrorKind::cancelled;
    const QString node = stopped ? QString() : failed_node();
    messages_.add(stopped ? LogLevel::info : LogLevel::error, node, stopped ? tr("Stopped.") : error_text(*end.error));
    if (!stopped) Q_EMIT failed(node, error_text(*end.error));
    return;
  }
  for (const auto& file : end.files)
    messages_.add(LogLevel::info, {},
                  tr("Wrote %1").arg(QDir::toNativeSeparators(QString::fromStdString(file.string()))));
  messages_.add(LogLevel::info, {}, tr("Done in %1.").arg(duration_text(end.seconds)));
  QStringList files;
  for (const auto& file : end.files) files << QString::fromStdString(file.string());
  if (!files.isEmpty()) Q_EMIT wrote(files, end.seconds);
}

}  // namespace tl::ui
