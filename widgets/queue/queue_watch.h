// QueueWatch: watches a folder; scans are queued when they are finished.
#pragma once

#include <QObject>
#include <QStringList>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/live/jobs/watch_job.h"

namespace tl::ui {

// GUI thread only.
class QueueWatch final : public QObject {
  Q_OBJECT
 public:
  explicit QueueWatch(QObject* parent);
  ~QueueWatch() override;
  // Empty folder: ends watching. `quiet_s` [s]: a scan is finished if its files have not changed for so long.
  void watch(const QString& folder, double quiet_s);
  [[nodiscard]] QString folder() const { return folder_; }
  [[nodiscard]] double quiet_s() const { return quiet_s_; }
  [[nodiscard]] qint64 unfinished() const { return unfinished_; }

 Q_SIGNALS:
  void changed();
  void finished(const QStringList& scans);

 private:
  struct Watching;
  QString folder_;
  double quiet_s_ = 0;
  qint64 unfinished_ = 0;
  uint64_t number_ = 0;
  std::unique_ptr<Watching> watching_;
  std::vector<std::unique_ptr<Watching>> left_;  // cancelled jobs, which end without notice
};

}  // namespace tl::ui
