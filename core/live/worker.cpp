// Runs the compute thread: its loop, checks of graphs, small values.
#include "core/live/worker.h"

#include <algorithm>
#include <utility>

#include "core/base/wording.h"
#include "core/graph/upstream.h"
#include "core/learn/learner/suggest.h"
#include "core/learn/learning.h"
#include "core/learn/verdict/geometry_check.h"
#include "core/live/describe.h"
#include "core/live/guarded.h"
#include "core/live/windows/arrivals.h"
#include "core/live/windows/follower.h"

namespace tl::live {
namespace {

// During a run, images may use 1 / share_in_between of the memory for blocks.
constexpr int64_t share_in_between = 8;

RunOptions run_options(const EngineOptions& o) {
  RunOptions r;
  r.device = o.device;
  r.memory = o.memory;
  r.cache = o.cache;
  r.input_dir = o.input_dir;
  r.output_dir = o.output_dir;
  return r;
}

Activity activity_in(const Job& job) {
  if (std::holds_alternative<RunJob>(job)) return {Activity::Kind::running};
  if (std::holds_alternative<LearnJob>(job)) return {Activity::Kind::learning};
  const bool checks = std::holds_alternative<LandscapeJob>(job) || std::holds_alternative<GradientCheckJob>(job) ||
                      std::holds_alternative<NodeCheckJob>(job);
  return {checks ? Activity::Kind::checking : Activity::Kind::updating};
}

// Whether regions requested by panes stay valid. The angles of a window differ from those of the previous one.
bool same_regions(const std::map<std::string, Infos>& a, const std::map<std::string, Infos>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const auto& x, const auto& y) {
    return x.first == y.first && std::equal(x.second.begin(), x.second.end(), y.second.begin(), y.second.end(),
                                            [&](const auto& i, const auto& j) {
                                              return i.first == j.first &&
                                                     full_region(i.second) == full_region(j.second);
                                            });
  });
}

}  // namespace

Worker::Worker(const Registry& registry, EngineOptions options, Listener& listener, Requests& requests)
    : registry_(registry),
      options_(std::move(options)),
      listener_(listener),
      requests_(requests),
      executor_(registry, run_options(options_)),
      states_(registry, listener),
      arrivals_(std::make_unique<Arrivals>(ArrivalOptions{true})) {}
Worker::~Worker() = default;

void Worker::work() {
  do {
    if (!requests_.anything()) report({Activity::Kind::idle});
  } while (serve(requests_.next(patience()), Interleaving::alone));
}

void Worker::report(Activity now) {
  if (now == activity_) return;
  activity_ = now;
  listener_.notify(now);
}

bool Worker::serve(const Job& job, Interleaving interleaving) {
  if (std::holds_alternative<QuitJob>(job)) return false;
  if (interleaving == Interleaving::alone) report(activity_in(job));
  const auto done = guarded([&]() -> Result<void> {
    if (const auto* g = std::get_if<GraphJob>(&job)) {
      drawn_ = g->graph;
      graph_number_ = g->number;
      if (shows_learned_) target_values_.reset();
      shows_learned_ = false;
      show_drawn();
    }
    if (const auto* v = std::get_if<ValuesJob>(&job)) show_values(*v);
    if (const auto* p = std::get_if<PictureJob>(&job)) picture(*p, interleaving);
    if (const auto* v = std::get_if<ValueJob>(&job)) value(*v, interleaving);
    if (const auto* r = std::get_if<RunJob>(&job)) {
      // A run uses the graph as set, not learned values that are not yet accepted.
      const bool shows_others = shows_learned_ || (follower_ && follower_->has_values());
      if (shows_others) check(Graph(drawn_));
      run(*r);
      if (shows_others) show_drawn();
    }
    if (const auto* l = std::get_if<LearnJob>(&job)) learn(*l);
    if (const auto* l = std::get_if<LandscapeJob>(&job)) landscape(*l);
    if (const auto* c = std::get_if<GradientCheckJob>(&job)) check_gradients(*c);
    if (const auto* c = std::get_if<NodeCheckJob>(&job)) check_node(*c);
    if (std::holds_alternative<IdleJob>(job)) idle();
    if (const auto* w = std::get_if<WindowJob>(&job)) take_window(*w);
    if (const auto* f = std::get_if<FollowJob>(&job)) take_follow(*f);
    if (const auto* k = std::get_if<KeepJob>(&job)) keep(*k);
    if (const auto* f = std::get_if<ForecastJob>(&job)) {
      forecast_of_ = f->graph;
      forecast_due_ = true;
    }
    if (std::holds_alternative<ForgetJob>(job)) forget_pipeline();
    if (const auto* s = std::get_if<SwitchesJob>(&job)) {
      options_.switches = s->switches;
      thumbnails_.clear();  // the studio drops its thumbnails when the setting changes
    }
    return ok();
  });
  if (!done.ok()) listener_.notify(Message{LogLevel::error, {}, message_for(FrontEnd::window, done.error())});
  after_work();
  return true;
}

