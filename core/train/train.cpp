// The training loop: one step after the other, validation after each epoch, keeping the best network.
#include "core/train/train.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <chrono>
#include <cmath>
#include <numbers>
#include <set>

#include "core/base/text.h"
#include "core/base/wording.h"
#include "core/net/footprint.h"
#include "core/net/forward.h"
#include "core/net/network_json.h"
#include "core/run/common/caught_error.h"
#include "core/train/checkpoint.h"
#include "core/train/scores.h"
#include "core/train/training_history.h"
#include "core/values/hash.h"
#include "gpu/objective/segmentation_loss.h"

namespace tl::train {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

std::string exact(double value) { return formatted("%.17g", value); }

Hash hash_of(const TrainingSet& set, const net::Network& network) {
  Hasher hasher;
  const auto add = [&](const std::string& name, const at::Tensor& tensor) {
    const at::Tensor dense = tensor.detach().contiguous();
    hasher.add(name);
    for (const int64_t n : dense.sizes()) hasher.add(n);
    hasher.add(std::string_view(static_cast<const char*>(dense.const_data_ptr()), dense.nbytes()));
  };
  for (const auto* items : {&set.training, &set.validation})
    for (const Item& item : *items) {
      add("volume", item.volume);
      add("labels", item.labels);
    }
  for (const auto& [name, tensor] : network.tensors) add(name, tensor);
  return hasher.digest();
}

}  // namespace

std::map<std::string, std::string> settings_of(const TrainingSet& set, const net::Network& network,
                                               const TrainingOptions& o) {
  const Sampling& s = o.sampling;
  const net::OptimiserSettings& a = o.optimiser;
  const auto integer_text = [](auto value) { return std::to_string(static_cast<int64_t>(value)); };
  return {{"volumes, labels and first weights", hash_of(set, network).text()},
          {"network", net::to_json_text(network)},
          {"planes", integer_text(s.planes)},
          {"axis", integer_text(s.axis)},
          {"edge", integer_text(s.edge)},
          {"prior", integer_text(s.prior)},
          {"masking", integer_text(s.masking)},
          {"augmentation", integer_text(s.augmentation.quarter_turns) + " " + integer_text(s.augmentation.mirrors) +
                               " " + exact(s.augmentation.blur) + " " + exact(s.augmentation.noise) + " " +
                               exact(s.augmentation.elastic) + " " + exact(s.augmentation.elastic_length)},
          {"loss", o.own_loss ? "its own" : integer_text(o.loss)},
          {"class weights", integer_text(o.class_weights)},
          {"optimiser", integer_text(a.kind) + " " + exact(a.decay) + " " + exact(a.momentum) + " " +
                            exact(a.second_moment) + " " + exact(a.epsilon)},
          {"rate", exact(a.rate)},
          {"schedule", o.schedule == RateSchedule::constant ? "constant" : "cosine over " + integer_text(o.epochs)},
          {"steps", integer_text(o.steps)},
          {"batch", integer_text(o.batch)},
          {"masks", integer_text(o.masks.size())},
          {"validation samples", integer_text(o.validation_samples)},
          {"seed", std::to_string(o.seed)}};
}

namespace {

Result<void> check_options(const TrainingOptions& o) {
  const auto positive = [](int64_t n, const char* name) -> Result<void> {
    if (n < 1) return invalid(std::to_string(n) + " is not positive", name, "Give 1 or more");
    return ok();
  };
  TL_TRY(positive(o.epochs, "epochs"));
  TL_TRY(positive(o.steps, "steps"));
  TL_TRY(positive(o.batch, "batch"));
  TL_TRY(positive(o.validation_samples, "validation samples"));
  if (!(o.optimiser.rate > 0) || !std::isfinite(o.optimiser.rate))
    return invalid("the learning rate is not positive", "rate", "Give a number such as 0.001");
  return ok();
}

class Trainer {
 public:
  Trainer(net::Network network, const TrainingSet& set, const TrainingOptions& options)
      : network_(std::move(network)), set_(set), options_(options), optimiser_(options.optimiser) {}

