// Job: work on a thread of its own that reports progress and can be paused, resumed, ended with the best result so far,
// or cancelled: shared by all kinds of jobs. No array type and no Qt in this header.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/run/common/job_pipeline.h"

namespace tl {
class Registry;
}

namespace tl::jobs {

enum class JobPhase { reading, working, paused };

// Progress of any job; each kind adds its own data: curves, steps.
struct JobProgress {
  JobPhase phase = JobPhase::reading;
  double done = 0;                    // share of the work, 0 to 1
  double seconds_left = -1;           // upper estimate [s]; below 0 = not known
  std::vector<std::string> warnings;  // of the data
};

struct JobEnd {
  std::optional<Error> error;  // of kind cancelled after cancel()
  double seconds = 0;          // without pauses
};

// Called on the thread of the job.
template <class Progress, class End>
class JobListener {
 public:
  virtual ~JobListener() = default;
  // Called at every change of phase, after every step that changes a curve or a table, and otherwise at most ten times
  // a second.
  virtual void progressed(Progress progress) = 0;
  virtual void ended(End end) = 0;  // once, last
};

// Requests of other threads to a running job. Thread-safe.
class JobControl {
 public:
  enum class Command { go_on, pause, take_best };
  void command(Command command);
  void cancel();  // ends a pause too
  [[nodiscard]] Command asked() const;
  [[nodiscard]] const CancelToken& token() const { return cancel_; }
  // Called on the thread of the job. Without a request to pause it returns 0 immediately. Otherwise it calls `paused`,
  // waits for another command or cancel(), calls `goes_on`, and returns the duration of the pause [s].
  double wait_while_paused(const std::function<void()>& paused, const std::function<void()>& goes_on);

 private:
  CancelToken cancel_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Command command_ = Command::go_on;
};

// The work of a kind of job. All except control() is called on the thread of the job.
class JobWork {
 public:
  virtual ~JobWork() = default;
  void run(int threads);  // threads: largest number for loops (gpu/device/threads.h); 0 = as in the process
  [[nodiscard]] JobControl& control() { return control_; }

 protected:
  virtual Result<void> work() = 0;
  // Called when the data are read and a share `done` of the work was done earlier: the estimate of the remaining time
  // begins.
  void begin_work(double done = 0);
  // Called after a step of the work: reports at most ten times a second, and waits during a pause.
  void step_ended(double done);
  void report();
  [[nodiscard]] bool takes_best() const { return control_.asked() == JobControl::Command::take_best; }

 private:
  virtual JobProgress& shared_progress() = 0;
  virtual void send_progress() = 0;
  virtual void send_end(std::optional<Error> error, double seconds) = 0;
  using Clock = std::chrono::steady_clock;
  void report(JobPhase phase);
  [[nodiscard]] double seconds() const;
  JobControl control_;
  Clock::time_point reported_, begin_ = Clock::now();
  double paused_s_ = 0, done_before_ = 0;
};

// Adds the types of a kind of job.
template <class Kind>
class JobWorkOf : public JobWork {
 public:
  using Settings = typename Kind::Settings;
  using Progress = typename Kind::Progress;
  using End = typename Kind::End;
  using Listener = typename Kind::Listener;
  JobWorkOf(const Registry& registry, Settings settings, Listener& listener)
      : registry_(registry), settings_(std::move(settings)), listener_(listener) {}

 protected:
  const Registry& registry_;
  const Settings settings_;
  Progress progress_;
  End end_;

 private:
  JobProgress& shared_progress() final { return progress_; }
  void send_progress() final { listener_.progressed(Progress(progress_)); }
  void send_end(std::optional<Error> error, double seconds) final {
    end_.error = std::move(error);
    end_.seconds = seconds;
    listener_.ended(std::move(end_));
  }
  Listener& listener_;
};

// Yields to the views and the window, see lower_thread_priority_for_long_work(). Calls return at once and may come from
// any thread. A kind of job is a class derived from it, with its types Settings, Progress, End and Listener.
class Job {
 public:
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  void pause() { work_->control().command(JobControl::Command::pause); }  // after the current step
  void go_on() { work_->control().command(JobControl::Command::go_on); }
  // Ends the job with the best result so far, once there is one; kinds of jobs without a best result continue.
  void take_best() { work_->control().command(JobControl::Command::take_best); }
  void cancel() { work_->control().cancel(); }

 protected:
  Job(std::unique_ptr<JobWork> work, int threads)
      : work_(std::move(work)), thread_([this, threads] { work_->run(threads); }) {}
  ~Job();  // cancels, and waits for the end
  template <class Work>
  [[nodiscard]] const Work& work() const {
    return static_cast<const Work&>(*work_);
  }

 private:
  std::unique_ptr<JobWork> work_;
  std::thread thread_;
};

}  // namespace tl::jobs
