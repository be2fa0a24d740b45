// FileFlows: new, open, save, recover and close a pipeline, and the question about unsaved changes before another one
// replaces it.
#pragma once

#include <QObject>
#include <functional>

#include "widgets/session/live_session.h"
#include "widgets/window/files/file_opener.h"

class QWidget;

namespace tl::ui {

class HintFollower;
class MessageModel;
class Settings;

class FileFlows final : public QObject {
  Q_OBJECT
 public:
  FileFlows(LiveSession& session, Settings& settings, MessageModel& messages, QWidget* window);

  void start_new();
  void open_template(const QString& name);
  void open_dialog();
  // a pipeline, a result or a scan; returns at once, the file is read on another thread
  void open(const QString& path);
  bool save();  // false if cancelled or failed
  bool save_as();
  void recover(const QString& file);             // `file`: a copy written by Autosave
  [[nodiscard]] bool confirm_unsaved_changes();  // asks about unsaved changes; false if the user cancels
  // Asks whether the scan of a load node may read the files outside its folder that `refused` names; sets the node so.
  void ask_about_outside_links(const QString& node, const Error& refused);

 Q_SIGNALS:
  void entered();  // another pipeline was loaded
  void was_saved();
  void recovered();
  // A pipeline of another program was loaded; `lost`: what has no counterpart here. The message list has it already.
  void translated(const QString& program, const QStringList& lost);
  // What failed, why and what to do. The message list has it already.
  void open_failed(const QString& why);
  void save_failed(const QString& file, const QString& why);

 private:
  void take(const QString& path, const Opened& what);
  void show_graph(Graph graph, const QString& file);
  // Asks whether the scan may read files outside its folder; `refused` names them.
  bool confirm_outside_links(const QString& path, const Error& refused);
  // Opens a file of no known layout with the datasets of the last such file, or asks which ones.
  void choose_datasets(const QString& path, const Opened& what);
  void refuse(const Error& error);  // an open that failed: message and signal
  [[nodiscard]] bool save_before_leaving();
  [[nodiscard]] int ask_after_failed_save(const QString& path, const Error& error);
  [[nodiscard]] Result<void> save_to(const QString& path);
  [[nodiscard]] QString ask_for_path();  // empty if the user cancels
  LiveSession& session_;
  Document& document_;
  Settings& settings_;
  MessageModel& messages_;
  QWidget* window_;
  FileOpener opener_;
  HintFollower* hint_follower_;
};

}  // namespace tl::ui
