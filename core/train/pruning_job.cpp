// Runs a pruning on its thread: reads network and labels, prunes and trains, and reports its progress.
#include "core/train/pruning_job.h"

#include <ATen/Parallel.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include "core/base/priority.h"
#include "core/net/files/network_file.h"
#include "core/net/footprint.h"
#include "core/net/prune/prune_report.h"
#include "core/run/common/caught_error.h"
#include "core/run/record/versions.h"
#include "core/train/job_control.h"
#include "core/train/labelled_training.h"
#include "core/train/pruning.h"

namespace tl::train {
namespace {

using Clock = std::chrono::steady_clock;
using Phase = PruningProgress::Phase;

double seconds_from(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

Result<PrunedState> pruned_state(const net::Network& network) {
  TL_TRY(const net::Counts counts, net::counts_of(network));
  PrunedState state;
  state.parameters = counts.parameters();
  const Result<double> operations = net::operations_per_pixel(network);
  state.operations = operations.ok() ? operations.value() : std::numeric_limits<double>::quiet_NaN();
  return state;
}

}  // namespace

class PruningJob::Work {
 public:
  Work(const Registry& registry, PruningSettings settings, PruningListener& listener)
      : registry_(registry), settings_(std::move(settings)), listener_(listener) {
    reported_.steps = settings_.plan.steps;
  }

  void run() {
    lower_thread_priority_for_long_work();
    if (settings_.threads > 0) at::set_num_threads(settings_.threads);
    PruningEnd end;
    try {
      if (const Result<void> done = pruned(); !done.ok()) end.error = done.error();
    } catch (...) {
      end.error = caught_error();
    }
    end.seconds = seconds();
    listener_.ended(std::move(end));
  }

  [[nodiscard]] JobControl& control() { return control_; }
  Result<void> save(const PrunedFiles& files, const io::OutputRules& rules) const {
    const std::lock_guard lock(mutex_);
    if (!network_) return invalid("the pruning has not ended", "network", "Wait until it has");
    auto inputs = rules.inputs == nullptr ? io::ProtectedFiles() : *rules.inputs;
    inputs.add(settings_.plan.network, "the network " + settings_.plan.network.string());
    return write_pruned(*network_, report_, files,
                        {rules.overwrite, std::make_shared<const io::ProtectedFiles>(std::move(inputs))});
  }

 private:
  Result<void> pruned() {
    report_progress();
    const PruningPlan& plan = settings_.plan;
    TL_TRY(const net::Network network, net::read_network(plan.network));
    net::PruneOptions options;
    options.method = plan.method;
    options.keep = plan.keep;
    options.steps = plan.steps;
    options.program = version();
    options.cancel = control_.token();
    options.progress = [this](const net::PruneStep& step, const net::Network& left) { after_step(step, left); };
    LabelledSet labelled;
    if (plan.epochs > 0) {
      TL_TRY(labelled, labelled_set(registry_, settings_, settings_.samples, control_.token()));
      TrainingOptions training = options_of(settings_.samples);
      training.epochs = plan.epochs;
      training.steps = plan.epoch_steps;
      training.patience = 0;
      training.cancel = control_.token();
      TL_TRY(train_between(network, options,
                           {labelled.set, settings_.pipeline, training, [&](net::Network& n, const TrainingOptions& t) {
                              return train_step(n, labelled.set, t);
                            }}));
      reported_.classes = labelled.set.classes;
      reported_.warnings = labelled.warnings;
      begin_with(Phase::pruning);
      TL_TRY(trained_, validate(network, labelled.set, training));
    }
    TL_TRY(PrunedState first, pruned_state(network));
    reported_.edges = first.filters = net::prunable_edges(network, net::all_edges(network));
    first.trained = trained_;
    reported_.states.push_back(first);
    begin_with(Phase::pruning);
    TL_TRY(const net::Pruned result, net::prune(network, options));
    TL_TRY(std::string report, net::report_text(network, result, options));
    const std::lock_guard lock(mutex_);
    network_ = result.network;
    report_ = std::move(report);
    return ok();
  }

