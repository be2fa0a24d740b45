// Settings: the user's settings: theme, scale, layout, recent files. Stored as an INI file with a schema version.
#pragma once

#include <QSettings>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "core/io/hdf5/dataset_choice.h"
#include "core/live/switches.h"
#include "widgets/session/missing_inputs.h"
#include "widgets/session/stream_choice.h"

namespace tl::ui {

// GUI thread only.
class Settings final {
 public:
  static constexpr int schema_version = 1;
  // `file` empty: the user's file in the configuration folder. Tests pass their own.
  explicit Settings(const QString& file = {});

  [[nodiscard]] QString theme() const;
  void set_theme(const QString& name);
  [[nodiscard]] int scale_percent() const;  // scale of text and widgets; takes effect at the next start
  void set_scale_percent(int percent);

  // Key of the language of the window, see widgets/language/language.h; takes effect at the next start. Empty: the
  // language of the system.
  [[nodiscard]] QString language() const;
  void set_language(const QString& key);
  [[nodiscard]] const QString& language_at_start() const { return language_at_start_; }

  [[nodiscard]] static const std::vector<int>& scales();
  [[nodiscard]] int scale_at_start() const { return scale_at_start_; }

  // Settings of the compute thread; they take effect at the next start.
  struct Computing {
    int threads = 0;           // 0 = one per core
    int memory_gb = 0;         // memory budget; 0 = 80 % of the available memory
    int cache_gb = 0;          // part of the memory for cached results; 0 = a quarter
    QString results, scratch;  // base of relative output files; scratch files. Empty: the system's
    friend bool operator==(const Computing&, const Computing&) = default;
  };
  [[nodiscard]] Computing computing() const;
  void set_computing(const Computing& computing);
  [[nodiscard]] const Computing& computing_at_start() const { return computing_at_start_; }

  [[nodiscard]] live::Switches switches() const;
  void set_switches(const live::Switches& switches);

  [[nodiscard]] QStringList recent() const;  // newest first; only those that still exist
  void add_recent(const QString& path);

  // Moved folders whose new places the user has shown, newest first.
  [[nodiscard]] std::vector<MovedFolder> moved_folders() const;
  void remember_moved(const MovedFolder& moved);
  // Sources of live scans, newest first; the last ten.
  [[nodiscard]] std::vector<StreamChoice> streams() const;
  void add_stream(const StreamChoice& choice);

  // The datasets last chosen in a file of this layout (io::layout_fingerprint()); stored for 200
  // layouts.
  [[nodiscard]] std::optional<io::DatasetChoice> datasets(const QString& layout) const;
  void remember_datasets(const QString& layout, const io::DatasetChoice& choice);

  [[nodiscard]] QString queue_folder() const;  // folder of the last queue of scans; empty: there was none
  void set_queue_folder(const QString& folder);
  // The folder that was watched for new scans when the last window was closed; folder empty: none.
  struct Watched {
    QString folder;
    double quiet_s = 0;
    bool runs = true;  // new scans run, or are only listed
    friend bool operator==(const Watched&, const Watched&) = default;
  };
  [[nodiscard]] Watched watched() const;
  void set_watched(const Watched& watched);
  [[nodiscard]] QStringList listed_data() const;  // scans and volumes of the data dock; only existing ones
  void set_listed_data(const QStringList& paths);

  // Saved state of splitters and docks, opaque to this class.
  [[nodiscard]] QByteArray layout(const QString& name) const;
  void set_layout(const QString& name, const QByteArray& state);
  void forget_layouts();  // and which docks are folded
  [[nodiscard]] bool is_dock_shown(const QString& name) const;
  enum class DockUse { folded, shown };
  void set_dock(const QString& name, DockUse use);
  [[nodiscard]] QString workspace() const;
  void set_workspace(const QString& name);

 private:
  QSettings store_;
  int scale_at_start_ = 100;
  QString language_at_start_;
  Computing computing_at_start_;
};

}  // namespace tl::ui
