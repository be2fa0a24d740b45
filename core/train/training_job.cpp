// Runs a training on its thread: reads what is labelled, trains, and reports its progress.
#include "core/train/training_job.h"

#include <ATen/Parallel.h>

#include <chrono>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/priority.h"
#include "core/graph/graph_json.h"
#include "core/graph/upstream.h"
#include "core/run/common/caught_error.h"
#include "core/train/checkpoint_head.h"
#include "core/train/example_nodes.h"
#include "core/train/job_control.h"
#include "core/train/labelled_training.h"
#include "core/train/network_to_train.h"
#include "core/values/hash.h"

namespace tl::train {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

std::string checkpoint_note(const JobSettings& s) {
  const nlohmann::ordered_json json{{"plan", to_json_text(s.plan)}, {"data", data_identity(s.graph)}};
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

TrainingOptions training_options(const JobSettings& s) {
  TrainingOptions t = options_of(s.plan);
  t.checkpoint = s.checkpoint;
  t.checkpoint_steps = 100;
  t.note = checkpoint_note(s);
  t.resume = s.begin == JobSettings::Begin::from_start ? Resume::no : Resume::if_there;
  return t;
}

JobEnd::Why end_reason(TrainingRecord::End end) {
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
        end.why = end_reason(record.value().end);
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

  [[nodiscard]] JobControl& control() { return control_; }
  Result<void> save(const std::filesystem::path& file, const io::OutputRules& rules) const {
    const std::lock_guard lock(mutex_);
    if (!trained_) return invalid("the training has not ended", "network", "Wait until it has, or take the best");
    return write_network(*trained_, file, rules);
  }

 private:
  Result<TrainingRecord> trained() {
    report_progress();
    TL_TRY(const LabelledSet made, labelled_set(registry_, settings_, settings_.plan, control_.token()));
    const TrainingSet& set = made.set;
    TL_TRY(net::Network network,
           network_to_train(new_network_of(settings_.plan), settings_.plan.weights,
                            static_cast<int64_t>(set.classes.size()), set.training[0].volume.size(0)));
    TrainingOptions options = training_options(settings_);
    options.cancel = control_.token();
    options.after_step = [this](int64_t step) { return after_step(step); };
    options.progress = [this](const TrainingProgress& p) { return after_epoch(p); };
    reported_.warnings = made.warnings;
    reported_.classes = set.classes;
    reported_.steps = settings_.plan.epochs * settings_.plan.steps;
    reported_.phase = JobProgress::Phase::training;
    // What the plots show before the first epoch of this run ends; train() says what is wrong with a checkpoint.
    if (settings_.begin == JobSettings::Begin::with_checkpoint)
      if (Result<CheckpointHead> head = read_checkpoint_head(settings_.checkpoint); head.ok()) {
        reported_.curves = std::move(head.value().curves);
        reported_.step = head.value().step;
      }
    begin_ = Clock::now();
    report_progress();
    TL_TRY(const TrainingRecord record, train(network, set, options));
    reported_.curves = record.curves;
    if (reported_.best.empty()) write_best(network, record.best_epoch);  // no epoch of this run was better
    report_progress();
    const std::lock_guard lock(mutex_);
    trained_ = std::move(network);
    return record;
  }

  Next after_step(int64_t step) {
    constexpr double between_s = 0.1;
    if (first_step_ < 0) first_step_ = step - 1;
    reported_.step = step;
    const double each = seconds() / static_cast<double>(step - first_step_);
    reported_.seconds_left = each * static_cast<double>(reported_.steps - step);
    if (seconds_between(reported_at_, Clock::now()) > between_s) report_progress();
    const auto tell_phase = [this](JobProgress::Phase phase) {
      reported_.phase = phase;
      report_progress();
    };
    paused_s_ += control_.wait_while_paused([&] { tell_phase(JobProgress::Phase::paused); },
                                            [&] { tell_phase(JobProgress::Phase::training); });
    return next();
  }

  Next after_epoch(const TrainingProgress& p) {
    reported_.curves = p.curves;
    if (p.best) write_best(p.network, p.epoch);
    report_progress();
    return next();
  }
  [[nodiscard]] Next next() const {
    return control_.asked() == JobControl::Command::take_best ? Next::take_best : Next::go_on;
  }

  // A file that cannot be written takes nothing from the training: the one before is shown on. That one stays too,
  // because somebody may be reading it.
  void write_best(const net::Network& network, int64_t epoch) {
    if (settings_.best_folder.empty()) return;
    const auto file = settings_.best_folder / ("best-" + std::to_string(epoch) + ".safetensors");
    if (!write_network(network, file, io::no_inputs(io::Overwrite::replace)).ok()) return;
    std::error_code error;
    if (!before_best_.empty()) std::filesystem::remove(before_best_, error);
    before_best_ = std::exchange(reported_.best, file);
  }

  void report_progress() {
    reported_at_ = Clock::now();
    listener_.progressed(JobProgress(reported_));
  }
  [[nodiscard]] double seconds() const { return seconds_between(begin_, Clock::now()) - paused_s_; }

  const Registry& registry_;
  const JobSettings settings_;
  JobListener& listener_;
  JobControl control_;
  mutable std::mutex mutex_;
  std::optional<net::Network> trained_;  // guarded by mutex_
  // Of the thread of the job.
  JobProgress reported_;
  std::filesystem::path before_best_;
  Clock::time_point reported_at_, begin_ = Clock::now();
  double paused_s_ = 0;
  int64_t first_step_ = -1;
};

TrainingJob::TrainingJob(const Registry& registry, JobSettings settings, JobListener& listener)
    : work_(std::make_unique<Work>(registry, std::move(settings), listener)), thread_([this] { work_->run(); }) {}
TrainingJob::~TrainingJob() {
  cancel();
  thread_.join();
}

void TrainingJob::pause() { work_->control().command(JobControl::Command::pause); }
void TrainingJob::go_on() { work_->control().command(JobControl::Command::go_on); }
void TrainingJob::take_best() { work_->control().command(JobControl::Command::take_best); }
void TrainingJob::cancel() { work_->control().cancel(); }
Result<void> TrainingJob::save(const std::filesystem::path& file, const io::OutputRules& rules) const {
  return work_->save(file, rules);
}

}  // namespace tl::train