  Result<void> train_step(net::Network& network, const TrainingSet& set, TrainingOptions options) {
    reported_.phase = Phase::training;
    report_progress();
    TL_TRY(cut_, validate(network, set, options));
    const auto before = static_cast<double>(reported_.states.size() - 1);  // steps that have ended
    reported_.trained_at.push_back(before);
    reported_.macro_f1.push_back(cut_->macro_f1);
    report_progress();
    options.after_step = [&](int64_t step) {
      reported_.done =
          (before + static_cast<double>(step) / static_cast<double>(options.epochs * options.steps)) / steps();
      return between_steps();
    };
    options.progress = [&](const TrainingProgress& p) {
      reported_.trained_at.push_back(before + static_cast<double>(p.epoch) / static_cast<double>(options.epochs));
      reported_.macro_f1.push_back(p.curves.back().macro_f1);
      report_progress();
      return Next::go_on;
    };
    TL_TRY(const TrainingRecord record, train(network, set, options));
    trained_ = record.curves.at(static_cast<std::size_t>(record.best_epoch - 1));
    reported_.phase = Phase::pruning;
    return ok();
  }

  void after_step(const net::PruneStep& step, const net::Network& left) {
    PrunedState state = pruned_state(left).or_throw();
    state.step = step.step;
    state.asked = step.asked;
    state.kept = static_cast<double>(step.kept) / static_cast<double>(reported_.edges);
    state.filters = step.kept;
    state.whole_chains = step.whole_chains;
    state.cut = std::exchange(cut_, {});
    if (state.cut) state.trained = trained_;
    reported_.states.push_back(std::move(state));
    reported_.done = static_cast<double>(step.step) / steps();
    between_steps();
    report_progress();
  }

  // Reports how far it is, and waits while a pause is asked for.
  Next between_steps() {
    constexpr double between_s = 0.1;
    reported_.seconds_left = seconds() / reported_.done * (1 - reported_.done);
    if (seconds_from(reported_at_) > between_s) report_progress();
    const Phase phase = reported_.phase;
    const auto tell_phase = [this](Phase now) {
      reported_.phase = now;
      report_progress();
    };
    paused_s_ += control_.wait_while_paused([&] { tell_phase(Phase::paused); }, [&] { tell_phase(phase); });
    return Next::go_on;
  }

  void begin_with(Phase phase) {
    reported_.phase = phase;
    begin_ = Clock::now();
    report_progress();
  }
  void report_progress() {
    reported_at_ = Clock::now();
    listener_.progressed(PruningProgress(reported_));
  }
  [[nodiscard]] double steps() const { return static_cast<double>(reported_.steps); }
  [[nodiscard]] double seconds() const { return seconds_from(begin_) - paused_s_; }

  const Registry& registry_;
  const PruningSettings settings_;
  PruningListener& listener_;
  JobControl control_;
  mutable std::mutex mutex_;
  std::optional<net::Network> network_;  // guarded by mutex_
  std::string report_;                   // guarded by mutex_
  // Of the thread of the job.
  PruningProgress reported_;
  std::optional<EpochScores> cut_, trained_;  // of the step under way
  Clock::time_point reported_at_, begin_ = Clock::now();
  double paused_s_ = 0;
};

PruningJob::PruningJob(const Registry& registry, PruningSettings settings, PruningListener& listener)
    : work_(std::make_unique<Work>(registry, std::move(settings), listener)), thread_([this] { work_->run(); }) {}
PruningJob::~PruningJob() {
  cancel();
  thread_.join();
}

void PruningJob::pause() { work_->control().command(JobControl::Command::pause); }
void PruningJob::go_on() { work_->control().command(JobControl::Command::go_on); }
void PruningJob::cancel() { work_->control().cancel(); }
Result<void> PruningJob::save(const std::filesystem::path& network, const std::filesystem::path& report,
                              const io::OutputRules& rules) const {
  return work_->save({network, report}, rules);
}

}  // namespace tl::train
