// MainWindow: the window of one document: header, docks, views, canvas and status line.
#pragma once

#include <QMainWindow>
#include <functional>
#include <optional>
#include <vector>

#include "core/exports/settings.h"
#include "widgets/session/live_session.h"
#include "widgets/session/selection.h"
#include "widgets/window/files/scan_model.h"
#include "widgets/window/state/message_model.h"
#include "widgets/window/workspaces.h"

class QMenu;
class QSplitter;
class QStackedWidget;

namespace tl::ui {

class ActionSearch;
class Autosave;
class BackgroundWork;
struct BackgroundJob;
class Canvas;
class ClassTablePanel;
class DataDock;
class DockFolds;
class FileFlows;
class GuidePanel;
class HeaderBar;
class HelpWindow;
class Inspector;
class JobPage;
class LearningDock;
class LearningPanel;
class LearningSession;
class MessagePanel;
class Notices;
struct MissingInput;
struct NoticeButton;
class PruningSession;
class QueueSession;
class ReportFlow;
class RunFlows;
class RunsArea;
class ScanWatcher;
class Settings;
class StatusLine;
class StreamDock;
class StreamSession;
class SweepSession;
class TablePanel;
class TrainingSession;
class ViewsArea;
class WelcomePage;

enum class CurvesPosition;
enum class HelpPage;
enum class Leaving;
// The node to select when the user has not selected one; see choose_node().
enum class NodeChoice { last, measuring };

class MainWindow final : public QMainWindow {
  Q_OBJECT
 public:
  MainWindow(LiveSession& session, Selection& selection, Settings& settings, QWidget* parent = nullptr);
  ~MainWindow() override;

  [[nodiscard]] FileFlows& files() { return *files_; }
  [[nodiscard]] Workspaces& workspaces() { return *workspaces_; }
  [[nodiscard]] Canvas& canvas() { return *canvas_; }
  [[nodiscard]] Inspector& inspector() { return *inspector_; }
  [[nodiscard]] LearningSession& learning() { return *learning_session_; }
  [[nodiscard]] LearningPanel& learning_panel() { return *learning_; }
  [[nodiscard]] TrainingSession& training() { return *training_session_; }
  [[nodiscard]] JobPage& training_panel() { return *training_; }
  [[nodiscard]] PruningSession& pruning() { return *pruning_session_; }
  [[nodiscard]] JobPage& pruning_panel() { return *pruning_; }
  [[nodiscard]] StreamSession& stream() { return *stream_session_; }
  [[nodiscard]] StreamDock& stream_dock() { return *stream_; }
  [[nodiscard]] SweepSession& sweep() { return *sweep_session_; }
  [[nodiscard]] QueueSession& queue() { return *queue_session_; }
  [[nodiscard]] RunsArea& runs() { return *runs_area_; }
  [[nodiscard]] BackgroundWork& background() { return *background_; }
  [[nodiscard]] DataDock& data() { return *data_; }
  [[nodiscard]] const std::vector<JobPage*>& jobs() const { return jobs_; }  // a page of each kind
  [[nodiscard]] MessageModel& messages() { return messages_; }
  void show_welcome();
  void show_main_page();
  // Export of the selected node; `format`: the initially selected ViewExportFormat::format.id, empty: the last one.
  void open_export(const std::string& format = {});
  void choose_node(NodeChoice choice);
  // Guided mode shows the pipeline as a list of steps, without canvas and left docks.
  enum class Mode { free, guided };
  void set_mode(Mode mode);
  [[nodiscard]] Mode mode() const { return mode_; }
  [[nodiscard]] ReportFlow& reports() { return *reports_; }
  [[nodiscard]] const Notices& notices() const { return *notices_; }
  [[nodiscard]] const DockFolds& docks() const { return *docks_; }

