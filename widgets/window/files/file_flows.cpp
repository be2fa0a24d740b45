// FileFlows: leads through new, open, save, recover and close by dialogs, and asks about unsaved changes.
#include "widgets/window/files/file_flows.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include "core/base/printable.h"
#include "core/graph/graph_json.h"
#include "core/io/hdf5/dataset_choice.h"
#include "core/io/scan_info.h"
#include "core/io/source_files.h"
#include "core/io/volume/volume_info.h"
#include "widgets/inspector/dialogs/datasets_dialog.h"
#include "widgets/session/strokes_files.h"
#include "widgets/text/error_text.h"
#include "widgets/window/files/hint_follower.h"
#include "widgets/window/files/pipeline_templates.h"
#include "widgets/window/message_model.h"
#include "widgets/window/settings.h"

namespace tl::ui {

FileFlows::FileFlows(LiveSession& session, Settings& settings, MessageModel& messages, QWidget* window)
    : QObject(window),
      session_(session),
      document_(session.document()),
      settings_(settings),
      messages_(messages),
      window_(window),
      opener_(document_.registry()),
      hint_follower_(new HintFollower(session, messages, this)) {
  connect(&opener_, &FileOpener::opened, this, &FileFlows::take);
}

void FileFlows::refuse(const Error& error) {
  messages_.add(LogLevel::error, {}, error_text(error));
  Q_EMIT open_failed(error_text(error));
}

bool FileFlows::confirm_unsaved_changes() {
  if (!document_.is_modified()) return true;
  QMessageBox box(QMessageBox::NoIcon, tr("Unsaved changes"), tr("Save the changes of %1?").arg(document_.title()),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, window_);
  box.setInformativeText(tr("Unsaved changes will be lost."));
  box.setDefaultButton(QMessageBox::Save);
  const int answer = box.exec();
  return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save_before_leaving());
}

// Asks again until the changes are saved or the user decides otherwise: a failed save must not lose them in silence.
bool FileFlows::save_before_leaving() {
  QString path = document_.path();
  while (true) {
    if (path.isEmpty()) path = ask_for_path();
    if (path.isEmpty()) return false;
    const Result<void> saved = save_to(path);
    if (saved.ok()) return true;
    const int answer = ask_after_failed_save(path, saved.error());
    if (answer != QMessageBox::Save) return answer == QMessageBox::Discard;
    path.clear();
  }
}

