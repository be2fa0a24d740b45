// ExportDialog: one view of all that an export needs: format, type, range with what is clipped, region, binning, what
// is written alongside, file, size. The export runs as a job of the session, and the dialog follows it.
#pragma once

#include <QDialog>
#include <QElapsedTimer>
#include <vector>

#include "widgets/export/export_session.h"

class QCheckBox;
class QLabel;
class QProgressBar;
class QPushButton;

namespace tl::ui {

// GUI thread only. Modal for its window. Closed while it exports, the export goes on.
class ExportDialog final : public QDialog {
  Q_OBJECT
 public:
  // `last`: as it was chosen last for this pipeline; a name of a file without a folder lies in `folder`.
  struct Start {
    exports::Source source;
    exports::Settings last;
    QString folder;
    std::vector<DrawnExport> drawn;
  };
  ExportDialog(LiveSession& session, ViewState& views, const Start& start, QWidget* parent = nullptr);

  [[nodiscard]] ExportSession& session() { return *session_; }
  [[nodiscard]] bool is_exporting() const { return exporting_; }

 Q_SIGNALS:
  // To be run; the run's end is that of the session.
  void export_wanted(const tl::exports::Plan& plan);
  void drawn_was_written(const QString& file, double seconds);
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
  void write_drawn(const DrawnExport& drawn);
  bool may_replace_files(const std::vector<std::filesystem::path>& files);
  void end(const live::RunEnd& end);
  void say(const QString& text, const char* tone);

  ExportSession* session_;
  QWidget* form_ = nullptr;
  QWidget *list_ = nullptr, *alongside_ = nullptr;
  QCheckBox *labels_ = nullptr, *parameters_ = nullptr, *mesh_ = nullptr;
  QLabel *size_ = nullptr, *state_ = nullptr;
  QProgressBar* bar_ = nullptr;
  QPushButton *cancel_ = nullptr, *export_ = nullptr;
  bool exporting_ = false;
  bool shows_result_ = false;  // of the last export, until something is changed
};

}  // namespace tl::ui
