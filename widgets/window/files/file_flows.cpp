// FileFlows: leads through new, open and recover by dialogs. Saving and leaving: file_flows_saving.cpp.
#include "widgets/window/files/file_flows.h"

#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include "core/base/printable.h"
#include "core/graph/edit.h"
#include "core/graph/graph_json.h"
#include "core/io/hdf5/dataset_choice.h"
#include "core/io/reader/scan_info.h"
#include "core/io/reader/source_files.h"
#include "core/io/voxels/volume_info.h"
#include "widgets/inspector/dialogs/datasets_dialog.h"
#include "widgets/text/error_text.h"
#include "widgets/window/files/hint_follower.h"
#include "widgets/window/files/pipeline_templates.h"
#include "widgets/window/files/window_records.h"
#include "widgets/window/state/message_model.h"
#include "widgets/window/state/settings.h"

namespace tl::ui {
namespace {

constexpr int look_again_ms = 100;

}  // namespace

FileFlows::FileFlows(LiveSession& session, Settings& settings, MessageModel& messages, const WindowRecords& records,
                     QWidget* window)
    : QObject(window),
      session_(session),
      document_(session.document()),
      settings_(settings),
      messages_(messages),
      records_(records),
      window_(window),
      opener_(document_.registry()),
      hint_follower_(new HintFollower(session, messages, this)) {
  connect(&opener_, &FileOpener::opened, this, &FileFlows::take);
  look_again_.setInterval(look_again_ms);
  connect(&look_again_, &QTimer::timeout, this, &FileFlows::take_waiting);
}

void FileFlows::refuse(const Error& error) {
  messages_.add(LogLevel::error, {}, error_text(error));
  Q_EMIT open_failed(error_text(error));
  Q_EMIT not_opened();
}

bool FileFlows::confirm_outside_links(const QString& path, const Error& refused) {
  QMessageBox box(QMessageBox::NoIcon, tr("Files outside the scan's folder"),
                  tr("Read files outside the folder of %1?").arg(QFileInfo(path).fileName()), QMessageBox::NoButton,
                  window_);
  box.setTextFormat(Qt::PlainText);  // names come from an untrusted file
  QString what = window_text(printable(refused.what));
  what.replace(0, 1, what.left(1).toUpper());
  box.setInformativeText(what + QStringLiteral(".\n\n") +
                         tr("Allow this if you know where the scan comes from and the files belong to it."));
  QPushButton* allow = box.addButton(tr("Allow"), QMessageBox::AcceptRole);
  auto* refuse = box.addButton(tr("Don't allow"), QMessageBox::RejectRole);
  box.setDefaultButton(refuse);
  box.setEscapeButton(refuse);
  box.exec();
  return box.clickedButton() == allow;
}

void FileFlows::ask_about_outside_links(const QString& node, const Error& refused) {
  const std::string id = node.toStdString();
  if (!confirm_outside_links(QString::fromStdString(refused.where), refused)) return;
  // The question may have been open while the pipeline changed.
  if (!document_.graph().nodes.contains(id)) return;
  document_.edit(tr("Follow links"), [&](Graph& g) { g.nodes[id].params["outside_links"] = std::string("follow"); });
}

void FileFlows::show_graph(Graph graph, const QString& file, const QByteArray& content) {
  session_.forget_pipeline();
  document_.reset(std::move(graph), file, content);
  Q_EMIT entered();
}

// The window that saves second asks at saving; here the user is warned before changing anything.
void FileFlows::warn_if_open_elsewhere(const QString& file) {
  const std::vector<WindowRecord> others = file.isEmpty() ? std::vector<WindowRecord>() : records_.others_with(file);
  if (others.empty()) return;
  const QString since = others.front().opened.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm"));
  const QString why =
      tr("%1 is also open in another window: %2, since %3. The window that saves second asks before it overwrites.")
          .arg(QFileInfo(file).fileName(), owner_text(others.front()), since);
  messages_.add(LogLevel::warning, {}, why);
  Q_EMIT open_elsewhere(why);
}

// Of two requests only the later one is done.
void FileFlows::stop_opening() {
  opener_.drop();
  waiting_.reset();
  Q_EMIT not_opened();
}

void FileFlows::start_new() {
  if (!confirm_leaving(Leaving::pipeline)) return;
  stop_opening();
  show_graph({}, {});
}

void FileFlows::open_template(const QString& name) {
  Result<Graph> graph = template_graph(name, document_.registry());
  if (!graph.ok()) return refuse(graph.error());
  open_graph(graph.value());
}

void FileFlows::open_graph(const Graph& graph) {
  if (!confirm_leaving(Leaving::pipeline)) return;
  stop_opening();
  show_graph(graph, {});
}

void FileFlows::open_voxels(const QString& path) {
  Graph graph;
  const Registry& registry = document_.registry();
  const auto id = edit::add_node(graph, registry, registry.with_role(NodeRole::load_volume)->id);
  if (!id.ok()) return refuse(id.error());
  graph.nodes.at(id.value()).params["file"] = QFile::encodeName(QFileInfo(path).absoluteFilePath()).toStdString();
  open_graph(graph);
}

void FileFlows::open_dialog() {
  QStringList scans;
  for (const std::string& end : io::scan_extensions()) scans << QStringLiteral("*") + QString::fromStdString(end);
  for (const std::string& end : io::volume_extensions()) scans << QStringLiteral("*") + QString::fromStdString(end);
  scans.removeDuplicates();
  const QString pipelines = QStringLiteral("*.tomoloom *.json *.yaml *.yml *.conf");
  const QString all = scans.join(QChar(' ')) + QChar(' ') + pipelines;
  const QString path = QFileDialog::getOpenFileName(
      window_, tr("Open a scan or a pipeline"), {},
      tr("Scans, volumes and pipelines (%1);;Pipelines (%2);;All files (*)").arg(all, pipelines));
  if (!path.isEmpty()) open(path);
}

void FileFlows::open(const QString& path) {
  messages_.add(LogLevel::info, {}, tr("Opening %1").arg(QDir::toNativeSeparators(path)));
  waiting_.reset();
  Q_EMIT opening(path);
  opener_.open(path);
}

void FileFlows::take(const QString& path, const Opened& what) {
  if (QApplication::activeModalWidget() == nullptr) return enter(path, what);
  waiting_ = {path, what};
  look_again_.start();
}

void FileFlows::take_waiting() {
  if (waiting_ && QApplication::activeModalWidget() != nullptr) return;
  look_again_.stop();
  if (const auto now = std::exchange(waiting_, std::nullopt)) enter(now->first, now->second);
}

void FileFlows::enter(const QString& path, const Opened& what) {
  if (what.error) {
    if (io::refuses_outside_links(*what.error) && confirm_outside_links(path, *what.error))
      opener_.open(path, {io::OutsideLinks::follow, what.opening.load});
    else if (what.tree)
      choose_datasets(path, what);
    else
      refuse(*what.error);
    return;
  }
  if (!confirm_leaving(Leaving::pipeline)) return Q_EMIT not_opened();
  show_graph(what.graph, what.pipeline_file, what.content);
  warn_if_open_elsewhere(what.pipeline_file);
  settings_.add_recent(QFileInfo(path).absoluteFilePath());
  for (const QString& reason : what.choice_reasons) messages_.add(LogLevel::info, {}, tr("Chosen: %1").arg(reason));
  for (const QString& doubt : what.doubts) messages_.add(LogLevel::warning, {}, doubt);
  for (const QString& loss : what.lost) messages_.add(LogLevel::warning, {}, tr("Lost: %1").arg(loss));
  if (!what.program.isEmpty()) Q_EMIT translated(what.program, what.lost);
  if (what.is_automatic) hint_follower_->wait_for_hints();
}

void FileFlows::choose_datasets(const QString& path, const Opened& what) {
  const QString layout = QString::fromStdString(io::layout_fingerprint(*what.tree));
  const auto remembered = settings_.datasets(layout);
  const auto again = remembered ? io::choice_in(*what.tree, *remembered) : std::nullopt;
  if (again && what.opening.load.empty()) {
    messages_.add(
        LogLevel::info, {},
        tr("Frames are read from %1, as in the last file of this layout. To choose other datasets, press \"Datasets in "
           "the file…\" in the form of Load scan.")
            .arg(QString::fromStdString(printable((*again)[io::DatasetRole::frames]))));
    return opener_.open(path, {what.opening.outside_links, io::settings_of(*again)});
  }
  auto* dialog = new DatasetsDialog(path, window_);
  dialog->show_reason(
      what.opening.load.empty()
          ? tr("The layout of this file is not known. Choose the datasets of the scan; files of the same "
               "layout will open in the same way.")
          : error_text(*what.error));
  if (again) dialog->set_choice(*again);
  dialog->show_tree(*what.tree);
  connect(dialog, &DatasetsDialog::chosen, this,
          [this, path, links = what.opening.outside_links](const io::DatasetChoice& choice, const QString& of_layout) {
            settings_.remember_datasets(of_layout, choice);
            opener_.open(path, {links, io::settings_of(choice)});
          });
  connect(dialog, &QDialog::rejected, this, [this, error = *what.error] { refuse(error); });
  dialog->open();
}

// Shows the unsaved copy as an edit of the pipeline in its file, so that undo restores what the file contains now. If
// another program has changed the file since, saving asks before it overwrites it.
void FileFlows::recover(const WindowRecord& gone) {
  Result<Graph> copy = load_pipeline(gone.copy.toStdString(), document_.registry(), Completeness::kept);
  if (!copy.ok()) return refuse(copy.error());
  if (!confirm_leaving(Leaving::pipeline)) return;
  stop_opening();
  Result<Graph> saved = gone.pipeline.isEmpty()
                            ? Result<Graph>(Graph())
                            : load_pipeline(gone.pipeline.toStdString(), document_.registry(), Completeness::kept);
  show_graph(saved.ok() ? std::move(saved).value() : Graph(), gone.pipeline, gone.content);
  // As an edit, so that the document counts as modified.
  document_.edit(tr("Recover"), [&](Graph& g) { g = std::move(copy).value(); });
  messages_.add(LogLevel::info, {}, tr("Recovered the unsaved changes of %1.").arg(document_.title()));
  warn_if_open_elsewhere(gone.pipeline);
  Q_EMIT recovered(gone);
}

}  // namespace tl::ui
