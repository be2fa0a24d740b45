// Computes values of outputs on regions, from the cache, or by the node from its pulled inputs.
#include "core/run/session/puller.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <utility>

#include "core/run/common/value_pieces.h"
#include "core/run/session/amounts_of_work.h"
#include "core/run/session/memory_walk.h"
#include "core/run/session/planner.h"
#include "gpu/device/gpu_memory.h"

namespace tl {
namespace {

// A node must return exactly the requested region: a mistake would shift images silently.
void check_form(const Value& value, const Region& region, Samples samples) {
  if (const auto* p = std::get_if<Projections>(&value)) {
    const auto& s = std::get<ScanRegion>(region);
    TL_CHECK(p->data.is_floating_point() || samples == Samples::counts,
             "a node gave counts where floats were requested");
    TL_CHECK(p->data.sizes() == at::IntArrayRef({s.views.size(), s.rows.size(), s.cols.size()}),
             "a node gave projections of another shape than was requested");
    TL_CHECK(p->geometry.views() == s.views.size() && p->geometry.detector().rows == s.rows.size() &&
                 p->geometry.detector().cols == s.cols.size(),
             "a node gave a geometry that does not fit its projections");
    return;
  }
  std::visit(
      [&]<class T>(const T& v) {
        if constexpr (OnGrid<T>) {
          const auto& g = std::get<VolumeGrid>(region);
          TL_CHECK(v.data.dim() == data_axes<T> &&
                       v.data.sizes().slice(data_axes<T> - 3) == at::IntArrayRef({g.nz, g.ny, g.nx}) && v.grid == g,
                   "a node gave a value on another grid than was requested");
        }
      },
      value);
}

// Digests of views are kept only for pixels that a node passes on unchanged.
void clear_changed_contents(Value& output, const std::map<std::string, Value>& inputs) {
  auto* out = std::get_if<Projections>(&output);
  if (out == nullptr || out->contents.empty()) return;
  for (const auto& [port, value] : inputs) {
    const auto* in = std::get_if<Projections>(&value);
    if (in != nullptr && in->contents == out->contents && in->data.const_data_ptr() == out->data.const_data_ptr() &&
        in->data.sizes() == out->data.sizes() && in->data.strides() == out->data.strides())
      return;
  }
  out->contents.clear();
}

// Makes an evaluation the current one until the end of the scope.
class CurrentEvaluation {
 public:
  CurrentEvaluation(std::vector<Evaluation>& all, Evaluation one) : all_(all) { all_.push_back(std::move(one)); }
  ~CurrentEvaluation() { all_.pop_back(); }
  CurrentEvaluation(const CurrentEvaluation&) = delete;
  CurrentEvaluation& operator=(const CurrentEvaluation&) = delete;

