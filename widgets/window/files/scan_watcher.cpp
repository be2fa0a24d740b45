// ScanWatcher: finds the scans that the pipeline reads. A scan is a node without inputs that outputs projections; its
// metadata come from its file, or, if it reads no file, from the info of its output.
#include "widgets/window/files/scan_watcher.h"

#include <QFileInfo>
#include <algorithm>

#include "core/io/reader/describe.h"
#include "core/io/reader/source_files.h"
#include "core/node/data_file.h"
#include "core/run/automatic/automatic.h"
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

// The 1 mm that replaces an unknown pixel size would look like a measured one.
void mark_guesses(ScanEntry& entry, const io::ScanInfo& scan) {
  for (ScanRow& row : entry.rows) {
    if (!row.name.startsWith(QLatin1String("pixel size"))) continue;
    if (!scan.has_pixel_size()) {
      row.value = ScanWatcher::tr("1 px");
      row.source = ScanWatcher::tr("the scan does not say how large a pixel is, so lengths are in pixels");
    }
    row.is_unit_guessed =
        (row.name.endsWith(QLatin1Char('v')) ? scan.pixel_size_v : scan.pixel_size_u).is_unit_guessed();
  }
}

ScanEntry entry_from(const QString& path, const Result<io::ScanInfo>& read) {
  ScanEntry entry;
  entry.title = QFileInfo(path).fileName();
  if (!read.ok()) {
    entry.problem = reason_text(read.error());
    entry.rows.push_back({ScanWatcher::tr("cannot be read"), {}, entry.problem, {}});
    return entry;
  }
  const io::ScanInfo& scan = read.value();
  entry.format = QString::fromStdString(scan.format);
  const QString type = QString::fromStdString(scan.pixel_type);
  const QString frames = shape_text(scan.views, scan.rows, scan.cols) + QChar(' ') + short_type(type);
  entry.rows = {{ScanWatcher::tr("projections"), frames, type, Origin::file},
                {ScanWatcher::tr("flats"), shape_text(scan.flats, scan.rows, scan.cols), {}, Origin::file},
                {ScanWatcher::tr("darks"), shape_text(scan.darks, scan.rows, scan.cols), {}, Origin::file}};
  // In the words of `tomoloom info`.
  for (const io::Doubt& doubt : scan.doubts)
    entry.rows.push_back({ScanWatcher::tr("doubt"), window_text(doubt.text()), {}, {}, false, true});
  for (const io::Fact& fact : io::facts(scan))
    if (fact.origin || fact.value.empty()) {
      // The full value is in the tool tip if the column shows a shortened one.
      QString source = QString::fromStdString(fact.source);
      if (!fact.brief.empty()) source = on_screen(fact.value) + (source.isEmpty() ? QString() : QChar('\n') + source);
      entry.rows.push_back({QString::fromStdString(fact.name), on_screen(fact.brief.empty() ? fact.value : fact.brief),
                            source, fact.origin});
    }
  mark_guesses(entry, scan);
  for (const std::string& note : scan.notes) entry.rows.push_back({ScanWatcher::tr("note"), window_text(note), {}, {}});
  return entry;
}

ScanEntry from_declaration(const ProjectionsInfo& info) {
  const ScanRegion all = info.geometry.full();
  const DetectorShape& detector = info.geometry.detector();
  const int64_t rows = detector.rows, cols = detector.cols;
  ScanEntry entry;
  const Unit unit = detector.pitch_u < 1 ? Unit::um : Unit::mm;
  const auto pixel = format_quantity(from_stored(detector.pitch_u, unit), Unit::none);
  entry.rows = {{ScanWatcher::tr("projections"), shape_text(all.views.size(), rows, cols), {}, {}},
                {ScanWatcher::tr("flats"), shape_text(info.flats, rows, cols), {}, {}},
                {ScanWatcher::tr("darks"), shape_text(info.darks, rows, cols), {}, {}},
                {ScanWatcher::tr("pixel size u"),
                 QString::fromStdString(pixel) + QChar(' ') + unit_text(unit),
                 {},
                 Origin::user}};
  return entry;
}

// What changes what is read, or what is doubtful about it: part of the key of known scans.
std::vector<std::string> reading_settings(const GraphNode& node, const NodeType& type) {
  std::vector<std::string> settings;
  for (const char* name : {"outside_links", "pixels", "odd_references", "use_darks", "angle_unit"}) {
    const auto set = node.params.find(name);
    const auto* value =
        set == node.params.end() || type.param(name) == nullptr ? nullptr : std::get_if<std::string>(&set->second);
    if (value != nullptr) settings.push_back(std::string(name) + "=" + *value);
  }
  return settings;
}

// Replaces values of the file by those entered in the node's form: "Pixel size" stands for "pixel size u" and "v".
void apply_user_values(ScanEntry& entry, const NodeType& type, const GraphNode& node) {
  for (const ParamDecl& decl : type.params) {
    const auto set = node.params.find(decl.name);
    if (decl.kind != ParamKind::number || set == node.params.end() || set->second == decl.initial) continue;
    for (ScanRow& row : entry.rows) {
      if (!row.name.startsWith(QString::fromStdString(decl.title), Qt::CaseInsensitive)) continue;
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

void ScanWatcher::look(const QString& node, const QString& path, const std::vector<std::string>& settings) {
  known_[{path, settings}].title = QFileInfo(path).fileName();
  pool_.start([this, node, path, settings] {
    Result<io::ScanInfo> read = scan_with_settings(path.toStdString(), settings);
    QMetaObject::invokeMethod(
        this,
        [this, node, path, settings, read = std::move(read)] {
          known_[{path, settings}] = entry_from(path, read);
          refresh();
          if (!read.ok() && io::refuses_outside_links(read.error())) Q_EMIT outside_links_refused(node, read.error());
        },
        Qt::QueuedConnection);
  });
}

ScanEntry ScanWatcher::entry_of(const QString& id, const NodeType& type, const GraphNode& node, const QString& path) {
  ScanEntry entry;
  if (!path.isEmpty()) {
    const std::vector<std::string> settings = reading_settings(node, type);
    if (known_.find({path, settings}) == known_.end()) look(id, path, settings);
    entry = known_[{path, settings}];
    apply_user_values(entry, type, node);
  } else {
    for (const PortDecl& port : type.outputs) {
      const Info* info = session_.info(id, QString::fromStdString(port.name));
      if (info != nullptr && std::holds_alternative<ProjectionsInfo>(*info))
        entry = from_declaration(std::get<ProjectionsInfo>(*info));
    }
    entry.title = QString::fromStdString(type.title);
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
    QString path;
    const ParamDecl* const file = data_file_of(*type);
    if (const auto set = file == nullptr ? node.params.end() : node.params.find(file->name); set != node.params.end())
      if (const auto* name = std::get_if<std::string>(&set->second)) path = QString::fromStdString(*name);
    if (file == nullptr || !path.isEmpty()) scans.push_back(entry_of(QString::fromStdString(id), *type, node, path));
  }
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
