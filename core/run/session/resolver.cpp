// Resolves nodes: fills in parameters, driven values, inputs, measurements and keys.
#include "core/run/session/resolver.h"

#include <ATen/ATen.h>

#include <cmath>
#include <utility>

#include "core/graph/graph_json.h"
#include "gpu/operator/forward_mode.h"

namespace tl {
namespace {

Result<void> check_tensor(const ParamDecl& decl, const at::Tensor& tensor) {
  if (!decl.set_tensor) return invalid("\"" + decl.name + "\" cannot be learned", decl.name);
  if (!tensor.defined()) return invalid("\"" + decl.name + "\" is given an empty tensor", decl.name, "Give it a value");
  if (tensor.scalar_type() != at::kDouble)
    return invalid(
        "\"" + decl.name + "\" is given a tensor of type " + std::string(c10::toString(tensor.scalar_type())),
        decl.name, "Parameters are learned in float64 (Double)");
  if (decl.kind == ParamKind::array) return ok();  // the node checks the shape against its inputs
  const int64_t most = decl.kind == ParamKind::numbers ? 1 : 0;
  if (tensor.dim() > most)
    return invalid("\"" + decl.name + "\" is given a tensor of rank " + std::to_string(tensor.dim()), decl.name,
                   most == 0 ? "It needs a single number (rank 0)" : "It needs one number per view, or one for all");
  return ok();
}

int64_t approximate_bytes(const ResolvedNode& r) {
  int64_t size = 4096;
  for (const Infos* infos : {&r.inputs, &r.outputs})
    for (const auto& [port, info] : *infos)
      if (const auto* p = std::get_if<ProjectionsInfo>(&info))
        size += p->geometry.views() * static_cast<int64_t>(sizeof(View));
  return size + (r.findings ? r.findings->kept_bytes : 0);
}

}  // namespace

Resolver::Resolver(SessionContext& context, NodeRunner& runner, Placement& placement, FindingsCache& findings,
                   ValueSource& values)
    : context_(context),
      runner_(runner),
      placement_(placement),
      findings_(findings),
      values_(values),
      settings_keys_(context) {}

Result<const ResolvedNode*> Resolver::resolve(const std::string& id) {
  const auto found = resolved_.find(id);
  if (found != resolved_.end()) return found->second.get();
  // Not cached: using the cached node would require resolving what is upstream.
  if (context_.has_given(id)) {
    TL_TRY(ResolvedNode given, make_given(id));
    return resolved_.emplace(id, std::make_shared<const ResolvedNode>(std::move(given))).first->second.get();
  }
  RunReport& report = context_.report();
  Cache& cache = context_.resources().host_cache();
  const bool before_pixels = context_.measurements() == MeasurementUse::before_pixels;
  const auto settings = settings_key(id);
  Hash key;
  if (settings) {
    Hasher hasher;
    hasher.add(*settings)
        .add(before_pixels ? "before pixels" : "resolved")
        .add(context_.options().device)
        .add(context_.options().pictures ? "for pictures" : "");
    for (const auto& [thinned, every] : thinned_) hasher.add(thinned).add(every);
    key = hasher.digest();
    if (const auto kept = std::static_pointer_cast<const ResolvedNode>(cache.find(key))) {
      TL_TRY(recall(id, *kept));
      return resolved_.emplace(id, kept).first->second.get();
    }
  }
  TL_TRY(ResolvedNode made, make(id));
  const auto r = std::make_shared<ResolvedNode>(std::move(made));
  report.parameters.insert(report.parameters.end(), r->used.begin(), r->used.end());
  if (r->hangs_on_given) context_.resources().note_hangs_on_given(id);
  // An incomplete node is not cached: a later measurement would change it. One that depends on given outputs is not
  // used again once others are given: it is dropped with the node's results.
  if (settings && (r->complete || before_pixels))
    cache.put(key, r, approximate_bytes(*r), r->hangs_on_given ? id : std::string());
  return resolved_.emplace(id, r).first->second.get();
}

// Adds to the report the parameters and files of a node resolved by an earlier session.
Result<void> Resolver::recall(const std::string& id, const ResolvedNode& r) {
  if (r.hangs_on_given) context_.resources().note_hangs_on_given(id);
  const LinkIndex& links = context_.links();
  for (const PortDecl& port : r.type->inputs)
    if (const Link* link = links.into(id, port.name)) TL_TRY(resolve(link->from_node));
  for (const ParamDecl& decl : r.type->params) {
    const Link* link = links.into(id, decl.name);
    if (link != nullptr && context_.measurements() == MeasurementUse::measured)
      TL_TRY(values_.pull(link->from_node, link->from_port, WholeRegion{}));
  }
  RunReport& report = context_.report();
  report.parameters.insert(report.parameters.end(), r.used.begin(), r.used.end());
  if (!r.fingerprint.empty()) report.fingerprints[id] = r.fingerprint;
  if (r.findings) report.findings[id] = *r.findings;
  return ok();
}

void Resolver::forget() {
  resolved_.clear();
  context_.report().parameters.clear();  // resolve() adds them again
}

void Resolver::thin(std::map<std::string, int64_t> every) {
  thinned_ = std::move(every);
  resolved_.clear();  // results differ now and have other keys
}

// A node whose outputs are given; it is not run.
Result<ResolvedNode> Resolver::make_given(const std::string& id) const {
  const GivenOutputs& all = context_.external().given;
  ResolvedNode r;
  r.type = context_.resources().registry().find(context_.graph().nodes.at(id).type);
  r.params = r.planned = r.type->make_params();
  r.is_given = true;
  Hasher key, lasting;
  for (const PortDecl& port : r.type->outputs) {
    const auto given = all.find({id, port.name});
    if (given == all.end()) continue;
    r.outputs[port.name] = given->second.info;
    if (!given->second.key) r.learning = true;
    if (given->second.key) r.hangs_on_given = true;
    // Nodes after it also depend on measurements, which are repeated when `lasting` changes.
    key.add(port.name).add(given->second.key.value_or(Hash{})).add(given->second.lasting);
    lasting.add(port.name).add(given->second.lasting);
  }
  r.key = key.digest();
  r.lasting = lasting.digest();
  return r;
}

Result<ResolvedNode> Resolver::make(const std::string& id) {
  const Registry& registry = context_.resources().registry();
  const GraphNode& node = context_.graph().nodes.at(id);
  ResolvedNode r;
  r.type = registry.find(node.type);
  if (r.type == nullptr) return at_node(registry.unknown(node.type), id);
  KeyHashers hasher;
  hasher.add(r.type->id).add(int64_t{r.type->version});
  auto filled = fill_params(id, r, hasher);
  if (!filled.ok()) return at_node(filled.error(), id);
  if (context_.options().pictures && r.type->for_pictures) {
    for (const auto& params : {r.params, r.planned}) r.type->for_pictures(params.get());
    hasher.add("for pictures");
  }
  TL_TRY(add_inputs(id, r, hasher));
  auto body = [&]() -> Result<void> {
    if (r.type->fingerprint) {
      TL_TRY(r.fingerprint, r.type->fingerprint(r.params.get()));
      hasher.add(r.fingerprint);
      if (!r.fingerprint.empty()) context_.report().fingerprints[id] = r.fingerprint;
    }
    if (r.type->check) TL_TRY(r.type->check(r.planned.get(), r.inputs));
    return ok();
  };
  TL_TRY(runner_.run_node(id, r, body));
  if (is_first_look(id)) hasher.add("one view in").add(view_step(id));
  r.key = hasher.key.digest();
  r.lasting = hasher.lasting.digest();
  placement_.place(r, input_device(id, r));
  TL_TRY(add_findings(id, r));
  TL_TRY(add_outputs(id, r));
  return r;
}

// The device on which the node's first input is computed.
std::string Resolver::input_device(const std::string& id, const ResolvedNode& r) const {
  if (r.type->inputs.empty()) return "cpu";
  const Link* link = context_.links().into(id, r.type->inputs.front().name);
  return link == nullptr ? "cpu" : resolved_.at(link->from_node)->device;
}

Result<void> Resolver::add_findings(const std::string& id, ResolvedNode& r) {
  if (r.type->measure && context_.measurements() == MeasurementUse::measured) {
    TL_TRY(r.findings, measure(id, r));
  }
  if (r.type->measure && context_.measurements() == MeasurementUse::kept) r.findings = findings_.find(id, r);
  if (r.findings) context_.report().findings[id] = *r.findings;
  r.complete = r.complete && (!r.type->measure || r.findings);
  return ok();
}

Result<void> Resolver::add_outputs(const std::string& id, ResolvedNode& r) {
  return runner_.run_node(id, r, [&]() -> Result<void> {
    if (r.type->infos) {
      TL_TRY(r.outputs, r.type->infos(r.planned.get(), r.inputs, r.findings ? &*r.findings : nullptr));
    }
    for (const PortDecl& port : r.type->outputs) {
      if (r.outputs.count(port.name) != 0) continue;
      // Without infos() a node passes on the info of its first input.
      const bool same = !r.type->inputs.empty() && r.type->inputs.front().type == port.type &&
                        r.inputs.count(r.type->inputs.front().name) != 0;
      r.outputs[port.name] = same ? r.inputs.at(r.type->inputs.front().name) : Info{PlainInfo{}};
    }
    return ok();
  });
}

Result<void> Resolver::fill_params(const std::string& id, ResolvedNode& r, KeyHashers& hasher) {
  const GraphNode& node = context_.graph().nodes.at(id);
  const ParameterTensors& all_tensors = context_.external().parameters;
  r.params = r.planned = r.type->make_params();
  const auto tensors_here = all_tensors.lower_bound({id, ""});
  if (tensors_here != all_tensors.end() && tensors_here->first.first == id) r.planned = r.type->make_params();
  for (const ParamDecl& decl : r.type->params) {
    const auto set = node.params.find(decl.name);
    ParamValue value = set == node.params.end() ? decl.initial : set->second;
    TL_TRY(decl.validate(value));
    if (!decl.names_only) hasher.add(decl.name).add(to_text(value));
    if (decl.path != PathRole::none && std::holds_alternative<std::string>(value)) {
      const std::filesystem::path path = std::get<std::string>(value);
      if (decl.path == PathRole::output && !path.empty()) value = (context_.options().output_dir / path).string();
    }
    decl.assign(r.params.get(), to_stored(value));
    if (r.planned != r.params) decl.assign(r.planned.get(), to_stored(value));
    UsedParameter used{id, decl.name, set == node.params.end() ? decl.initial : set->second, decl.path};
    if (const Link* link = context_.links().into(id, decl.name)) TL_TRY(drive(*link, r, decl, hasher));
    const auto tensor = all_tensors.find({id, decl.name});
    if (tensor != all_tensors.end()) {
      TL_TRY(check_tensor(decl, tensor->second));
      decl.set_tensor(r.params.get(), tensor->second);
      r.learning = true;
    }
    // Output paths stay as written in the pipeline: a record contains no folder names of this machine.
    if (decl.path == PathRole::none) used.value = in_unit(decl.read(r.params.get()), decl.unit);
    r.used.push_back(std::move(used));
  }
  return ok();
}

Result<void> Resolver::drive(const Link& link, ResolvedNode& r, const ParamDecl& decl, KeyHashers& hasher) {
  // The node's own setting is used until the driving value is known.
  r.complete = r.complete && context_.measurements() != MeasurementUse::before_pixels;
  if (context_.measurements() == MeasurementUse::before_pixels) return ok();
  Value value;
  if (context_.measurements() == MeasurementUse::kept) {
    TL_TRY(const std::optional<Value> found, values_.known(link.from_node, link.from_port, WholeRegion{}));
    r.complete = r.complete && found;
    if (!found) return ok();
    value = *found;
  } else {
    TL_TRY(value, values_.pull(link.from_node, link.from_port, WholeRegion{}));
  }
  const Scalar& scalar = std::get<Scalar>(value);
  const Unit stored = stored_unit(dimension(decl.unit));
  if (dimension(scalar.unit) != dimension(decl.unit) && scalar.unit != Unit::none)
    return invalid("\"" + decl.name + "\" is driven by a value in " + std::string(symbol(scalar.unit)), decl.name);
  const double number = scalar.value.item<double>();
  const ParamValue plain = decl.kind == ParamKind::integer ? ParamValue{static_cast<int64_t>(std::llround(number))}
                                                           : ParamValue{Number{number, stored}};
  TL_TRY(decl.validate(plain));
  decl.assign(r.params.get(), plain);
  if (r.planned != r.params) decl.assign(r.planned.get(), plain);
  hasher.add(number);
  if (is_differentiated(scalar.value)) {
    if (!decl.set_tensor) return invalid("\"" + decl.name + "\" cannot propagate gradients", decl.name);
    decl.set_tensor(r.params.get(), scalar.value.to(at::kDouble));
    r.learning = true;
  }
  return ok();
}

Result<void> Resolver::add_inputs(const std::string& id, ResolvedNode& r, KeyHashers& hasher) {
  for (const PortDecl& port : r.type->inputs) {
    const Link* link = context_.links().into(id, port.name);
    if (link == nullptr) continue;
    TL_TRY(const ResolvedNode* source, resolve(link->from_node));
    r.inputs[port.name] = source->outputs.at(link->from_port);
    r.learning = r.learning || source->learning;
    r.hangs_on_given = r.hangs_on_given || source->hangs_on_given;
    r.complete = r.complete && source->complete;
    hasher.key.add(port.name).add(source->key).add(link->from_port);
    hasher.lasting.add(port.name).add(source->lasting).add(link->from_port);
    r.input_keys[port.name] = Hasher().add(source->key).add(link->from_port).digest();
  }
  return ok();
}

Result<Findings> Resolver::measure(const std::string& id, const ResolvedNode& r) {
  if (const auto kept = findings_.find(id, r)) return *kept;
  TL_TRY(Regions needed, r.type->measure_needs(r.params.get(), r.inputs));
  if (r.type->begin && (!r.learning || r.type->measure_further)) return measure_in_blocks(id, r, needed);
  NodeRun run = runner_.node_run(id, r, "cpu");
  TL_TRY(values_.pull_inputs(id, needed, run));
  Findings findings;
  placement_.report_measurement(id);
  context_.send_event([&](EventSink& s) { s.node_started(id); });
  TL_TRY(runner_.run_node(id, r, [&]() -> Result<void> {
    TL_TRY(findings, r.type->measure(r.params.get(), run));
    return ok();
  }));
  context_.update_stats(id, [&](NodeStats& s) { s.measuring = runner_.last_call().seconds; });
  findings_.put(id, r, findings);
  return findings;
}

Result<Findings> Resolver::measure_in_blocks(const std::string& id, const ResolvedNode& r, const Regions& needed) {
  TL_CHECK(needed.size() < 2, "a node is measured in blocks of several inputs");
  NodeRun run = runner_.node_run(id, r, "cpu");
  if (!needed.empty()) run.full = needed.begin()->second;
  std::shared_ptr<void> state;
  Findings findings;
  double seconds = 0;
  const auto timed = [&](const std::function<Result<void>()>& part) -> Result<void> {
    TL_TRY(runner_.run_node(id, r, part));
    seconds += runner_.last_call().seconds;
    return ok();
  };
  placement_.report_measurement(id);
  context_.send_event([&](EventSink& s) { s.node_started(id); });
  TL_TRY(timed([&]() -> Result<void> {
    TL_TRY(state, r.type->begin(r.params.get(), run));
    return ok();
  }));
  for (const auto& [port, region] : needed)
    TL_TRY(values_.pull_pieces(id, r, port, region, run, [&]() -> Result<void> {
      return timed([&] { return r.type->accumulate(r.params.get(), state.get(), run); });
    }));
  run.inputs.clear();
  std::vector<Regions> further;
  if (r.type->measure_further)
    TL_TRY(timed([&]() -> Result<void> {
      TL_TRY(further, r.type->measure_further(r.params.get(), state.get(), run));
      return ok();
    }));
  for (const Regions& regions : further) {
    run.inputs.clear();
    TL_TRY(values_.pull_inputs(id, regions, run));
    run.region = regions.begin()->second;
    TL_TRY(timed([&] { return r.type->accumulate(r.params.get(), state.get(), run); }));
  }
  run.inputs.clear();
  TL_TRY(timed([&]() -> Result<void> {
    TL_TRY(findings, r.type->finish(r.params.get(), state.get(), run));
    return ok();
  }));
  context_.update_stats(id, [&](NodeStats& s) { s.measuring = seconds; });
  findings_.put(id, r, findings);
  return findings;
}

}  // namespace tl