  Result<TrainingRecord> run() {
    const Clock::time_point begin = Clock::now();
    TL_TRY(prepare());
    TrainingRecord record;
    record.first_epoch = static_cast<int64_t>(state_.curves.size()) + 1;
    const Result<TrainingEnd> end = ended();
    if (!end.ok()) {
      // The state after the last complete step is written.
      if (end.error().kind == ErrorKind::cancelled && state_.step > 0) TL_TRY(keep());
      return end.error();
    }
    record.end = end.value();
    record.curves = state_.curves;
    record.best_epoch = state_.best_epoch;
    record.steps = state_.step;
    record.seconds = seconds_since(begin);
    return record;
  }

  Result<EpochScores> validate() {
    TL_TRY(prepare());
    TL_TRY(EpochScores scores, validated());
    scores.training_loss = std::numeric_limits<double>::quiet_NaN();
    return scores;
  }

  // The network with the tensors of the best epoch.
  net::Network best() {
    net::Network network = network_;
    network.tensors = state_.best;
    return network;
  }

 private:
  Result<void> prepare();
  Result<void> check_output();
  Result<void> resume();
  Result<TrainingEnd> ended();
  Result<void> train_step();
  Result<EpochScores> validated();
  Result<void> keep();
  at::Tensor loss_of_map(const at::Tensor& map, const at::Tensor& labels) const {
    if (options_.own_loss) return options_.own_loss(map, labels);
    return loss_of(options_.loss, network_, map, labels, weights_);
  }
  // The labels of the pixels in the network's output.
  [[nodiscard]] at::Tensor cropped(at::Tensor labels, const at::Tensor& map) const {
    for (int64_t axis = 1; axis < labels.dim(); ++axis)
      labels = labels.narrow(axis, footprint_.same ? 0 : footprint_.before, map.size(axis + 1));
    return labels;
  }
  [[nodiscard]] double rate() const {
    if (options_.schedule == RateSchedule::constant) return options_.optimiser.rate;
    const auto share = static_cast<double>(state_.step) / static_cast<double>(options_.epochs * options_.steps);
    return options_.optimiser.rate * 0.5 * (1 + std::cos(std::numbers::pi * share));
  }
  [[nodiscard]] net::NamedTensors copies() const {
    net::NamedTensors all;
    for (const auto& [name, tensor] : network_.tensors) all[name] = tensor.detach().clone();
    return all;
  }