 protected:
  void closeEvent(QCloseEvent* event) override;
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  static QSplitter* splitter(Qt::Orientation orientation, QWidget* parent);
  void build_centre();
  [[nodiscard]] QWidget* build_left();
  [[nodiscard]] QWidget* build_right();
  void build_menu();
  void add_file_actions(QMenu& menu);
  void add_edit_actions(QMenu& menu);
  void add_run_actions(QMenu& menu);
  void add_view_actions(QMenu& menu);
  void add_go_to_actions(QMenu& menu);
  void go_to(QWidget& place, Workspace where);
  void add_help_actions(QMenu& menu);
  void add_docks();
  void show_left();
  HelpWindow& help_window();
  void open_help(HelpPage page);
  void open_preferences();
  void start_tour();
  void fill_recent(QMenu& menu);
  QAction* add(QMenu& menu, const QString& name, const QKeySequence& keys, const std::function<void()>& does);
  void connect_session();
  void connect_learning();
  void connect_queue();
  void watch_again();
  void arrange_runs();
  [[nodiscard]] bool shows_runs() const;
  void run_or_toggle_queue();  // what F5 does
  void run_in_queue();         // adds the pipeline with its own scan as a row
  void connect_notices();
  void connect_stream();
  void add_stream_actions(QMenu& menu);
  void toggle_stream();
  void toggle_pinned_window();
  void show_stream();
  void make_room_for_stream();
  void go_to_problem(const QString& node);
  void show_translated(const QString& program, const QStringList& lost);
  void connect_export();
  [[nodiscard]] std::string ui_of_copies(const std::string& ui) const;
  [[nodiscard]] std::vector<NoticeButton> remedies_of(const QString& node);
  void locate(const MissingInput& missing);
  void show_failure(const QString& node, const QString& why);
  void watch_status(const QString& node);
  void stop();  // stops all work, and what learning waits for before it starts
  void show_written(const QStringList& files, double seconds);
  void show_title();
  void arrange_learning(Workspace workspace);
  void arrange_plots(CurvesPosition place);
  void show_plots_of_page();
  void show_learning_section();
  void show_job(JobPage& page);
  void show_progress_of_jobs(StatusLine& status);
  void report_end_of(JobPage& page);
  void show_report(const QString& file);
  void show_outside(const QString& path);  // opens it with the default program of the desktop
  [[nodiscard]] QStringList unfinished_work(Leaving what) const;
  void connect_recovery();
  void connect_background();
  [[nodiscard]] QString background_offer() const;
  [[nodiscard]] Result<void> go_on_in_background();
  void report_background_end(const BackgroundJob& job);
  void show_data_sections();
  void arrange_views();
  void show_step_picture();
  void set_theme(const QString& name);

  LiveSession& session_;
  Selection& selection_;
  Settings& settings_;
  MessageModel messages_;
  ScanModel scans_;
  ScanWatcher* watcher_;
  Autosave* autosave_;
  BackgroundWork* background_;
  FileFlows* files_;
  RunFlows* runs_;
  ReportFlow* reports_ = nullptr;
  QMenu* menu_;
  QMenu* templates_ = nullptr;
  Notices* notices_ = nullptr;
  DockFolds* docks_;
  HelpWindow* help_ = nullptr;
  QAction *search_action_ = nullptr, *run_action_ = nullptr, *stop_action_ = nullptr, *preferences_action_ = nullptr;
  QStackedWidget* pages_;
  QStackedWidget* left_pages_ = nullptr;
  GuidePanel* guide_ = nullptr;
  QAction* guided_action_ = nullptr;
  Mode mode_ = Mode::free;
  QSplitter *main_, *centre_, *left_ = nullptr, *right_ = nullptr;
  WelcomePage* welcome_;
  ViewsArea* views_ = nullptr;
  Canvas* canvas_ = nullptr;
  Inspector* inspector_ = nullptr;
  LearningSession* learning_session_;
  TrainingSession* training_session_;
  PruningSession* pruning_session_;
  SweepSession* sweep_session_;
  StreamSession* stream_session_;
  StreamDock* stream_ = nullptr;
  QueueSession* queue_session_;
  RunsArea* runs_area_ = nullptr;
  DataDock* data_ = nullptr;
  LearningPanel* learning_ = nullptr;
  JobPage *training_ = nullptr, *pruning_ = nullptr, *sweep_ = nullptr;
  std::vector<JobPage*> jobs_;
  LearningDock* learning_dock_ = nullptr;
  std::optional<exports::Settings> last_export_;  // settings of this pipeline's last export in this window
  QString export_folder_;
  bool copies_reported_ = false;
  bool was_painted_ = false;  // when the pipeline changed last
  ClassTablePanel* classes_ = nullptr;
  TablePanel* table_ = nullptr;
  QWidget *stream_section_ = nullptr, *learning_section_ = nullptr, *histogram_section_ = nullptr,
          *classes_section_ = nullptr, *table_section_ = nullptr, *plots_area_ = nullptr;
  Workspaces* workspaces_ = nullptr;
  HeaderBar* header_ = nullptr;
  MessagePanel* message_panel_;
  ActionSearch* search_;
  qint64 last_escape_ms_ = 0;
};

}  // namespace tl::ui
