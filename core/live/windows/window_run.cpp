// Takes the newest window, gives its data to the executor, and computes what the output nodes would write.
#include "core/live/windows/window_run.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/learn/learning.h"
#include "core/live/windows/window_settings.h"
#include "core/nodes/filtered_views.h"
#include "core/run/automatic/batch.h"
#include "core/run/common/caught_error.h"
#include "core/run/common/deep_stack.h"

namespace tl {
namespace {

double now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

int64_t count_filtered(const Executor& executor) {
  int64_t all = 0;
  for (const auto& [node, stats] : executor.stats())
    if (const auto count = stats.counts.find(std::string(filtered_views_count)); count != stats.counts.end())
      all += count->second;
  return all;
}

}  // namespace

Result<std::unique_ptr<WindowRun>> WindowRun::begin(Graph graph, RunOptions options, WindowRunOptions how,
                                                    Handlers handlers) {
  const stream::WindowChoice& choice = how.windows;
  if (choice.length < 2 || choice.hop < 1 || choice.hop > choice.length)
    return invalid("windows of " + std::to_string(choice.length) + " views every " + std::to_string(choice.hop), "hop",
                   "A window has two views or more, and the next one begins within it");
  TL_TRY(const std::string load, Arrivals::load_node(graph, Registry::all()));
  (void)load;
  if (const auto wrong = problems(graph, Registry::all()); !wrong.empty()) return wrong.front().error;
  if (how.follow) {
    TL_TRY(learn::check(*how.follow, graph, Registry::all()));
  }
  return std::unique_ptr<WindowRun>(
      new WindowRun(std::move(graph), std::move(options), std::move(how), std::move(handlers)));
}

WindowRun::WindowRun(Graph graph, RunOptions options, WindowRunOptions how, Handlers handlers)
    : drawn_(std::move(graph)),
      graph_(drawn_),
      how_(std::move(how)),
      handlers_(std::move(handlers)),
      needs_(Arrivals::needs_flats(graph_, Registry::all()) ? stream::Windows::NeedsFlats::yes
                                                            : stream::Windows::NeedsFlats::no),
      measures_(std::any_of(graph_.nodes.begin(), graph_.nodes.end(),
                            [](const auto& node) {
                              const NodeType* type = Registry::all().find(node.second.type);
                              return type != nullptr && type->measure;
                            })),
      cancel_(options.cancel),
      windows_(how_.windows),
      executor_(Registry::all(), std::move(options)) {
  if (how_.follow) {
    follower_.emplace(*how_.follow);
    arrivals_.set_learned(follower_->nodes());
  }
  thread_ = std::thread([this] { compute_windows(); });
}

WindowRun::~WindowRun() { (void)end(); }

void WindowRun::take(stream::FramePtr frame, stream::Numbering numbering, bool linear) {
  windows_.add(std::move(frame), numbering, linear);
  {
    const std::lock_guard lock(mutex_);
    news_ = true;
  }
  changed_.notify_all();
}

void WindowRun::note_written(const stream::Frame& frame) {
  const double seconds = now() - frame.arrival_time;
  const std::lock_guard lock(mutex_);
  written_[frame.arrival_time] = seconds;
  constexpr std::size_t plenty = 100'000;  // frames, in case no window is computed
  if (written_.size() > plenty) written_.erase(written_.begin());
}

Result<void> WindowRun::end() {
  windows_.end();
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  if (failure_) return *failure_;
  return ok();
}

void WindowRun::compute_windows() {
  bool said = false;
  while (!cancel_.cancelled() && !failure_) {
    bool ended = false;
    {
      std::unique_lock lock(mutex_);
      // A cancelled run gets no frames: check for cancellation at intervals.
      changed_.wait_for(lock, std::chrono::milliseconds(100), [&] { return news_ || ended_; });
      news_ = false;
      ended = ended_;
    }
    while (const auto window = windows_.take_newest(needs_)) {
      Result<void> done = ok();
      try {
        done = compute(*window);
      } catch (...) {
        done = caught_error();
      }
      if (!done.ok()) failure_ = done.error();
      if (failure_) return;
      if (follower_ && follower_->is_due() && !has_ended()) follow(*window);
    }
    if (windows_.waits_for_flats() && !std::exchange(said, true)) handlers_.waits_for_flats();
    if (ended) return;
  }
}

Result<void> WindowRun::compute(const stream::Window& window) {
  ComputedWindow made;
  made.index = window.index;
  made.scan = window.views.front().frame->scan;
  for (const stream::Window::View& view : window.views) made.views.push_back(*view.frame->number);
  made.lost = window.lost;
  made.time = window.newest;
  if (follower_) graph_ = follower_->values_in(drawn_);
  TL_TRY(GivenOutputs given, arrivals_.outputs(executor_, graph_, window));
  executor_.give(std::move(given));
  made.prepared = now() - window.newest;
  TL_TRY(const std::vector<TakenPlane> taken, pull_what_is_written());
  made.shown = now() - window.newest;
  views_filtered_ = count_filtered(executor_);
  if (!taken.empty()) {
    TL_TRY(give_planes(made, taken));
  }
  add_settings(made);
  {
    const std::lock_guard lock(mutex_);
    if (const auto last = written_.find(window.newest); last != written_.end()) stored_.push_back(last->second);
    written_.erase(written_.begin(), written_.upper_bound(window.newest));
  }
  computed_.push_back(made);
  handlers_.computed(made);
  return ok();
}

// Sends the planes of computed volumes, if there is a receiver.
Result<std::vector<TakenPlane>> WindowRun::pull_what_is_written() {
  std::vector<TakenPlane> taken;
  const bool wanted = handlers_.wants_planes();
  for (const auto& [id, node] : graph_.nodes) {
    const NodeType* type = Registry::all().find(node.type);
    if (type == nullptr || !type->is_output || node.use != NodeUse::active) continue;
    TL_TRY(const Infos inputs, executor_.input_infos(graph_, id));
    for (const Link& link : graph_.links) {
      if (link.to_node != id || inputs.count(link.to_port) == 0) continue;
      std::optional<Region> region;
      if (type->reads && link.to_port == type->inputs.front().name) {
        TL_TRY(region, type->reads(make_params(*type, node.params).get(), inputs));
      }
      TL_TRY(const Value value, executor_.pull(graph_, link.from_node, link.from_port, region));
      auto plane = wanted ? middle_plane({link.from_node, link.from_port}, value) : std::nullopt;
      if (plane) taken.push_back(std::move(*plane));
    }
  }
  return taken;
}

Result<void> WindowRun::give_planes(const ComputedWindow& window, const std::vector<TakenPlane>& taken) {
  std::vector<NamedPlane> planes;
  if (how_.planes.empty()) {
    planes = named_planes(taken);
  } else {
    TL_TRY(planes, chosen_planes(executor_, graph_, how_.planes, taken));
  }
  for (const NamedPlane& plane : planes) handlers_.plane(window, plane);
  return ok();
}

void WindowRun::add_settings(ComputedWindow& window) {
  if (measures_) add_found(graph_, Registry::all(), executor_.look(graph_), window);
  if (follower_ && follower_->has_values()) add_learned(graph_, follower_->settings().targets, window);
}

void WindowRun::follow(const stream::Window& window) {
  learn::Hooks hooks;
  hooks.command = [this] { return has_ended() ? learn::LearnCommand::finish : learn::LearnCommand::go_on; };
  handlers_.followed(follower_->learn(executor_, Registry::all(), drawn_, window, std::move(hooks)));
}

bool WindowRun::has_ended() {
  const std::lock_guard lock(mutex_);
  return ended_;
}

Result<RunReport> WindowRun::write() {
  if (computed_.empty())
    return invalid("no window was complete, so there is nothing to write", {},
                   "A window needs all of its views, and flats before them");
  return run_batch(executor_, graph_, Registry::all());
}

}  // namespace tl
