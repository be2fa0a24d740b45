// The pruning schedule, and the mapping from edges of the first network to those of the present one.
#include "core/net/prune/prune.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <cmath>
#include <optional>

#include "core/base/text.h"
#include "core/net/network_json.h"
#include "core/net/prune/prune_checkpoint.h"
#include "core/net/prune/smaller.h"
#include "core/values/hash.h"

namespace tl::net {
namespace {

std::string hash_of(const Network& network) {
  Hasher hasher;
  for (const auto& [name, tensor] : network.tensors) {
    const at::Tensor dense = tensor.detach().contiguous();
    hasher.add(name);
    hasher.add(std::string_view(static_cast<const char*>(dense.const_data_ptr()), dense.nbytes()));
  }
  return hasher.digest().text();
}

// All on which the result depends.
std::map<std::string, std::string> settings_of(const Network& network, const PruneOptions& o) {
  std::map<std::string, std::string> all{
      {"network", to_json_text(network)},           {"numbers of the network", hash_of(network)},
      {"method", std::string(to_string(o.method))}, {"share to keep", formatted("%.17g", o.keep)},
      {"steps", std::to_string(o.steps)},           {"training in between", o.fine_tune ? "yes" : "no"}};
  for (const auto& [name, value] : o.training_settings) all["training: " + name] = value;
  return all;
}

class Schedule {
 public:
  Schedule(const Network& network, const PruneOptions& options) : options_(options) {
    result_.network = network;
    history_ = network.history;
    edges_ = all_edges(network);
    result_.edges = prunable_edges(network, edges_);
    const std::vector<int64_t> channels = channels_of(network).or_throw();
    const std::vector<std::size_t> layers = filter_layers(network);
    for (const std::size_t i : layers) {
      const Layer& l = network.layers[i];
      PrunedLayer p;
      p.name = l.name;
      p.prunable = i != layers.back();
      for (const int64_t k : l.inputs)
        for (int64_t c = 0; c < channels[static_cast<std::size_t>(k)]; ++c)
          p.inputs.push_back(network.layers[static_cast<std::size_t>(k)].name + ":" + std::to_string(c));
      const at::IntArrayRef shape = edges_.at(l.name).sizes();
      p.norms = at::zeros(shape, at::kDouble);
      p.pruned_in_step = at::zeros(shape, at::kInt);
      out_[l.name] = at::arange(shape[0], at::kLong);
      in_[l.name] = at::arange(shape[1], at::kLong);
      result_.layers.push_back(std::move(p));
    }
  }

  Result<Pruned> run() {
    TL_TRY(go_on());
    for (int64_t step = static_cast<int64_t>(result_.steps.size()) + 1; step <= options_.steps; ++step) {
      if (options_.cancel.cancelled()) return cancelled();
      TL_TRY(one_step(step));
      if (step < options_.steps) TL_TRY(keep());
    }
    Network& n = result_.network;
    n.architecture += ", pruned to " + std::to_string(result_.steps.back().kept) + " of " +
                      std::to_string(result_.edges) + " filters";
    note_history();
    return std::move(result_);
  }

 private:
  // Continues from a checkpoint.
  Result<void> go_on() {
    if (options_.checkpoint.empty()) return ok();
    settings_ = settings_of(result_.network, options_);
    std::error_code error;
    if (!std::filesystem::exists(options_.checkpoint, error)) return ok();
    TL_TRY(PruneCheckpoint kept, read_prune_checkpoint(options_.checkpoint, result_.network));
    const auto other = [&](const std::string& name) {
      return invalid("the checkpoint is of a pruning with other settings: " + name, options_.checkpoint.string(),
                     "Go on with the settings that it was begun with, or delete the file");
    };
    for (const auto& [name, value] : settings_)
      if (const auto found = kept.settings.find(name); found == kept.settings.end() || found->second != value)
        return other(name);
    if (kept.settings.size() != settings_.size()) return other("training in between");
    if (static_cast<int64_t>(kept.steps.size()) >= options_.steps)
      return invalid("the checkpoint is damaged: more steps than there are", options_.checkpoint.string(),
                     "Delete the file, and prune from the start");
    result_.network = std::move(kept.network);
    result_.steps = std::move(kept.steps);
    for (PrunedLayer& p : result_.layers) {
      p.norms = kept.norms.at(p.name);
      p.pruned_in_step = kept.fates.at(p.name);
    }
    edges_ = std::move(kept.edges);
    out_ = std::move(kept.out);
    in_ = std::move(kept.in);
    last_training_ = std::move(kept.last_training);
    return ok();
  }

  Result<void> keep() const {
    if (options_.checkpoint.empty()) return ok();
    PruneCheckpoint c{settings_, result_.network, result_.steps, {}, {}, edges_, out_, in_, last_training_};
    for (const PrunedLayer& p : result_.layers) {
      c.norms[p.name] = p.norms;
      c.fates[p.name] = p.pruned_in_step;
    }
    return write_checkpoint(c, options_.checkpoint);
  }

  // Of the training entries between steps, only the last one is kept.
  void note_history() {
    HistoryEntry entry;
    entry.kind = "pruning";
    entry.program = options_.program;
    entry.settings = {{"method", std::string(to_string(options_.method))},
                      {"trained in between", options_.fine_tune ? "yes" : "no"}};
    entry.results = {{"share asked for", options_.keep},
                     {"steps", static_cast<double>(options_.steps)},
                     {"filters", static_cast<double>(result_.edges)},
                     {"filters kept", static_cast<double>(result_.steps.back().kept)}};
    History& history = result_.network.history;
    history = history_;
    add_to(history, std::move(entry));
    if (last_training_) add_to(history, *last_training_);
  }

