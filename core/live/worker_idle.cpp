// Work of the compute thread when nothing is requested: forecast, thumbnails, hints, finer images.
#include <algorithm>

#include "core/graph/upstream.h"
#include "core/live/guarded.h"
#include "core/live/worker.h"

namespace tl::live {
namespace {

// Low-priority work begins after this pause, longer than the usual pauses while a slider is dragged.
constexpr double pause_before_idle = 0.25, pause_between_looks = 1.5;  // [s]

constexpr int64_t thumbnail_width = 188;
// Limits for a thumbnail: peak bytes, and seconds if the node types have run before.
constexpr int64_t cheap_bytes = int64_t{64} << 20;
constexpr double cheap_seconds = 0.3;
// Longest computation of a finer image in the background [s]; a longer one is left to a run.
constexpr double finer_seconds = 60;

}  // namespace

double Worker::patience() const {
  if (window_) return -1;  // a window has priority over idle work
  const bool thumbnails =
      options_.switches.thumbnails && std::any_of(looks_.begin(), looks_.end(), [&](const auto& look) {
        const auto done = thumbnails_.find(look.first);
        return done == thumbnails_.end() || done->second != look.second.key;
      });
  const auto standing = requests_.standing();
  const bool finer =
      std::any_of(standing.begin(), standing.end(), [this](const auto& s) { return is_finer_due(s.first, s.second); });
  if (forecast_due_ || thumbnails || finer || scans() != hinted_) return pause_before_idle;
  // An unreadable file may become readable.
  const bool waits =
      std::any_of(looks_.begin(), looks_.end(), [this](const auto& look) { return error_may_disappear(look.first); });
  return waits ? pause_between_looks : -1;
}

void Worker::idle() {
  if (forecast_due_) {
    forecast_due_ = false;
    listener_.notify(make_forecast(executor_, registry_, graph_, looks_, rates_));
    if (forecast_of_ != nullptr) listener_.notify(make_forecast_of(forecast_of_, executor_, registry_, drawn_, rates_));
    return;
  }
  while (options_.switches.thumbnails && !requests_.anything())
    if (!next_thumbnail()) break;
  if (!requests_.anything()) next_hints();
  if (!requests_.anything()) next_finer_pictures();
  for (const auto& [id, look] : looks_) {
    if (!error_may_disappear(id)) continue;
    const auto again = executor_.look(upstream_of(graph_, {id}));
    const auto now = again.find(id);
    if (now == again.end()) continue;
    if (!now->second.error || now->second.error->message() != look.error->message()) return check(Graph(graph_));
  }
}

// Whether an error may disappear without an edit, when a file is created or rewritten.
bool Worker::error_may_disappear(const std::string& node) const {
  const auto look = looks_.find(node);
  if (look == looks_.end() || !look->second.error) return false;
  if (look->second.error->kind == ErrorKind::io) return true;
  const auto in_graph = graph_.nodes.find(node);
  const NodeType* type = in_graph == graph_.nodes.end() ? nullptr : registry_.find(in_graph->second.type);
  return type != nullptr && std::any_of(type->params.begin(), type->params.end(),
                                        [](const ParamDecl& decl) { return decl.path == PathRole::input; });
}

// A displayed image of the middle becomes the node's thumbnail; images of other slices, planes and views do not.
void Worker::keep_thumbnail(const PictureJob& job, const Pixels& pixels) {
  if (window_ || !options_.switches.thumbnails || job.request.series != PictureRequest::Series::data) return;
  const auto in_graph = graph_.nodes.find(job.request.node);
  const NodeType* type = in_graph == graph_.nodes.end() ? nullptr : registry_.find(in_graph->second.type);
  if (type == nullptr) return;
  const auto first =
      std::find_if(type->outputs.begin(), type->outputs.end(), [](const PortDecl& p) { return is_image(p.type); });
  if (first == type->outputs.end() || first->name != job.request.port) return;
  const auto look = looks_.find(job.request.node);
  const auto info = look == looks_.end() ? Infos::const_iterator{} : look->second.outputs.find(first->name);
  if (look == looks_.end() || info == look->second.outputs.end() || job.request.region != middle_region(info->second))
    return;
  if (const auto image = thumbnail_of(pixels, thumbnail_width))
    listener_.notify(ThumbnailReady{job.request.node, image});
}

// Computes one missing thumbnail. False if none is missing.
bool Worker::next_thumbnail() {
  for (const auto& [id, look] : looks_) {
    const auto done = thumbnails_.find(id);
    if (done != thumbnails_.end() && done->second == look.key) continue;
    const auto in_graph = graph_.nodes.find(id);
    const NodeType* type = in_graph == graph_.nodes.end() ? nullptr : registry_.find(in_graph->second.type);
    const Hash key = look.key;
    thumbnails_[id] = key;
    if (type == nullptr || look.error || look.use == NodeUse::muted || !look.waits_for.empty() || !look.complete)
      continue;
    for (const PortDecl& port : type->outputs) {
      if (!is_image(port.type)) continue;
      const auto info = look.outputs.find(port.name);
      if (info == look.outputs.end()) break;
      if (!thumbnail(std::string(id), port.name, Info(info->second))) thumbnails_.erase(id);
      return true;
    }
  }
  return false;
}

// False if interrupted by another job.
bool Worker::thumbnail(const std::string& node, const std::string& port, const Info& info) {
  const Requests::Guard guard(requests_, IdleJob{});
  if (requests_.anything()) return false;
  const Subgraph part = upstream_part({node});
  Monitor monitor(wiring(Interleaving::in_between), Monitor::Detail::quiet);
  const ScopedCallOptions use(executor_, call(guard, monitor, Interleaving::in_between));
  const auto made = guarded([&]() -> Result<void> {
    PictureRequest request{node, port, middle_region(info), PictureRequest::Series::data, -1, 1, std::nullopt, 0};
    TL_TRY(const PictureRegion wanted, checked_region(request, info, cheap_bytes));
    const VolumeGrid* grid = std::get_if<VolumeGrid>(&wanted.region);
    const int64_t wide = grid == nullptr ? 0 : std::max(grid->nx, grid->ny);
    // Not finer than the thumbnail shows.
    const auto coarse = coarser(wanted.region, std::max<int64_t>(wide / (2 * thumbnail_width), 1));
    const Region region = coarse ? *coarse : wanted.region;
    TL_TRY(std::optional<Value> value, executor_.known(part.graph, node, port, wanted.region));
    if (!value) {
      TL_TRY(const Cost expected, cost(request, part, region));
      const bool slow = expected.rates == Cost::Rates::known && expected.seconds > cheap_seconds;
      if (slow || expected.partition == Partition::whole || expected.peak > cheap_bytes) {
        costly_thumbnails_.insert(node);
        return ok();
      }
      TL_TRY(value, executor_.pull(part.graph, node, port, region));
      states_.computed(part.keys, Extent::part);
    }
    TL_TRY(const Pixels pixels, pixels_of(*value, request));
    if (const auto image = thumbnail_of(pixels, thumbnail_width)) listener_.notify(ThumbnailReady{node, image});
    return ok();
  });
  return made.ok() || made.error().kind != ErrorKind::cancelled;
}

// Estimated cost of a region, from the rates of the node types so far.
Result<Worker::Cost> Worker::cost(const PictureRequest& request, const Subgraph& part, const Region& region) {
  Cost cost;
  TL_TRY(const auto work, executor_.work(part.graph, request.node, request.port, region));
  for (const auto& [id, in_graph] : part.graph.nodes) {
    if (registry_.find(in_graph.type)->partition == Partition::whole) cost.partition = Partition::whole;
    const auto needed = work.find(id);
    if (needed == work.end()) continue;
    const double took = rates_.seconds(in_graph.type, needed->second);
    if (took < 0) cost.rates = Cost::Rates::some_unknown;
    cost.seconds += std::max(took, 0.0);
  }
  TL_TRY(cost.peak, executor_.peak(part.graph, request.node, request.port, region));
  return cost;
}

// Sends views the finer images that they accept, one after the other, until something is requested.
void Worker::next_finer_pictures() {
  for (const auto& [view, request] : requests_.standing()) {
    if (!is_finer_due(view, request)) continue;
    const Requests::Guard guard(requests_, IdleJob{});
    if (requests_.anything()) return;
    Monitor monitor(wiring(Interleaving::in_between), Monitor::Detail::pictures);
    const Subgraph part = upstream_part({request.node});
    const ScopedCallOptions use(executor_, call(guard, monitor, Interleaving::alone));
    auto made = guarded([&] { return finer_picture(request, part); });
    for (const std::string& id : monitor.busy()) states_.end(id);
    if (!made.ok() && made.error().kind == ErrorKind::cancelled) return;
    // After a failure it is not tried again: the view has an image, and a run reports why there is no finer one.
    finer_[view] = {looks_.at(request.node).key, request};
    if (!made.ok() || !made.value()) continue;
    Picture& answer = *made.value();
    answer.request = request;
    answer.graph = graph_number_;
    answer.values = target_values_ ? PictureValues::learned : PictureValues::as_set;
    answer.seconds = monitor.seconds();
    shown_[view] = ++jobs_;
    listener_.notify(PictureReady{view, answer});
  }
}

// Whether the view has its image, but not yet the finer one.
bool Worker::is_finer_due(const std::string& view, const PictureRequest& request) const {
  if (!request.finer || blocking_error(request.node)) return false;
  const Hash& key = looks_.at(request.node).key;
  const auto answered = answered_.find(view);
  const auto sent = finer_.find(view);
  return answered != answered_.end() && answered->second == key &&
         (sent == finer_.end() || sent->second != std::pair(key, request));
}

// nullopt if it would take too long, or if its time is unknown.
Result<std::optional<Picture>> Worker::finer_picture(const PictureRequest& request, const Subgraph& part) {
  PictureRequest finer = request;
  finer.region = *request.finer;
  const auto& outputs = looks_.at(request.node).outputs;
  const auto info = outputs.find(request.port);
  if (info == outputs.end()) return std::optional<Picture>();
  TL_TRY(const PictureRegion wanted,
         checked_region(finer, info->second, executor_.options().memory / share_of_picture));
  TL_TRY(const Cost expected, cost(request, part, wanted.region));
  if (expected.rates == Cost::Rates::some_unknown || expected.seconds > finer_seconds ||
      expected.peak > executor_.options().memory)
    return std::optional<Picture>();
  TL_TRY(const Value value, executor_.pull(part.graph, request.node, request.port, wanted.region));
  TL_TRY(const Pixels pixels, pixels_of(value, request));
  Picture picture;
  picture.region = wanted.region;
  picture.level = wanted.level;
  picture.image = pixels.image;
  picture.slices = pixels.slices;
  picture.unit = pixels.unit;
  return std::optional(std::move(picture));
}

}  // namespace tl::live
