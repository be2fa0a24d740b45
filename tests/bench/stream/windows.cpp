// Windows through the live engine, in turn with the same operators called directly on the same views.
#include <array>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <numeric>

#include "core/live/engine.h"
#include "core/stream/windows.h"
#include "gpu/correction/flats/flat_field.h"
#include "gpu/filtering/ramp_filter.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/projection/view_weights.h"
#include "tests/bench/bench.h"
#include "tests/bench/stream/stream_cases.h"

namespace tl::bench {
namespace {

constexpr std::array planes = {"plane 1", "plane 2", "plane 3"};
constexpr const char* preview = "preview";

// Three oblique planes of 512^2 points, and a preview of 128^3 of all that the detector sees.
std::map<std::string, VolumeGrid> images_of(const SentScan& scan) {
  constexpr int64_t n = 512, small = 128;
  const double c = std::cos(0.6), s = std::sin(0.6), diagonal = std::sqrt(0.5);
  VolumeGrid box;
  box.nz = box.ny = box.nx = small;
  const auto step = [](int64_t pixels) { return static_cast<double>(pixels) / static_cast<double>(small); };
  box.step_x = {step(scan.cols), 0, 0};
  box.step_y = {0, step(scan.cols), 0};
  box.step_z = {0, 0, step(scan.rows)};
  return {{planes[0], VolumeGrid::plane(n, n, 1, {}, {1, 0, 0}, {0, c, s})},
          {planes[1], VolumeGrid::plane(n, n, 1, {}, {c, 0, s}, {0, 1, 0})},
          {planes[2], VolumeGrid::plane(n, n, 1, {}, {diagonal, diagonal, 0}, {0, 0, 1})},
          {preview, box}};
}

// Windows of a stream, each beginning so many views after the one before.
class SlidingWindow {
 public:
  explicit SlidingWindow(const SentScan& scan) : scan_(scan) {
    while (SentScan::kind(next_) != stream::FrameKind::view) {
      const stream::FramePtr frame = scan_.shared_frame(next_++);
      if (frame->kind == stream::FrameKind::dark) window_.darks.push_back(frame);
      if (frame->kind == stream::FrameKind::flat) window_.flats.push_back({frame, -0.5});
    }
    window_.index = -1;
  }
  std::shared_ptr<const stream::Window> after(int64_t views) {
    const int64_t missing = std::max(views, scan_.views - std::ssize(window_.views));
    for (int64_t i = 0; i < missing; ++i, ++next_) {
      const int64_t ordinal = next_ - SentScan::first_view;
      window_.views.push_back({scan_.shared_frame(next_), next_, ordinal});
    }
    window_.views.erase(window_.views.begin(), window_.views.end() - scan_.views);
    ++window_.index;
    return std::make_shared<const stream::Window>(window_);
  }

 private:
  const SentScan& scan_;
  int64_t next_ = 0;
  stream::Window window_;
};

at::Tensor counts_of(const std::vector<stream::FramePtr>& frames) {
  const stream::Frame& like = *frames.front();
  at::Tensor all = at::empty({std::ssize(frames), like.rows, like.cols}, at::kUInt16);
  for (std::size_t i = 0; i < frames.size(); ++i)
    std::memcpy(all.select(0, static_cast<int64_t>(i)).data_ptr(), frames[i]->pixels.data(), frames[i]->pixels.size());
  return all;
}

// The operators of a batch, and how long each took.
class BatchOperators {
 public:
  BatchOperators(const SentScan& scan, const stream::Window& window) : images_(images_of(scan)) {
    std::vector<double> angles;
    for (const auto& view : window.views) angles.push_back(*view.frame->angle * std::numbers::pi / 180);
    geometry_ = ScanGeometry::parallel(angles, {scan.rows, scan.cols, 1, 1}, 3.5).or_throw();
    std::vector<stream::FramePtr> flats;
    for (const auto& flat : window.flats) flats.push_back(flat.frame);
    flat_.flats = counts_of(flats).to(at::kFloat);
    flat_.darks = counts_of(window.darks).to(at::kFloat);
    flat_.flat_positions.assign(flats.size(), -0.5);
    flat_.change = ops::FlatChange::before;
    flat_.logarithm = ops::MinusLogSpec{};
    flat_.unusable = ops::Unusable::fill;
    flat_.geometry = &geometry_;
    flat_.prepared = ops::prepare_flats(flat_).or_throw();
  }
  BatchOperators(const BatchOperators&) = delete;
  BatchOperators& operator=(const BatchOperators&) = delete;

  // Seconds; adds those of each operator to `parts`.
  double run(const at::Tensor& counts, std::map<std::string, std::vector<double>>& parts) {
    double sum = 0;
    const auto timed = [&](const std::string& name, const std::function<void()>& work) {
      const double seconds = time_of(work).wall;
      parts[name].push_back(seconds);
      sum += seconds;
    };
    at::Tensor views;
    timed("correction", [&] { views = ops::flat_field(counts, flat_).or_throw().logarithm.absorption; });
    timed("weights", [&] {
      const std::vector<double> weights = ops::view_weights(geometry_).or_throw().weights;
      views = views * at::tensor(weights, at::kFloat).view({-1, 1, 1});
    });
    timed("filter", [&] {
      ops::RampFilterSpec spec;
      spec.views = views.size(0);
      spec.rows = views.size(1);
      spec.cols = views.size(2);
      spec.extension = ops::RowExtension::smooth;
      views = ops::make_ramp_filter(spec).or_throw()->apply(views);
    });
    for (const auto& [name, grid] : images_)
      timed(name, [&, &grid = grid] {
        made_ = make_back_projector({geometry_, grid, DistanceWeight::none, {}}).or_throw()->apply(views);
      });
    return sum;
  }

