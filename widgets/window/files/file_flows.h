// FileFlows: new, open, save, export, close: every way in which a pipeline enters or leaves the window, and the
// question about unsaved changes before it does.
#pragma once

#include <QObject>
#include <functional>

#include "widgets/session/live_session.h"
#include "widgets/window/files/file_opener.h"

class QWidget;

namespace tl::ui {

class MessageModel;
class Settings;

class FileFlows final : public QObject {
  Q_OBJECT
 public:
  FileFlows(LiveSession& session, Settings& settings, MessageModel& messages, QWidget* window);

  void start_new();
  void open_template(const QString& name);
  void open_dialog();
  void open(const QString& path);  // a pipeline, a result, or a scan; answers come later
  bool save();                     // false: given up or failed
  bool save_as();
  void recover(const QString& file);  // a copy that Autosave kept
  [[nodiscard]] bool may_leave();     // asks about unsaved changes

 Q_SIGNALS:
  void entered();  // another pipeline is in the window

 private:
  void take(const QString& path, const Opened& what);
  void show_graph(Graph graph, const QString& file);
  // Asks whether a scan may be read from files outside its folder, which the error names.
  bool may_follow_links(const QString& path, const Error& refused);
  void tell_error(const Error& error);
  LiveSession& session_;
  Document& document_;
  Settings& settings_;
  MessageModel& messages_;
  QWidget* window_;
  FileOpener opener_;
};

}  // namespace tl::ui
