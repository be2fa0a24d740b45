// WindowRecords: files that every window of the studio writes to a folder of the user: the path of its pipeline, and a
// copy of its unsaved changes. Other windows, also of other processes, read there which pipelines are open, and which
// copies were left by windows that ended.
#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QObject>
#include <QString>
#include <QTimer>
#include <vector>

#include "core/io/bytes/file_descriptor.h"

namespace tl::ui {

// The record of another window.
struct WindowRecord {
  QString name;  // path of its files, without ending; empty for a copy by an earlier version
  QString host;  // of the machine
  qint64 process = 0;
  QString pipeline;    // the file that is open in it; empty: never saved
  QDateTime opened;    // that file
  QByteArray content;  // content_hash() of that file when it was last read or saved
  QString copy;        // copy of its unsaved changes; empty: there is none
  QDateTime changed;   // the copy
};

// GUI thread only. A window is alive as long as it holds the lock of its record; on another machine, where locks may
// not work, as long as its record is renewed.
class WindowRecords final : public QObject {
  Q_OBJECT
 public:
  // `folder` empty: in the user's data.
  explicit WindowRecords(const QString& folder = {}, QObject* parent = nullptr);
  ~WindowRecords() override;  // a copy is kept, with its record

  [[nodiscard]] QString copy_file() const { return file(name_, copy_ending); }  // for this window to write
  // Sets the pipeline that is open in this window.
  void set_pipeline(const QString& path, const QByteArray& content);
  // The other windows that have this file open.
  [[nodiscard]] std::vector<WindowRecord> others_with(const QString& pipeline) const;
  // The copies of windows that ended abnormally, newest first. They are kept until discard(), however often they are
  // listed.
  [[nodiscard]] std::vector<WindowRecord> left_copies() const;
  static void discard(const WindowRecord& gone);
  // Hold it while a window compares a pipeline's file with the version it has read, and writes the file: other windows
  // wait for it, two seconds at most.
  [[nodiscard]] io::FileDescriptor lock_saving() const;

 private:
  static const QString copy_ending, record_ending, lock_ending;
  [[nodiscard]] QString file(const QString& name, const QString& ending) const;
  [[nodiscard]] WindowRecord record_of(const QString& name) const;
  [[nodiscard]] bool is_alive(const WindowRecord& window) const;
  [[nodiscard]] std::vector<WindowRecord> others() const;
  void add_copies_of_earlier_versions(std::vector<WindowRecord>& all) const;
  void write() const;
  QString folder_, name_, pipeline_;
  QDateTime opened_;
  QByteArray content_;
  io::FileDescriptor lock_;
  QTimer heartbeat_;
};

// "process 4711 on this machine", "process 4711 on beamline3".
QString owner_text(const WindowRecord& window);

}  // namespace tl::ui
