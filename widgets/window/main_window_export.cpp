// MainWindow: opens the export dialog, runs the export, and stores its settings with the pipeline.
#include <QDir>
#include <QFileInfo>
#include <QPointer>
#include <memory>

#include "core/history/recorder.h"
#include "widgets/export/export_dialog.h"
#include "widgets/history/history_keeper.h"
#include "widgets/views/views_area.h"
#include "widgets/views/volume/volume_pane.h"
#include "widgets/window/files/report_flow.h"
#include "widgets/window/main_window.h"
#include "widgets/window/run_flows.h"

namespace tl::ui {
namespace {

constexpr const char *view_annotated = "view annotated", *view_pixels = "view pixels";

ViewExportFormat view_export(const char* id, const QString& title, const char* ending, exports::Group group,
                             std::function<Result<void>(const QString& path)> write) {
  exports::Format format;
  format.id = id;
  format.title = title.toStdString();
  format.ending = ending;
  format.group = group;
  return {format, std::move(write)};
}

}  // namespace

void MainWindow::connect_export() {
  Document& document = session_.document();
  connect(views_, &ViewsArea::export_wanted, this, [this](ViewExport what) {
    switch (what) {
      case ViewExport::annotated: return open_export(view_annotated);
      case ViewExport::pixels: return open_export(view_pixels);
      case ViewExport::movie: return open_export(ffmpeg_program().isEmpty() ? movie_as_frames : movie_as_mp4);
    }
  });
  document.set_ui_of_copies([this](const std::string& ui) { return ui_of_copies(ui); });
  connect(&document, &Document::was_reset, this, [this] {
    last_export_.reset();
    export_folder_.clear();
  });
}

std::string MainWindow::ui_of_copies(const std::string& ui) const {
  const std::string views = with_view_settings(ui, views_->state().settings());
  return last_export_ ? exports::with_settings(views, *last_export_) : views;
}

void MainWindow::open_export(const std::string& format) {
  const Document& document = session_.document();
  const QString node = selection_.current().isEmpty() ? views_->state().volume().node : selection_.current();
  ExportDialog::Start start;
  start.source = exports::source_for(document.graph(), document.registry(), node.toStdString());
  start.last = last_export_ ? *last_export_ : exports::read_settings(document.graph().ui);
  start.last.file = QFileInfo(QString::fromStdString(start.last.file)).fileName().toStdString();
  const QString results = QString::fromStdString(session_.options().output_dir.string());
  start.folder = !export_folder_.isEmpty()    ? export_folder_
                 : !document.path().isEmpty() ? QFileInfo(document.path()).absolutePath()
                 : !results.isEmpty()         ? results
                                              : QDir::currentPath();
  const auto view = [this](Annotation annotation) {
    return [this, annotation](const QString& path) { return views_->export_png(path, annotation); };
  };
  const auto report = [this](const QString& path) { return reports_->write(path); };
  using exports::Group;
  start.view_exports = {
      view_export(view_annotated, tr("The view, annotated"), ".png", Group::images, view(Annotation::annotated)),
      view_export(view_pixels, tr("The view, pixels alone"), ".png", Group::images, view(Annotation::clean)),
      view_export("report", tr("Report, web page"), ".html", Group::images, report),
      view_export("report pdf", tr("Report, PDF"), ".pdf", Group::images, report)};
  if (VolumePane* const pane = views_->visible_volume()) {
    if (!ffmpeg_program().isEmpty())
      start.view_exports.push_back(
          view_export(movie_as_mp4, tr("Movie of the 3D view"), ".mp4", Group::images, nullptr));
    ViewExportFormat frames = view_export(movie_as_frames, tr("Movie, numbered frames"), "", Group::images, nullptr);
    frames.format.is_folder = true;
    start.view_exports.push_back(frames);
    start.movie = MovieSource{
        pane->size() * pane->devicePixelRatioF(),
        [pane = QPointer(pane)](const MoviePlan& plan, const QString& path) -> std::unique_ptr<VolumeMovie> {
          auto parts = pane == nullptr ? std::nullopt : pane->movie_parts(plan.shape.size);
          if (!parts) return nullptr;
          return std::make_unique<VolumeMovie>(VolumeMovie::Source{parts->voxels, parts->scene, parts->overlay}, plan,
                                               path, pane->export_rules());
        }};
  }
  if (!format.empty()) {
    start.last.format = format;
    start.begins_at = ExportDialog::Start::InitialFocus::file;
  }
  auto* dialog = new ExportDialog(session_, views_->state(), start, this);
  connect(dialog, &ExportDialog::settings_chosen, this, [this](const exports::Settings& settings) {
    last_export_ = settings;
    export_folder_ = QFileInfo(QString::fromStdString(settings.file)).absolutePath();
  });
  connect(dialog, &ExportDialog::export_wanted, runs_, &RunFlows::run_export);
  connect(dialog, &ExportDialog::view_export_was_written, this, [this](const QString& file, double seconds) {
    messages_.add(LogLevel::info, {}, tr("Wrote %1").arg(QDir::toNativeSeparators(file)));
    history::Entry entry =
        history::entry_of(history::Kind::exported, session_.document().graph(), session_.document().registry());
    if (entry.title.empty()) entry.title = session_.document().title().toStdString();
    findChild<HistoryKeeper*>()->enter(std::move(entry), {{file.toStdString()}, seconds, {}});
  });
  dialog->open();
}

}  // namespace tl::ui
