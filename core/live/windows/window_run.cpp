// Takes the newest window, gives its outputs to the executor, and computes what the output nodes would write.
#include "core/live/windows/window_run.h"

#include <algorithm>
#include <chrono>
#include <utility>

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

Result<std::unique_ptr<WindowRun>> WindowRun::begin(Graph graph, RunOptions options, stream::WindowChoice choice,
                                                    Handlers handlers) {
  if (choice.length < 2 || choice.hop < 1 || choice.hop > choice.length)
    return invalid("windows of " + std::to_string(choice.length) + " views every " + std::to_string(choice.hop), "hop",
                   "A window has two views or more, and the next one begins within it");
  TL_TRY(const std::string load, Arrivals::load_node(graph, Registry::all()));
  (void)load;
  if (const auto wrong = problems(graph, Registry::all()); !wrong.empty()) return wrong.front().error;
  return std::unique_ptr<WindowRun>(new WindowRun(std::move(graph), std::move(options), choice, std::move(handlers)));
}

WindowRun::WindowRun(Graph graph, RunOptions options, stream::WindowChoice choice, Handlers handlers)
    : graph_(std::move(graph)),
      handlers_(std::move(handlers)),
      needs_(Arrivals::needs_flats(graph_, Registry::all()) ? stream::Windows::NeedsFlats::yes
                                                            : stream::Windows::NeedsFlats::no),
      measures_(std::any_of(graph_.nodes.begin(), graph_.nodes.end(),
                            [](const auto& node) {
                              const NodeType* type = Registry::all().find(node.second.type);
                              return type != nullptr && type->measure;
                            })),
      cancel_(options.cancel),
      windows_(choice),
      executor_(Registry::all(), std::move(options)),
      thread_([this] { compute_windows(); }) {}

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
      // A cancelled run gets no frames: look now and then.
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
    }
    if (windows_.waits_for_flats() && !std::exchange(said, true)) handlers_.waits_for_flats();
    if (ended) return;
  }
}

Result<void> WindowRun::compute(const stream::Window& window) {
  ComputedWindow made;
  made.index = window.index;
  for (const stream::Window::View& view : window.views) made.views.push_back(*view.frame->number);
  made.lost = window.lost;
  made.time = window.newest;
  TL_TRY(GivenOutputs given, arrivals_.outputs(executor_, graph_, window));
  executor_.give(std::move(given));
  made.prepared = now() - window.newest;
  TL_TRY(pull_what_is_written(made));
  made.shown = now() - window.newest;
  if (measures_) made.found = found_values();
  views_filtered_ = count_filtered(executor_);
  {
    const std::lock_guard lock(mutex_);
    if (const auto last = written_.find(window.newest); last != written_.end()) stored_.push_back(last->second);
    written_.erase(written_.begin(), written_.upper_bound(window.newest));
  }
  computed_.push_back(made);
  handlers_.computed(made);
  return ok();
}

// Of a volume, the slices that an output node reads.
Result<void> WindowRun::pull_what_is_written(const ComputedWindow& window) {
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
      handlers_.pulled(window, {link.from_node, link.from_port}, value);
    }
  }
  return ok();
}

std::map<std::string, double> WindowRun::found_values() {
  std::map<std::string, double> found;
  for (const auto& [node, state] : executor_.look(graph_)) {
    if (!state.findings) continue;
    for (const auto& [name, value] : state.findings->values) {
      const auto* number = std::get_if<Scalar>(&value);
      if (number == nullptr || !number->value.defined()) continue;
      const std::string unit(symbol(number->unit));
      found[node + "." + name + (unit.empty() ? unit : " [" + unit + "]")] =
          from_stored(number->value.item<double>(), number->unit);
    }
  }
  return found;
}

Result<RunReport> WindowRun::write() {
  if (computed_.empty())
    return invalid("no window was complete, so there is nothing to write", {},
                   "A window needs all of its views, and flats before them");
  return run_batch(executor_, graph_, Registry::all());
}

}  // namespace tl
