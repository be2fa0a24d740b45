// Runs the work of a job on its thread: converts exceptions to errors, and handles pauses, timing and the rate of
// reports.
#include "core/live/jobs/job.h"

#include "core/base/priority.h"
#include "core/live/guarded.h"
#include "gpu/device/threads.h"

namespace tl::jobs {
namespace {

constexpr double between_reports_s = 0.1;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

void JobControl::command(Command command) {
  const std::lock_guard lock(mutex_);
  command_ = command;
  changed_.notify_all();
}

void JobControl::cancel() {
  const std::lock_guard lock(mutex_);
  cancel_.cancel();
  changed_.notify_all();
}

JobControl::Command JobControl::asked() const {
  const std::lock_guard lock(mutex_);
  return command_;
}

double JobControl::wait_while_paused(const std::function<void()>& paused, const std::function<void()>& goes_on) {
  if (asked() != Command::pause || cancel_.cancelled()) return 0;
  const auto from = std::chrono::steady_clock::now();
  paused();
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return command_ != Command::pause || cancel_.cancelled(); });
  }
  const double seconds = seconds_since(from);
  goes_on();
  return seconds;
}

void JobWork::run(int threads) {
  lower_thread_priority_for_long_work();
  if (threads > 0) limit_threads(threads);
  report();
  const Result<void> done = live::guarded([this] { return work(); });
  send_end(done.ok() ? std::nullopt : std::optional<Error>(done.error()), seconds());
}

void JobWork::begin_work(double done) {
  begin_ = Clock::now();
  paused_s_ = 0;
  shared_progress().done = done_before_ = done;
  report(JobPhase::working);
}

void JobWork::step_ended(double done) {
  JobProgress& progress = shared_progress();
  progress.done = done;
  progress.seconds_left = seconds() / (done - done_before_) * (1 - done);
  if (seconds_since(reported_) > between_reports_s) report();
  const auto pause = [this] { report(JobPhase::paused); };
  paused_s_ += control_.wait_while_paused(pause, [this] { report(JobPhase::working); });
}

void JobWork::report() {
  reported_ = Clock::now();
  send_progress();
}
void JobWork::report(JobPhase phase) {
  shared_progress().phase = phase;
  report();
}
double JobWork::seconds() const { return seconds_since(begin_) - paused_s_; }

Job::~Job() {
  cancel();
  thread_.join();
}

}  // namespace tl::jobs
