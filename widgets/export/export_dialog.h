// ExportDialog: one view of all settings of an export: format, type, range with the clipped share, region, binning,
// additional files, file, size. The export runs as a job of the session, and the dialog follows it.
#pragma once

#include <QDialog>
#include <QElapsedTimer>
#include <memory>
#include <optional>
#include <vector>

#include "widgets/export/export_session.h"
#include "widgets/views/volume/volume_movie.h"

class QCheckBox;
class QLabel;
class QProgressBar;
class QPushButton;

namespace tl::ui {

class FileRow;
class MovieForm;

// The view from which movies are made.
struct MovieSource {
  QSize shown;  // px of the screen
  // Null: there is no image yet.
  std::function<std::unique_ptr<VolumeMovie>(const MoviePlan& plan, const QString& path)> begin;
};
// The formats of movies among the exports of views.
inline constexpr const char *movie_as_mp4 = "movie mp4", *movie_as_frames = "movie frames";

// GUI thread only. Modal for its window. If it is closed during an export, the export continues; only a movie has to be
// stopped first.
class ExportDialog final : public QDialog {
  Q_OBJECT
 public:
  // `last`: the last choice for this pipeline; a file name without a folder refers to `folder`.
  struct Start {
    exports::Source source;
    exports::Settings last;
    QString folder;
    std::vector<ViewExportFormat> view_exports;
    std::optional<MovieSource> movie = std::nullopt;
    // Which control has the keyboard focus first. file: the file name, selected.
    enum class InitialFocus { formats, file } begins_at = InitialFocus::formats;
  };
  ExportDialog(LiveSession& session, ViewState& views, const Start& start, QWidget* parent = nullptr);

  [[nodiscard]] ExportSession& session() { return *session_; }
  [[nodiscard]] bool is_exporting() const { return exporting_ || is_filming(); }
  [[nodiscard]] bool is_filming() const { return running_movie_ != nullptr; }
  void reject() override;

 Q_SIGNALS:
  // To be run; the run's end is that of the session.
  void export_wanted(const tl::exports::Plan& plan);
  void view_export_was_written(const QString& file, double seconds);
  void settings_chosen(const tl::exports::Settings& settings);  // with each export

 private:
  [[nodiscard]] QString first_name(const Start& start) const;
  QWidget* build_form();
  QWidget* build_alongside();
  QWidget* build_foot();
  void show_session();
  void show_size();
  void show_progress();
  void export_now();
  void write_view_export(const ViewExportFormat& view_export);
  void begin_movie(const QString& path);
  void end_movie(const QString& path, const Result<void>& result);
  void show_running(const QString& text);  // the form cannot be changed, and Cancel stops
  void show_idle(const QString& cancel);
  bool may_replace_files(const std::vector<std::filesystem::path>& files);
  void end(const live::RunEnd& end);
  void say(const QString& text, const char* tone);

  ExportSession* session_;
  std::optional<MovieSource> movie_;
  std::unique_ptr<VolumeMovie> running_movie_;
  QElapsedTimer clock_;
  MovieForm* movie_form_ = nullptr;  // nullptr: movies cannot be made
  FileRow* file_ = nullptr;
  QWidget* form_ = nullptr;
  QWidget *list_ = nullptr, *alongside_ = nullptr;
  QCheckBox *labels_ = nullptr, *parameters_ = nullptr, *mesh_ = nullptr;
  QLabel *size_ = nullptr, *state_ = nullptr;
  QProgressBar* bar_ = nullptr;
  QPushButton *cancel_ = nullptr, *export_ = nullptr;
  bool exporting_ = false;
  bool shows_result_ = false;  // result of the last export, until a setting is changed
};

}  // namespace tl::ui
