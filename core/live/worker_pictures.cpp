// Computes pictures and thumbnails on the compute thread.
#include <algorithm>

#include "core/live/guarded.h"
#include "core/live/worker.h"

namespace tl::live {
namespace {

constexpr int64_t thumbnail_width = 188;
// The pixels of one picture may take 1 / share_of_picture of the memory for blocks: they exist twice, as value and as
// picture.
constexpr int64_t share_of_picture = 8;
// Limits for a thumbnail: peak bytes, and seconds if the node types have run before.
constexpr int64_t cheap_bytes = int64_t{64} << 20;
constexpr double cheap_seconds = 0.3;

// Input of a coarse first picture: reading, correcting and filtering it takes about an eighth of a second.
constexpr FirstLookLimits first_look{int64_t{32} << 20, 12};

bool is_picture(PortType type) { return type <= PortType::labels; }

}  // namespace

struct Worker::PictureTask {
  const PictureJob& job;
  Part part;
  PictureRegion wanted;
  Pixels pixels;
  Monitor& monitor;
};

void Worker::picture(const PictureJob& job, Interleaving interleaving) {
  const uint64_t number = ++jobs_;
  const Requests::Guard guard(requests_, job);
  Monitor monitor(wiring(interleaving), Monitor::Detail::pictures);
  PictureTask task{job, part_of({job.request.node}), {}, {}, monitor};
  const Hash key = task.part.keys[job.request.node];
  const uint64_t graph = graph_number_;
  const auto values = target_values_ ? PictureValues::learned : PictureValues::as_set;
  Result<Picture> made = [&] {
    const ScopedCallOptions use(executor_, call(guard, monitor, interleaving));
    return guarded([&] { return make_picture(task); });
  }();
  for (const std::string& id : monitor.busy()) states_.end(id);
  const bool cancelled = !made.ok() && made.error().kind == ErrorKind::cancelled;
  if (cancelled && guard.superseded()) return;
  if (shown_[job.view] > number) return;  // a newer picture was sent meanwhile
  // A picture that does not fit beside a run is computed after it.
  if (!made.ok() && interleaving == Interleaving::in_between && made.error().kind == ErrorKind::device)
    return requests_.postpone(job);
  Picture answer;
  const bool good = made.ok();
  if (good) {
    answer = std::move(made).value();
  } else {
    answer.error = made.error();
    if (!cancelled && !blocking_error(job.request.node)) fail(task.part, job.request.node, made.error());
  }
  answer.request = job.request;
  answer.graph = graph;
  answer.values = values;
  answer.seconds = monitor.seconds();
  shown_[job.view] = number;
  answered_[job.view] = key;
  requests_.shown(job.view);
  listener_.notify(PictureReady{job.view, answer});
  if (!good) return;
  if (!answer.final) requests_.refine(job);
  keep_thumbnail(job, task.pixels);
  if (!monitor.computed()) return;
  states_.took(job.request.node, answer.seconds);
  const bool found_something =
      std::any_of(task.part.graph.nodes.begin(), task.part.graph.nodes.end(), [&](const auto& n) {
        const NodeType* type = registry_.find(n.second.type);
        const auto look = looks_.find(n.first);
        return type != nullptr && (type->measure || type->partition == Partition::reduce) && look != looks_.end() &&
               !look->second.findings;
      });
  if (found_something) check(Graph(graph_));
}

Result<Picture> Worker::make_picture(PictureTask& task) {
  const PictureRequest& request = task.job.request;
  if (const auto error = blocking_error(request.node)) return *error;
  const auto& outputs = looks_.at(request.node).outputs;
  const auto info = outputs.find(request.port);
  if (info == outputs.end()) return invalid("there is no output \"" + request.port + "\"", request.node);
  TL_TRY(task.wanted, checked_region(request, info->second, executor_.options().memory / share_of_picture));
  // What computes, needs all of a scan; what only loads it, should not read flats for a picture.
  const NodeType* type = registry_.find(task.part.graph.nodes.at(request.node).type);
  if (type->inputs.empty()) task.wanted.region = without_references(task.wanted.region, request);
  TL_TRY(Picture picture, computed_picture(task));
  if (auto* scan = std::get_if<ScanRegion>(&picture.region)) scan->references = WithReferences::wanted;
  const bool whole = picture.level == 1 && picture.region == full_region(info->second);
  states_.computed(task.part.keys, Extent::part);
  if (whole) states_.computed({{request.node, task.part.keys.at(request.node)}}, Extent::whole);
  return picture;
}

// The requested region if cached or if this is the sharp stage; else a coarse one first.
Result<Picture> Worker::computed_picture(PictureTask& task) {
  const PictureRequest& request = task.job.request;
  Picture picture;
  picture.region = task.wanted.region;
  picture.level = task.wanted.level;
  TL_TRY(std::optional<Value> value, executor_.known(task.part.graph, request.node, request.port, picture.region));
  if (!value && task.job.stage == Stage::first) {
    if (const auto coarse = coarser(picture.region, request.coarse)) {
      auto made = executor_.pull_first_look(task.part.graph, request.node, request.port, *coarse, first_look);
      if (!made.ok() && made.error().kind == ErrorKind::cancelled) return made.error();
      // A node that cannot compute other voxel sizes returns an error: then there is only the sharp picture.
      if (made.ok()) {
        value = std::move(made).value();
        picture.region = *coarse;
        picture.level *= request.coarse;
        picture.final = false;
      }
    }
  }
  if (!value) {
    TL_TRY(value, executor_.pull(task.part.graph, request.node, request.port, picture.region));
  }
  TL_TRY(task.pixels, pixels_of(*value, request));
  picture.image = task.pixels.image;
  picture.slices = task.pixels.slices;
  picture.unit = task.pixels.unit;
  picture.source = task.monitor.computed() ? Picture::Source::computed : Picture::Source::cached;
  return picture;
}

// A picture on screen of the middle is the node's thumbnail; those of other slices, planes and views are not.
void Worker::keep_thumbnail(const PictureJob& job, const Pixels& pixels) {
  if (!options_.switches.thumbnails || job.request.series != PictureRequest::Series::data) return;
  const auto in_graph = graph_.nodes.find(job.request.node);
  const NodeType* type = in_graph == graph_.nodes.end() ? nullptr : registry_.find(in_graph->second.type);
  if (type == nullptr) return;
  const auto first =
      std::find_if(type->outputs.begin(), type->outputs.end(), [](const PortDecl& p) { return is_picture(p.type); });
  if (first == type->outputs.end() || first->name != job.request.port) return;
  const auto look = looks_.find(job.request.node);
  const auto info = look == looks_.end() ? Infos::const_iterator{} : look->second.outputs.find(first->name);
  if (look == looks_.end() || info == look->second.outputs.end() || job.request.region != middle_region(info->second))
    return;
  if (const auto image = thumbnail_of(pixels, thumbnail_width))
    listener_.notify(ThumbnailReady{job.request.node, image});
}

// Makes one missing thumbnail. False if none is missing.
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
      if (!is_picture(port.type)) continue;
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
  const Part part = part_of({node});
  Monitor monitor(wiring(Interleaving::in_between), Monitor::Detail::quiet);
  const ScopedCallOptions use(executor_, call(guard, monitor, Interleaving::in_between));
  const auto made = guarded([&]() -> Result<void> {
    PictureRequest request{node, port, middle_region(info), PictureRequest::Series::data, -1, 1, 0};
    TL_TRY(const PictureRegion wanted, checked_region(request, info, cheap_bytes));
    const VolumeGrid* grid = std::get_if<VolumeGrid>(&wanted.region);
    const int64_t wide = grid == nullptr ? 0 : std::max(grid->nx, grid->ny);
    // Not finer than the thumbnail shows.
    const auto coarse = coarser(wanted.region, std::max<int64_t>(wide / (2 * thumbnail_width), 1));
    const Region region = coarse ? *coarse : wanted.region;
    TL_TRY(std::optional<Value> value, executor_.known(part.graph, node, port, wanted.region));
    if (!value) {
      TL_TRY(const bool cheap, is_cheap(request, part, region));
      if (!cheap) return ok();
      TL_TRY(value, executor_.pull(part.graph, node, port, region));
      states_.computed(part.keys, Extent::part);
    }
    TL_TRY(const Pixels pixels, pixels_of(*value, request));
    if (const auto image = thumbnail_of(pixels, thumbnail_width)) listener_.notify(ThumbnailReady{node, image});
    return ok();
  });
  return made.ok() || made.error().kind != ErrorKind::cancelled;
}

// Whether a region is cheap enough for a thumbnail.
Result<bool> Worker::is_cheap(const PictureRequest& request, const Part& part, const Region& region) {
  double seconds = 0;
  bool known = true;
  TL_TRY(const auto work, executor_.work(part.graph, request.node, request.port, region));
  for (const auto& [id, in_graph] : part.graph.nodes) {
    const NodeType* type = registry_.find(in_graph.type);
    if (type->partition == Partition::whole) return false;
    const auto needed = work.find(id);
    if (needed == work.end()) continue;
    const double took = rates_.seconds(in_graph.type, needed->second);
    known = known && took >= 0;
    seconds += std::max(took, 0.0);
  }
  if (known && seconds > cheap_seconds) return false;
  TL_TRY(const int64_t peak, executor_.peak(part.graph, request.node, request.port, region));
  return peak <= cheap_bytes;
}

}  // namespace tl::live
