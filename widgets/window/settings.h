// Settings: what the studio remembers of a user: theme, layout, recent files. An INI file with a version.
#pragma once

#include <QSettings>
#include <QString>
#include <QStringList>

namespace tl::ui {

// GUI thread only.
class Settings final {
 public:
  static constexpr int schema_version = 1;
  // The user's own file in the configuration folder, or the one given (tests).
  explicit Settings(const QString& file = {});

  [[nodiscard]] QString theme() const;
  void set_theme(const QString& name);
  [[nodiscard]] int scale_percent() const;  // of text and widgets; counts from the next start
  void set_scale_percent(int percent);

  [[nodiscard]] bool thumbnails() const;  // pictures on the cards of nodes
  void set_thumbnails(bool shown);

  [[nodiscard]] QStringList recent() const;  // newest first; only those that still exist
  void add_recent(const QString& path);

  // Layouts are bytes that only their widgets understand.
  [[nodiscard]] QByteArray layout(const QString& name) const;
  void set_layout(const QString& name, const QByteArray& state);
  void forget_layouts();
  [[nodiscard]] QString workspace() const;
  void set_workspace(const QString& name);

 private:
  QSettings store_;
};

}  // namespace tl::ui
