// WindowRecords: what every window of the studio leaves in a folder of the user's: the pipeline that it has open, and a
// copy of what it has not saved. Other windows, also of other processes, read there who has a pipeline open, and which
// copies were left by windows that are gone.
#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QObject>
#include <QString>
#include <QTimer>
#include <vector>

#include "core/io/bytes/file_descriptor.h"

namespace tl::ui {

// What is known of another window.
struct WindowRecord {
  QString name;  // path of its files, without ending; empty for a copy by an earlier version
  QString host;  // of the machine
  qint64 process = 0;
  QString pipeline;    // the file that it has open; empty: never saved
  QDateTime opened;    // that file
  QByteArray content;  // content_hash() of that file when it was read or saved last
  QString copy;        // of what it has not saved; empty: there is none
  QDateTime changed;   // the copy
};

// GUI thread only. A window is alive as long as it holds the lock of its record; on another machine, where locks may
// not reach, as long as its record is renewed.
class WindowRecords final : public QObject {
  Q_OBJECT
 public:
  // `folder` empty: in the user's data.
  explicit WindowRecords(const QString& folder = {}, QObject* parent = nullptr);
  ~WindowRecords() override;  // a copy stays, with the record that it belongs to

  [[nodiscard]] QString copy_file() const { return file(name_, copy_ending); }  // for this window to write
  // The pipeline that this window has open.
  void set_pipeline(const QString& path, const QByteArray& content);
  // The other windows that have this file open.
  [[nodiscard]] std::vector<WindowRecord> others_with(const QString& pipeline) const;
  // The copies of windows that are gone, newest first. They stay until discard(), however often they are listed.
  [[nodiscard]] std::vector<WindowRecord> left_copies() const;
  static void discard(const WindowRecord& gone);
  // To be kept while a window compares a pipeline's file with what it has read, and writes it: other windows wait for
  // it, two seconds at most.
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
