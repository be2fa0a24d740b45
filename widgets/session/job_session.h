// JobSession: a job of any kind in the studio: its state, the requests that it allows, and its reports.
#pragma once

#include <QObject>
#include <QString>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/live/jobs/job.h"
#include "widgets/session/live_session.h"

namespace tl::ui {

// pausing: the current step is completed first. finishing: the best result so far was requested. stopping: it was
// cancelled. ended: the result waits to be accepted or rejected.
enum class JobState { idle, reading, running, pausing, paused, finishing, stopping, ended };

// GUI thread only.
class JobSession : public QObject {
  Q_OBJECT
 public:
  [[nodiscard]] LiveSession& live() const { return session_; }
  [[nodiscard]] JobState state() const { return state_; }
  [[nodiscard]] bool is_busy() const { return state_ != JobState::idle && state_ != JobState::ended; }
  // Something would be lost if the window closed.
  [[nodiscard]] virtual bool is_unsaved() const { return state_ != JobState::idle; }
  [[nodiscard]] QString failure() const { return failure_; }  // of the last job
  [[nodiscard]] virtual double done() const { return -1; }    // fraction, 0 to 1; below 0 = not known
  // Why it cannot start, and what to do; empty: it can.
  [[nodiscard]] virtual QString obstacle() const = 0;
  [[nodiscard]] virtual bool has_best() const { return false; }  // it could end with the best result so far

  virtual void start() = 0;
  void pause();  // after the current step
  void go_on();
  void take_best();
  virtual void cancel();
  virtual void reject() = 0;  // forgets the result

 Q_SIGNALS:
  void settings_changed();  // the plan, or the choices that the pipeline offers, changed
  void state_changed();
  void progressed();
  void saved(const QString& message);  // files were written, for the messages

 protected:
  enum class Command { pause, go_on, take_best, cancel };
  JobSession(LiveSession& session, QObject* parent) : QObject(parent), session_(session) {}
  virtual void send(Command command) = 0;  // to the job
  void set_state(JobState state);
  void set_failure(const Error& error);  // not where it was cancelled
  void clear_failure() { failure_.clear(); }
  void follow(jobs::JobPhase phase);
  void fill(JobPipeline& settings) const;  // sets the document's pipeline and the engine's options
  // A file next to the pipeline with its name, this suffix and ending, and a number if that file exists; empty if the
  // pipeline has no file itself.
  [[nodiscard]] QString free_file(const QString& suffix, const QString& ending) const;
  LiveSession& session_;

 private:
  JobState state_ = JobState::idle;
  QString failure_;
};

// A session whose jobs run on their own thread: Kind is a jobs::Job with its types.
template <class Kind>
class JobSessionOf : public JobSession {
 public:
  using Progress = typename Kind::Progress;
  using End = typename Kind::End;
  void start() override {
    if (is_busy() || !obstacle().isEmpty()) return;
    typename Kind::Settings settings;
    fill(settings);
    prepare(settings);
    begin(std::move(settings));
  }
  [[nodiscard]] const Progress& progress() const { return progress_; }
  [[nodiscard]] const std::optional<End>& end() const { return end_; }
  void reject() override {
    if (this->state() == JobState::ended) drop();
  }
  [[nodiscard]] double done() const override {
    return progress_.phase == jobs::JobPhase::reading ? -1 : progress_.done;
  }

 protected:
  JobSessionOf(LiveSession& session, QObject* parent) : JobSession(session, parent) {
    connect(&session.document(), &Document::was_reset, this, [this] { leave(); });
    connect(&session.document(), &Document::graph_changed, this, [this] {
      if (!is_busy()) clear_failure();  // it may have been repaired
      follow_pipeline();
    });
  }
  virtual void follow_pipeline() { Q_EMIT settings_changed(); }
  virtual void prepare(typename Kind::Settings& /*settings*/) {}  // called before a start without an obstacle
  void begin(typename Kind::Settings settings) {
    forget_result();
    running_ = std::make_unique<Running>(*this, ++number_, std::move(settings));
    set_state(JobState::reading);
    Q_EMIT progressed();
  }
  [[nodiscard]] Kind& job() { return running_->job; }
  void forget_job() {
    running_.reset();
    set_state(JobState::idle);
  }
  // Cancels all jobs, and waits for their ends.
  void end_jobs() {
    running_.reset();
    left_.clear();
  }
  // For another pipeline: jobs that were cancelled end later.
  virtual void leave() {
    if (running_ != nullptr) {
      running_->job.cancel();
      left_.push_back(std::move(running_));
      ++number_;
    }
    forget_result();
    set_state(JobState::idle);
    Q_EMIT progressed();
  }
  virtual void show_progress() {}
  // Forgets a cancelled or failed job: it has no result to keep.
  virtual void drop() { forget_job(); }
  virtual void forget_result() {
    progress_ = {};
    end_.reset();
    clear_failure();
  }

 private:
  // Passes reports from the job's thread to the GUI thread, with the number of the job.
  struct Running final : Kind::Listener {
    Running(JobSessionOf& s, uint64_t n, typename Kind::Settings settings)
        : session(s), number(n), job(s.session_.document().registry(), std::move(settings), *this) {}
    void progressed(Progress p) override {
      const auto take = [s = &session, n = number, p = std::move(p)] { s->take(n, p); };
      QMetaObject::invokeMethod(&session, take, Qt::QueuedConnection);
    }
    void ended(End e) override {
      const auto take = [s = &session, n = number, e = std::move(e)] { s->take_end(n, e); };
      QMetaObject::invokeMethod(&session, take, Qt::QueuedConnection);
    }
    JobSessionOf& session;
    const uint64_t number;
    Kind job;
  };

  void send(Command command) final {
    switch (command) {
      case Command::pause: return running_->job.pause();
      case Command::go_on: return running_->job.go_on();
      case Command::take_best: return running_->job.take_best();
      case Command::cancel: return running_->job.cancel();
    }
  }
  void take(uint64_t number, const Progress& progress) {
    if (number != number_ || !is_busy()) return;
    progress_ = progress;
    follow(progress.phase);
    show_progress();
    Q_EMIT progressed();
  }
  void take_end(uint64_t number, const End& end) {
    std::erase_if(left_, [number](const auto& job) { return job->number == number; });
    if (number != number_ || running_ == nullptr) return;
    if (end.error) {
      set_failure(*end.error);
      drop();
    } else {
      end_ = end;
      set_state(JobState::ended);
    }
    Q_EMIT progressed();
  }

  Progress progress_;
  std::optional<End> end_;
  uint64_t number_ = 0;  // of the newest job
  std::unique_ptr<Running> running_;
  std::vector<std::unique_ptr<Running>> left_;  // of other pipelines
};

}  // namespace tl::ui
