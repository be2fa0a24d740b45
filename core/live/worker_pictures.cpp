// Computes images on the compute thread.
#include <algorithm>

#include "core/live/guarded.h"
#include "core/live/worker.h"

namespace tl::live {
namespace {

// Limits of the input of a coarse first image: reading, correcting and filtering it takes about an eighth of a second.
constexpr FirstLookLimits first_look{int64_t{32} << 20, 12};

// In a window the 3D view gets as many voxels as a cube of edge 128: it is updated with every window.
constexpr int64_t bytes_of_window_box = int64_t{128} * 128 * 128 * int64_t{sizeof(float)};

}  // namespace

struct Worker::PictureTask {
  const PictureJob& job;
  Subgraph part;
  PictureRegion wanted;
  Pixels pixels;
  Monitor& monitor;
};

void Worker::picture(const PictureJob& job, Interleaving interleaving) {
  const uint64_t number = ++jobs_;
  const Requests::Guard guard(requests_, job);
  Monitor monitor(wiring(interleaving), Monitor::Detail::pictures);
  PictureTask task{job, upstream_part({job.request.node}), {}, {}, monitor};
  const Hash key = task.part.keys[job.request.node];
  const uint64_t graph = graph_number_;
  const Picture::Window window = shown_window();
  const auto values = target_values_ ? PictureValues::learned : PictureValues::as_set;
  Result<Picture> made = [&] {
    CallOptions options = call(guard, monitor, interleaving);
    // For planes along the axes, images share results of runs and measurements.
    const auto* plane = std::get_if<VolumeGrid>(&job.request.region);
    options.pictures = plane != nullptr && !plane->is_axis_aligned();
    const ScopedCallOptions use(executor_, std::move(options));
    return guarded([&] { return make_picture(task); });
  }();
  for (const std::string& id : monitor.busy()) states_.end(id);
  const bool cancelled = !made.ok() && made.error().kind == ErrorKind::cancelled;
  if (cancelled && guard.superseded()) {
    // check() repeats requests of views that were answered before an edit; this view still waits for its first image.
    if (!answered_.contains(job.view)) requests_.restart(job);
    return;
  }
  if (shown_[job.view] > number) return;  // a newer image was sent meanwhile
  // An image that does not fit into memory together with a run is computed after it.
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
  answer.window = window;
  answer.seconds = monitor.seconds();
  shown_[job.view] = number;
  answered_[job.view] = key;
  requests_.shown(job.view);
  listener_.notify(PictureReady{job.view, answer});
  // An edit or a found value, processed between the blocks, has changed what the view should show: check() repeats
  // requests that were answered before.
  const auto now = looks_.find(job.request.node);
  const bool is_old = now != looks_.end() && now->second.key != key;
  if (is_old) requests_.renew(job.view);
  if (!good) return;
  if (!answer.final && !is_old) requests_.refine(job);
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
  const Infos& outputs = looks_.at(request.node).outputs;
  const auto found = outputs.find(request.port);
  if (found == outputs.end()) return invalid("there is no output \"" + request.port + "\"", request.node);
  // A copy: jobs served between the blocks of this one replace looks_.
  const Info info = found->second;
  int64_t most = executor_.options().memory / share_of_picture;
  if (window_ && shape_of(request) == Shape::box) most = std::min(most, bytes_of_window_box);
  TL_TRY(task.wanted, checked_region(request, info, most));
  // Computing nodes need flats and darks; a node that only loads a scan should not read them for an image.
  const NodeType* type = registry_.find(task.part.graph.nodes.at(request.node).type);
  if (type->inputs.empty()) task.wanted.region = without_references(task.wanted.region, request);
  TL_TRY(Picture picture, computed_picture(task));
  if (auto* scan = std::get_if<ScanRegion>(&picture.region)) scan->references = WithReferences::wanted;
  const bool whole = picture.level == 1 && picture.region == full_region(info);
  states_.computed(task.part.keys, Extent::part);
  if (whole) states_.computed({{request.node, task.part.keys.at(request.node)}}, Extent::whole);
  return picture;
}

// The requested region if it is cached or in the sharp stage; else a coarse one first.
Result<Picture> Worker::computed_picture(PictureTask& task) {
  const PictureRequest& request = task.job.request;
  Picture picture;
  picture.region = task.wanted.region;
  picture.level = task.wanted.level;
  TL_TRY(std::optional<Value> value, executor_.known(task.part.graph, request.node, request.port, picture.region));
  // Images of windows are not coarse at first, as they would flicker with every window.
  if (!value && !window_ && task.job.stage == Stage::first) {
    if (const auto coarse = coarser(picture.region, request.coarse)) {
      auto made = executor_.pull_first_look(task.part.graph, request.node, request.port, *coarse, first_look);
      if (!made.ok() && made.error().kind == ErrorKind::cancelled) return made.error();
      // A node that cannot compute other voxel sizes returns an error: then there is only the sharp image.
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

}  // namespace tl::live