  Result<void> one_step(int64_t step) {
    Network& network = result_.network;
    PruneStep report;
    report.step = step;
    report.asked = std::pow(options_.keep, static_cast<double>(step) / static_cast<double>(options_.steps));
    const int64_t there = prunable_edges(network, edges_);
    const auto wanted = std::max<int64_t>(std::llround(report.asked * static_cast<double>(result_.edges)), 1);
    ChosenEdges chosen{edges_, {}, 0};
    if (wanted < there) chosen = choose_edges(network, edges_, options_.method, wanted, options_.cancel);
    Connections left = connections(network, chosen.kept);
    if (!chosen.norms.empty() && 2 * prunable_edges(network, left.edges) < wanted) {
      chosen.kept = choose_by_chains(network, edges_, chosen.norms, wanted);
      left = connections(network, chosen.kept);
      report.whole_chains = true;
    }
    report.paths = report.whole_chains ? 0 : chosen.paths;
    report.kept = prunable_edges(network, left.edges);
    report.pruned = there - prunable_edges(network, chosen.kept);
    report.redundant = there - report.pruned - report.kept;
    const bool grows_again = options_.method == PruneMethod::soft && step < options_.steps;
    if (grows_again) {
      network = with_zeros(network, left);
    } else {
      note(chosen, left, static_cast<int32_t>(step));
      TL_TRY(shrink(left));
    }
    if (options_.fine_tune) {
      network.history.clear();
      const at::AutoGradMode on(true);
      TL_TRY(options_.fine_tune(network, grows_again ? FilterMasks{} : masks()));
      if (!network.history.empty()) last_training_ = network.history.back();
    }
    if (options_.fine_tune && !grows_again) network = with_zeros(network, connections(network, edges_));
    result_.steps.push_back(report);
    if (options_.progress) options_.progress(report, result_.network);
    return ok();
  }

  [[nodiscard]] FilterMasks masks() const {
    FilterMasks all;
    for (const Layer& l : result_.network.layers) {
      const auto found = edges_.find(l.name);
      if (found == edges_.end() || found->second.all().item<bool>()) continue;
      const at::Tensor filters = filters_of(result_.network, l);
      std::vector<int64_t> shape = found->second.sizes().vec();
      shape.resize(static_cast<std::size_t>(filters.dim()), 1);
      all[l.weight] = in_file_layout(result_.network, l, found->second.view(shape).expand_as(filters).to(filters));
    }
    return all;
  }

  // Norms and fates, at the indices that the edges have in the first network.
  void note(const ChosenEdges& chosen, const Connections& left, int32_t step) {
    for (PrunedLayer& p : result_.layers) {
      const auto present = edges_.find(p.name);
      if (present == edges_.end()) continue;
      const at::Tensor out = out_.at(p.name).unsqueeze(1), in = in_.at(p.name).unsqueeze(0);
      if (const auto norms = chosen.norms.find(p.name); norms != chosen.norms.end())
        p.norms.index_put_({out, in}, at::where(present->second, norms->second, p.norms.index({out, in})));
      const at::Tensor pruned = present->second & chosen.kept.at(p.name).logical_not(),
                       redundant = chosen.kept.at(p.name) & left.edges.at(p.name).logical_not();
      const at::Tensor fate = p.pruned_in_step.index({out, in});
      p.pruned_in_step.index_put_({out, in}, fate + pruned.to(at::kInt) * step - redundant.to(at::kInt) * step);
    }
  }

  Result<void> shrink(const Connections& left) {
    TL_TRY(SmallerNetwork smaller, smaller_network(result_.network, left));
    result_.network = std::move(smaller.network);
    edges_ = std::move(smaller.edges);
    for (const auto& [name, channels] : smaller.left) {
      out_[name] = out_.at(name).index_select(0, at::tensor(channels.out, at::kLong));
      in_[name] = in_.at(name).index_select(0, at::tensor(channels.in, at::kLong));
    }
    return ok();
  }

  const PruneOptions& options_;
  std::map<std::string, std::string> settings_;  // where there is a checkpoint
  Pruned result_;
  History history_;                             // before pruning
  std::optional<HistoryEntry> last_training_;   // that fine_tune() has added
  EdgeMatrices edges_;                          // of the present network
  std::map<std::string, at::Tensor> out_, in_;  // channels of the first network, indexed by channel of the present one
};

Result<void> check_options(const Network& network, const PruneOptions& options) {
  if (!(options.keep > 0 && options.keep < 1))
    return invalid("a share of the filters to keep that is not between 0 and 1", "keep", "Give 0.05 for a twentieth");
  constexpr int64_t max_steps = 1000;
  if (options.steps < 1 || options.steps > max_steps)
    return invalid(std::to_string(options.steps) + " steps", "steps", "Give 1 to " + std::to_string(max_steps));
  TL_TRY(const auto shapes, tensor_shapes(network));
  for (const auto& [name, shape] : shapes)
    if (network.tensors.count(name) == 0)
      return invalid("tensor \"" + name + "\" is missing", network.architecture, "Prune a network that was trained");
  if (filter_layers(network).size() < 2)
    return invalid("a network of one layer with filters has nothing to prune", network.architecture,
                   "Choose a network with more layers");
  return ok();
}

}  // namespace

Result<Pruned> prune(const Network& network, const PruneOptions& options) {
  TL_TRY(check_options(network, options));
  const at::AutoGradMode off(false);
  try {
    return Schedule(network, options).run();
  } catch (const Failure& failure) {  // cancelled within a step
    return failure.error();
  }
}

}  // namespace tl::net
