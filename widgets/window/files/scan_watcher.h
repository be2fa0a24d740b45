// ScanWatcher: finds the scans that the pipeline reads and fills the model of the Data dock, off the window's thread.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <map>

#include "widgets/session/live_session.h"
#include "widgets/window/files/scan_model.h"

namespace tl::ui {

class ScanWatcher final : public QObject {
  Q_OBJECT
 public:
  ScanWatcher(LiveSession& session, ScanModel& model, QObject* parent = nullptr);
  ~ScanWatcher() override;  // waits for a look that is under way

 private:
  void refresh();
  void look(const QString& path);
  [[nodiscard]] ScanEntry entry_of(const QString& id, const NodeType& type, const GraphNode& node, const QString& path);
  LiveSession& session_;
  ScanModel& model_;
  std::map<QString, ScanEntry> known_;  // by path; an entry without rows and problem is being looked at
  QThreadPool pool_;
};

}  // namespace tl::ui
