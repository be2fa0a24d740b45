// Session's resolving of nodes: parameters, driven values, inputs, measurements, keys.
#include "core/run/session.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/graph/graph_json.h"
#include "core/graph/pipeline_paths.h"
#include "core/node/shared_memo.h"
#include "core/run/caught_error.h"
#include "core/run/record/provenance.h"
#include "gpu/device/cancel_points.h"
#include "gpu/device/card.h"
#include "gpu/operator/forward_mode.h"

namespace tl {
namespace {

std::string place(const std::string& node) { return "node \"" + node + "\""; }

Error placed(Error error, const std::string& node) {
  if (error.kind != ErrorKind::cancelled && error.where.find(place(node)) == std::string::npos)
    error.where = place(node) + (error.where.empty() ? "" : ", " + error.where);
  return error;
}

Result<void> check_held(const ParamDecl& decl, const at::Tensor& held) {
  if (!decl.hold) return invalid("\"" + decl.name + "\" cannot be learned", decl.name);
  if (!held.defined()) return invalid("\"" + decl.name + "\" is held by an empty tensor", decl.name, "Give it a value");
  if (held.scalar_type() != at::kDouble)
    return invalid("\"" + decl.name + "\" is held as " + std::string(c10::toString(held.scalar_type())), decl.name,
                   "Parameters are learned in float64 (Double)");
  if (decl.kind == ParamKind::array) return ok();  // the node checks the shape against its inputs
  const int64_t most = decl.kind == ParamKind::numbers ? 1 : 0;
  if (held.dim() > most)
    return invalid("\"" + decl.name + "\" is held by a tensor of rank " + std::to_string(held.dim()), decl.name,
                   most == 0 ? "It takes a single number (rank 0)" : "It takes one number per view, or one for all");
  return ok();
}

int64_t approximate_bytes(const Resolved& r) {
  int64_t size = 4096;
  for (const Infos* infos : {&r.inputs, &r.outputs})
    for (const auto& [port, info] : *infos)
      if (const auto* p = std::get_if<ProjectionsInfo>(&info))
        size += p->geometry.views() * static_cast<int64_t>(sizeof(View));
  return size;
}

}  // namespace

Session::Session(Executor& executor, const Graph& graph, const ExternalValues& outside, MeasurementUse knowledge,
                 Keep keep)
    : executor_(executor), graph_(graph), links_(graph_), outside_(outside), knowledge_(knowledge), keep_(keep) {
  tl::resolve_inputs(graph_, executor_.impl_->registry, executor_.impl_->options.input_dir);
  written_ = graph_;
}

void Session::set_written(const Graph& graph) {
  written_ = graph;
  tl::resolve_inputs(written_, executor_.impl_->registry, executor_.impl_->options.input_dir);
}

Result<const Resolved*> Session::resolve(const std::string& id) {
  const auto found = resolved_.find(id);
  if (found != resolved_.end()) return found->second.get();
  Cache& cache = executor_.impl_->cache;
  const auto light = settings_key(id);
  Hash key;
  if (light) {
    key = Hasher()
              .add(*light)
              .add(knowledge_ == MeasurementUse::before_pixels ? "before pixels" : "resolved")
              .add(device())
              .add(thinned_)
              .add(every_)
              .digest();
    if (const auto kept = std::static_pointer_cast<const Resolved>(cache.find(key))) {
      TL_TRY(recall(id, *kept));
      return resolved_.emplace(id, kept).first->second.get();
    }
  }
  TL_TRY(Resolved made, make_resolved(id));
  const auto r = std::make_shared<Resolved>(std::move(made));
  report_.parameters.insert(report_.parameters.end(), r->used.begin(), r->used.end());
  // An incomplete node is not cached: a later measurement would change it.
  if (light && (r->complete || knowledge_ == MeasurementUse::before_pixels)) cache.put(key, r, approximate_bytes(*r));
  return resolved_.emplace(id, r).first->second.get();
}

// Adds to the report what a node resolved by an earlier session used.
Result<void> Session::recall(const std::string& id, const Resolved& r) {
  for (const PortDecl& port : r.type->inputs)
    if (const Link* link = links_.into(id, port.name)) TL_TRY(resolve(link->from_node));
  for (const ParamDecl& decl : r.type->params) {
    const Link* link = links_.into(id, decl.name);
    if (link != nullptr && knowledge_ == MeasurementUse::measured)
      TL_TRY(pull(link->from_node, link->from_port, WholeRegion{}));
  }
  report_.parameters.insert(report_.parameters.end(), r.used.begin(), r.used.end());
  if (!r.fingerprint.empty()) report_.fingerprints[id] = r.fingerprint;
  if (r.findings) report_.findings[id] = *r.findings;
  return ok();
}

std::optional<Hash> Session::settings_key(const std::string& id) {
  if (is_outside(id)) return std::nullopt;
  if (const auto found = light_keys_.find(id); found != light_keys_.end()) return found->second;
  const std::optional<Hash> key = make_light_key(id);
  return light_keys_[id] = key;
}

std::optional<Hash> Session::make_light_key(const std::string& id) {
  const GraphNode& node = graph_.nodes.at(id);
  const NodeType* type = executor_.impl_->registry.find(node.type);
  if (type == nullptr) return std::nullopt;
  Hasher hasher;
  hasher.add(type->id).add(int64_t{type->version});
  const auto add_link = [&](const std::string& name) {
    const Link* link = links_.into(id, name);
    if (link == nullptr) return true;
    const auto up = settings_key(link->from_node);
    if (up) hasher.add(name).add(*up).add(link->from_port);
    return up.has_value();
  };
  for (const ParamDecl& decl : type->params) {
    const auto set = node.params.find(decl.name);
    const ParamValue& value = set == node.params.end() ? decl.initial : set->second;
    hasher.add(decl.name).add(to_text(value));
    const auto* path = std::get_if<std::string>(&value);
    if (decl.path == PathRole::input && path != nullptr && !path->empty())
      hasher.add(executor_.impl_->stamps.stamp(*path));
    if (!add_link(decl.name)) return std::nullopt;
  }
  for (const PortDecl& port : type->inputs)
    if (!add_link(port.name)) return std::nullopt;
  return hasher.digest();
}

bool Session::is_outside(const std::string& id) const {
  const auto named = [&](const auto& entry) { return entry.first.first == id; };
  return std::any_of(outside_.held.begin(), outside_.held.end(), named) ||
         std::any_of(outside_.given.begin(), outside_.given.end(), named);
}

// A node whose outputs are given; it is not run.
Result<Resolved> Session::make_given(const std::string& id) const {
  Resolved r;
  r.type = executor_.impl_->registry.find(graph_.nodes.at(id).type);
  r.params = r.planned = r.type->make_params();
  r.learning = true;
  for (const PortDecl& port : r.type->outputs) {
    const auto given = outside_.given.find({id, port.name});
    if (given == outside_.given.end()) continue;
    r.outputs[port.name] = given->second.info;
  }
  return r;
}

Result<Resolved> Session::make_resolved(const std::string& id) {
  const auto given = outside_.given.lower_bound({id, ""});
  if (given != outside_.given.end() && given->first.first == id) return make_given(id);
  const GraphNode& node = graph_.nodes.at(id);
  Resolved r;
  r.type = executor_.impl_->registry.find(node.type);
  if (r.type == nullptr) return placed(executor_.impl_->registry.unknown(node.type), id);
  Hasher hasher;
  hasher.add(r.type->id).add(int64_t{r.type->version});
  auto filled = fill_params(id, r, hasher);
  if (!filled.ok()) return placed(filled.error(), id);
  TL_TRY(resolve_inputs(id, r, hasher));
  auto body = [&]() -> Result<void> {
    if (r.type->fingerprint) {
      TL_TRY(r.fingerprint, r.type->fingerprint(r.params.get()));
      hasher.add(r.fingerprint);
      report_.fingerprints[id] = r.fingerprint;
    }
    if (r.type->check) TL_TRY(r.type->check(r.planned.get(), r.inputs));
    return ok();
  };
  TL_TRY(run_node(id, r, body));
  if (id == thinned_) hasher.add("one view in").add(every_);
  r.key = hasher.digest();
  place(id, r);
  if (r.type->measure && knowledge_ == MeasurementUse::measured) {
    TL_TRY(r.findings, measure(id, r));
  }
  if (r.type->measure && knowledge_ == MeasurementUse::kept) r.findings = known_findings(id, r);
  if (r.findings) report_.findings[id] = *r.findings;
  r.complete = r.complete && (!r.type->measure || r.findings);
  TL_TRY(run_node(id, r, [&]() -> Result<void> {
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
  }));
  return r;
}

Result<void> Session::fill_params(const std::string& id, Resolved& r, Hasher& hasher) {
  const GraphNode& node = graph_.nodes.at(id);
  r.params = r.planned = r.type->make_params();
  const auto held_here = outside_.held.lower_bound({id, ""});
  if (held_here != outside_.held.end() && held_here->first.first == id) r.planned = r.type->make_params();
  for (const ParamDecl& decl : r.type->params) {
    const auto set = node.params.find(decl.name);
    ParamValue value = set == node.params.end() ? decl.initial : set->second;
    TL_TRY(decl.validate(value));
    hasher.add(decl.name).add(to_text(value));
    if (decl.path != PathRole::none && std::holds_alternative<std::string>(value)) {
      const std::filesystem::path path = std::get<std::string>(value);
      if (decl.path == PathRole::output && !path.empty()) value = (executor_.impl_->options.output_dir / path).string();
    }
    decl.assign(r.params.get(), to_stored(value));
    if (r.planned != r.params) decl.assign(r.planned.get(), to_stored(value));
    UsedParameter used{id, decl.name, set == node.params.end() ? decl.initial : set->second, decl.path};
    if (const Link* link = links_.into(id, decl.name)) TL_TRY(drive(*link, r, decl, hasher));
    const auto held = outside_.held.find({id, decl.name});
    if (held != outside_.held.end()) {
      TL_TRY(check_held(decl, held->second));
      decl.hold(r.params.get(), held->second);
      r.learning = true;
    }
    // Output paths stay as written in the pipeline: a record names no folders of this machine.
    if (decl.path == PathRole::none) used.value = in_unit(decl.read(r.params.get()), decl.unit);
    r.used.push_back(std::move(used));
  }
  return ok();
}

Result<void> Session::drive(const Link& link, Resolved& r, const ParamDecl& decl, Hasher& hasher) {
  // The node's own setting is used until the driven value is known.
  r.complete = r.complete && knowledge_ != MeasurementUse::before_pixels;
  if (knowledge_ == MeasurementUse::before_pixels) return ok();
  Value value;
  if (knowledge_ == MeasurementUse::kept) {
    TL_TRY(const std::optional<Value> found, known(link.from_node, link.from_port, WholeRegion{}));
    r.complete = r.complete && found;
    if (!found) return ok();
    value = *found;
  } else {
    TL_TRY(value, pull(link.from_node, link.from_port, WholeRegion{}));
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
    if (!decl.hold) return invalid("\"" + decl.name + "\" cannot pass a gradient on", decl.name);
    decl.hold(r.params.get(), scalar.value.to(at::kDouble));
    r.learning = true;
  }
  return ok();
}

Result<void> Session::resolve_inputs(const std::string& id, Resolved& r, Hasher& hasher) {
  for (const PortDecl& port : r.type->inputs) {
    const Link* link = links_.into(id, port.name);
    if (link == nullptr) continue;
    TL_TRY(const Resolved* source, resolve(link->from_node));
    r.inputs[port.name] = source->outputs.at(link->from_port);
    r.learning = r.learning || source->learning;
    r.complete = r.complete && source->complete;
    hasher.add(port.name).add(source->key).add(link->from_port);
  }
  return ok();
}

Hash Session::findings_key(const Resolved& r) const {
  const RunOptions& o = executor_.impl_->options;
  return Hasher().add(r.key).add("findings").add(static_cast<int64_t>(o.dtype)).add(r.device).digest();
}

std::optional<Findings> Session::known_findings(const std::string& id, const Resolved& r) {
  if (r.learning) return std::nullopt;
  if (const auto done = reductions_.find(id); done != reductions_.end()) return done->second;
  const auto kept = executor_.impl_->cache.find(findings_key(r));
  return kept ? std::optional<Findings>(*std::static_pointer_cast<Findings>(kept)) : std::nullopt;
}

void Session::keep_findings(const std::string& id, const Resolved& r, const Findings& findings) {
  if (r.learning) return;
  int64_t size = 0;
  for (const auto& [name, value] : findings.values) size += bytes(value);
  executor_.impl_->cache.put(findings_key(r), std::make_shared<Findings>(findings), size, id);
}

Result<Findings> Session::measure(const std::string& id, const Resolved& r) {
  if (const auto kept = known_findings(id, r)) return *kept;
  NodeRun run = node_run(id, r, "cpu");
  TL_TRY(Regions needed, r.type->measure_needs(r.params.get(), r.inputs));
  TL_TRY(pull_inputs(id, needed, run));
  Findings findings;
  if (device() != "cpu")
    tell(id, "measures on the CPU, not on " + device() + ": measurements have no version for GPUs");
  event([&](EventSink& s) { s.node_started(id); });
  TL_TRY(run_node(id, r, [&]() -> Result<void> {
    TL_TRY(findings, r.type->measure(r.params.get(), run));
    return ok();
  }));
  keep_findings(id, r, findings);
  return findings;
}

NodeRun Session::node_run(const std::string& id, const Resolved& r, const std::string& device) {
  NodeRun run(id, *this, executor_.impl_->options.cancel);
  run.infos = r.inputs;
  run.findings = r.findings ? &*r.findings : nullptr;
  run.dtype = executor_.impl_->options.dtype;
  run.device = device;
  run.learning = r.learning;
  run.purpose = executor_.impl_->options.purpose;
  return run;
}

Result<void> Session::run_node(const std::string& id, const Resolved& r, const std::function<Result<void>()>& body) {
  const c10::AutoGradMode gradient(r.learning);
  const auto start = std::chrono::steady_clock::now();
  running_.emplace_back(id, &r);
  struct Leave {
    Session& s;
    ~Leave() { s.running_.pop_back(); }
  } leave{*this};
  try {
    if (executor_.impl_->options.cancel.cancelled()) return cancelled();
    const CancelPoints points(executor_.impl_->options.cancel);
    auto result = body();
    if (!result.ok() && r.device != "cpu" && result.error().kind == ErrorKind::unavailable) note_gpu_failure();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    for (auto* stats : {&executor_.impl_->stats, &report_.nodes}) (*stats)[id].seconds += seconds;
    if (!result.ok()) return placed(result.error(), id);
    return ok();
  } catch (const Failure& failure) {
    const ErrorKind kind = failure.error().kind;
    if (r.device != "cpu" && (kind == ErrorKind::unavailable || kind == ErrorKind::device)) note_gpu_failure();
    return placed(failure.error(), id);
  } catch (const c10::Error& error) {
    if (device() != "cpu" && (is_out_of_gpu_memory(error) || is_gpu_failure(error)))
      return placed(card_error(error), id);
    return placed(caught_error(), id);
  } catch (...) {
    return placed(caught_error(), id);
  }
}

std::shared_ptr<void> Session::memo(const std::string& name, int64_t bytes,
                                    const std::function<std::shared_ptr<void>()>& make) {
  TL_CHECK(!running_.empty(), "a memo outside a running node");
  // A stale memo downstream of a held parameter would silently give a zero gradient, so nothing is memoised there.
  if (running_.back().second->learning) return make();
  Hasher hasher;
  if (name.rfind(shared_memo_mark, 0) != 0) hasher.add(running_.back().second->key);
  hasher.add("memo").add(name).add(static_cast<int64_t>(executor_.impl_->options.dtype));
  const std::string& device = running_.back().second->device;
  const Hash key = hasher.add(device).digest();
  Cache& cache = executor_.impl_->cache_of(device);
  if (auto kept = cache.find(key)) return kept;
  auto made = make();
  cache.put(key, made, bytes, running_.back().first);
  return made;
}

std::string Session::pipeline_text(const std::filesystem::path& folder) const {
  return to_json(with_relative_inputs(written_, executor_.impl_->registry, folder));
}
std::string Session::provenance_text() const { return provenance_json(executor_.impl_->options, report_); }
std::string Session::parameters_text(const std::filesystem::path& folder) const {
  return parameters_json(report_, folder);
}
// A scan may be opened again by a new reader, whose files must agree with those read before.
Result<void> Session::reads(const std::shared_ptr<io::InputFiles>& files) {
  if (std::find(inputs_.begin(), inputs_.end(), files) != inputs_.end()) return ok();
  for (const auto& known : inputs_)
    if (known->scan() == files->scan()) TL_TRY(known->agrees_with(*files));
  inputs_.push_back(files);
  executor_.impl_->stamps.add(*files);
  return ok();
}
Result<void> Session::inputs_unchanged() const {
  for (const auto& files : inputs_) TL_TRY(files->unchanged());
  return ok();
}
void Session::event(const std::function<void(EventSink&)>& send) {
  if (executor_.impl_->options.events != nullptr) send(*executor_.impl_->options.events);
}

}  // namespace tl
