// Executor's public functions: check, pull, plan, run.
#include "core/run/executor.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "core/graph/bypass.h"
#include "core/graph/pipeline_paths.h"
#include "core/run/deep_stack.h"
#include "core/run/memory.h"
#include "core/run/record/provenance.h"
#include "core/run/session.h"
#include "gpu/device/card.h"

namespace tl {
namespace {

// The cache of results and memos gets 1 / cache_share of the budget; the rest is for blocks in flight.
constexpr int64_t cache_share = 4;

Result<void> sound(const Graph& graph, const Registry& registry) {
  const auto found = problems(graph, registry);
  if (found.empty()) return ok();
  Error error = found.front().error;
  if (found.size() > 1)
    error.hint += (error.hint.empty() ? "" : ". ") + std::to_string(found.size() - 1) + " more problems";
  return error;
}

// The graph to compute (without bypassed and muted nodes), or the first problem of the graph.
Result<UsedGraph> sound_graph(const Graph& graph, const Registry& registry) {
  TL_TRY(sound(graph, registry));
  return used_graph(graph, registry);
}

Result<void> is_used(const Graph& graph, const UsedGraph& used, const std::string& node) {
  if (graph.nodes.count(node) == 0) return invalid("there is no node \"" + node + "\"");
  if (used.muted.count(node) != 0)
    return invalid("\"" + node + "\" is not computed: it is muted, or needs a muted node", "node \"" + node + "\"",
                   "Unmute it");
  return ok();
}

// Gives bypassed nodes the infos of the outputs that pass through them.
void add_passed(const UsedGraph& used, std::map<std::string, Infos>& all) {
  for (const auto& [end, source] : used.passed) {
    const auto from = all.find(source.first);
    if (from != all.end() && from->second.count(source.second) != 0)
      all[end.first][end.second] = from->second.at(source.second);
  }
}

Result<void> make_folder(const std::filesystem::path& folder) {
  std::error_code problem;
  if (!folder.empty()) std::filesystem::create_directories(folder, problem);
  if (problem) return io_error("cannot make the output folder: " + problem.message(), folder.string());
  return ok();
}

bool is_sink(const Graph& graph, const Registry& registry, const std::string& id) {
  const NodeType* type = registry.find(graph.nodes.at(id).type);
  return type != nullptr && type->is_output;
}

void append(Plan& all, Plan more) {
  all.budget = more.budget;
  all.peak = std::max(all.peak, more.peak);
  all.card_budget = more.card_budget;
  all.gpu_peak = std::max(all.gpu_peak, more.gpu_peak);
  std::move(more.sections.begin(), more.sections.end(), std::back_inserter(all.sections));
}

// Output nodes, and reducing nodes whose result is linked to another node.
bool consumes_blocks(const Graph& graph, const Registry& registry, const std::string& id) {
  if (is_sink(graph, registry, id)) return true;
  const bool used =
      std::any_of(graph.links.begin(), graph.links.end(), [&](const Link& l) { return l.from_node == id; });
  return used && registry.find(graph.nodes.at(id).type)->partition == Partition::reduce;
}

}  // namespace

Executor::Executor(const Registry& registry, RunOptions options) {
  if (options.memory <= 0) options.memory = available_memory() / 5 * 4;
  if (options.memory_given <= 0) options.memory_given = options.memory;
  const int64_t cache = options.memory / cache_share;
  options.memory -= cache;
  if (options.device == "cpu") {
    options.gpu_memory = 0;
  } else if (options.gpu_memory <= 0) {
    options.gpu_memory = free_gpu_memory(options.device) / 10 * 9;
  }
  const int64_t card_cache = options.gpu_memory / cache_share;
  options.gpu_memory -= card_cache;
  impl_ = std::make_unique<Impl>(registry, std::move(options), cache, card_cache);
}

Executor::~Executor() = default;

namespace {

// A misspelt name would silently give a zero gradient.
Result<void> check_held_names(const Graph& drawn, const UsedGraph& used, const Registry& registry,
                              const HeldParameters& held) {
  for (const auto& [key, tensor] : held) {
    if (drawn.nodes.count(key.first) != 0 && used.graph.nodes.count(key.first) == 0)
      return invalid("a parameter is held, but its node is bypassed or muted", key.first, "Make the node active");
    const auto node = drawn.nodes.find(key.first);
    if (node == drawn.nodes.end())
      return invalid("a parameter of \"" + key.first + "\" is held, but there is no such node");
    if (registry.find(node->second.type)->param(key.second) == nullptr)
      return invalid("\"" + node->second.type + "\" has no parameter \"" + key.second + "\" that could be held",
                     key.first);
  }
  return ok();
}

}  // namespace

Result<std::map<std::string, Infos>> Executor::check(const Graph& graph) {
  if (needs_deep_stack(graph)) return on_deep_stack(graph, [&] { return check(graph); });
  TL_TRY(const UsedGraph used, sound_graph(graph, impl_->registry));
  Session session(*this, used.graph, {}, MeasurementUse::before_pixels, Keep::shared);
  TL_TRY(std::vector<std::string> order, topological_order(used.graph));
  std::map<std::string, Infos> all;
  for (const std::string& id : order) {
    TL_TRY(const Resolved* r, session.resolve(id));
    all[id] = r->outputs;
  }
  add_passed(used, all);
  return all;
}

Result<Value> Executor::pull(const Graph& graph, const std::string& node, const std::string& port,
                             const std::optional<Region>& region, const HeldParameters& held) {
  return pull(graph, node, port, region, ExternalValues{held, {}});
}

Result<Value> Executor::pull(const Graph& graph, const std::string& node, const std::string& port,
                             const std::optional<Region>& region, const ExternalValues& outside) {
  impl_->card_failed = false;
  Result<Value> done = pull_once(graph, node, port, region, outside);
  if (done.ok() || !may_fall_back_to_cpu()) return done;
  impl_->card_cache.clear();
  fall_back_to_cpu(done.error().message());
  return pull_once(graph, node, port, region, outside);
}

Result<Value> Executor::pull_once(const Graph& graph, const std::string& node, const std::string& port,
                                  const std::optional<Region>& region, const ExternalValues& outside) {
  if (needs_deep_stack(graph))
    return on_deep_stack(graph, [&] { return pull_once(graph, node, port, region, outside); });
  TL_TRY(const UsedGraph used, sound_graph(graph, impl_->registry));
  TL_TRY(is_used(graph, used, node));
  TL_TRY(check_held_names(graph, used, impl_->registry, outside.held));
  if (const auto source = used.passed.find({node, port}); source != used.passed.end())
    return pull(used.graph, source->second.first, source->second.second, region, outside);
  if (graph.nodes.at(node).use == NodeUse::bypassed)
    return invalid("nothing passes through as \"" + port + "\"", "node \"" + node + "\"",
                   "It is bypassed: make it active");
  Session session(*this, used.graph, outside, MeasurementUse::measured, Keep::all);
  TL_TRY(const Resolved* r, session.resolve(node));
  const auto info = r->outputs.find(port);
  if (info == r->outputs.end()) return invalid("\"" + r->type->id + "\" has no output \"" + port + "\"", node);
  return session.pull_in_blocks(node, port, region ? *region : full_region(info->second));
}

Result<Value> Executor::pull_first_look(const Graph& graph, const std::string& node, const std::string& port,
                                        const Region& region, const FirstLookLimits& how) {
  if (needs_deep_stack(graph))
    return on_deep_stack(graph, [&] { return pull_first_look(graph, node, port, region, how); });
  TL_TRY(const UsedGraph used, sound_graph(graph, impl_->registry));
  TL_TRY(is_used(graph, used, node));
  // A bypassed node or port has no inputs to thin.
  if (used.graph.nodes.count(node) == 0 || used.passed.count({node, port}) != 0) return pull(graph, node, port, region);
  Session session(*this, used.graph, {}, MeasurementUse::measured, Keep::all);
  TL_TRY(const int64_t every, session.worth_thinning(node, region, how));
  if (every < 2) return pull(graph, node, port, region);
  session.thin(node, every);
  TL_TRY(Value value, session.pull(node, port, region));
  return moved(std::move(value), "cpu");
}

Result<std::map<OutputId, Region>> Executor::needed(const Graph& graph, const std::string& node,
                                                    const std::string& port, const std::vector<OutputId>& of) {
  if (needs_deep_stack(graph)) return on_deep_stack(graph, [&] { return needed(graph, node, port, of); });
  TL_TRY(const UsedGraph used, sound_graph(graph, impl_->registry));
  TL_TRY(is_used(graph, used, node));
  Session session(*this, used.graph, {}, MeasurementUse::measured, Keep::all);
  TL_TRY(const Resolved* r, session.resolve(node));
  const auto info = r->outputs.find(port);
  if (info == r->outputs.end()) return invalid("\"" + r->type->id + "\" has no output \"" + port + "\"", node);
  std::map<OutputId, Region> found;
  TL_TRY(session.add_needed(node, port, full_region(info->second), of, found));
  return found;
}

Result<std::optional<Value>> Executor::known(const Graph& graph, const std::string& node, const std::string& port,
                                             const Region& region) {
  if (needs_deep_stack(graph)) return on_deep_stack(graph, [&] { return known(graph, node, port, region); });
  TL_TRY(const UsedGraph used, sound_graph(graph, impl_->registry));
  TL_TRY(is_used(graph, used, node));
  if (const auto source = used.passed.find({node, port}); source != used.passed.end())
    return known(used.graph, source->second.first, source->second.second, region);
  Session session(*this, used.graph, {}, MeasurementUse::kept, Keep::all);
  TL_TRY(std::optional<Value> value, session.known(node, port, region));
  if (value) value = moved(*std::move(value), "cpu");
  return value;
}

Result<Infos> Executor::infos(const Graph& graph, const std::string& node) {
  if (needs_deep_stack(graph)) return on_deep_stack(graph, [&] { return infos(graph, node); });
  TL_TRY(const UsedGraph used, sound_graph(graph, impl_->registry));
  TL_TRY(is_used(graph, used, node));
  Session session(*this, used.graph, {}, MeasurementUse::measured, Keep::all);
  std::map<std::string, Infos> all;
  for (const auto& [end, source] : used.passed) {
    if (end.first != node) continue;
    TL_TRY(const Resolved* from, session.resolve(source.first));
    all[source.first] = from->outputs;
  }
  if (used.graph.nodes.count(node) != 0) {
    TL_TRY(const Resolved* r, session.resolve(node));
    all[node] = r->outputs;
  }
  add_passed(used, all);
  return all[node];
}

Result<Plan> Executor::plan(const Graph& graph) {
  if (needs_deep_stack(graph)) return on_deep_stack(graph, [&] { return plan(graph); });
  TL_TRY(const UsedGraph used, sound_graph(graph, impl_->registry));
  Session session(*this, used.graph, {}, MeasurementUse::measured, Keep::shared);
  return plan_all(session);
}

Result<Plan> Executor::forecast(const Graph& graph) {
  if (needs_deep_stack(graph)) return on_deep_stack(graph, [&] { return forecast(graph); });
  TL_TRY(const UsedGraph used, sound_graph(graph, impl_->registry));
  Session session(*this, used.graph, {}, MeasurementUse::before_pixels, Keep::shared);
  return plan_all(session);
}

Result<int64_t> Executor::peak(const Graph& graph, const std::string& node, const std::string& port,
                               const Region& region) {
  if (needs_deep_stack(graph)) return on_deep_stack(graph, [&] { return peak(graph, node, port, region); });
  TL_TRY(const UsedGraph used, sound_graph(graph, impl_->registry));
  TL_TRY(is_used(graph, used, node));
  if (const auto source = used.passed.find({node, port}); source != used.passed.end())
    return peak(used.graph, source->second.first, source->second.second, region);
  Session session(*this, used.graph, {}, MeasurementUse::kept, Keep::shared);
  TL_TRY(const Memory peak, region_peak(session, node, port, region));
  return peak.host;
}

Result<Plan> Executor::plan_all(Session& session) {
  const Graph& graph = session.graph();
  TL_TRY(std::vector<std::string> order, topological_order(graph));
  Plan all;
  all.budget = impl_->options.memory;
  for (const std::string& id : order) {
    TL_TRY(const Resolved* r, session.resolve(id));
    if (r->type->measure && !r->findings) {
      TL_TRY(Section section, measurement_section(session, id));
      all.peak = std::max(all.peak, section.peak);
      all.gpu_peak = std::max(all.gpu_peak, section.gpu_peak);
      all.sections.push_back(std::move(section));
    }
    if (!consumes_blocks(graph, impl_->registry, id)) continue;
    TL_TRY(Plan plan, make_plan(session, id));
    session.assume(plan);
    append(all, std::move(plan));
  }
  return all;
}

Result<RunReport> Executor::run(const Graph& drawn, std::vector<std::string> outputs) {
  if (needs_deep_stack(drawn)) return on_deep_stack(drawn, [&] { return run(drawn, outputs); });
  const auto start = std::chrono::steady_clock::now();
  TL_TRY(const UsedGraph used, sound_graph(drawn, impl_->registry));
  const Graph& graph = used.graph;
  TL_TRY(std::vector<std::string> order, topological_order(graph));
  if (outputs.empty())
    for (const std::string& id : order)
      if (is_sink(graph, impl_->registry, id)) outputs.push_back(id);
  if (outputs.empty())
    return invalid("nothing to run: the pipeline has no output node that is active", {},
                   "Add a save node, for example output.save_volume");
  TL_TRY(make_folder(impl_->options.output_dir));
  choose_device(graph);
  Session session(*this, graph, {}, MeasurementUse::measured, Keep::shared);
  session.set_written(drawn);
  session.set_output_rules(rules_for(drawn));
  Plan all;
  for (const std::string& id : outputs) {
    TL_TRY(is_used(drawn, used, id));
    if (graph.nodes.count(id) == 0)
      return invalid("\"" + id + "\" is bypassed, so there is nothing to run", "node \"" + id + "\"", "Make it active");
    TL_TRY(Plan plan, run_output(session, id));
    append(all, std::move(plan));
  }
  session.report().plan = std::move(all);
  session.report().seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (EventSink* events = impl_->options.events)
    for (const std::string& changed : changed_inputs(drawn, session.report()))
      events->message(LogLevel::warning, "", changed);
  TL_TRY(session.commit_outputs());
  return std::move(session.report());
}

const std::map<std::string, NodeStats>& Executor::stats() const { return impl_->stats; }
Cache& Executor::cache() { return impl_->cache; }
void Executor::free_cache() {
  impl_->cache.clear();
  impl_->card_cache.clear();
  impl_->stamps.forget();
}

void Executor::free_cache(const std::string& node) {
  impl_->cache.drop(node);
  impl_->card_cache.drop(node);
}
void Executor::pin(const std::string& node) {
  impl_->cache.pin(node);
  impl_->card_cache.pin(node);
}
void Executor::unpin(const std::string& node) {
  impl_->cache.unpin(node);
  impl_->card_cache.unpin(node);
}
std::map<std::string, int64_t> Executor::cache_by_node() const {
  std::map<std::string, int64_t> all = impl_->cache.used_by_owner();
  for (const auto& [node, bytes] : impl_->card_cache.used_by_owner()) all[node] += bytes;
  all.erase("");  // entries without an owner: resolved nodes
  return all;
}

CallOptions Executor::use(CallOptions next) {
  RunOptions& o = impl_->options;
  CallOptions before{o.cancel, o.events, o.overwrite, o.inputs, o.memory, o.purpose};
  o.cancel = std::move(next.cancel);
  o.events = next.events;
  o.overwrite = next.overwrite;
  o.inputs = std::move(next.inputs);
  o.purpose = next.purpose;
  o.memory = next.memory > 0 ? std::min(next.memory, impl_->block_memory) : impl_->block_memory;
  return before;
}
const RunOptions& Executor::options() const { return impl_->options; }

}  // namespace tl
