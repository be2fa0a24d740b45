// FileFlows: new, open, save, recover and close a pipeline, and the questions about running work and unsaved changes
// before another one replaces it.
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

// What ends: only the work on this pipeline, or all work of the window.
enum class Leaving { pipeline, window };

class FileFlows final : public QObject {
  Q_OBJECT
 public:
  FileFlows(LiveSession& session, Settings& settings, MessageModel& messages, const WindowRecords& records,
            QWidget* window);
  // `work` returns what would be lost, one sentence each, of computations and of results that nobody has accepted yet.
  void set_unfinished_work(std::function<QStringList(Leaving)> work) { unfinished_work_ = std::move(work); }

  // `offer` returns what would continue after the window is closed, and how; empty: nothing can.
  void set_background_offer(std::function<QString()> offer) { background_offer_ = std::move(offer); }
  // The user chose this at the last question.
  [[nodiscard]] bool goes_on_in_background() const { return goes_on_; }

  void start_new();
  void open_template(const QString& name);
  void open_dialog();
  // a pipeline, a result or a scan; returns at once, the file is read on another thread
  void open(const QString& path);
  // Opens the voxels of a result; open() would show the pipeline that computed them.
  void open_voxels(const QString& path);
  // Opens a pipeline without a file; the user is asked about unsaved changes of the previous one.
  void open_graph(const Graph& graph);
  void stop_opening();  // cancels a file being read, or waiting for the end of a dialog; not_opened() follows
  bool save();          // false if cancelled or failed
  bool save_as();
  void recover(const WindowRecord& gone);  // shows the unsaved copy of a window that ended; recovered() follows
  // Asks about running work, then about unsaved changes; false if the user cancels.
  [[nodiscard]] bool confirm_leaving(Leaving what);
  // Shows the differences between this pipeline and the state in the other window, or in the file, in a separate
  // window.
  void show_difference();
  // Asks whether the scan of a load node may read the files outside its folder named by `refused`; sets the node
  // accordingly.
  void ask_about_outside_links(const QString& node, const Error& refused);

 Q_SIGNALS:
  void opening(const QString& file);  // entered() or not_opened() follows
  void entered();                     // another pipeline was loaded
  void not_opened();                  // it failed, or the user keeps the pipeline that is shown
  void was_saved();
  void recovered(const tl::ui::WindowRecord& from);
  void open_elsewhere(const QString& why);  // the loaded pipeline is open in another window
  // A pipeline of another program was loaded; `lost`: settings without counterpart here. They are already in the
  // message list.
  void translated(const QString& program, const QStringList& lost);
  // The error with its hint. It is already in the message list.
  void open_failed(const QString& why);
  void save_failed(const QString& file, const QString& why);

 private:
  [[nodiscard]] bool confirm_end_of_work(Leaving what);
  [[nodiscard]] bool confirm_unsaved_changes();
  // Handles a file that was read. Waits while a dialog is open: a question would cover the open one, or change the
  // pipeline to which a dialog refers.
  void take(const QString& path, const Opened& what);
  void enter(const QString& path, const Opened& what);
  void take_waiting();
  void show_graph(Graph graph, const QString& file, const QByteArray& content = {});
  void warn_if_open_elsewhere(const QString& file);
  // Asks whether the scan may read files outside its folder; `refused` names them.
  bool confirm_outside_links(const QString& path, const Error& refused);
  // Opens a file of no known layout with the datasets of the last such file, or asks which ones.
  void choose_datasets(const QString& path, const Opened& what);
  void refuse(const Error& error);  // reports an error of opening: message and signal
  [[nodiscard]] bool save_before_leaving();
  [[nodiscard]] int ask_after_failed_save(const QString& path, const Error& error);
  // Saves in the file of that name, or in another one that the user chooses because somebody else has changed this one;
  // `cancelled` if the user cancels.
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
  QTimer look_again_;  // polls whether the dialog is still open
  HintFollower* hint_follower_;
};

}  // namespace tl::ui
