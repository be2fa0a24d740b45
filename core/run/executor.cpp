// Computes regions of a graph's outputs: Executor's public functions check, pull, plan, run.
#include "core/run/executor.h"

#include <ATen/core/Tensor.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <type_traits>
#include <utility>

#include "core/graph/bypass.h"
#include "core/graph/pipeline_paths.h"
#include "core/run/common/deep_stack.h"
#include "core/run/common/run_resources.h"
#include "core/run/record/provenance.h"
#include "core/run/session/amounts_of_work.h"
#include "core/run/session/first_look.h"
#include "core/run/session/gpu_fallback.h"
#include "core/run/session/memory_walk.h"
#include "core/run/session/needed_regions.h"
#include "core/run/session/planner.h"
#include "core/run/session/run_outputs.h"
#include "core/run/session/session.h"
#include "gpu/device/gpu_memory.h"

namespace tl {
namespace {

// The graph to compute (without bypassed and muted nodes), or the first problem of the graph.
Result<UsedGraph> sound_graph(const Graph& graph, const Registry& registry) {
  const auto found = problems(graph, registry);
  if (found.empty()) return used_graph(graph, registry);
  Error error = found.front().error;
  if (found.size() > 1)
    error.hint += (error.hint.empty() ? "" : ". ") + std::to_string(found.size() - 1) + " more problems";
  return error;
}

Result<void> is_used(const Graph& graph, const UsedGraph& used, const std::string& node) {
  if (graph.nodes.count(node) == 0) return invalid("there is no node \"" + node + "\"");
  if (used.muted.count(node) != 0)
    return invalid("\"" + node + "\" is not computed: it is muted, or needs a muted node", "node \"" + node + "\"",
                   "Unmute it");
  return ok();
}

// Gives bypassed nodes the infos of the outputs that they pass on.
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

std::array<Cache*, 2> caches(RunResources& resources) { return {&resources.host_cache(), &resources.gpu_cache()}; }

bool is_sink(const Graph& graph, const Registry& registry, const std::string& id) {
  const NodeType* type = registry.find(graph.nodes.at(id).type);
  return type != nullptr && type->is_output;
}

void append(Plan& all, Plan more) {
  all.budget = more.budget;
  all.peak = std::max(all.peak, more.peak);
  all.gpu_budget = more.gpu_budget;
  all.gpu_peak = std::max(all.gpu_peak, more.gpu_peak);
  for (auto& section : more.sections) all.sections.push_back(std::move(section));
}

// Whether the node is an output node, or a reducing node whose result is linked to another node.
bool consumes_blocks(const Graph& graph, const Registry& registry, const std::string& id) {
  return is_sink(graph, registry, id) ||
         (registry.find(graph.nodes.at(id).type)->partition == Partition::reduce &&
          std::any_of(graph.links.begin(), graph.links.end(), [&](const Link& l) { return l.from_node == id; }));
}

// Plans every output node, and every reducing node whose result is linked; measurements are separate sections.
Result<Plan> plan_all(Session& session) {
  const Graph& graph = session.context().graph();
  TL_TRY(std::vector<std::string> order, topological_order(graph));
  Plan all;
  all.budget = session.context().options().memory;
  for (const std::string& id : order) {
    if (session.context().is_replaced(id)) continue;
    TL_TRY(const ResolvedNode* r, session.resolver().resolve(id));
    if (r->type->measure && !r->findings && !r->is_given) {
      TL_TRY(Section section, measurement_section(session.planning(), id));
      all.peak = std::max(all.peak, section.peak);
      all.gpu_peak = std::max(all.gpu_peak, section.gpu_peak);
      all.sections.push_back(std::move(section));
    }
    if (!consumes_blocks(graph, session.context().resources().registry(), id)) continue;
    TL_TRY(Plan plan, make_plan(session.planning(), id));
    session.stored().assume(plan);
    append(all, std::move(plan));
  }
  return all;
}

// A misspelt name would silently give a zero gradient.
Result<void> check_tensor_names(const Graph& drawn, const UsedGraph& used, const Registry& registry,
                                const ParameterTensors& parameters) {
  for (const auto& [key, tensor] : parameters) {
    if (drawn.nodes.count(key.first) != 0 && used.graph.nodes.count(key.first) == 0)
      return invalid("a tensor is given for a parameter, but its node is bypassed or muted", key.first,
                     "Make the node active");
    const auto node = drawn.nodes.find(key.first);
    if (node == drawn.nodes.end())
      return invalid("a tensor is given for a parameter of \"" + key.first + "\", but there is no such node");
    if (registry.find(node->second.type)->param(key.second) == nullptr)
      return invalid(
          "\"" + node->second.type + "\" has no parameter \"" + key.second + "\" that could be given as a tensor",
          key.first);
  }
  return ok();
}

struct SessionUse {
  MeasurementUse measurements = MeasurementUse::measured;
  CachedOutputs keep = CachedOutputs::all;
};
constexpr SessionUse computing{}, kept{MeasurementUse::kept, CachedOutputs::all},
    planned{MeasurementUse::measured, CachedOutputs::shared}, forecasted{MeasurementUse::kept, CachedOutputs::shared};

// The result of `work` in a session of the sound graph, on a stack that is deep enough.
template <class Work>
std::invoke_result_t<Work, Session&, const UsedGraph&> with_session(RunResources& resources, const Graph& graph,
                                                                    SessionUse use, const Work& work,
                                                                    const ExternalValues& outside = {}) {
  if (needs_deep_stack(graph))
    return on_deep_stack(graph, [&] { return with_session(resources, graph, use, work, outside); });
  TL_TRY(const UsedGraph used, sound_graph(graph, resources.registry()));
  TL_TRY(check_tensor_names(graph, used, resources.registry(), outside.parameters));
  Session session(resources, used.graph, outside, use.measurements, use.keep);
  return work(session, used);
}

// Calls `work` with an output of a computed node; for a bypassed node, with the output that it passes on.
template <class Work>
std::invoke_result_t<Work, Session&, const OutputId&> with_output(RunResources& resources, const Graph& graph,
                                                                  const OutputId& output, SessionUse use,
                                                                  const Work& work,
                                                                  const ExternalValues& outside = {}) {
  const auto of_output = [&](Session& session,
                             const UsedGraph& used) -> std::invoke_result_t<Work, Session&, const OutputId&> {
    TL_TRY(is_used(graph, used, output.first));
    if (const auto source = used.passed.find(output); source != used.passed.end()) return work(session, source->second);
    if (graph.nodes.at(output.first).use == NodeUse::bypassed)
      return invalid("nothing passes through as \"" + output.second + "\"", "node \"" + output.first + "\"",
                     "It is bypassed: make it active");
    return work(session, output);
  };
  return with_session(resources, graph, use, of_output, outside);
}

// Errors: invalid if the node has no such output.
Result<Region> whole_region(Session& session, const OutputId& output) {
  TL_TRY(const ResolvedNode* r, session.resolver().resolve(output.first));
  const auto info = r->outputs.find(output.second);
  if (info == r->outputs.end())
    return invalid("\"" + r->type->id + "\" has no output \"" + output.second + "\"", output.first);
  return full_region(info->second);
}

}  // namespace

Executor::Executor(const Registry& registry, RunOptions options)
    : resources_(std::make_unique<RunResources>(registry, std::move(options))) {}

Executor::~Executor() = default;

Result<std::map<std::string, Infos>> Executor::check(const Graph& graph) {
  using All = std::map<std::string, Infos>;
  const auto work = [](Session& session, const UsedGraph& used) -> Result<All> {
    TL_TRY(std::vector<std::string> order, topological_order(used.graph));
    All all;
    for (const std::string& id : order) {
      if (session.context().is_replaced(id)) continue;
      TL_TRY(const ResolvedNode* r, session.resolver().resolve(id));
      all[id] = r->outputs;
    }
    add_passed(used, all);
    return all;
  };
  return with_session(*resources_, graph, {MeasurementUse::before_pixels, CachedOutputs::shared}, work);
}

Result<Value> Executor::pull(const Graph& graph, const std::string& node, const std::string& port,
                             const std::optional<Region>& region, const ExternalValues& outside) {
  resources_->forget_gpu_failures();
  Result<Value> done = pull_once(graph, node, port, region, outside);
  if (done.ok() || !may_fall_back_to_cpu(*resources_)) return done;
  resources_->gpu_cache().clear();
  resources_->leave_gpu(done.error().what);
  return pull_once(graph, node, port, region, outside);
}

void Executor::give(GivenOutputs outputs) {
  for (const auto& [output, given] : outputs)
    TL_CHECK(given.key.has_value(), "an output is given for all calls without a key");
  resources_->give(std::move(outputs));
}

Result<void> Executor::backward(const at::Tensor& value) {
  resources_->forget_gpu_failures();
  try {
    value.backward();
    return ok();
  } catch (const c10::Error& error) {
    if (resources_->options().device == "cpu" || !(is_out_of_gpu_memory(error) || is_gpu_failure(error))) throw;
    const Error failed = gpu_error(*resources_, error);
    if (!may_fall_back_to_cpu(*resources_)) return failed;
    resources_->gpu_cache().clear();
    resources_->leave_gpu(failed.what);
    return failed;
  }
}

Result<Value> Executor::pull_once(const Graph& graph, const std::string& node, const std::string& port,
                                  const std::optional<Region>& region, const ExternalValues& outside) {
  const auto work = [&](Session& session, const OutputId& at) -> Result<Value> {
    TL_TRY(const Region whole, whole_region(session, at));
    return session.puller().pull_in_blocks(at.first, at.second, region.value_or(whole));
  };
  return with_output(*resources_, graph, {node, port}, computing, work, outside);
}

Result<Value> Executor::pull_first_look(const Graph& graph, const std::string& node, const std::string& port,
                                        const Region& region, const FirstLookLimits& how) {
  const auto work = [&](Session& session, const UsedGraph& used) -> Result<Value> {
    TL_TRY(is_used(graph, used, node));
    if (used.graph.nodes.count(node) == 0 || used.passed.count({node, port}) != 0)
      return pull(graph, node, port, region);  // bypassed: there are no inputs to thin
    TL_TRY(auto every, first_look_steps(session, {node, port, region}, how));
    if (every.empty()) return pull(graph, node, port, region);
    session.resolver().thin(std::move(every));
    TL_TRY(Value value, session.puller().pull(node, port, region));
    return move_to_device(std::move(value), "cpu");
  };
  return with_session(*resources_, graph, computing, work);
}

Result<std::map<OutputId, Region>> Executor::needed(const Graph& graph, const std::string& node,
                                                    const std::string& port, const std::vector<OutputId>& of) {
  const auto work = [&](Session& session, const OutputId& at) -> Result<std::map<OutputId, Region>> {
    TL_TRY(const Region whole, whole_region(session, at));
    return needed_regions(session, {at.first, at.second, whole}, of);
  };
  return with_output(*resources_, graph, {node, port}, computing, work);
}

Result<std::optional<Value>> Executor::known(const Graph& graph, const std::string& node, const std::string& port,
                                             const Region& region) {
  const auto work = [&](Session& session, const OutputId& at) -> Result<std::optional<Value>> {
    TL_TRY(std::optional<Value> value, session.puller().known(at.first, at.second, region));
    if (value) value = move_to_device(*std::move(value), "cpu");
    return value;
  };
  return with_output(*resources_, graph, {node, port}, kept, work);
}

Result<Infos> Executor::input_infos(const Graph& graph, const std::string& node) {
  Infos inputs;
  for (const Link& link : graph.links) {
    if (link.to_node != node) continue;
    TL_TRY(const Infos known, infos(graph, link.from_node));
    inputs[link.to_port] = known.at(link.from_port);
  }
  return inputs;
}

Result<Infos> Executor::infos(const Graph& graph, const std::string& node) {
  const auto work = [&](Session& session, const UsedGraph& used) -> Result<Infos> {
    TL_TRY(is_used(graph, used, node));
    std::map<std::string, Infos> all;
    const auto resolve = [&](const std::string& id) -> Result<void> {
      TL_TRY(const ResolvedNode* r, session.resolver().resolve(id));
      all[id] = r->outputs;
      return ok();
    };
    for (const auto& [end, source] : used.passed)
      if (end.first == node) TL_TRY(resolve(source.first));
    if (used.graph.nodes.count(node) != 0) TL_TRY(resolve(node));
    add_passed(used, all);
    return all[node];
  };
  return with_session(*resources_, graph, computing, work);
}

Result<Plan> Executor::plan(const Graph& graph) {
  return with_session(*resources_, graph, planned,
                      [](Session& session, const UsedGraph&) { return plan_all(session); });
}

Result<Plan> Executor::forecast(const Graph& graph) {
  const auto work = [&](Session& session, const UsedGraph&) -> Result<Plan> {
    TL_TRY(Plan plan, plan_all(session));
    // Results that planning assumes to be stored are work, too.
    Session fresh(*resources_, session.context().graph(), {}, MeasurementUse::kept, CachedOutputs::shared);
    TL_TRY(plan.work, planned_work(fresh, plan));
    return plan;
  };
  return with_session(*resources_, graph, forecasted, work);
}

Result<std::map<std::string, NodeWork>> Executor::work(const Graph& graph, const std::string& node,
                                                       const std::string& port, const Region& region) {
  return with_output(*resources_, graph, {node, port}, kept, [&](Session& session, const OutputId& at) {
    return planned_work(session, RegionRequest{at.first, at.second, region});
  });
}

Result<int64_t> Executor::peak(const Graph& graph, const std::string& node, const std::string& port,
                               const Region& region) {
  const auto work = [&](Session& session, const OutputId& at) -> Result<int64_t> {
    TL_TRY(const Memory peak, region_peak(session.planning(), at.first, at.second, region));
    return peak.host;
  };
  return with_output(*resources_, graph, {node, port}, kept, work);
}

Result<RunReport> Executor::run(const Graph& drawn, std::vector<std::string> outputs) {
  if (needs_deep_stack(drawn)) return on_deep_stack(drawn, [&] { return run(drawn, outputs); });
  const auto start = std::chrono::steady_clock::now();
  TL_TRY(const UsedGraph used, sound_graph(drawn, resources_->registry()));
  const Graph& graph = used.graph;
  TL_TRY(std::vector<std::string> order, topological_order(graph));
  if (outputs.empty())
    for (const std::string& id : order)
      if (is_sink(graph, resources_->registry(), id)) outputs.push_back(id);
  if (outputs.empty())
    return invalid("nothing to run: the pipeline has no active output node", {},
                   "Add a save node, for example output.save_volume");
  TL_TRY(make_folder(resources_->options().output_dir));
  leave_unsupported_gpu(*resources_, graph);
  Session session(*resources_, graph, {}, MeasurementUse::measured, CachedOutputs::shared);
  session.outputs().set_pipeline(drawn, rules_for(drawn));
  Plan all;
  for (const std::string& id : outputs) {
    TL_TRY(is_used(drawn, used, id));
    if (graph.nodes.count(id) == 0)
      return invalid("\"" + id + "\" is bypassed, so there is nothing to run", "node \"" + id + "\"", "Make it active");
    TL_TRY(Plan plan, run_output(session, id));
    append(all, std::move(plan));
  }
  session.context().report().plan = std::move(all);
  session.context().report().seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (EventSink* events = resources_->options().events)
    for (const std::string& changed : changed_inputs(drawn, session.context().report()))
      events->message(LogLevel::warning, "", changed);
  TL_TRY(session.outputs().commit());
  return std::move(session.context().report());
}

io::OutputRules Executor::rules_for(const Graph& graph) const {
  return output_rules_for(graph, resources_->registry(), resources_->options());
}

std::map<std::string, NodeInspection> Executor::look(const Graph& graph) { return inspect_nodes(*resources_, graph); }

const std::map<std::string, NodeStats>& Executor::stats() const { return resources_->stats(); }
Cache& Executor::cache() { return resources_->host_cache(); }
void Executor::free_cache() {
  for (Cache* cache : caches(*resources_)) cache->clear();
  resources_->stamps().forget();
}

void Executor::free_cache(const std::string& node) {
  for (Cache* cache : caches(*resources_)) cache->drop(node);
}
void Executor::free_stale(const std::string& node) {
  for (Cache* cache : caches(*resources_)) cache->drop_stale(node);
}
void Executor::pin(const std::string& node) {
  for (Cache* cache : caches(*resources_)) cache->pin(node);
}
void Executor::unpin(const std::string& node) {
  for (Cache* cache : caches(*resources_)) cache->unpin(node);
}
std::map<std::string, int64_t> Executor::cache_by_node() const {
  std::map<std::string, int64_t> all = resources_->host_cache().used_by_owner();
  for (const auto& [node, bytes] : resources_->gpu_cache().used_by_owner()) all[node] += bytes;
  all.erase("");  // entries without an owner: resolved nodes
  return all;
}

CallOptions Executor::use(CallOptions next) { return resources_->use(std::move(next)); }
const RunOptions& Executor::options() const { return resources_->options(); }

}  // namespace tl