void Worker::keep(const KeepJob& job) {
  switch (job.kind) {
    case KeepJob::Kind::free_all:
      executor_.free_cache();
      states_.forget_results();
      thumbnails_.clear();
      return check(Graph(graph_));
    case KeepJob::Kind::free_node: executor_.free_cache(job.node); return states_.forget_results(job.node);
    case KeepJob::Kind::pin: return executor_.pin(job.node);
    case KeepJob::Kind::unpin: return executor_.unpin(job.node);
    case KeepJob::Kind::measure_again: return measure_again();
  }
}

void Worker::forget_pipeline() {
  const std::set<std::string> pinned = executor_.cache().pinned();
  for (const std::string& node : pinned) executor_.unpin(node);
  executor_.free_cache();
  states_.forget_all();
  thumbnails_.clear();
  hinted_.clear();
  hints_.clear();
  // Standing requests are answered again.
  answered_.clear();
  finer_.clear();
  for (const auto& [view, request] : requests_.standing()) answered_[view] = Hash{};
  looks_.clear();
  target_values_.reset();
  shows_learned_ = forecast_due_ = false;
  executor_.give({});
  forecast_of_.reset();
  arrivals_ = std::make_unique<Arrivals>(ArrivalOptions{true});
  window_error_.clear();
  announced_.clear();
  window_.reset();
  follower_.reset();
  graph_ = drawn_ = {};
  listener_.notify(PipelineForgotten{});
}

void Worker::after_work() {
  // New results are cached, and rates have changed.
  if (rates_.learn(executor_, registry_, graph_) == Rates::News::some) {
    forecast_due_ = true;
    for (const std::string& node : std::exchange(costly_thumbnails_, {})) thumbnails_.erase(node);
  }
  const Cache& cache = executor_.cache();
  const CacheUse now{cache.used(), cache.budget(), executor_.cache_by_node(), cache.pinned()};
  if (now == cache_) return;
  cache_ = now;
  listener_.notify(now);
}

void Worker::check(const Graph& graph, Announce announce) {
  graph_ = graph;
  looks_ = executor_.look(graph_);
  std::erase_if(thumbnails_, [&](const auto& t) { return graph_.nodes.count(t.first) == 0; });
  std::map<std::string, Infos> infos;
  for (const auto& [id, look] : looks_)
    if (!look.error && look.waits_for.empty()) infos[id] = look.outputs;
  states_.know(graph_, looks_);
  if (announce == Announce::always || !same_regions(infos, announced_)) {
    announced_ = infos;
    listener_.notify(InfosChange{std::move(infos)});
  }
  forecast_due_ = true;
  for (const auto& [view, request] : requests_.standing()) {
    const auto look = looks_.find(request.node);
    const Hash key = look == looks_.end() ? Hash{} : look->second.key;
    const auto answered = answered_.find(view);
    if (answered != answered_.end() && answered->second != key) requests_.renew(view);
  }
}

Worker::Subgraph Worker::upstream_part(const std::vector<std::string>& nodes) const {
  Subgraph part{upstream_of(graph_, nodes), {}};
  for (const auto& [id, node] : part.graph.nodes)
    if (const auto look = looks_.find(id); look != looks_.end()) part.keys[id] = look->second.key;
  return part;
}

std::vector<std::string> Worker::outputs() const {
  std::vector<std::string> found;
  for (const auto& [id, node] : graph_.nodes)
    if (const NodeType* type = registry_.find(node.type); type != nullptr && type->is_output && is_active(id))
      found.push_back(id);
  return found;
}

bool Worker::is_active(const std::string& node) const {
  const auto look = looks_.find(node);
  return look == looks_.end() || look->second.use == NodeUse::active;
}

// The reason why a node cannot be computed, if any.
std::optional<Error> Worker::blocking_error(const std::string& node) const {
  const auto look = looks_.find(node);
  if (look == looks_.end()) return invalid("there is no node \"" + node + "\"");
  if (look->second.error) return look->second.error;
  if (look->second.use == NodeUse::muted)
    return invalid("it is muted, or needs a muted node", "node \"" + node + "\"", "Unmute it");
  if (look->second.waits_for.empty()) return std::nullopt;
  const auto up = looks_.find(look->second.waits_for);
  Error error = up != looks_.end() && up->second.error ? *up->second.error : invalid("not ready");
  if (error.where.find(look->second.waits_for) == std::string::npos)
    error.where = "node \"" + look->second.waits_for + "\"" + (error.where.empty() ? "" : ", " + error.where);
  return error;
}

