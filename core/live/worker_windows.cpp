// Shows windows of a stream on the compute thread, and learns values that follow them.
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "core/base/wording.h"
#include "core/learn/learner/learner.h"
#include "core/learn/learning.h"
#include "core/live/guarded.h"
#include "core/live/learning_news.h"
#include "core/live/windows/arrivals.h"
#include "core/live/worker.h"

namespace tl::live {
namespace {

// After learning on a window for a time, nothing is learned for this many times as long: a fifth of the time at most.
constexpr double pause_after_follow = 4;
constexpr int64_t iterations_of_follow = 12;

}  // namespace

Picture::Window Worker::shown_window() const {
  if (!window_) return {};
  const auto views = static_cast<double>(std::ssize(window_->views) + window_->lost);
  return {window_->index, views > 0 ? static_cast<double>(window_->lost) / views : 0, window_->newest};
}

void Worker::show_drawn() {
  Graph shown = target_values_ ? learn::with_values(drawn_, *target_values_)
                : followed_    ? learn::with_values(drawn_, *followed_)
                               : drawn_;
  // Settings of the nodes that were given may have changed.
  if (window_) {
    const Result<void> given = guarded([&] { return give_window(shown); });
    if (!given.ok()) {
      executor_.give({});
      window_.reset();
    }
  }
  check(shown);
}

Result<void> Worker::give_window(const Graph& graph) {
  std::set<std::string> learned;
  if (follow_)
    for (const learn::Target& target : follow_->targets) learned.insert(target.node);
  arrivals_->set_learned(std::move(learned));
  TL_TRY(GivenOutputs given, arrivals_->outputs(executor_, graph, *window_));
  executor_.give(std::move(given));
  return ok();
}

// Taken when all images of the window before were sent: what is learned on that one delays no image.
void Worker::take_window(const WindowJob& job) {
  if (!job.window || job.is_first) {
    window_.reset();
    executor_.give({});
    arrivals_ = std::make_unique<Arrivals>(ArrivalOptions{true});
    window_error_.clear();
    window_announced_ = false;
    followed_.reset();
  }
  if (!job.window) {
    follow_.reset();
    return show_drawn();
  }
  if (window_ && follow_) follow_window();
  window_ = job.window;
  const Requests::Guard guard(requests_, job);
  Monitor monitor(wiring(Interleaving::in_between), Monitor::Detail::quiet);
  const Result<void> given = [&] {
    const ScopedCallOptions use(executor_, call(guard, monitor, Interleaving::alone));
    return guarded([&] { return give_window(graph_); });
  }();
  for (const std::string& id : monitor.busy()) states_.end(id);
  if (!given.ok()) {
    executor_.give({});
    window_.reset();
    const std::string why = message_for(FrontEnd::window, given.error());
    // The same for every window, until the pipeline changes.
    if (given.error().kind != ErrorKind::cancelled && std::exchange(window_error_, why) != why)
      listener_.notify(Message{LogLevel::error, {}, "A live window is not shown: " + why});
    window_announced_ = false;
    return check(Graph(graph_), Announce::if_regions_differ);
  }
  window_error_.clear();
  states_.begin_window();
  check(Graph(graph_), std::exchange(window_announced_, true) ? Announce::if_regions_differ : Announce::always);
}

void Worker::take_follow(const FollowJob& job) {
  follow_ = job.settings;
  follow_due_ = {};
  const bool had_values = !follow_ && std::exchange(followed_, std::nullopt);
  // A window that was given before is given anew, without the nodes that are learned.
  if (had_values || (follow_ && window_)) show_drawn();
}

void Worker::follow_window() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  if (begin < follow_due_) return;
  learn::Settings settings = *follow_;
  // From the last value: no survey of what lies far away.
  if (followed_) {
    settings.survey = learn::Survey::none;
    settings.restarts = 0;
    settings.stop.iterations = std::min(settings.stop.iterations, iterations_of_follow);
  }
  FollowEnd end;
  end.window = window_->index;
  end.time = window_->newest;
  const Graph start = followed_ ? learn::with_values(drawn_, *followed_) : drawn_;
  const Requests::Guard guard(requests_, FollowJob{follow_});
  Monitor monitor(wiring(Interleaving::in_between), Monitor::Detail::quiet);
  const Result<learn::Learned> learned = [&] {
    const ScopedCallOptions use(executor_, call(guard, monitor, Interleaving::alone));
    return guarded([&] { return learn::learn(executor_, registry_, start, settings, {}); });
  }();
  const Clock::time_point now = Clock::now();
  end.seconds = std::chrono::duration<double>(now - begin).count();
  follow_due_ = now + std::chrono::duration_cast<Clock::duration>(pause_after_follow * (now - begin));
  for (const std::string& id : monitor.busy()) states_.end(id);
  if (!learned.ok()) {
    end.error = learned.error();
    return listener_.notify(learning_news(std::move(end)));
  }
  end.found = learned.value().found;
  followed_.emplace();
  for (const learn::Found& f : end.found) followed_->push_back(learn::value_of(f));
  graph_ = learn::with_values(drawn_, *followed_);
  listener_.notify(learning_news(std::move(end)));
}

}  // namespace tl::live
