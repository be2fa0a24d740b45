// Settings: reads and writes the user's settings, with keys, limits and a schema version.
#include "widgets/window/settings.h"

#include <QFileInfo>
#include <QStandardPaths>
#include <algorithm>

#include "widgets/session/switches.h"

namespace tl::ui {
namespace {

constexpr int recent_files = 10;
const QString version_key = QStringLiteral("schema_version");

QString user_file() {
  return QStandardPaths::writableLocation(QStandardPaths::ConfigLocation) + QStringLiteral("/tomoloom/studio.ini");
}

}  // namespace

Settings::Settings(const QString& file) : store_(file.isEmpty() ? user_file() : file, QSettings::IniFormat) {
  // A file of a later version may use the same keys with other meanings.
  if (store_.value(version_key, schema_version).toInt() > schema_version) store_.clear();
  store_.setValue(version_key, schema_version);
}

QString Settings::theme() const { return store_.value(QStringLiteral("theme"), QStringLiteral("dark")).toString(); }
void Settings::set_theme(const QString& name) { store_.setValue(QStringLiteral("theme"), name); }

int Settings::scale_percent() const {
  return std::clamp(store_.value(QStringLiteral("scale_percent"), 100).toInt(), 100, 200);
}
void Settings::set_scale_percent(int percent) { store_.setValue(QStringLiteral("scale_percent"), percent); }

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

QByteArray Settings::layout(const QString& name) const {
  return store_.value(QStringLiteral("layout/") + name).toByteArray();
}
void Settings::set_layout(const QString& name, const QByteArray& state) {
  store_.setValue(QStringLiteral("layout/") + name, state);
}
void Settings::forget_layouts() { store_.remove(QStringLiteral("layout")); }

QString Settings::workspace() const { return store_.value(QStringLiteral("workspace")).toString(); }
void Settings::set_workspace(const QString& name) { store_.setValue(QStringLiteral("workspace"), name); }

}  // namespace tl::ui
