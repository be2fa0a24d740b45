// ScanWatcher: finds the scans that the pipeline reads, reads their metadata on a worker thread and fills the
// ScanModel.
#pragma once

#include <QObject>
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
  void read_failed_again();  // scans that could not be read may be there now

 Q_SIGNALS:
  // The scan of this load node links to files outside its folder, which `refused` names; once per scan.
  void outside_links_refused(const QString& node, const Error& refused);

 private:
  void refresh();
  void look(const QString& node, const QString& path, const std::vector<std::string>& settings);
  [[nodiscard]] ScanEntry entry_of(const QString& id, const NodeType& type, const GraphNode& node, const QString& path);
  LiveSession& session_;
  ScanModel& model_;
  // By path and settings of the load node. An entry without rows and without problem is still being read.
  std::map<std::pair<QString, std::vector<std::string>>, ScanEntry> known_;
  QThreadPool pool_;
};

}  // namespace tl::ui