  net::Network network_;  // its parameters are leaves
  const TrainingSet& set_;
  const TrainingOptions& options_;
  net::Footprint footprint_;
  std::optional<Sampler> training_, validation_;
  at::Tensor weights_;            // of classes
  net::NamedTensors parameters_;  // all tensors of the network except running means and variances
  std::vector<std::string> followed_;
  net::Optimiser optimiser_;
  Checkpoint state_;          // without the tensors of the current step
  StepThreads before_break_;  // of the training before it was resumed, until a step has another number of threads
};

Result<void> Trainer::check_output() {
  TL_TRY(const auto channels, net::channels_of(network_));
  const auto classes = static_cast<int64_t>(set_.classes.size());
  if (channels.back() != classes && !(channels.back() == 1 && classes == 2))
    return invalid(
        "the network gives " + std::to_string(channels.back()) + " classes, the labels have " + std::to_string(classes),
        network_.architecture, "Make the network with classes=" + std::to_string(classes));
  return ok();
}

Result<void> Trainer::prepare() {
  TL_TRY(check_options(options_));
  TL_TRY(check(set_, network_.layers.front().channels));
  TL_TRY(check_output());
  TL_TRY(footprint_, net::footprint_of(network_));
  if (network_.tensors.empty()) TL_TRY(net::initialise(network_, options_.seed));
  network_.classes = set_.classes;
  network_.voxel_size = set_.voxel_size;
  const auto classes = static_cast<int64_t>(set_.classes.size());
  const int64_t border = footprint_.same ? 0 : footprint_.before + footprint_.after;
  const SampleShape shape{network_.dims, footprint_.min_output + border, footprint_.alignment,
                          footprint_.same ? 0 : footprint_.before, footprint_.same ? 0 : footprint_.after};
  TL_TRY(training_, Sampler::make(set_.training, classes, options_.sampling, shape));
  if (network_.scaling.mean.empty()) network_.scaling = training_->scaling();
  if (options_.batch > 1 && !training_->equal_sizes())
    return invalid("samples of several sizes are not in one batch", "batch",
                   two_wordings("Give the edge of patches, or a batch of 1",
                                "Choose an edge of patches other than 0, or one patch in a step"));
  if (!set_.validation.empty()) {
    Sampling sampling = options_.sampling;
    sampling.prior = Prior::voxels;
    TL_TRY(validation_, Sampler::make(set_.validation, classes, sampling, shape));
  }
  if (options_.class_weights == ClassWeights::balanced)
    weights_ = ops::balanced_weights(class_counts(set_.training, classes)).to(at::kFloat);
  // Reads all voxels, so it is only done if a checkpoint must be compared.
  if (!options_.checkpoint.empty()) state_.settings = settings_of(set_, network_, options_);
  std::error_code error;
  if (options_.resume == Resume::if_there && std::filesystem::exists(options_.checkpoint, error)) TL_TRY(resume());
  std::set<std::string> followed;
  for (const net::Layer& l : network_.layers)
    if (l.kind == net::LayerKind::batch_norm) followed.insert({l.mean, l.variance});
  followed_.assign(followed.begin(), followed.end());
  for (auto& [name, tensor] : network_.tensors) {
    tensor = tensor.detach().to(at::kFloat).clone();
    if (followed.count(name) == 0) parameters_[name] = tensor.requires_grad_(true);
  }
  return ok();
}

Result<void> Trainer::resume() {
  TL_TRY(Checkpoint kept, read_checkpoint(options_.checkpoint, network_));
  for (const auto& [name, value] : state_.settings) {
    const auto found = kept.settings.find(name);
    if (found == kept.settings.end() || found->second != value)
      return invalid("the checkpoint is of a training with other settings: " + name, options_.checkpoint.string(),
                     "Go on with the settings that it was begun with, or delete the file");
  }
  state_ = std::move(kept);
  before_break_ = state_.threads;
  network_.tensors = std::move(state_.now);
  optimiser_.first = std::move(state_.first);
  optimiser_.second = std::move(state_.second);
  return ok();
}

Result<void> Trainer::train_step() {
  count_threads(state_.threads, before_break_, options_.warn);
  std::vector<at::Tensor> inputs, targets;
  std::string names;
  for (int64_t b = 0; b < options_.batch; ++b) {
    const auto index = static_cast<uint64_t>(state_.step * options_.batch + b);
    Sampler::Drawn drawn = training_->draw(options_.seed, index, Variation::varied);
    inputs.push_back(std::move(drawn.sample.input));
    targets.push_back(std::move(drawn.sample.target));
    const std::string& name = set_.training[drawn.item].name;
    if (names.find(name) == std::string::npos) names += (names.empty() ? "" : ", ") + name;
  }
  for (auto& [name, parameter] : parameters_) parameter.mutable_grad() = at::Tensor();
  net::NamedTensors before;
  for (const std::string& name : followed_) before[name] = network_.tensors[name].clone();
  const auto back = [&] {
    for (const auto& [name, tensor] : before) network_.tensors[name].copy_(tensor);
  };
  try {
    const at::AutoGradMode on(true);
    net::ForwardOptions forward;
    forward.cancel = options_.cancel;
    forward.statistics = net::BatchStatistics::of_batch;
    const at::Tensor map = net::forward(network_, at::stack(inputs), forward);
    const at::Tensor loss = loss_of_map(map, cropped(at::stack(targets), map));
    const auto value = loss.item<double>();
    if (!std::isfinite(value)) {
      back();
      return invalid("the loss is not finite after " + std::to_string(state_.step) + " steps", names,
                     "Give a smaller learning rate, and look at the grey values of this volume");
    }
    loss.backward();
    options_.cancel.check();
    optimiser_.step(parameters_, state_.step + 1, rate());
    const at::AutoGradMode off(false);
    for (const auto& [name, mask] : options_.masks) parameters_.at(name).mul_(mask);
    state_.loss_sum += value;
  } catch (...) {
    back();
    throw;
  }
  ++state_.step;
  return ok();
}

Result<EpochScores> Trainer::validated() {
  EpochScores scores;
  scores.training_loss = state_.loss_sum / static_cast<double>(options_.steps);
  scores.validation_loss = std::numeric_limits<double>::quiet_NaN();
  const auto classes = static_cast<int64_t>(set_.classes.size());
  ConfusionMatrix matrix(classes);
  if (validation_) {
    const at::AutoGradMode off(false);
    net::ForwardOptions forward;
    forward.cancel = options_.cancel;
    double sum = 0;
    for (int64_t i = 0; i < options_.validation_samples; ++i) {
      constexpr uint64_t other = 0x76616c6964617465;  // than the seed of training
      const Sampler::Drawn drawn =
          validation_->draw(options_.seed ^ other, static_cast<uint64_t>(i), Variation::as_it_is);
      const at::Tensor map = net::forward(network_, drawn.sample.input.unsqueeze(0), forward);
      const at::Tensor labels = cropped(drawn.sample.target.unsqueeze(0), map);
      const auto loss = loss_of_map(map, labels).item<double>();
      if (!std::isfinite(loss))
        return invalid("the validation loss is not finite after " + std::to_string(state_.step) + " steps",
                       set_.validation[drawn.item].name,
                       "Give a smaller learning rate, and look at the grey values of this volume");
      sum += loss;
      matrix.add(labels, net::probabilities(network_, map).argmax(1));
    }
    scores.validation_loss = sum / static_cast<double>(options_.validation_samples);
  }
  scores.f1 = matrix.f1();
  scores.macro_f1 = matrix.macro_f1();
  return scores;
}

Result<void> Trainer::keep() {
  if (options_.checkpoint.empty()) return ok();
  Checkpoint c = state_;
  c.note = options_.note;
  c.now = copies();
  c.first = optimiser_.first;
  c.second = optimiser_.second;
  return write_checkpoint(c, options_.checkpoint);
}

// Trains until an end comes.
Result<TrainingEnd> Trainer::ended() {
  const Clock::time_point begin = Clock::now();
  const int64_t first_step = state_.step;
  const auto patience_ended = [&] {
    return options_.patience > 0 && validation_ &&
           static_cast<int64_t>(state_.curves.size()) - state_.best_epoch >= options_.patience;
  };
  try {
    while (static_cast<int64_t>(state_.curves.size()) < options_.epochs) {
      if (patience_ended()) return TrainingEnd::patience;
      const auto epoch = static_cast<int64_t>(state_.curves.size()) + 1;
      while (state_.step < epoch * options_.steps) {
        options_.cancel.check();
        TL_TRY(train_step());
        const Next next = options_.after_step ? options_.after_step(state_.step) : Next::go_on;
        if (options_.checkpoint_steps > 0 && state_.step % options_.checkpoint_steps == 0) TL_TRY(keep());
        if (next == Next::take_best && state_.best_epoch > 0) return TrainingEnd::taken;
      }
      TL_TRY(EpochScores scores, validated());
      const bool best =
          !validation_ || state_.best_epoch == 0 ||
          scores.validation_loss < state_.curves[static_cast<std::size_t>(state_.best_epoch - 1)].validation_loss;
      state_.curves.push_back(std::move(scores));
      state_.loss_sum = 0;
      if (best) {
        state_.best_epoch = epoch;
        state_.best = copies();
      }
      TL_TRY(keep());
      const auto left = static_cast<double>(options_.epochs * options_.steps - state_.step);
      const double each = seconds_since(begin) / static_cast<double>(std::max<int64_t>(state_.step - first_step, 1));
      if (options_.progress &&
          options_.progress({epoch, state_.curves, best, left * each, network_}) == Next::take_best)
        return TrainingEnd::taken;
    }
    return patience_ended() ? TrainingEnd::patience : TrainingEnd::all_epochs;
  } catch (...) {
    return caught_error();
  }
}

}  // namespace

Result<TrainingRecord> train(net::Network& network, const TrainingSet& set, const TrainingOptions& options) {
  try {
    Trainer trainer(network, set, options);
    TL_TRY(TrainingRecord record, trainer.run());
    const InitialWeights initial = network.tensors.empty() ? InitialWeights::random : InitialWeights::given;
    network = trainer.best();
    net::add_to(network.history, history_entry_of(set, options, record, initial));
    return record;
  } catch (...) {
    return caught_error();
  }
}

Result<EpochScores> validate(const net::Network& network, const TrainingSet& set, const TrainingOptions& options) {
  try {
    return Trainer(network, set, options).validate();
  } catch (...) {
    return caught_error();
  }
}

}  // namespace tl::train
