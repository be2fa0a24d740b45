// Settings: the user's settings: theme, scale, layout, recent files. Stored as an INI file with a schema version.
#pragma once

#include <QSettings>
#include <QString>
#include <QStringList>

#include "core/live/switches.h"

namespace tl::ui {

// GUI thread only.
class Settings final {
 public:
  static constexpr int schema_version = 1;
  // `file` empty: the user's file in the configuration folder. Tests pass their own.
  explicit Settings(const QString& file = {});

  [[nodiscard]] QString theme() const;
  void set_theme(const QString& name);
  [[nodiscard]] int scale_percent() const;  // of text and widgets; takes effect at the next start
  void set_scale_percent(int percent);

  [[nodiscard]] live::Switches switches() const;
  void set_switches(const live::Switches& switches);

  [[nodiscard]] QStringList recent() const;  // newest first; only those that still exist
  void add_recent(const QString& path);

  // Saved state of splitters and docks, opaque to this class.
  [[nodiscard]] QByteArray layout(const QString& name) const;
  void set_layout(const QString& name, const QByteArray& state);
  void forget_layouts();
  [[nodiscard]] QString workspace() const;
  void set_workspace(const QString& name);

 private:
  QSettings store_;
};

}  // namespace tl::ui
