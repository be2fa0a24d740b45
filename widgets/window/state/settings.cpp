// Settings: reads and writes the user's settings, with keys, limits and a schema version.
#include "widgets/window/state/settings.h"

#include <QFileInfo>
#include <QStandardPaths>
#include <algorithm>

#include "widgets/session/switches.h"

namespace tl::ui {
namespace {

constexpr int recent_files = 10;
constexpr int max_of_a_number = 4096;  // threads, GB: limits the numbers of a damaged file
const QString version_key = QStringLiteral("schema_version");

constexpr qsizetype max_moved = 20;  // folders
const QString moved_key = QStringLiteral("moved_folders");

constexpr std::size_t streams_kept = 10;
constexpr qsizetype layouts_kept = 200;
// A fingerprint has a colon, which a key must not have.
QString datasets_key(const QString& layout) {
  return QStringLiteral("datasets/") + QString(layout).replace(QChar(':'), QChar('_'));
}

QString user_file() {
  return QStandardPaths::writableLocation(QStandardPaths::ConfigLocation) + QStringLiteral("/tomoloom/studio.ini");
}

}  // namespace

Settings::Settings(const QString& file) : store_(file.isEmpty() ? user_file() : file, QSettings::IniFormat) {
  // A file of a later version may use the same keys with other meanings.
  if (store_.value(version_key, schema_version).toInt() > schema_version) store_.clear();
  store_.setValue(version_key, schema_version);
  scale_at_start_ = scale_percent();
  language_at_start_ = language();
  computing_at_start_ = computing();
}

QString Settings::theme() const { return store_.value(QStringLiteral("theme"), QStringLiteral("dark")).toString(); }
void Settings::set_theme(const QString& name) { store_.setValue(QStringLiteral("theme"), name); }

int Settings::scale_percent() const {
  return std::clamp(store_.value(QStringLiteral("scale_percent"), 100).toInt(), 100, 200);
}
QString Settings::language() const { return store_.value(QStringLiteral("language")).toString(); }
void Settings::set_language(const QString& key) { store_.setValue(QStringLiteral("language"), key); }

void Settings::set_scale_percent(int percent) { store_.setValue(QStringLiteral("scale_percent"), percent); }

const std::vector<int>& Settings::scales() {
  static const std::vector<int> all = {100, 125, 150, 175, 200};
  return all;
}

Settings::Computing Settings::computing() const {
  const auto number = [this](const char* key) {
    return std::clamp(store_.value(QLatin1String(key), 0).toInt(), 0, max_of_a_number);
  };
  Computing c{.threads = number("computing/threads"),
              .memory_gb = number("computing/memory_gb"),
              .cache_gb = number("computing/cache_gb"),
              .results = store_.value(QStringLiteral("folders/results")).toString(),
              .scratch = store_.value(QStringLiteral("folders/scratch")).toString()};
  return c;
}
void Settings::set_computing(const Computing& c) {
  store_.setValue(QStringLiteral("computing/threads"), c.threads);
  store_.setValue(QStringLiteral("computing/memory_gb"), c.memory_gb);
  store_.setValue(QStringLiteral("computing/cache_gb"), c.cache_gb);
  store_.setValue(QStringLiteral("folders/results"), c.results);
  store_.setValue(QStringLiteral("folders/scratch"), c.scratch);
}

live::Switches Settings::switches() const {
  live::Switches switches;
  for (const SwitchAction& s : switch_actions()) {
    bool& value = switches.*s.value;
    value = store_.value(QLatin1String(s.key), value).toBool();
  }
  return switches;
}
void Settings::set_switches(const live::Switches& switches) {
  for (const SwitchAction& s : switch_actions()) store_.setValue(QLatin1String(s.key), switches.*s.value);
}

QStringList Settings::recent() const {
  QStringList there;
  for (const QString& path : store_.value(QStringLiteral("recent")).toStringList())
    if (QFileInfo::exists(path)) there << path;
  return there;
}
void Settings::add_recent(const QString& path) {
  QStringList all = store_.value(QStringLiteral("recent")).toStringList();
  all.removeAll(path);
  all.prepend(path);
  store_.setValue(QStringLiteral("recent"), all.mid(0, recent_files));
}

std::vector<MovedFolder> Settings::moved_folders() const {
  const QStringList stored = store_.value(moved_key).toStringList();
  std::vector<MovedFolder> moved;
  for (qsizetype i = 0; i + 1 < stored.size(); i += 2) moved.push_back({stored[i], stored[i + 1]});
  return moved;
}
void Settings::remember_moved(const MovedFolder& moved) {
  QStringList stored{moved.from, moved.to};
  for (const MovedFolder& earlier : moved_folders())
    if (earlier.from != moved.from && stored.size() < 2 * max_moved) stored << earlier.from << earlier.to;
  store_.setValue(moved_key, stored);
}
std::vector<StreamChoice> Settings::streams() const {
  std::vector<StreamChoice> all;
  for (const QString& line : store_.value(QStringLiteral("streams")).toStringList()) {
    // Lines with spaces were written by an earlier version, and have only the first three parts.
    QStringList parts = line.split(QLatin1Char(line.contains(QLatin1Char('\t')) ? '\t' : ' '));
    constexpr int sockets = 3, all_parts = 9;
    if (parts.size() < 3) continue;
    parts.resize(all_parts);
    const int socket = parts[1].toInt();
    if (socket < 0 || socket >= sockets) continue;
    all.push_back({parts[0], static_cast<stream::ReceiverSocket>(socket),
                   parts[2] == QLatin1String("binds") ? stream::SocketEnd::binds : stream::SocketEnd::connects,
                   parts[3], parts[4], parts[5], parts[6], parts[7], parts[8].toDouble()});
  }
  return all;
}
void Settings::add_stream(const StreamChoice& choice) {
  std::vector<StreamChoice> all = streams();
  std::erase_if(all, [&](const StreamChoice& c) { return c.address == choice.address; });
  all.insert(all.begin(), choice);
  if (all.size() > streams_kept) all.resize(streams_kept);
  QStringList lines;
  for (const StreamChoice& c : all)
    lines << QStringList{c.address,
                         QString::number(static_cast<int>(c.socket)),
                         c.end == stream::SocketEnd::binds ? QStringLiteral("binds") : QStringLiteral("connects"),
                         c.log,
                         c.send,
                         c.plugin,
                         c.plugin_back,
                         c.trigger,
                         QString::number(c.before)}
                 .join(QLatin1Char('\t'));
  store_.setValue(QStringLiteral("streams"), lines);
}

std::optional<io::DatasetChoice> Settings::datasets(const QString& layout) const {
  const QStringList paths = store_.value(datasets_key(layout)).toStringList();
  io::DatasetChoice choice;
  if (paths.size() != static_cast<qsizetype>(choice.paths.size())) return std::nullopt;
  for (std::size_t i = 0; i < choice.paths.size(); ++i)
    choice.paths[i] = paths[static_cast<qsizetype>(i)].toStdString();
  return choice;
}
void Settings::remember_datasets(const QString& layout, const io::DatasetChoice& choice) {
  QStringList paths, order = store_.value(QStringLiteral("datasets/order")).toStringList();
  for (const std::string& path : choice.paths) paths << QString::fromStdString(path);
  order.removeAll(layout);
  order.prepend(layout);
  while (order.size() > layouts_kept) store_.remove(datasets_key(order.takeLast()));
  store_.setValue(QStringLiteral("datasets/order"), order);
  store_.setValue(datasets_key(layout), paths);
}

QByteArray Settings::layout(const QString& name) const {
  return store_.value(QStringLiteral("layout/") + name).toByteArray();
}
void Settings::set_layout(const QString& name, const QByteArray& state) {
  store_.setValue(QStringLiteral("layout/") + name, state);
}
void Settings::forget_layouts() {
  store_.remove(QStringLiteral("layout"));
  store_.remove(QStringLiteral("docks"));
}
bool Settings::is_dock_shown(const QString& name) const {
  return store_.value(QStringLiteral("docks/") + name, true).toBool();
}
void Settings::set_dock(const QString& name, DockUse use) {
  store_.setValue(QStringLiteral("docks/") + name, use == DockUse::shown);
}

QString Settings::queue_folder() const { return store_.value(QStringLiteral("queue_folder")).toString(); }
void Settings::set_queue_folder(const QString& folder) { store_.setValue(QStringLiteral("queue_folder"), folder); }

Settings::Watched Settings::watched() const {
  return {store_.value(QStringLiteral("watched/folder")).toString(),
          store_.value(QStringLiteral("watched/quiet_s")).toDouble(),
          store_.value(QStringLiteral("watched/runs"), true).toBool()};
}
void Settings::set_watched(const Watched& watched) {
  if (watched == this->watched()) return;
  store_.setValue(QStringLiteral("watched/folder"), watched.folder);
  store_.setValue(QStringLiteral("watched/quiet_s"), watched.quiet_s);
  store_.setValue(QStringLiteral("watched/runs"), watched.runs);
}

QStringList Settings::listed_data() const {
  QStringList paths = store_.value(QStringLiteral("listed_data")).toStringList();
  paths.removeIf([](const QString& path) { return !QFileInfo::exists(path); });
  return paths;
}
void Settings::set_listed_data(const QStringList& paths) { store_.setValue(QStringLiteral("listed_data"), paths); }

QString Settings::workspace() const { return store_.value(QStringLiteral("workspace")).toString(); }
void Settings::set_workspace(const QString& name) { store_.setValue(QStringLiteral("workspace"), name); }

}  // namespace tl::ui
