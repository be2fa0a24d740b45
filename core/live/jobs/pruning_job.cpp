// The work of a pruning: reads network and labels, prunes and trains.
#include "core/live/jobs/pruning_job.h"

#include <limits>

#include "core/net/files/network_file.h"
#include "core/net/footprint.h"
#include "core/net/prune/prune_report.h"
#include "core/run/record/versions.h"
#include "core/train/labelled_training.h"
#include "core/train/pruning.h"

namespace tl::jobs {
namespace {

Result<train::PrunedState> pruned_state(const net::Network& network) {
  TL_TRY(const net::Counts counts, net::counts_of(network));
  train::PrunedState state;
  state.parameters = counts.parameters();
  const Result<double> operations = net::operations_per_pixel(network);
  state.operations = operations.ok() ? operations.value() : std::numeric_limits<double>::quiet_NaN();
  return state;
}

}  // namespace

class PruningJob::Work final : public JobWorkOf<PruningJob> {
 public:
  Work(const Registry& registry, Settings settings, Listener& listener)
      : JobWorkOf(registry, std::move(settings), listener) {
    progress_.steps = settings_.plan.steps;
  }

  Result<void> save(const train::PrunedFiles& files, const io::OutputRules& rules) const {
    const std::lock_guard lock(mutex_);
    if (!network_) return invalid("the pruning has not ended", "network", "Wait until it has");
    auto inputs = rules.inputs == nullptr ? io::ProtectedFiles() : *rules.inputs;
    inputs.add(settings_.plan.network, "the network " + settings_.plan.network.string());
    return write_pruned(*network_, report_, files,
                        {rules.overwrite, std::make_shared<const io::ProtectedFiles>(std::move(inputs))});
  }

 private:
  Result<void> work() override {
    const train::PruningPlan& plan = settings_.plan;
    TL_TRY(const net::Network network, net::read_network(plan.network));
    net::PruneOptions options;
    options.method = plan.method;
    options.keep = plan.keep;
    options.steps = plan.steps;
    options.program = version();
    options.cancel = control().token();
    options.progress = [this](const net::PruneStep& step, const net::Network& left) { after_step(step, left); };
    train::LabelledSet labelled;
    if (plan.epochs > 0) {
      TL_TRY(labelled, labelled_set(registry_, settings_, settings_.samples, control().token()));
      train::TrainingOptions training = options_of(settings_.samples);
      training.epochs = plan.epochs;
      training.steps = plan.epoch_steps;
      training.patience = 0;
      training.cancel = control().token();
      TL_TRY(train::train_between(
          network, options,
          {labelled.set, settings_.pipeline, training,
           [&](net::Network& n, const train::TrainingOptions& t) { return train_step(n, labelled.set, t); }}));
      progress_.classes = labelled.set.classes;
      progress_.warnings = labelled.warnings;
      begin_work();
      TL_TRY(trained_, validate(network, labelled.set, training));
    }
    TL_TRY(train::PrunedState first, pruned_state(network));
    progress_.edges = first.filters = net::prunable_edges(network, net::all_edges(network));
    first.trained = trained_;
    progress_.states.push_back(first);
    begin_work();
    TL_TRY(const net::Pruned result, net::prune(network, options));
    TL_TRY(std::string report, net::report_text(network, result, options));
    const std::lock_guard lock(mutex_);
    network_ = result.network;
    report_ = std::move(report);
    return ok();
  }

  Result<void> train_step(net::Network& network, const train::TrainingSet& set, train::TrainingOptions options) {
    TL_TRY(cut_, validate(network, set, options));
    const auto before = static_cast<double>(progress_.states.size() - 1);  // steps that have ended
    add_score(before, *cut_);
    options.after_step = [&](int64_t step) {
      step_ended((before + static_cast<double>(step) / static_cast<double>(options.epochs * options.steps)) / steps());
      return train::Next::go_on;
    };
    options.progress = [&](const train::TrainingProgress& p) {
      add_score(before + static_cast<double>(p.epoch) / static_cast<double>(options.epochs), p.curves.back());
      return train::Next::go_on;
    };
    TL_TRY(const train::TrainingRecord record, train::train(network, set, options));
    trained_ = record.curves.at(static_cast<std::size_t>(record.best_epoch - 1));
    return ok();
  }
  void add_score(double at, const train::EpochScores& scores) {
    progress_.trained_at.push_back(at);
    progress_.macro_f1.push_back(scores.macro_f1);
    report();
  }

  void after_step(const net::PruneStep& step, const net::Network& left) {
    train::PrunedState state = pruned_state(left).or_throw();
    state.step = step.step;
    state.asked = step.asked;
    state.kept = static_cast<double>(step.kept) / static_cast<double>(progress_.edges);
    state.filters = step.kept;
    state.whole_chains = step.whole_chains;
    state.cut = std::exchange(cut_, {});
    if (state.cut) state.trained = trained_;
    progress_.states.push_back(std::move(state));
    step_ended(static_cast<double>(step.step) / steps());
    report();
  }
  [[nodiscard]] double steps() const { return static_cast<double>(progress_.steps); }

  mutable std::mutex mutex_;
  std::optional<net::Network> network_;              // guarded by mutex_
  std::string report_;                               // guarded by mutex_
  std::optional<train::EpochScores> cut_, trained_;  // of the step under way
};

PruningJob::PruningJob(const Registry& registry, Settings settings, Listener& listener)
    : Job(std::make_unique<Work>(registry, settings, listener), settings.threads) {}
Result<void> PruningJob::save(const std::filesystem::path& network, const std::filesystem::path& report,
                              const io::OutputRules& rules) const {
  return work<Work>().save({network, report}, rules);
}

}  // namespace tl::jobs