int FileFlows::ask_after_failed_save(const QString& path, const Error& error) {
  QMessageBox box(QMessageBox::NoIcon, tr("Not saved"), tr("%1 could not be saved.").arg(QFileInfo(path).fileName()),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, window_);
  box.setTextFormat(Qt::PlainText);
  box.setInformativeText(error_text(error) + QStringLiteral(".\n\n") +
                         tr("The unsaved changes are still here. Save them elsewhere, or discard them."));
  box.button(QMessageBox::Save)->setText(tr("Save as…"));
  box.setDefaultButton(QMessageBox::Save);
  return box.exec();
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

void FileFlows::show_graph(Graph graph, const QString& file) {
  session_.forget_pipeline();
  document_.reset(std::move(graph), file);
  Q_EMIT entered();
}

void FileFlows::start_new() {
  if (confirm_unsaved_changes()) show_graph({}, {});
}

void FileFlows::open_template(const QString& name) {
  Result<Graph> graph = template_graph(name, document_.registry());
  if (!graph.ok()) return refuse(graph.error());
  if (confirm_unsaved_changes()) show_graph(std::move(graph).value(), {});
}

void FileFlows::open_dialog() {
  QStringList scans;
  for (const std::string& end : io::scan_extensions()) scans << QStringLiteral("*") + QString::fromStdString(end);
  for (const std::string& end : io::volume_extensions()) scans << QStringLiteral("*") + QString::fromStdString(end);
  scans.removeDuplicates();
  const QString pipelines = QStringLiteral("*.json *.yaml *.yml *.conf");
  const QString all = scans.join(QChar(' ')) + QChar(' ') + pipelines;
  const QString path = QFileDialog::getOpenFileName(
      window_, tr("Open a scan or a pipeline"), {},
      tr("Scans, volumes and pipelines (%1);;Pipelines (%2);;All files (*)").arg(all, pipelines));
  if (!path.isEmpty()) open(path);
}

void FileFlows::open(const QString& path) {
  messages_.add(LogLevel::info, {}, tr("Opening %1").arg(QDir::toNativeSeparators(path)));
  opener_.open(path);
}

void FileFlows::take(const QString& path, const Opened& what) {
  if (what.error) {
    if (io::refuses_outside_links(*what.error) && confirm_outside_links(path, *what.error))
      opener_.open(path, {io::OutsideLinks::follow, what.opening.load});
    else if (what.tree)
      choose_datasets(path, what);
    else
      refuse(*what.error);
    return;
  }
  if (!confirm_unsaved_changes()) return;
  show_graph(what.graph, what.pipeline_file);
  settings_.add_recent(QFileInfo(path).absoluteFilePath());
  for (const QString& reason : what.reasons) messages_.add(LogLevel::info, {}, tr("Chosen: %1").arg(reason));
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
        tr("Frames are %1, as in the last file of this layout. Datasets in the file, in the form of Load scan, "
           "chooses others.")
            .arg(QString::fromStdString(printable((*again)[io::DatasetRole::frames]))));
    return opener_.open(path, {what.opening.outside_links, io::settings_of(*again)});
  }
  auto* dialog = new DatasetsDialog(path, window_);
  dialog->show_reason(
      what.opening.load.empty()
          ? tr("The layout of this file is not known. Choose what in it makes the scan; files of the same "
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

void FileFlows::recover(const QString& file) {
  const Result<Graph> graph = load_pipeline(file.toStdString(), document_.registry());
  if (!graph.ok()) return refuse(graph.error());
  if (!confirm_unsaved_changes()) return;
  show_graph({}, {});
  // As an edit, so that the document counts as modified.
  document_.edit(tr("Recover"), [&](Graph& g) { g = graph.value(); });
  messages_.add(LogLevel::info, {}, tr("Recovered the unsaved changes."));
  Q_EMIT recovered();
}

Result<void> FileFlows::save_to(const QString& path) {
  // Strokes lie beside the pipeline that they belong to.
  Result<void> saved = put_strokes_beside(document_, path);
  if (saved.ok()) saved = document_.save(path);
  if (!saved.ok()) {
    messages_.add(LogLevel::error, {},
                  tr("%1 was not saved: %2").arg(QFileInfo(path).fileName(), error_text(saved.error())));
    return saved;
  }
  settings_.add_recent(path);
  messages_.add(LogLevel::info, {}, tr("Saved %1").arg(QDir::toNativeSeparators(path)));
  Q_EMIT was_saved();
  return saved;
}

QString FileFlows::ask_for_path() {
  QString path =
      QFileDialog::getSaveFileName(window_, tr("Save the pipeline"), document_.path(), tr("Pipelines (*.json)"));
  if (!path.isEmpty() && QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".json");
  return path;
}

bool FileFlows::save() {
  if (document_.path().isEmpty()) return save_as();
  const Result<void> saved = save_to(document_.path());
  if (!saved.ok()) Q_EMIT save_failed(QFileInfo(document_.path()).fileName(), error_text(saved.error()));
  return saved.ok();
}

bool FileFlows::save_as() {
  const QString path = ask_for_path();
  if (path.isEmpty()) return false;
  const Result<void> saved = save_to(path);
  if (!saved.ok()) Q_EMIT save_failed(QFileInfo(path).fileName(), error_text(saved.error()));
  return saved.ok();
}

}  // namespace tl::ui
