// FileOpener: reads and classifies a file on a worker thread: pipeline files by name, results and pipelines of other
// programs by content; everything else is opened as a scan, or else as a volume.
#include "widgets/window/files/file_opener.h"

#include <QDir>
#include <QFileInfo>

#include "core/graph/edit.h"
#include "core/graph/foreign/foreign.h"
#include "core/graph/graph_json.h"
#include "core/graph/other_results.h"
#include "core/io/hdf5/tree_text.h"
#include "core/io/voxels/volume_info.h"
#include "core/run/automatic/automatic.h"
#include "widgets/session/document.h"
#include "widgets/text/error_text.h"

namespace tl::ui {
namespace {

Opened failed(Error error) {
  Opened out;
  out.error = std::move(error);
  return out;
}

// Output file next to the scan, or in the home folder if the scan's folder is not writable.
std::filesystem::path volume_of(const QFileInfo& scan) {
  const bool writable = QFileInfo(scan.absolutePath()).isWritable();
  const QDir folder(writable ? scan.absolutePath() : QDir::homePath());
  return folder.filePath(scan.completeBaseName() + QStringLiteral("_volume.tif")).toStdString();
}

Opened choose_for_scan(const QString& path, const ScanOpening& opening) {
  const QFileInfo file(path);
  AutomaticRequest request;
  request.load = opening.load;
  if (opening.outside_links == io::OutsideLinks::follow) request.load.emplace_back("outside_links=follow");
  Result<io::ScanInfo> scan = scan_with_settings(file.absoluteFilePath().toStdString(), request.load);
  if (!scan.ok()) return failed(scan.error());
  request.output = volume_of(file);
  Result<AutomaticPipeline> chosen = automatic_pipeline(scan.value(), request);
  if (!chosen.ok()) return failed(chosen.error());
  Opened out;
  out.graph = std::move(chosen.value().graph);
  out.is_automatic = true;
  for (const std::string& reason : chosen.value().reasons) out.choice_reasons << window_text(reason);
  for (const std::string& doubt : chosen.value().doubts) out.doubts << window_text(doubt);
  return out;
}

// A pipeline that only loads the volume; nullopt if the file is no volume.
std::optional<Opened> load_volume(const QString& path, const Registry& registry) {
  const QFileInfo file(path);
  const auto volume = io::read_volume_info(file.absoluteFilePath().toStdString());
  if (!volume.ok()) return std::nullopt;
  Opened out;
  const auto id = edit::add_node(out.graph, registry, registry.with_role(NodeRole::load_volume)->id);
  if (!id.ok()) return std::nullopt;
  out.graph.nodes.at(id.value()).params["file"] = file.absoluteFilePath().toStdString();
  for (const std::string& note : volume.value().notes) out.doubts << window_text(note);
  return out;
}

// Results may embed their pipeline. A scan with another ending is not searched for one, so that it opens at once.
bool may_embed_pipeline(const QString& path) {
  const auto ends = [&](const char* ending) { return path.endsWith(QLatin1String(ending), Qt::CaseInsensitive); };
  return ends(".tif") || ends(".tiff") || ends(".h5") || ends(".nrrd") || ends(".nii") || QFileInfo(path).isDir();
}

// A pipeline of HTTomo, nabu or ewoks; nothing if the file is none.
std::optional<Opened> translate(const QString& path, const Registry& registry, bool json) {
  const std::filesystem::path file = QFileInfo(path).absoluteFilePath().toStdString();
  if (!json && foreign::pipeline_format_by_name(file) == nullptr) return std::nullopt;
  const auto text = foreign::pipeline_text(file);
  const auto* format = text.ok() ? foreign::pipeline_format_of(text.value()) : nullptr;
  if (format == nullptr) return std::nullopt;
  auto read = foreign::open_pipeline(*format, file, registry);
  if (!read.ok()) return failed(read.error());
  Opened out;
  out.graph = std::move(read.value().graph);
  out.program = QString::fromUtf8(format->title.data(), static_cast<qsizetype>(format->title.size()));
  for (const foreign::Loss& loss : read.value().lost) out.lost << window_text(to_text(loss));
  return out;
}

}  // namespace

Opened FileOpener::classify_file(const QString& path, const Registry& registry, const ScanOpening& opening) {
  const bool json = path.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive) ||
                    path.endsWith(QStringLiteral(".tomoloom"), Qt::CaseInsensitive);
  if (std::optional<Opened> translated = translate(path, registry, json)) return *std::move(translated);
  const QByteArray content = json ? content_hash(path) : QByteArray();
  // Every saved pipeline can be opened, even if links are missing.
  const Completeness completeness = json ? Completeness::kept : Completeness::whole;
  Result<Graph> pipeline = json || may_embed_pipeline(path) ? load_pipeline(path.toStdString(), registry, completeness)
                                                            : Result<Graph>(invalid("no pipeline"));
  if (pipeline.ok()) {
    Opened out;
    out.graph = std::move(pipeline).value();
    for (const std::string& other : results_of_other_runs(path.toStdString())) out.doubts << window_text(other);
    // A record or a result with an embedded pipeline is not a file that Save may write to.
    if (json && is_pipeline_file(path.toStdString())) {
      out.pipeline_file = QFileInfo(path).absoluteFilePath();
      out.content = content;
    }
    return out;
  }
  if (json) return failed(pipeline.error());
  Opened scan = choose_for_scan(path, opening);
  scan.opening = opening;
  // A file that no scan format recognises may be a volume. Other errors concern a recognised scan.
  if (!scan.error || scan.error->kind != ErrorKind::invalid) return scan;
  std::optional<Opened> volume = opening.load.empty() ? load_volume(path, registry) : std::nullopt;
  if (volume) return *std::move(volume);
  // If the layout is unknown, the user names the datasets, also again; for a known layout its own error is reported.
  if (opening.load.empty() && !io::is_of_no_known_layout(*scan.error)) return scan;
  if (auto tree = io::read_hdf5_tree(path.toStdString()); tree.ok() && !io::possible_frames(tree.value()).empty())
    scan.tree = std::move(tree).value();
  return scan;
}

FileOpener::FileOpener(const Registry& registry, QObject* parent) : QObject(parent), registry_(registry) {
  pool_.setMaxThreadCount(1);
}
FileOpener::~FileOpener() { pool_.waitForDone(); }

void FileOpener::open(const QString& path, const ScanOpening& opening) {
  const int ticket = ++newest_;
  pool_.start([this, path, ticket, opening] {
    Opened what = classify_file(path, registry_, opening);
    QMetaObject::invokeMethod(
        this,
        [this, path, ticket, what = std::move(what)] {
          if (ticket == newest_) Q_EMIT opened(path, what);
        },
        Qt::QueuedConnection);
  });
}

}  // namespace tl::ui
