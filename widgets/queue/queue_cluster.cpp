// QueueCluster: asks Slurm for the state of submitted rows, and enters it in the queue.
#include "widgets/queue/queue_cluster.h"

#include <QFile>
#include <QStandardPaths>
#include <algorithm>
#include <utility>

#include "widgets/session/command_line.h"

namespace tl::ui {
namespace {

constexpr int look_ms = 3000, look_for_ms = 2000;

bool has_sent(const ScanQueue& queue) {
  const std::vector<tl::ScanRow> rows = queue.rows();
  return std::any_of(rows.begin(), rows.end(), [](const tl::ScanRow& row) { return row.state == ScanState::sent; });
}

}  // namespace

QueueCluster::QueueCluster(QObject* parent) : QObject(parent) {
  pool_.setMaxThreadCount(1);
  timer_.setInterval(look_ms);
  connect(&timer_, &QTimer::timeout, this, &QueueCluster::look);
}

QueueCluster::~QueueCluster() { pool_.waitForDone(); }

QString QueueCluster::obstacle() const {
  if (looked_for_.isValid() && !looked_for_.hasExpired(look_for_ms)) return obstacle_;
  looked_for_.start();
  obstacle_.clear();
  if (QStandardPaths::findExecutable(QStringLiteral("sbatch")).isEmpty())
    obstacle_ = tr("Slurm's program sbatch is not installed here: use a machine of the cluster");
  else if (command_line_program().isEmpty())
    obstacle_ = tr("The program tomoloom, which the jobs run, is not installed here");
  return obstacle_;
}

const RowJob* QueueCluster::job(const std::string& row) const {
  const auto known = jobs_.find(row);
  return known == jobs_.end() ? nullptr : &known->second;
}

void QueueCluster::follow(std::shared_ptr<ScanQueue> queue) {
  queue_ = std::move(queue);
  jobs_.clear();
  timer_.stop();
  if (queue_ != nullptr && has_submissions(*queue_)) look();
  Q_EMIT changed();
}

// Jobs end without notice: submitted rows are polled until none is left.
void QueueCluster::look() {
  if (queue_ == nullptr || is_looking_) return;
  is_looking_ = true;
  pool_.start([this, queue = queue_] {
    Answer answer;
    Result<std::vector<RowJob>> jobs = row_jobs(*queue);
    answer.done = jobs.ok() ? enter_outcomes(*queue, jobs.value()) : Result<void>(jobs.error());
    if (jobs.ok()) answer.jobs = std::move(jobs).value();
    QMetaObject::invokeMethod(
        this,
        [this, queue, answer = std::move(answer)]() mutable {
          is_looking_ = false;
          take(queue, std::move(answer));
        },
        Qt::QueuedConnection);
  });
}

void QueueCluster::take(const std::shared_ptr<ScanQueue>& queue, Answer answer) {
  if (queue != queue_) return;
  if (answer.done.ok()) {
    jobs_.clear();
    for (RowJob& job : answer.jobs) jobs_[job.row] = std::move(job);
  } else if (has_sent(*queue)) {
    Q_EMIT refused(answer.done.error());
  }
  // If Slurm does not answer, it is asked again when something is submitted, or the queue is opened.
  if (answer.done.ok() && has_sent(*queue))
    timer_.start();
  else
    timer_.stop();
  Q_EMIT changed();
}

void QueueCluster::submit(const std::vector<std::string>& names, const JobResources& resources) {
  if (queue_ == nullptr) return;
  ++submitting_;
  Q_EMIT changed();
  const std::string program = QFile::encodeName(command_line_program()).toStdString();
  pool_.start([this, queue = queue_, names, resources, program] {
    const Result<int64_t> sent = submit_rows(*queue, names, resources, program);
    QMetaObject::invokeMethod(
        this,
        [this, sent] {
          --submitting_;
          if (!sent.ok()) Q_EMIT refused(sent.error());
          Q_EMIT changed();
          look();
        },
        Qt::QueuedConnection);
  });
}

void QueueCluster::cancel(const std::vector<std::string>& names) {
  if (queue_ == nullptr) return;
  pool_.start([this, queue = queue_, names] {
    const Result<void> done = cancel_rows(*queue, names);
    QMetaObject::invokeMethod(
        this,
        [this, done] {
          if (!done.ok()) Q_EMIT refused(done.error());
          Q_EMIT changed();
          look();
        },
        Qt::QueuedConnection);
  });
}

}  // namespace tl::ui