CallOptions Worker::call(const Requests::Guard& guard, Monitor& monitor, Interleaving interleaving) const {
  CallOptions options;
  options.cancel = guard.token();
  options.events = &monitor;
  if (interleaving == Interleaving::in_between)
    options.memory = std::max<int64_t>(executor_.options().memory / share_in_between, 1);
  return options;
}

Monitor::Wiring Worker::wiring(Interleaving interleaving, const std::shared_ptr<const Graph>& graph) {
  Monitor::Wiring w{listener_, states_, {}, [this, graph](std::string_view node) {
                      const NodeType* type =
                          find_node_type(graph == nullptr ? graph_ : *graph, registry_, std::string(node));
                      return type == nullptr ? std::string(node) : type->title;
                    }};
  if (interleaving == Interleaving::alone)
    w.between = [this] {
      while (const auto job = requests_.urgent()) serve(*job, Interleaving::in_between);
    };
  return w;
}

// Reports an error at the node that it names, or else at `failed_node`.
void Worker::fail(const Subgraph& part, const std::string& failed_node, const Error& error) {
  std::string at = failed_node;
  for (const auto& [id, key] : part.keys)
    if (error.where.rfind("node \"" + id + "\"", 0) == 0) at = id;
  const auto key = part.keys.find(at);
  if (key != part.keys.end()) states_.fail(at, key->second, error);
}

void Worker::value(const ValueJob& job, Interleaving interleaving) {
  PlainValue answer;
  answer.node = job.node;
  answer.port = job.port;
  const Requests::Guard guard(requests_, job);
  Monitor monitor(wiring(interleaving), Monitor::Detail::pictures);
  const Subgraph part = upstream_part({job.node});
  const ScopedCallOptions use(executor_, call(guard, monitor, interleaving));
  auto made = guarded([&] { return make_value(job, part, answer); });
  for (const std::string& id : monitor.busy()) states_.end(id);
  if (!made.ok()) {
    if (guard.superseded()) {
      requests_.ask(job.node, job.port, job.effort);
      return;
    }
    answer.error = made.error();
    if (made.error().kind != ErrorKind::cancelled && !blocking_error(job.node)) fail(part, job.node, made.error());
  } else if (monitor.computed()) {
    check(Graph(graph_));  // found values may change the infos of downstream nodes
  }
  listener_.notify(std::move(answer));
}

Result<void> Worker::make_value(const ValueJob& job, const Subgraph& part, PlainValue& value) {
  if (const auto error = blocking_error(job.node)) return *error;
  const NodeType* type = registry_.find(part.graph.nodes.at(job.node).type);
  const PortDecl* port = type->output(job.port);
  if (port == nullptr) return invalid("there is no output \"" + job.port + "\"", job.node);
  if (is_scan(port->type)) return show_traits(job, part, value);
  if (has_regions(port->type)) return invalid("\"" + job.port + "\" is an image", job.node, "Request a region");
  TL_TRY(std::optional<Value> found, executor_.known(part.graph, job.node, job.port, WholeRegion{}));
  if (!found && job.effort == Effort::compute) {
    TL_TRY(found, executor_.pull(part.graph, job.node, job.port));
    states_.computed(part.keys, Extent::part);
  }
  if (!found) return ok();
  value.known = true;
  value.columns = plain_columns(job.port, *found);
  if (const auto* s = std::get_if<Scalar>(&*found)) {
    value.uncertainty = from_stored(s->uncertainty, s->unit);
    value.verdict = s->verdict;
  }
  return ok();
}

Result<void> Worker::show_traits(const ValueJob& job, const Subgraph& part, PlainValue& value) {
  if (job.effort != Effort::compute) return ok();
  TL_TRY(const Infos outputs, executor_.infos(part.graph, job.node));
  auto region = std::get<ScanRegion>(full_region(outputs.at(job.port)));
  const int64_t rows = region.rows.size(), used = std::min(rows, learn::trait_rows);
  region.rows = {(rows - used) / 2, (rows - used) / 2 + used};
  const Result<Value> found = executor_.pull(part.graph, job.node, job.port, region);
  // The pixels are auxiliary: if they do not fit in memory, the traits are unknown, and the node has no error.
  if (!found.ok() && found.error().kind == ErrorKind::device) return ok();
  if (!found.ok()) return found.error();
  value.traits = std::make_shared<const learn::ScanTraits>(learn::traits_of(std::get<Projections>(found.value())));
  value.known = true;
  return ok();
}

}  // namespace tl::live
