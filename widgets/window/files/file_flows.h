// FileFlows: new, open, save, recover and close a pipeline, and the questions about work that goes on and unsaved
// changes before another one replaces it.
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <optional>
#include <utility>

#include "widgets/session/live_session.h"
#include "widgets/window/files/file_opener.h"

class QWidget;

namespace tl::ui {

class HintFollower;
class MessageModel;
class Settings;
class WindowRecords;
struct WindowRecord;

// What ends: only the work on this pipeline, or all that the window does.
enum class Leaving { pipeline, window };

class FileFlows final : public QObject {
  Q_OBJECT
 public:
  FileFlows(LiveSession& session, Settings& settings, MessageModel& messages, const WindowRecords& records,
            QWidget* window);
  // `work` says what would be lost, one sentence each, of computations and results that nobody has taken yet.
  void set_unfinished_work(std::function<QStringList(Leaving)> work) { unfinished_work_ = std::move(work); }

  // `offer` says what of it would go on after the window is closed, and how; empty: nothing can.
  void set_background_offer(std::function<QString()> offer) { background_offer_ = std::move(offer); }
  // The user has chosen that, when asked last.
  [[nodiscard]] bool goes_on_in_background() const { return goes_on_; }

  void start_new();
  void open_template(const QString& name);
  void open_dialog();
  // a pipeline, a result or a scan; returns at once, the file is read on another thread
  void open(const QString& path);
  // The voxels of a result as they were computed; open() would show the pipeline that made them.
  void open_voxels(const QString& path);
  // A pipeline that has no file; its unsaved predecessor is asked about.
  void open_graph(const Graph& graph);
  void stop_opening();  // of a file that is still being read, or waits for the end of a dialog; not_opened() follows
  bool save();          // false if cancelled or failed
  bool save_as();
  void recover(const WindowRecord& gone);  // shows the copy that a window has left; recovered() follows
  // Asks about work that goes on, then about unsaved changes; false if the user stays.
  [[nodiscard]] bool confirm_leaving(Leaving what);
  // What differs between this pipeline and what the other window has of it, or the file, in a window of its own.
  void show_difference();
  // Asks whether the scan of a load node may read the files outside its folder that `refused` names; sets the node so.
  void ask_about_outside_links(const QString& node, const Error& refused);

 Q_SIGNALS:
  void opening(const QString& file);  // entered() or not_opened() follows
  void entered();                     // another pipeline was loaded
  void not_opened();                  // it failed, or the user stays with the pipeline that is shown
  void was_saved();
  void recovered(const tl::ui::WindowRecord& from);
  void open_elsewhere(const QString& why);  // the pipeline that was loaded is open in another window
  // A pipeline of another program was loaded; `lost`: what has no counterpart here. The message list has it already.
  void translated(const QString& program, const QStringList& lost);
  // What failed, why and what to do. The message list has it already.
  void open_failed(const QString& why);
  void save_failed(const QString& file, const QString& why);

 private:
  [[nodiscard]] bool confirm_end_of_work(Leaving what);
  [[nodiscard]] bool confirm_unsaved_changes();
  // A file that was read. It waits while a dialog is open: a question would cover the one that is being answered, or
  // change the pipeline below a dialog about it.
  void take(const QString& path, const Opened& what);
  void enter(const QString& path, const Opened& what);
  void take_waiting();
  void show_graph(Graph graph, const QString& file, const QByteArray& content = {});
  void warn_if_open_elsewhere(const QString& file);
  // Asks whether the scan may read files outside its folder; `refused` names them.
  bool confirm_outside_links(const QString& path, const Error& refused);
  // Opens a file of no known layout with the datasets of the last such file, or asks which ones.
  void choose_datasets(const QString& path, const Opened& what);
  void refuse(const Error& error);  // an open that failed: message and signal
  [[nodiscard]] bool save_before_leaving();
  [[nodiscard]] int ask_after_failed_save(const QString& path, const Error& error);
  // Saves in the file of that name, or in another one that the user chooses because somebody else has changed this one;
  // `cancelled` if the user gives it up.
  [[nodiscard]] Result<void> save_to(QString path);
  [[nodiscard]] Result<void> write_to(const QString& path);
  enum class Conflict { overwrite, save_elsewhere, cancel };
  [[nodiscard]] Conflict ask_about_changed_file(const QString& path);
  [[nodiscard]] bool save_and_report(const QString& path);
  [[nodiscard]] QString ask_for_path();  // empty if the user cancels
  LiveSession& session_;
  Document& document_;
  Settings& settings_;
  MessageModel& messages_;
  const WindowRecords& records_;
  std::function<QStringList(Leaving)> unfinished_work_;
  std::function<QString()> background_offer_;
  bool goes_on_ = false;
  QWidget* window_;
  FileOpener opener_;
  std::optional<std::pair<QString, Opened>> waiting_;
  QTimer look_again_;  // whether the dialog is still open
  HintFollower* hint_follower_;
};

}  // namespace tl::ui
