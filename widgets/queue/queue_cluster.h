// QueueCluster: Slurm as a target of the queue: resources of a job, submitted rows, and their states.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/run/cluster/queue_jobs.h"

namespace tl::ui {

// GUI thread only; Slurm is called on another thread.
class QueueCluster final : public QObject {
  Q_OBJECT
 public:
  explicit QueueCluster(QObject* parent);
  ~QueueCluster() override;  // waits for the answer of Slurm

  // Why rows cannot be submitted from here; empty: they can. PATH is searched for Slurm every two seconds at most.
  [[nodiscard]] QString obstacle() const;
  void follow(std::shared_ptr<ScanQueue> queue);  // null: no queue. Its jobs are polled until all have ended
  void submit(const std::vector<std::string>& names, const JobResources& resources);
  void cancel(const std::vector<std::string>& names);
  [[nodiscard]] bool is_submitting() const { return submitting_ > 0; }
  [[nodiscard]] const RowJob* job(const std::string& row) const;  // nullptr: it was never sent

 Q_SIGNALS:
  void changed();
  void refused(const Error& why);

 private:
  void look();
  struct Answer {
    std::vector<RowJob> jobs;
    Result<void> done = ok();
  };
  void take(const std::shared_ptr<ScanQueue>& queue, Answer answer);
  std::shared_ptr<ScanQueue> queue_;
  std::map<std::string, RowJob> jobs_;
  QThreadPool pool_;
  QTimer timer_;
  mutable QElapsedTimer looked_for_;
  mutable QString obstacle_;
  int submitting_ = 0;
  bool is_looking_ = false;
};

}  // namespace tl::ui
