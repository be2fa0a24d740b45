// RunFlows: leads through a run by dialogs and messages: one that met existing outputs is started again once the user
// agrees to replace them.
#include "widgets/window/run_flows.h"

#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <algorithm>
#include <utility>

#include "core/graph/graph.h"
#include "core/graph/output_names.h"
#include "widgets/session/save_dialog.h"
#include "widgets/text/amounts.h"
#include "widgets/text/error_text.h"
#include "widgets/window/state/message_model.h"

namespace tl::ui {
namespace {

const ParamDecl* output_file_of(const NodeType& type) {
  for (const ParamDecl& decl : type.params)
    if (decl.path == PathRole::output) return &decl;
  return nullptr;
}

// Those of the format that is chosen come first; a name with that of another one chooses that format.
QStringList endings_for(const GraphNode& node, const NodeType& type) {
  const auto set = node.params.find("format");
  const auto* choice = set == node.params.end() ? nullptr : std::get_if<std::string>(&set->second);
  std::vector<OutputFormat> all = output_formats(type);
  std::stable_partition(all.begin(), all.end(),
                        [choice](const OutputFormat& f) { return choice != nullptr && f.choice == *choice; });
  QStringList endings;
  for (const OutputFormat& format : all) {
    if (format.endings.empty()) endings << QString();
    for (const std::string& ending : format.endings) endings << QString::fromStdString(ending);
  }
  return endings;
}

}  // namespace

RunFlows::RunFlows(LiveSession& session, MessageModel& messages, QWidget* window)
    : QObject(window), session_(session), messages_(messages), window_(window) {
  connect(&session_, &LiveSession::run_finished, this, &RunFlows::finished);
}

void RunFlows::run_all() { begin(Asked::all); }
void RunFlows::run_all_again() { begin(Asked::all_again); }

void RunFlows::begin(Asked what) {
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
  if (const Asked waited = std::exchange(waits_, Asked::none); waited != Asked::none) begin(waited);
}

void RunFlows::stay_with_pipeline() {
  opening_.clear();
  waits_ = Asked::none;
}

void RunFlows::run(live::Existing existing) {
  Q_EMIT started();
  switch (asked_) {
    case Asked::all: session_.run_all(existing); break;
    case Asked::all_again: session_.force_all(existing); break;
    case Asked::outputs: session_.run_outputs(outputs_, existing); break;
    case Asked::none: break;
  }
}

void RunFlows::export_output(const QString& node) {
  Document& document = session_.document();
  const std::string id = node.toStdString();
  const auto found = document.graph().nodes.find(id);
  const NodeType* type = found == document.graph().nodes.end() ? nullptr : document.registry().find(found->second.type);
  const ParamDecl* file = type == nullptr ? nullptr : output_file_of(*type);
  if (file == nullptr) return;
  const auto set = found->second.params.find(file->name);
  const auto* now = set == found->second.params.end() ? nullptr : std::get_if<std::string>(&set->second);
  const QString path = ask_for_file(window_, {QString::fromStdString(type->title),
                                              now != nullptr ? QString::fromStdString(*now) : QString(),
                                              {},
                                              endings_for(found->second, *type)});
  if (path.isEmpty()) return;
  document.edit(tr("Export to %1").arg(QFileInfo(path).fileName()), [&](Graph& g) {
    g.nodes[id].params[file->name] = path.toStdString();
    match_name_and_format(g.nodes[id], *type, file->name);
  });
  asked_ = Asked::outputs;
  outputs_ = {node};
  // The dialog has already asked about replacing.
  run(live::Existing::replace);
}

void RunFlows::fill_export_menu(QMenu& menu) {
  menu.clear();
  const Document& document = session_.document();
  for (const auto& [id, node] : document.graph().nodes) {
    const NodeType* type = document.registry().find(node.type);
    if (type == nullptr || !type->is_output || output_file_of(*type) == nullptr) continue;
    menu.addAction(tr("%1 (%2)…").arg(QString::fromStdString(type->title), QString::fromStdString(id)), this,
                   [this, name = QString::fromStdString(id)] { export_output(name); });
  }
  if (menu.isEmpty()) menu.addAction(tr("No node of the pipeline writes a file"))->setEnabled(false);
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
  if (!end.existing.empty() && asked_ != Asked::none) {
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