 private:
  const std::map<std::string, VolumeGrid> images_;
  ScanGeometry geometry_;
  ops::FlatFieldSpec flat_;
  at::Tensor made_;  // kept until the next one, as an image is
};

// Waits for all images of a window.
class WindowImages final : public live::Listener {
 public:
  void notify(live::Notification notification) override {
    const auto* ready = std::get_if<live::PictureReady>(&notification);
    if (ready == nullptr || ready->picture.window.index < 0) return;  // of no window: the pipeline has no file
    if (ready->picture.error) stop(ready->picture.error->message());
    const std::lock_guard lock(mutex_);
    if (ready->picture.window.index != window_ || !ready->picture.final) return;
    const auto now = std::chrono::steady_clock::now();
    after_.emplace(ready->view, std::chrono::duration<double>(now - begin_).count());
    changed_.notify_all();
  }
  void begin(int64_t window) {
    const std::lock_guard lock(mutex_);
    window_ = window;
    after_.clear();
    begin_ = std::chrono::steady_clock::now();
  }
  // When each came [s].
  std::map<std::string, double> wait_for(std::size_t images) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return after_.size() == images; });
    return after_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::chrono::steady_clock::time_point begin_;
  int64_t window_ = -1;
  std::map<std::string, double> after_;
};

double middle_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void print_parts(const char* name, const std::map<std::string, std::vector<double>>& parts) {
  std::printf("{\"case\": \"%s\"", name);
  for (const auto& [part, seconds] : parts) std::printf(", \"%s_ms\": %.1f", part.c_str(), 1e3 * middle_of(seconds));
  std::printf("}\n");
  std::fflush(stdout);
}

}  // namespace

void time_windows(const SentScan& scan, int64_t repeat, StreamTable& table) {
  const std::map<std::string, VolumeGrid> images = images_of(scan);
  WindowImages answers;
  live::EngineOptions options;
  options.switches.thumbnails = false;
  live::Engine engine(Registry::all(), options, answers);
  engine.set_graph(SentScan::pipeline());
  engine.begin_arrivals();
  for (const auto& [name, grid] : images) {
    live::PictureRequest request;
    request.node = "fbp";
    request.port = "volume";
    request.region = grid;
    engine.request(name, request);
  }
  SlidingWindow windows(scan);
  std::map<std::string, std::vector<double>> of_operators, of_batch, of_hop;
  // Until the last image of the window is there [s].
  const auto shown = [&](const std::shared_ptr<const stream::Window>& window,
                         std::map<std::string, std::vector<double>>& parts) {
    answers.begin(window->index);
    engine.arrive(window);
    double last = 0;
    for (const auto& [name, seconds] : answers.wait_for(images.size())) {
      parts[name].push_back(seconds);
      last = std::max(last, seconds);
    }
    parts["all"].push_back(last);
    return last;
  };
  std::vector<double> over_operators, over_batch;
  constexpr int64_t hops = 10;  // of each batch
  for (int64_t i = 0; i <= repeat; ++i) {
    if (i == 1)
      for (auto* parts : {&of_operators, &of_batch, &of_hop}) parts->clear();  // the first round makes all things ready
    const std::shared_ptr<const stream::Window> batch = windows.after(scan.views);
    std::vector<stream::FramePtr> frames;
    for (const auto& view : batch->views) frames.push_back(view.frame);
    BatchOperators operators(scan, *batch);
    const double bare = operators.run(counts_of(frames), of_operators);
    of_operators["all"].push_back(bare);
    const double whole = shown(batch, of_batch);
    std::vector<double> hopped;
    for (int64_t h = 0; h < hops; ++h) hopped.push_back(shown(windows.after(scan.hop), of_hop));
    if (i == 0) continue;
    over_operators.push_back(whole / bare);
    over_batch.push_back(std::accumulate(hopped.begin(), hopped.end(), 0.0) / static_cast<double>(hops) / whole);
  }
  print_parts("operators of a batch", of_operators);
  print_parts("batch", of_batch);
  print_parts("hop", of_hop);
  table.add(
      {"batch over its operators alone", middle_of(over_operators), "", 1.5, 1.25, StreamTable::Better::less,
       std::to_string(scan.views) + " views of " + std::to_string(scan.rows) + " x " + std::to_string(scan.cols)});
  table.add({"batch", 1e3 * middle_of(of_batch["all"]), "ms", {}, 140, StreamTable::Better::less, {}});
  table.add({"hop of " + std::to_string(scan.hop) + " over the batch", middle_of(over_batch), "", 0.8, 0.6,
             StreamTable::Better::less, "mean of " + std::to_string(hops) + " hops"});
}

}  // namespace tl::bench