 private:
  std::vector<Evaluation>& all_;
};

}  // namespace

Puller::Puller(const PlanningContext& planning, NodeRunner& runner, Placement& placement, FindingsCache& findings,
               Reducer& reducer, CachedOutputs keep)
    : planning_(planning),
      session_(planning.session),
      resolver_(planning.resolver),
      runner_(runner),
      placement_(placement),
      findings_(findings),
      reducer_(reducer),
      results_(planning.session),
      keep_(keep),
      batch_(keep == CachedOutputs::shared) {}

Result<std::vector<Value>> Puller::evaluate(const std::vector<RegionRequest>& requests, const std::string& device,
                                            const std::vector<RegionRequest>& next) {
  TL_TRY(Evaluation ahead, estimate_evaluation(planning_, requests));
  if (!next.empty() && !ahead.from_files.empty()) {
    TL_TRY(const Evaluation following, estimate_evaluation(planning_, next));
    for (const auto& [output, regions] : following.from_files)
      if (regions.size() == 1 && ahead.from_files.count(output) != 0)
        ahead.next_from_files.emplace(output, regions.front());
  }
  const CurrentEvaluation current(evaluations_, std::move(ahead));
  std::vector<Value> values;
  for (const RegionRequest& request : requests) {
    TL_TRY(Value value, pull_to(request, device, Samples::floats));
    values.push_back(std::move(value));
  }
  return values;
}

Result<Value> Puller::evaluate(const RegionRequest& request, const std::string& device,
                               const std::vector<RegionRequest>& next) {
  TL_TRY(std::vector<Value> values, evaluate(std::vector<RegionRequest>{request}, device, next));
  return std::move(values.front());
}

Result<Value> Puller::pull(const std::string& id, const std::string& port, const Region& region) {
  return pull(id, port, region, Samples::floats);
}

Result<Value> Puller::pull(const std::string& id, const std::string& port, const Region& region, Samples samples) {
  TL_TRY(const ResolvedNode* r, resolver_.resolve(id));
  if (session_.is_given(id, port)) {
    TL_TRY(std::optional<Value> part, given(id, port, region, samples));
    TL_CHECK(part.has_value(), "a region outside of the computed one");
    return *std::move(part);
  }
  if (r->is_given) return invalid("nothing gives \"" + port + "\"", "node \"" + id + "\"");
  if (r->findings) {
    const auto found = r->findings->values.find(port);
    if (found != r->findings->values.end()) return found->second;
  }
  if (r->type->partition == Partition::reduce) {
    TL_TRY(Findings findings, reducer_.reduced(id, *r));
    const auto found = findings.values.find(port);
    TL_CHECK(found != findings.values.end(), "a reducing node did not give one of its outputs");
    return found->second;
  }
  if (auto part = planning_.stored.find(id, port, region)) return *part;
  const RegionRequest request{id, port, region};
  if (!evaluations_.empty()) return pull_in_evaluation(*r, request, samples);
  TL_TRY(Evaluation ahead, estimate_evaluation(planning_, {request}));
  const CurrentEvaluation current(evaluations_, std::move(ahead));
  return pull_in_evaluation(*r, request, samples);
}

// Nothing if no value is given for this region.
Result<std::optional<Value>> Puller::given(const std::string& id, const std::string& port, const Region& region,
                                           Samples samples) const {
  const GivenOutputs& all = session_.external().given;
  const auto found = all.find({id, port});
  if (found == all.end()) return std::optional<Value>();
  const GivenOutput& output = found->second;
  const bool whole = std::holds_alternative<WholeRegion>(region);
  if (output.read) {
    TL_TRY(Value part, output.read(whole ? output.region : region, samples));
    return std::optional<Value>(std::move(part));
  }
  if (whole) return std::optional<Value>(output.value);
  return slice(output.value, output.region, region);
}

Result<Value> Puller::pull_in_evaluation(const ResolvedNode& r, const RegionRequest& request, Samples samples) {
  const Hash key = request.key();
  if (evaluations_.back().repeated.count(key) == 0) return computed_or_kept(r, request, samples);
  const auto& values = evaluations_.back().values;
  if (const auto found = values.find(key); found != values.end()) return found->second;
  TL_TRY(Value value, computed_or_kept(r, request, Samples::floats));
  evaluations_.back().values.emplace(key, value);
  return value;
}

Result<Value> Puller::computed_or_kept(const ResolvedNode& r, const RegionRequest& request, Samples samples) {
  if (r.learning) return compute(r, request, Samples::floats);
  if (auto kept = results_.find(r, request.port, request.region)) return *kept;
  const bool keeps = keep_ == CachedOutputs::all || session_.links().consumers(request.node, request.port) > 1;
  TL_TRY(Value value, compute(r, request, keeps ? Samples::floats : samples));
  if (keeps) results_.put(r, request, value);
  return value;
}

Result<std::optional<Value>> Puller::known(const std::string& id, const std::string& port, const Region& region) {
  TL_TRY(const ResolvedNode* r, resolver_.resolve(id));
  if (r->is_given) return given(id, port, region, Samples::floats);
  if (!r->complete || r->learning) return std::optional<Value>{};
  if (r->findings || r->type->partition == Partition::reduce) {
    const auto findings = findings_.find(id, *r);
    const auto value = findings ? findings->values.find(port) : std::map<std::string, Value>::const_iterator{};
    if (findings && value != findings->values.end()) return std::optional<Value>(value->second);
    if (r->type->partition == Partition::reduce) return std::optional<Value>{};
  }
  return results_.find(*r, port, region);
}

Result<void> Puller::pull_inputs(const std::string& id, const Regions& needed, NodeRun& run) {
  return pull_inputs(id, needed, run, Samples::floats);
}

// `samples`: whether the node accepts counts.
Result<void> Puller::pull_inputs(const std::string& id, const Regions& needed, NodeRun& run, Samples samples) {
  const int64_t every = resolver_.view_step(id);
  for (const auto& [port, region] : needed) {
    const Link* link = session_.links().into(id, port);
    TL_CHECK(link != nullptr, "a node needs an input that is not linked");
    const auto* scan = std::get_if<ScanRegion>(&region);
    TL_TRY(Value value, every > 1 && scan != nullptr
                            ? pull_view_subset(link->from_node, link->from_port, *scan, every, run.device)
                            : pull_in_blocks(link->from_node, link->from_port, region, run.device, samples));
    run.inputs.emplace(port, std::move(value));
  }
  return ok();
}

Result<void> Puller::pull_pieces(const std::string& id, const ResolvedNode& r, const std::string& port,
                                 const Region& region, NodeRun& run, const std::function<Result<void>()>& take) {
  TL_TRY(const std::vector<Region> pieces, pieces_to_measure(planning_, id, r, port, region));
  const Link* link = session_.links().into(id, port);
  for (const Region& piece : pieces) {
    run.inputs.clear();
    TL_TRY(Value value, evaluate({link->from_node, link->from_port, piece}, run.device));
    run.inputs.emplace(port, std::move(value));
    run.region = piece;
    TL_TRY(take());
  }
  return ok();
}

// Whether a node and all nodes upstream of it compute a view from single views. Others, such as stripe removal, would
// compute all views again for each.
Result<bool> Puller::is_made_view_by_view(const std::string& id, const ScanRegion& view) {
  std::map<std::string, ScanRegion> known = {{id, view}};
  for (std::vector<std::string> open = {id}; !open.empty();) {
    const std::string node = open.back();
    open.pop_back();
    TL_TRY(const ResolvedNode* r, resolver_.resolve(node));
    TL_TRY(const Regions needed, runner_.input_regions(node, *r, known.at(node)));
    for (const auto& [port, region] : needed) {
      const auto* scan = std::get_if<ScanRegion>(&region);
      if (scan == nullptr || scan->views.size() > 1) return false;
      const std::string& above = session_.links().into(node, port)->from_node;
      if (known.emplace(above, *scan).second) open.push_back(above);
    }
  }
  return true;
}

// Evaluates each view separately if nodes then compute no other views, and caches values only if several nodes consume
// them; else all views at once, so that the sharp image reuses their cached values.
Result<Value> Puller::pull_view_subset(const std::string& id, const std::string& port, const ScanRegion& region,
                                       int64_t every, const std::string& device) {
  const Range first{region.views.begin, region.views.begin + 1};
  TL_TRY(const bool by_view, is_made_view_by_view(id, {first, region.rows, region.cols}));
  std::optional<Value> all;
  if (!by_view) {
    TL_TRY(all, pull_in_blocks(id, port, region, device, Samples::floats));
  }
  const CachedOutputs before = std::exchange(keep_, CachedOutputs::shared);
  std::vector<Region> pieces;
  std::vector<Value> values;
  Result<void> done = ok();
  for (int64_t v = region.views.begin + every / 2; v < region.views.end && done.ok(); v += every) {
    const ScanRegion piece{{v, v + 1}, region.rows, region.cols};
    Result<Value> value = all ? Result<Value>(*slice(*all, region, piece)) : evaluate({id, port, piece}, device);
    if (value.ok()) {
      pieces.emplace_back(piece);
      values.push_back(std::move(value).value());
    } else {
      done = value.error();
    }
  }
  keep_ = before;
  TL_TRY(std::move(done));
  return join(values, pieces, CutAxis::views, region);
}

// Only after the source has read what this evaluation needs of it: files are read in order.
std::optional<Region> Puller::next_from_files(const RegionRequest& request) const {
  if (evaluations_.empty()) return std::nullopt;
  const Evaluation& current = evaluations_.back();
  const auto next = current.next_from_files.find({request.node, request.port});
  const auto now = current.from_files.find({request.node, request.port});
  if (next == current.next_from_files.end() || now->second.size() != 1 || now->second.front() != request.region)
    return std::nullopt;
  return next->second;
}

Result<Value> Puller::compute(const ResolvedNode& r, const RegionRequest& request, Samples samples) {
  const auto& [id, port, region] = request;
  TL_TRY(const Regions needed, runner_.input_regions(id, r, region));
  NodeRun run = runner_.node_run(id, r, r.device);
  const bool counts = r.type->takes_counts && !r.learning && r.device == "cpu" && run.dtype == at::kFloat;
  TL_TRY(pull_inputs(id, needed, run, counts ? Samples::counts : Samples::floats));
  run.region = region;
  run.asked_for = port;
  run.next = next_from_files(request);
  run.samples = samples;
  run.batch = batch_;
  run.first_look = resolver_.is_first_look(id);
  placement_.report(id, r);
  session_.send_event([&](EventSink& s) { s.node_started(request.node); });
  TL_TRY(runner_.run_node(id, r, [&]() -> Result<void> {
    TL_TRY(r.type->run(r.params.get(), run));
    TL_CHECK(run.outputs.count(request.port) != 0, "a node did not give one of its outputs");
    Value& output = run.outputs.at(request.port);
    check_form(output, request.region, samples);
    clear_changed_contents(output, run.inputs);
    output = move_to_device(std::move(output), r.device);
    wait_for_device(at::Device(r.device));  // so that time and errors are attributed to this node
    return ok();
  }));
  NodeWork work = work_of(r, port, region, needed, resolver_.view_step(id));
  const NodeCall& call = runner_.last_call();
  work.seconds = call.seconds;
  // The node has cached the result of most of its input, such as filtered views.
  if (!needed.empty() &&
      2 * static_cast<double>(call.spared_bytes) >= work.read * static_cast<double>(session_.element_size()))
    work.read = 0;
  session_.update_stats(id, [&](NodeStats& s) {
    ++s.calls;
    s.voxels += region_bytes(request.region, 1);
    s.work += work;
  });
  session_.send_event(
      [&](EventSink& s) { s.node_progress(request.node, session_.report().nodes[request.node].calls, 0); });
  return std::move(run.outputs.at(port));
}

// pull(), then moves the value to `device`.
Result<Value> Puller::pull_to(const RegionRequest& request, const std::string& device, Samples samples) {
  TL_TRY(Value value, pull(request.node, request.port, request.region, samples));
  if (session_.options().device == "cpu") return value;
  TL_TRY(const ResolvedNode* r, resolver_.resolve(request.node));
  TL_TRY(runner_.run_node(request.node, *r, [&]() -> Result<void> {
    value = move_to_device(std::move(value), device);
    return ok();
  }));
  return value;
}

Result<Value> Puller::pull_in_blocks(const std::string& id, const std::string& port, const Region& region,
                                     const std::string& device, Samples samples) {
  TL_TRY(const ResolvedNode* r, resolver_.resolve(id));
  const RegionRequest request{id, port, region};
  // During learning, a value stays one differentiable piece; small values are not cut.
  if (r->learning || std::holds_alternative<WholeRegion>(region)) return pull_to(request, device, Samples::floats);
  const Evaluation* current = evaluations_.empty() ? nullptr : &evaluations_.back();
  TL_TRY(std::vector<Region> pieces, pieces_within(planning_, request, device, current));
  if (pieces.size() == 1) return pull_to(request, device, samples);
  std::vector<Value> values;
  for (const Region& piece : pieces) {
    TL_TRY(Value value, evaluate({id, port, piece}, device));
    values.push_back(std::move(value));
  }
  const CutAxis axis = std::holds_alternative<VolumeGrid>(region)                           ? CutAxis::z
                       : extent(pieces[0], CutAxis::views) < extent(region, CutAxis::views) ? CutAxis::views
                                                                                            : CutAxis::rows;
  return join(values, pieces, axis, region);
}

}  // namespace tl
