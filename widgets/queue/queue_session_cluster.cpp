// QueueSession: its rows on a cluster.
#include <QThread>
#include <algorithm>

#include "core/run/cluster/task_needs.h"
#include "widgets/queue/queue_session.h"

namespace tl::ui {

void QueueSession::set_target(Target target) {
  if (target == target_ || (target == Target::slurm && !cluster_->obstacle().isEmpty())) return;
  target_ = target;
  Q_EMIT forecasts_changed();
}

std::vector<std::string> QueueSession::waiting() const {
  std::vector<std::string> names;
  for (const tl::ScanRow& row : rows_)
    if (is_waiting(row) && row.state == ScanState::waiting) names.push_back(row.name);
  return names;
}

SlurmRequest QueueSession::request_for(const std::vector<std::string>& names) const {
  SlurmRequest request;
  request.rows = static_cast<qint64>(names.size());
  TaskNeeds needs;
  bool is_known = true;
  for (const std::string& name : names) {
    const jobs::RowForecast* known = forecast(name);
    is_known = is_known && known != nullptr && known->seconds >= 0;
    if (known == nullptr) continue;
    needs.peak = std::max(needs.peak, known->peak);
    needs.seconds = std::max(needs.seconds, known->seconds);
  }
  if (!is_known) needs.seconds = -1;
  request.resources.cores = std::max<int64_t>(1, QThread::idealThreadCount());
  request.resources.memory = memory_for(needs);
  request.resources.minutes = minutes_for(needs);
  request.basis = is_known
                      ? tr("By the forecast of the largest scan: %1 times its time here, %2 times its memory.")
                            .arg(time_reserve)
                            .arg(memory_reserve)
                      : tr("The time of a scan is not known yet: the partition's limit applies, unless you give one.");
  return request;
}

void QueueSession::send_to_cluster(const std::vector<std::string>& names, const JobResources& resources) {
  if (queue_ != nullptr) cluster_->submit(names, resources);
}

void QueueSession::send_again(const std::vector<std::string>& names) {
  std::vector<std::string> failed;
  const JobResources* resources = nullptr;
  for (const tl::ScanRow& row : rows_) {
    const RowJob* job = cluster_->job(row.name);
    const bool is_named = std::find(names.begin(), names.end(), row.name) != names.end();
    if (!is_named || row.state != ScanState::failed || job == nullptr) continue;
    failed.push_back(row.name);
    resources = &job->resources;
  }
  if (resources == nullptr) return;
  const JobResources same = *resources;
  retry(failed);
  send_to_cluster(failed, same);
}

void QueueSession::cancel_sent(const std::vector<std::string>& names) { cluster_->cancel(names); }

}  // namespace tl::ui
