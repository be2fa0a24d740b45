// Session's pulling of values: cache, inputs, the node itself, reductions and stored sections.
#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/run/memory.h"
#include "core/run/session.h"
#include "gpu/device/card.h"

namespace tl {
namespace {

// A node must return exactly the requested region: a mistake would shift images silently.
void check_form(const Value& value, const Region& region, Samples samples) {
  if (const auto* p = std::get_if<Projections>(&value)) {
    const auto& s = std::get<ScanRegion>(region);
    TL_CHECK(p->data.is_floating_point() || samples == Samples::counts, "a node gave counts where floats were wanted");
    TL_CHECK(p->data.sizes() == at::IntArrayRef({s.views.size(), s.rows.size(), s.cols.size()}),
             "a node gave projections of another shape than was asked for");
    TL_CHECK(p->geometry.views() == s.views.size() && p->geometry.detector().rows == s.rows.size() &&
                 p->geometry.detector().cols == s.cols.size(),
             "a node gave a geometry that does not fit its projections");
  } else if (const auto* v = std::get_if<Volume>(&value)) {
    const auto& g = std::get<VolumeGrid>(region);
    TL_CHECK(v->data.sizes() == at::IntArrayRef({g.nz, g.ny, g.nx}) && v->grid == g,
             "a node gave a volume on another grid than was asked for");
  }
}

int64_t elements(const Region& region) { return region_bytes(region, 1); }

// Pushes an evaluation as the current one, and pops it at the end of the scope.
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

bool Session::is_stored(const std::string& node, const std::string& port) const {
  return stores_.count({node, port}) != 0 || assumed_stores_.count({node, port}) != 0;
}

void Session::assume(const Plan& plan) {
  for (const Section& section : plan.sections) {
    if (section.port.empty()) continue;
    assumed_stores_.insert({section.node, section.port});
    if (!section.in_scratch_file) resident_ += section.stored;
  }
}

int64_t Session::element_size() const { return static_cast<int64_t>(at::elementSize(executor_.impl_->options.dtype)); }

std::optional<Memory> Session::walked_peak(const Request& request) const {
  if (evaluations_.empty()) return std::nullopt;
  const auto found = evaluations_.back().peaks.find(request.key());
  return found == evaluations_.back().peaks.end() ? std::nullopt : std::optional<Memory>(found->second);
}

Result<Value> Session::evaluate(const Request& request, const std::string& device, Samples samples) {
  TL_TRY(Evaluation ahead, look_ahead(*this, {request}));
  const CurrentEvaluation going(evaluations_, std::move(ahead));
  return pull_to(request.node, request.port, request.region, device, samples);
}

Result<Value> Session::pull(const std::string& id, const std::string& port, const Region& region, Samples samples) {
  TL_TRY(const Resolved* r, resolve(id));
  if (const auto given = outside_.given.find({id, port}); given != outside_.given.end()) {
    if (std::holds_alternative<WholeRegion>(region)) return given->second.value;
    auto part = slice(given->second.value, given->second.region, region);
    TL_CHECK(part.has_value(), "a region outside of what was given");
    return *std::move(part);
  }
  if (r->findings) {
    const auto found = r->findings->values.find(port);
    if (found != r->findings->values.end()) return found->second;
  }
  if (r->type->partition == Partition::reduce) {
    TL_TRY(Findings findings, reduced(id, *r));
    const auto found = findings.values.find(port);
    TL_CHECK(found != findings.values.end(), "a reducing node did not give one of its outputs");
    return found->second;
  }
  const auto stored = stores_.find({id, port});
  if (stored != stores_.end()) {
    if (auto part = slice(stored->second, full_region(r->outputs.at(port)), region)) return *part;
  }
  const Request request{id, port, region};
  if (!evaluations_.empty()) return pull_walked(*r, request, samples);
  TL_TRY(Evaluation ahead, look_ahead(*this, {request}));
  const CurrentEvaluation going(evaluations_, std::move(ahead));
  return pull_walked(*r, request, samples);
}

Result<Value> Session::pull_walked(const Resolved& r, const Request& request, Samples samples) {
  const Hash key = request.key();
  if (evaluations_.back().repeated.count(key) == 0) return computed_or_kept(r, request, samples);
  const auto& values = evaluations_.back().values;
  if (const auto found = values.find(key); found != values.end()) return found->second;
  TL_TRY(Value value, computed_or_kept(r, request, Samples::floats));
  evaluations_.back().values.emplace(key, value);
  return value;
}

Result<Value> Session::computed_or_kept(const Resolved& r, const Request& request, Samples samples) {
  const auto& [id, port, region] = request;
  if (r.learning) return compute(id, port, region, r, Samples::floats);
  if (auto kept = kept_value(r, port, region)) return *kept;
  const bool keeps = keep_ == Keep::all || links_.consumers(id, port) > 1;
  TL_TRY(Value value, compute(id, port, region, r, keeps ? Samples::floats : samples));
  if (keeps) executor_.impl_->values_of(r.device).put(values_key(r, port, purpose_of(region)), region, value, id);
  return value;
}

Hash Session::values_key(const Resolved& r, const std::string& port, Purpose purpose) const {
  Hasher hasher;
  hasher.add(r.key).add(port).add(static_cast<int64_t>(executor_.impl_->options.dtype)).add(r.device);
  if (purpose == Purpose::picture) hasher.add("picture");
  return hasher.digest();
}

// A volume made for a picture may have been computed in half precision, its inputs never.
Purpose Session::purpose_of(const Region& region) const {
  return std::holds_alternative<VolumeGrid>(region) ? executor_.impl_->options.purpose : Purpose::result;
}

// A cached result also serves a picture, but not the reverse.
std::optional<Value> Session::kept_value(const Resolved& r, const std::string& port, const Region& region) const {
  CachedValues& values = executor_.impl_->values_of(r.device);
  if (auto kept = values.find(values_key(r, port, Purpose::result), region)) return kept;
  if (purpose_of(region) == Purpose::result) return std::nullopt;
  return values.find(values_key(r, port, Purpose::picture), region);
}

Result<std::optional<Value>> Session::known(const std::string& id, const std::string& port, const Region& region) {
  TL_TRY(const Resolved* r, resolve(id));
  if (!r->complete || r->learning) return std::optional<Value>{};
  if (r->findings || r->type->partition == Partition::reduce) {
    const auto findings = known_findings(id, *r);
    const auto value = findings ? findings->values.find(port) : std::map<std::string, Value>::const_iterator{};
    if (findings && value != findings->values.end()) return std::optional<Value>(value->second);
    if (r->type->partition == Partition::reduce) return std::optional<Value>{};
  }
  return kept_value(*r, port, region);
}

Result<void> Session::pull_inputs(const std::string& id, const Regions& needed, NodeRun& run, Samples samples) {
  for (const auto& [port, region] : needed) {
    const Link* link = links_.into(id, port);
    TL_CHECK(link != nullptr, "a node needs an input that is not linked");
    const auto* scan = std::get_if<ScanRegion>(&region);
    const bool thin = every_ > 1 && id == thinned_ && scan != nullptr;
    TL_TRY(Value value, thin ? pull_view_subset(link->from_node, link->from_port, *scan, run.device)
                             : pull_in_blocks(link->from_node, link->from_port, region, run.device, samples));
    run.inputs.emplace(port, std::move(value));
  }
  return ok();
}

// Evaluates each view separately, so that nodes that work view by view compute no others. Values are cached only where
// several nodes consume them.
Result<Value> Session::pull_view_subset(const std::string& id, const std::string& port, const ScanRegion& region,
                                        const std::string& device) {
  const Keep before = std::exchange(keep_, Keep::shared);
  std::vector<Region> pieces;
  std::vector<Value> values;
  Result<void> done = ok();
  for (int64_t v = region.views.begin + every_ / 2; v < region.views.end && done.ok(); v += every_) {
    const ScanRegion piece{{v, v + 1}, region.rows, region.cols};
    Result<Value> value = evaluate({id, port, piece}, device);
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

Result<int64_t> Session::worth_thinning(const std::string& id, const Region& region, const FirstLookLimits& how) {
  TL_TRY(const Resolved* r, resolve(id));
  if (r->learning || r->type->partition == Partition::reduce) return 1;
  TL_TRY(const Regions needed, input_regions(id, *r, region));
  int64_t every = 1;
  for (const auto& [port, wanted] : needed) {
    const auto* scan = std::get_if<ScanRegion>(&wanted);
    const Link* link = links_.into(id, port);
    if (scan == nullptr || link == nullptr) continue;
    const int64_t size = region_bytes(wanted, element_size()), views = scan->views.size();
    if (size <= how.bytes || views < 2 * how.least_views) continue;
    TL_TRY(const std::optional<Value> kept, known(link->from_node, link->from_port, wanted));
    if (!kept) every = std::max(every, std::min((size + how.bytes - 1) / how.bytes, views / how.least_views));
  }
  return every;
}

void Session::thin(const std::string& id, int64_t every) {
  thinned_ = id;
  every_ = every;
  resolved_.clear();  // its results differ now and have other keys
}

Result<Value> Session::compute(const std::string& id, const std::string& port, const Region& region, const Resolved& r,
                               Samples samples) {
  TL_TRY(const Regions needed, input_regions(id, r, region));
  NodeRun run = node_run(id, r, r.device);
  const bool counts = r.type->takes_counts && !r.learning && r.device == "cpu" && run.dtype == at::kFloat;
  TL_TRY(pull_inputs(id, needed, run, counts ? Samples::counts : Samples::floats));
  run.region = region;
  run.samples = samples;
  report_device(id, r);
  event([&](EventSink& s) { s.node_started(id); });
  TL_TRY(run_node(id, r, [&]() -> Result<void> {
    TL_TRY(r.type->run(r.params.get(), run));
    TL_CHECK(run.outputs.count(port) != 0, "a node did not give one of its outputs");
    check_form(run.outputs.at(port), region, samples);
    run.outputs.at(port) = moved(std::move(run.outputs.at(port)), r.device);
    wait_for(at::Device(r.device));  // so that time and errors are attributed to this node
    return ok();
  }));
  for (auto* stats : {&executor_.impl_->stats, &report_.nodes}) {
    ++(*stats)[id].calls;
    (*stats)[id].voxels += elements(region);
  }
  event([&](EventSink& s) { s.node_progress(id, report_.nodes[id].calls, 0); });
  return std::move(run.outputs.at(port));
}

Result<Value> Session::pull_to(const std::string& id, const std::string& port, const Region& region,
                               const std::string& device, Samples samples) {
  TL_TRY(Value value, pull(id, port, region, samples));
  if (this->device() == "cpu") return value;
  TL_TRY(const Resolved* r, resolve(id));
  TL_TRY(run_node(id, *r, [&]() -> Result<void> {
    value = moved(std::move(value), device);
    return ok();
  }));
  return value;
}

Result<Value> Session::pull_in_blocks(const std::string& id, const std::string& port, const Region& region,
                                      const std::string& device, Samples samples) {
  TL_TRY(const Resolved* r, resolve(id));
  // While learning, a value stays one differentiable piece; small values are not cut.
  if (r->learning || std::holds_alternative<WholeRegion>(region)) return pull_to(id, port, region, device);
  TL_TRY(std::vector<Region> pieces, pieces_within(*this, id, port, region, device));
  if (pieces.size() == 1) return pull_to(id, port, region, device, samples);
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

Result<Findings> Session::reduced(const std::string& id, const Resolved& r) {
  if (const auto kept = known_findings(id, r)) {
    report_.findings[id] = *kept;
    return *kept;
  }
  TL_TRY(Plan plan, make_plan(*this, id));
  TL_TRY(Findings findings, run_plan(id, plan));
  keep_findings(id, r, findings);
  return findings;
}

Result<Findings> Session::run_plan(const std::string& node, const Plan& plan) {
  for (const Section& section : plan.sections) blocks_total_ += static_cast<int64_t>(section.blocks.size());
  Findings findings;
  for (const Section& section : plan.sections) {
    if (!section.port.empty()) {
      TL_TRY(store(section));
    } else {
      TL_TRY(findings, reduce(node, section.blocks));
    }
  }
  return findings;
}

Result<Findings> Session::reduce(const std::string& id, const std::vector<Region>& blocks) {
  TL_TRY(const Resolved* r, resolve(id));
  const std::string first = r->type->inputs.front().name;
  std::shared_ptr<void> state;
  event([&](EventSink& s) { s.node_started(id); });
  Findings findings;
  report_device(id, *r);
  NodeRun whole = node_run(id, *r, r->device);
  TL_TRY(whole.full, region_read(*r));
  whole.region = whole.full;
  TL_TRY(run_node(id, *r, [&]() -> Result<void> {
    TL_TRY(state, r->type->begin(r->params.get(), whole));
    return ok();
  }));
  int64_t done = 0;
  for (const Region& block : blocks) {
    NodeRun run = node_run(id, *r, r->device);
    run.region = block;
    run.full = whole.full;
    Regions needed;
    if (r->type->needs) {
      TL_TRY(needed, r->type->needs(r->planned.get(), r->inputs, block));
    } else {
      for (const auto& [port, info] : r->inputs) needed[port] = port == first ? block : full_region(info);
    }
    {
      std::vector<Request> requests;
      for (const auto& [port, region] : needed) {
        const Link* link = links_.into(id, port);
        requests.push_back({link->from_node, link->from_port, region});
      }
      TL_TRY(Evaluation ahead, look_ahead(*this, requests));
      const CurrentEvaluation going(evaluations_, std::move(ahead));
      std::size_t next = 0;
      for (const auto& [port, region] : needed) {
        const Request& request = requests[next++];
        TL_TRY(Value value, pull_to(request.node, request.port, region, r->device));
        run.inputs.emplace(port, std::move(value));
      }
    }
    TL_TRY(run_node(id, *r, [&] { return r->type->accumulate(r->params.get(), state.get(), run); }));
    ++done;
    ++blocks_done_;
    for (auto* stats : {&executor_.impl_->stats, &report_.nodes}) {
      ++(*stats)[id].calls;
      (*stats)[id].voxels += elements(block);
    }
    event([&](EventSink& s) {
      s.node_progress(id, done, static_cast<int64_t>(blocks.size()));
      s.run_progress(blocks_done_, blocks_total_);
    });
  }
  TL_TRY(run_node(id, *r, [&]() -> Result<void> {
    if (r->type->is_output) TL_TRY(inputs_unchanged());
    TL_TRY(findings, r->type->finish(r->params.get(), state.get(), whole));
    for (auto& [name, value] : findings.values) value = moved(std::move(value), "cpu");
    return ok();
  }));
  reductions_[id] = findings;
  report_.findings[id] = findings;
  return findings;
}

}  // namespace tl
