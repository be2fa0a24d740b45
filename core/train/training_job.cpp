// Runs a training on its thread: reads what is labelled, trains, and tells how it goes.
#include "core/train/training_job.h"

#include <ATen/Parallel.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/priority.h"
#include "core/graph/graph_json.h"
#include "core/graph/upstream.h"
#include "core/run/caught_error.h"
#include "core/run/executor.h"
#include "core/train/checkpoint_head.h"
#include "core/train/example_nodes.h"
#include "core/train/labelled_volumes.h"
#include "core/train/network_to_train.h"
#include "core/train/train.h"
#include "core/values/hash.h"

namespace tl::train {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

std::string note_of(const JobSettings& s) {
  const nlohmann::ordered_json json{{"plan", to_json_text(s.plan)}, {"data", data_identity(s.graph)}};
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

TrainingOptions options_of(const JobSettings& s) {
  TrainingOptions t;
  t.sampling.planes = s.plan.planes;
  t.sampling.edge = s.plan.patch;
  t.sampling.prior = Prior::classes;
  t.optimiser.rate = s.plan.rate;
  t.epochs = s.plan.epochs;
  t.steps = s.plan.steps;
  t.patience = s.plan.patience;
  t.seed = s.plan.seed;
  t.checkpoint = s.checkpoint;
  t.checkpoint_steps = 100;
  t.note = note_of(s);
  t.resume = s.begin == JobSettings::Begin::anew ? Resume::no : Resume::if_there;
  return t;
}

JobEnd::Why why_of(TrainingRecord::End end) {
  switch (end) {
    case TrainingRecord::End::patience:
      return JobEnd::Why::patience;
    case TrainingRecord::End::taken:
      return JobEnd::Why::taken;
    case TrainingRecord::End::all_epochs:
      break;
  }
  return JobEnd::Why::all_epochs;
}

}  // namespace

std::string data_identity(const Graph& graph) {
  return Hasher().add(to_json(upstream_of(graph, example_nodes(graph)))).digest().text();
}

Result<JobIdentity> identity_from_note(const std::string& note) {
  const auto json = nlohmann::ordered_json::parse(note, nullptr, false);
  const auto text = [&](const char* name) {
    const bool has = json.is_object() && json.contains(name) && json.at(name).is_string();
    return has ? json.at(name).get<std::string>() : std::string();
  };
  TL_TRY(TrainingPlan plan, plan_from_json(text("plan")));
  return JobIdentity{std::move(plan), text("data")};
}

class TrainingJob::Work {
 public:
  Work(const Registry& registry, JobSettings settings, JobListener& listener)
      : registry_(registry), settings_(std::move(settings)), listener_(listener) {}

  void run() {
    lower_thread_priority_for_long_work();
    if (settings_.threads > 0) at::set_num_threads(settings_.threads);
    JobEnd end;
    try {
      const Result<TrainingRecord> record = trained();
      if (record.ok()) {
        end.why = why_of(record.value().end);
        end.best_epoch = record.value().best_epoch;
      } else {
        end.error = record.error();
      }
    } catch (...) {
      end.error = caught_error();
    }
    end.seconds = seconds();
    listener_.ended(std::move(end));
  }

  enum class Command { go_on, pause, take_best };
  void command(Command command) {
    const std::lock_guard lock(mutex_);
    command_ = command;
    changed_.notify_all();
  }
  void cancel() {
    const std::lock_guard lock(mutex_);
    cancel_.cancel();
    changed_.notify_all();
  }
  Result<void> save(const std::filesystem::path& file, const io::OutputRules& rules) const {
    const std::lock_guard lock(mutex_);
    if (!trained_) return invalid("the training has not ended", "network", "Wait until it has, or take the best");
    return write_network(*trained_, file, rules);
  }

 private:
  Result<LabelledSet> read() {
    RunOptions options;
    options.device = settings_.device;
    options.device_fallback = DeviceFallback::allow;
    options.memory = settings_.memory;
    options.input_dir = settings_.input_dir;
    options.cancel = cancel_;
    Executor executor(registry_, options);
    const Graph graph = upstream_of(settings_.graph, example_nodes(settings_.graph));
    TL_TRY(auto volumes, example_volumes(executor, graph, settings_.pipeline));
    const TrainingPlan& p = settings_.plan;
    return training_set_of(std::move(volumes), {}, {Split::automatic, p.share, p.gap, p.seed, {}});
  }

