// ScanWatcher: finds the scans and volumes that the pipeline reads, and those listed by the user, reads their metadata
// on a worker thread and fills the ScanModel.
#pragma once

#include <QObject>
#include <QStringList>
#include <QThreadPool>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "widgets/session/live_session.h"
#include "widgets/window/files/scan_model.h"

namespace tl::ui {

class ScanWatcher final : public QObject {
  Q_OBJECT
 public:
  ScanWatcher(LiveSession& session, ScanModel& model, QObject* parent = nullptr);
  ~ScanWatcher() override;   // waits for reading in progress
  void read_failed_again();  // reads again the scans that could not be read before
  // Files and folders (absolute paths) shown in addition to those of the pipeline.
  void set_listed(const QStringList& paths);

 Q_SIGNALS:
  // The scan of this load node links to files outside its folder, named in `refused`; emitted once per scan.
  void outside_links_refused(const QString& node, const Error& refused);

 private:
  void refresh();
  // How the data are read; any: for data that no node reads yet.
  enum class ReadAs { scan, volume, any };
  using Key = std::pair<QString, std::vector<std::string>>;
  void look(const QString& node, const Key& key, ReadAs how);
  [[nodiscard]] ScanEntry read_entry(const QString& node, const Key& key, ReadAs how);
  [[nodiscard]] ScanEntry entry_of(const QString& id, const NodeType& type, const GraphNode& node, const QString& path);
  LiveSession& session_;
  ScanModel& model_;
  // By path and settings of the load node. An entry without rows and without problem is still being read.
  std::map<Key, ScanEntry> known_;
  QStringList listed_;
  QThreadPool pool_;
};

}  // namespace tl::ui
