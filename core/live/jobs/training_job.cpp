// The work of a training job: reads labelled data, and trains.
#include "core/live/jobs/training_job.h"

#include <nlohmann/json.hpp>

#include "core/graph/graph_json.h"
#include "core/graph/upstream.h"
#include "core/train/checkpoint_head.h"
#include "core/train/example_nodes.h"
#include "core/train/labelled_training.h"
#include "core/train/network_to_train.h"
#include "core/values/hash.h"

namespace tl::jobs {
namespace {

std::string checkpoint_note(const TrainingJob::Settings& s) {
  const nlohmann::ordered_json json{{"plan", to_json_text(s.plan)}, {"data", data_identity(s.graph)}};
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

train::TrainingOptions training_options(const TrainingJob::Settings& s) {
  train::TrainingOptions t = options_of(s.plan);
  t.checkpoint = s.checkpoint;
  t.checkpoint_steps = 100;
  t.note = checkpoint_note(s);
  const bool is_new = s.begin == TrainingJob::Settings::Begin::from_start;
  t.resume = is_new ? train::Resume::no : train::Resume::if_there;
  return t;
}

}  // namespace

std::string data_identity(const Graph& graph) {
  return Hasher().add(to_json(upstream_of(graph, train::example_nodes(graph)))).digest().text();
}

Result<TrainingIdentity> identity_from_note(const std::string& note) {
  const auto json = nlohmann::ordered_json::parse(note, nullptr, false);
  const auto text = [&](const char* name) {
    const bool has = json.is_object() && json.contains(name) && json.at(name).is_string();
    return has ? json.at(name).get<std::string>() : std::string();
  };
  TL_TRY(train::TrainingPlan plan, train::plan_from_json(text("plan")));
  return TrainingIdentity{std::move(plan), text("data")};
}

class TrainingJob::Work final : public JobWorkOf<TrainingJob> {
 public:
  using JobWorkOf::JobWorkOf;

  Result<void> save(const std::filesystem::path& file, const io::OutputRules& rules) const {
    const std::lock_guard lock(mutex_);
    if (!trained_) return invalid("the training has not ended", "network", "Wait until it has, or take the best");
    return train::write_network(*trained_, file, rules);
  }

 private:
  Result<void> work() override {
    const train::TrainingPlan& plan = settings_.plan;
    TL_TRY(const train::LabelledSet made, labelled_set(registry_, settings_, plan, control().token()));
    const train::TrainingSet& set = made.set;
    TL_TRY(net::Network network,
           train::network_to_train(new_network_of(plan), plan.weights, static_cast<int64_t>(set.classes.size()),
                                   set.training[0].volume.size(0)));
    train::TrainingOptions options = training_options(settings_);
    options.cancel = control().token();
    options.after_step = [this](int64_t step) { return after_step(step); };
    options.progress = [this](const train::TrainingProgress& p) { return after_epoch(p); };
    options.warn = [this](const std::string& text) { progress_.warnings.push_back(text); };
    progress_.warnings = made.warnings;
    progress_.classes = set.classes;
    progress_.steps = plan.epochs * plan.steps;
    // Curves until the first epoch of this run ends are those of the checkpoint; train() reports a damaged checkpoint.
    if (settings_.begin == Settings::Begin::with_checkpoint)
      if (Result<train::CheckpointHead> head = train::read_checkpoint_head(settings_.checkpoint); head.ok()) {
        progress_.curves = std::move(head.value().curves);
        progress_.step = head.value().step;
      }
    begin_work(share(progress_.step));
    TL_TRY(const train::TrainingRecord record, train::train(network, set, options));
    progress_.curves = record.curves;
    end_.why = record.end;
    end_.best_epoch = record.best_epoch;
    if (progress_.best.empty()) write_best(network, record.best_epoch);  // no epoch of this run was an improvement
    report();
    const std::lock_guard lock(mutex_);
    trained_ = std::move(network);
    return ok();
  }

  train::Next after_step(int64_t step) {
    progress_.step = step;
    step_ended(share(step));
    return next();
  }
  train::Next after_epoch(const train::TrainingProgress& p) {
    progress_.curves = p.curves;
    if (p.best) write_best(p.network, p.epoch);
    report();
    return next();
  }
  [[nodiscard]] train::Next next() const { return takes_best() ? train::Next::take_best : train::Next::go_on; }
  [[nodiscard]] double share(int64_t step) const {
    return static_cast<double>(step) / static_cast<double>(progress_.steps);
  }

  // A file that cannot be written does not stop the training: the previous best network remains shown. Its file also
  // stays, because it may be in use.
  void write_best(const net::Network& network, int64_t epoch) {
    if (settings_.best_folder.empty()) return;
    const auto file = settings_.best_folder / ("best-" + std::to_string(epoch) + ".safetensors");
    if (!train::write_network(network, file, io::no_inputs(io::Overwrite::replace)).ok()) return;
    std::error_code error;
    if (!before_best_.empty()) std::filesystem::remove(before_best_, error);
    before_best_ = std::exchange(progress_.best, file);
  }

  mutable std::mutex mutex_;
  std::optional<net::Network> trained_;  // guarded by mutex_
  std::filesystem::path before_best_;
};

TrainingJob::TrainingJob(const Registry& registry, Settings settings, Listener& listener)
    : Job(std::make_unique<Work>(registry, settings, listener), settings.threads) {}
Result<void> TrainingJob::save(const std::filesystem::path& file, const io::OutputRules& rules) const {
  return work<Work>().save(file, rules);
}

}  // namespace tl::jobs