  Result<TrainingRecord> trained() {
    tell();
    TL_TRY(const LabelledSet made, read());
    const TrainingSet& set = made.set;
    TL_TRY(net::Network network,
           network_to_train("msd depth=" + std::to_string(settings_.plan.depth), settings_.plan.weights,
                            static_cast<int64_t>(set.classes.size()), set.training[0].volume.size(0)));
    TrainingOptions options = options_of(settings_);
    options.cancel = cancel_;
    options.after_step = [this](int64_t step) { return after_step(step); };
    options.progress = [this](const TrainingProgress& p) { return after_epoch(p); };
    told_.warnings = made.warnings;
    told_.classes = set.classes;
    told_.steps = settings_.plan.epochs * settings_.plan.steps;
    told_.phase = JobProgress::Phase::training;
    // What the plots show before the first epoch of this run ends; train() says what is wrong with a checkpoint.
    if (settings_.begin == JobSettings::Begin::with_checkpoint)
      if (Result<CheckpointHead> head = read_checkpoint_head(settings_.checkpoint); head.ok()) {
        told_.curves = std::move(head.value().curves);
        told_.step = head.value().step;
      }
    begin_ = Clock::now();
    tell();
    TL_TRY(const TrainingRecord record, train(network, set, options));
    told_.curves = record.curves;
    if (told_.best.empty()) write_best(network, record.best_epoch);  // no epoch of this run was better
    tell();
    const std::lock_guard lock(mutex_);
    trained_ = std::move(network);
    return record;
  }

  Next after_step(int64_t step) {
    constexpr double between_s = 0.1;
    if (first_step_ < 0) first_step_ = step - 1;
    told_.step = step;
    const double each = seconds() / static_cast<double>(step - first_step_);
    told_.seconds_left = each * static_cast<double>(told_.steps - step);
    if (seconds_between(told_at_, Clock::now()) > between_s) tell();
    std::unique_lock lock(mutex_);
    if (command_ == Command::pause && !cancel_.cancelled()) {
      const Clock::time_point from = Clock::now();
      told_.phase = JobProgress::Phase::paused;
      lock.unlock();
      tell();
      lock.lock();
      changed_.wait(lock, [this] { return command_ != Command::pause || cancel_.cancelled(); });
      paused_s_ += seconds_between(from, Clock::now());
      told_.phase = JobProgress::Phase::training;
      lock.unlock();
      tell();
      lock.lock();
    }
    return command_ == Command::take_best ? Next::take_best : Next::go_on;
  }

  Next after_epoch(const TrainingProgress& p) {
    told_.curves = p.curves;
    if (p.best) write_best(p.network, p.epoch);
    tell();
    const std::lock_guard lock(mutex_);
    return command_ == Command::take_best ? Next::take_best : Next::go_on;
  }

  // A file that cannot be written takes nothing from the training: the one before is shown on. That one stays too,
  // because somebody may be reading it.
  void write_best(const net::Network& network, int64_t epoch) {
    if (settings_.best_folder.empty()) return;
    const auto file = settings_.best_folder / ("best-" + std::to_string(epoch) + ".safetensors");
    if (!write_network(network, file, io::no_inputs(io::Overwrite::replace)).ok()) return;
    std::error_code error;
    if (!before_best_.empty()) std::filesystem::remove(before_best_, error);
    before_best_ = std::exchange(told_.best, file);
  }

  void tell() {
    told_at_ = Clock::now();
    listener_.progressed(JobProgress(told_));
  }
  [[nodiscard]] double seconds() const { return seconds_between(begin_, Clock::now()) - paused_s_; }

  const Registry& registry_;
  const JobSettings settings_;
  JobListener& listener_;
  CancelToken cancel_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Command command_ = Command::go_on;     // guarded by mutex_
  std::optional<net::Network> trained_;  // guarded by mutex_
  // Of the thread of the job.
  JobProgress told_;
  std::filesystem::path before_best_;
  Clock::time_point told_at_, begin_ = Clock::now();
  double paused_s_ = 0;
  int64_t first_step_ = -1;
};

TrainingJob::TrainingJob(const Registry& registry, JobSettings settings, JobListener& listener)
    : work_(std::make_unique<Work>(registry, std::move(settings), listener)), thread_([this] { work_->run(); }) {}
TrainingJob::~TrainingJob() {
  cancel();
  thread_.join();
}

void TrainingJob::pause() { work_->command(Work::Command::pause); }
void TrainingJob::go_on() { work_->command(Work::Command::go_on); }
void TrainingJob::take_best() { work_->command(Work::Command::take_best); }
void TrainingJob::cancel() { work_->cancel(); }
Result<void> TrainingJob::save(const std::filesystem::path& file, const io::OutputRules& rules) const {
  return work_->save(file, rules);
}

}  // namespace tl::train
