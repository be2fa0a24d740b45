// ScanWatcher: finds the data that the pipeline reads: nodes without inputs that output projections, volumes or labels.
// Their metadata come from their files, or, if a node reads no file, from the info of its output.
#include "widgets/window/files/scan_watcher.h"

#include <QFileInfo>
#include <algorithm>

#include "core/io/reader/describe.h"
#include "core/io/reader/source_files.h"
#include "core/io/voxels/volume_info.h"
#include "core/node/data_file.h"
#include "core/run/automatic/automatic.h"
#include "core/values/port_types.h"
#include "widgets/language/translated.h"
#include "widgets/text/error_text.h"
#include "widgets/text/quantity_text.h"

namespace tl::ui {
namespace {

QString shape_text(int64_t n, int64_t rows, int64_t cols) {
  return QStringLiteral("%1×%2×%3").arg(n).arg(rows).arg(cols);
}

// NumPy's short name of a type: "u16" for "uint16".
QString short_type(QString type) {
  for (const auto& [name, letter] : {std::pair("uint", "u"), std::pair("int", "i"), std::pair("float", "f")})
    if (type.startsWith(QLatin1String(name))) return type.replace(QLatin1String(name), QLatin1String(letter));
  return type;
}

// "1000 um" with its unit as shown on screen: "1000 µm".
QString on_screen(const std::string& value) {
  QString text = QString::fromStdString(value);
  const auto space = text.lastIndexOf(QLatin1Char(' '));
  const auto unit = space < 0 ? Result<Unit>(Unit::none) : parse_unit(text.mid(space + 1).toStdString());
  if (!unit.ok() || unit.value() == Unit::none) return text;
  return text.left(unit.value() == Unit::deg ? space : space + 1) + unit_text(unit.value());
}

// A 1 mm that replaces an unknown pixel size would look like a measured value.
void mark_guesses(ScanEntry& entry, const io::ScanInfo& scan) {
  for (ScanRow& row : entry.rows) {
    if (!row.key.startsWith(QLatin1String("pixel size"))) continue;
    if (!scan.has_pixel_size()) {
      row.value = ScanWatcher::tr("1 px");
      row.source = ScanWatcher::tr("the scan does not say how large a pixel is, so lengths are in pixels");
    }
    row.is_unit_guessed =
        (row.key.endsWith(QLatin1Char('v')) ? scan.pixel_size_v : scan.pixel_size_u).is_unit_guessed();
  }
}

ScanEntry unread_entry(const QString& path) {
  ScanEntry entry;
  entry.title = QFileInfo(path).fileName();
  entry.path = path;
  return entry;
}

ScanEntry failed_entry(const QString& path, const Error& error) {
  ScanEntry entry = unread_entry(path);
  entry.problem = reason_text(error);
  entry.brief = ScanWatcher::tr("cannot be read");
  entry.rows.push_back({entry.brief, {}, entry.problem, {}});
  return entry;
}

ScanEntry entry_of_scan(const QString& path, const io::ScanInfo& scan) {
  ScanEntry entry = unread_entry(path);
  entry.format = QString::fromStdString(scan.format);
  const QString type = QString::fromStdString(scan.pixel_type);
  const QString frames = shape_text(scan.views, scan.rows, scan.cols) + QChar(' ') + short_type(type);
  entry.brief = entry.format + QStringLiteral(" · ") + shape_text(scan.views, scan.rows, scan.cols);
  entry.rows = {{ScanWatcher::tr("projections"), frames, type, Origin::file},
                {ScanWatcher::tr("flats"), shape_text(scan.flats, scan.rows, scan.cols), {}, Origin::file},
                {ScanWatcher::tr("darks"), shape_text(scan.darks, scan.rows, scan.cols), {}, Origin::file}};
  // In the words of `tomoloom info`.
  for (const io::Doubt& doubt : scan.doubts)
    entry.rows.push_back({ScanWatcher::tr("doubt"), window_text(doubt.text()), {}, {}, false, true});
  for (const io::Fact& fact : io::facts(scan))
    if (fact.origin || fact.value.empty()) {
      // The full value is in the tool tip if the column shows a shortened one.
      QString source = translated(fact.source);
      if (!fact.brief.empty()) source = on_screen(fact.value) + (source.isEmpty() ? QString() : QChar('\n') + source);
      entry.rows.push_back({translated(fact.name), on_screen(fact.brief.empty() ? fact.value : fact.brief), source,
                            fact.origin, false, false, QString::fromStdString(fact.name)});
    }
  mark_guesses(entry, scan);
  for (const std::string& note : scan.notes) entry.rows.push_back({ScanWatcher::tr("note"), window_text(note), {}, {}});
  return entry;
}

QString length_text(double mm) {
  const Unit unit = mm < 1 ? Unit::um : Unit::mm;
  return QString::fromStdString(format_quantity(from_stored(mm, unit), Unit::none)) + QChar(' ') + unit_text(unit);
}

ScanEntry entry_of_volume(const QString& path, const io::VolumeFileInfo& volume) {
  ScanEntry entry = unread_entry(path);
  entry.is_volume = true;
  entry.format = QString::fromStdString(volume.format);
  const VolumeGrid& grid = volume.grid;
  const QString type = QString::fromStdString(volume.voxel_type);
  const QString shape = shape_text(grid.nz, grid.ny, grid.nx);
  entry.brief = ScanWatcher::tr("volume · %1 %2").arg(shape, type);
  entry.rows = {{ScanWatcher::tr("voxels"), shape + QChar(' ') + short_type(type), type, Origin::file},
                {ScanWatcher::tr("voxel size"), length_text(norm(grid.step_x)), translated(volume.voxel_size_source),
                 volume.voxel_size, false, false, QStringLiteral("voxel size")},
                {ScanWatcher::tr("values"),
                 volume.unit == Unit::none ? ScanWatcher::tr("no unit") : QString(unit_text(volume.unit)),
                 {},
                 Origin::file}};
  for (const std::string& note : volume.notes)
    entry.rows.push_back({ScanWatcher::tr("note"), window_text(note), {}, {}});
  return entry;
}

ScanEntry from_declaration(const ProjectionsInfo& info) {
  const ScanRegion all = info.geometry.full();
  const DetectorShape& detector = info.geometry.detector();
  const int64_t rows = detector.rows, cols = detector.cols;
  ScanEntry entry;
  entry.brief = shape_text(all.views.size(), rows, cols);
  entry.rows = {{ScanWatcher::tr("projections"), shape_text(all.views.size(), rows, cols), {}, {}},
                {ScanWatcher::tr("flats"), shape_text(info.flats, rows, cols), {}, {}},
                {ScanWatcher::tr("darks"), shape_text(info.darks, rows, cols), {}, {}},
                {ScanWatcher::tr("pixel size u"), length_text(detector.pitch_u), {}, Origin::user}};
  return entry;
}

ScanEntry from_declaration(const VolumeGrid& grid, Origin voxel_size) {
  ScanEntry entry;
  entry.is_volume = true;
  const QString shape = shape_text(grid.nz, grid.ny, grid.nx);
  entry.brief = ScanWatcher::tr("volume · %1").arg(shape);
  entry.rows = {{ScanWatcher::tr("voxels"), shape, {}, {}},
                {ScanWatcher::tr("voxel size"), length_text(norm(grid.step_x)), {}, voxel_size}};
  return entry;
}

// Parameters that change the data read or the doubts about them, such as datasets and the layout of raw frames: part of
// the key of known scans. Numbers are applied to the scan after reading, see apply_user_values().
std::vector<std::string> reading_settings(const GraphNode& node, const NodeType& type) {
  std::vector<std::string> settings;
  const ParamDecl* const file = data_file_of(type);
  for (const auto& [name, value] : node.params) {
    const ParamDecl* decl = type.param(name);
    const auto* text = std::get_if<std::string>(&value);
    if (decl == nullptr || decl == file || text == nullptr || value == decl->initial) continue;
    settings.push_back(name + "=" + *text);
  }
  return settings;
}

bool is_data(const PortDecl& port) { return is_scan(port.type) || is_volume(port.type) || is_labels(port.type); }

// Replaces values of the file by those entered in the node's form: "Pixel size" replaces "pixel size u" and "v".
void apply_user_values(ScanEntry& entry, const NodeType& type, const GraphNode& node) {
  for (const ParamDecl& decl : type.params) {
    const auto set = node.params.find(decl.name);
    if (decl.kind != ParamKind::number || set == node.params.end() || set->second == decl.initial) continue;
    for (ScanRow& row : entry.rows) {
      if (!row.key.startsWith(QString::fromStdString(decl.title), Qt::CaseInsensitive)) continue;
      row.value = shown_value(decl, set->second);
      row.origin = Origin::user;
      row.is_unit_guessed = false;
      row.source.clear();
    }
  }
}

}  // namespace

ScanWatcher::ScanWatcher(LiveSession& session, ScanModel& model, QObject* parent)
    : QObject(parent), session_(session), model_(model) {
  pool_.setMaxThreadCount(1);
  connect(&session_.document(), &Document::graph_changed, this, &ScanWatcher::refresh);
  connect(&session_, &LiveSession::infos_changed, this, &ScanWatcher::refresh);
  refresh();
}
ScanWatcher::~ScanWatcher() { pool_.waitForDone(); }

void ScanWatcher::read_failed_again() {
  std::erase_if(known_, [](const auto& one) { return !one.second.problem.isEmpty(); });
  refresh();
}

void ScanWatcher::set_listed(const QStringList& paths) {
  listed_ = paths;
  refresh();
}

void ScanWatcher::look(const QString& node, const Key& key, ReadAs how) {
  known_[key] = unread_entry(key.first);
  pool_.start([this, node, key, how] {
    const QString& path = key.first;
    ScanEntry entry;
    std::optional<Error> refused;
    const auto scan = how == ReadAs::volume ? Result<io::ScanInfo>(invalid("not a scan", path.toStdString()))
                                            : scan_with_settings(path.toStdString(), key.second);
    // A file that no scan format recognises may be a volume.
    const bool may_be_volume = !scan.ok() && how != ReadAs::scan && scan.error().kind == ErrorKind::invalid;
    const auto volume = may_be_volume ? io::read_volume_info(path.toStdString())
                                      : Result<io::VolumeFileInfo>(invalid("not a volume", path.toStdString()));
    if (scan.ok()) {
      entry = entry_of_scan(path, scan.value());
    } else if (volume.ok()) {
      entry = entry_of_volume(path, volume.value());
    } else {
      entry = failed_entry(path, how == ReadAs::volume ? volume.error() : scan.error());
      if (io::refuses_outside_links(scan.error()) && !node.isEmpty()) refused = scan.error();
    }
    QMetaObject::invokeMethod(
        this,
        [this, node, key, entry = std::move(entry), refused] {
          known_[key] = entry;
          refresh();
          if (refused) Q_EMIT outside_links_refused(node, *refused);
        },
        Qt::QueuedConnection);
  });
}

ScanEntry ScanWatcher::read_entry(const QString& node, const Key& key, ReadAs how) {
  if (known_.find(key) == known_.end()) look(node, key, how);
  return known_[key];
}

ScanEntry ScanWatcher::entry_of(const QString& id, const NodeType& type, const GraphNode& node, const QString& path) {
  ScanEntry entry;
  const auto data = std::find_if(type.outputs.begin(), type.outputs.end(), is_data);
  if (!path.isEmpty() && (type.scan_info || !is_scan(data->type))) {
    entry = type.scan_info ? read_entry(id, {path, reading_settings(node, type)}, ReadAs::scan)
                           : read_entry(id, {path, {}}, ReadAs::volume);
    apply_user_values(entry, type, node);
  } else {
    const Info* info = session_.info(id, QString::fromStdString(data->name));
    if (const auto* projections = std::get_if<ProjectionsInfo>(info)) entry = from_declaration(*projections);
    if (const auto* volume = std::get_if<VolumeInfo>(info)) entry = from_declaration(volume->grid, volume->voxel_size);
    if (const auto* labels = std::get_if<LabelsInfo>(info)) entry = from_declaration(labels->grid, Origin::user);
    entry.path = path;
    entry.title = translated(type.title);
  }
  entry.node = id;
  return entry;
}

void ScanWatcher::refresh() {
  std::vector<ScanEntry> scans;
  const Document& document = session_.document();
  for (const auto& [id, node] : document.graph().nodes) {
    const NodeType* type = document.registry().find(node.type);
    if (type == nullptr || !type->inputs.empty()) continue;
    if (std::none_of(type->outputs.begin(), type->outputs.end(), is_data)) continue;
    QString path;
    const ParamDecl* const file = data_file_of(*type);
    if (const auto set = file == nullptr ? node.params.end() : node.params.find(file->name); set != node.params.end())
      if (const auto* name = std::get_if<std::string>(&set->second)) path = QString::fromStdString(*name);
    if (file == nullptr || !path.isEmpty()) scans.push_back(entry_of(QString::fromStdString(id), *type, node, path));
  }
  // A listed file that the pipeline reads too is shown once.
  for (const QString& path : listed_) {
    const auto is_read = [&](const ScanEntry& one) { return one.path == path; };
    if (std::none_of(scans.begin(), scans.end(), is_read)) scans.push_back(read_entry({}, {path, {}}, ReadAs::any));
  }
  std::stable_sort(scans.begin(), scans.end(),
                   [](const ScanEntry& a, const ScanEntry& b) { return a.is_volume < b.is_volume; });
  const auto same_rows = [](const ScanEntry& a, const ScanEntry& b) {
    return a == b && a.problem == b.problem &&
           std::equal(a.rows.begin(), a.rows.end(), b.rows.begin(), b.rows.end(),
                      [](const ScanRow& x, const ScanRow& y) {
                        return x.name == y.name && x.value == y.value && x.origin == y.origin;
                      });
  };
  // Resetting an unchanged tree would close its branches and lose its selection.
  const auto& old = model_.scans();
  if (!std::equal(scans.begin(), scans.end(), old.begin(), old.end(), same_rows)) model_.set_scans(std::move(scans));
}

}  // namespace tl::ui
