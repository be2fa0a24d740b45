// Shows windows of a stream on the compute thread, and learns values that are followed.
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "core/base/wording.h"
#include "core/learn/learning.h"
#include "core/live/guarded.h"
#include "core/live/learning_news.h"
#include "core/live/windows/arrivals.h"
#include "core/live/windows/follower.h"
#include "core/live/windows/window_settings.h"
#include "core/live/worker.h"

namespace tl::live {

Picture::Window Worker::shown_window() const {
  if (!window_) return {};
  const auto views = static_cast<double>(std::ssize(window_->views) + window_->lost);
  return {window_->index, views > 0 ? static_cast<double>(window_->lost) / views : 0, window_->newest};
}

void Worker::show_drawn() {
  Graph shown = target_values_ ? learn::with_values(drawn_, *target_values_)
                : follower_    ? follower_->values_in(drawn_)
                               : drawn_;
  // Settings of leading nodes may have changed.
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
  arrivals_->set_learned(follower_ ? follower_->nodes() : std::set<std::string>());
  TL_TRY(GivenOutputs given, arrivals_->outputs(executor_, graph, *window_));
  executor_.give(std::move(given));
  return ok();
}

// Called when all images of the previous window were sent: learning on that window then delays no image.
void Worker::take_window(const WindowJob& job) {
  if (window_ && !window_is_known_) report_window(executor_.look(graph_));
  if (!job.window || job.is_first) {
    window_.reset();
    executor_.give({});
    arrivals_ = std::make_unique<Arrivals>(ArrivalOptions{true});
    window_error_.clear();
    window_announced_ = false;
    if (follower_) follower_->forget_values();
  }
  if (!job.window) {
    follower_.reset();
    return show_drawn();
  }
  if (window_ && follower_ && follower_->is_due()) follow_window();
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
    // An error that is the same for every window is reported once, until the pipeline changes.
    if (given.error().kind != ErrorKind::cancelled && std::exchange(window_error_, why) != why)
      listener_.notify(Message{LogLevel::error, {}, "A live window is not shown: " + why});
    window_announced_ = false;
    return check(Graph(graph_), Announce::if_regions_differ);
  }
  window_error_.clear();
  states_.begin_window();
  check(Graph(graph_), std::exchange(window_announced_, true) ? Announce::if_regions_differ : Announce::always);
  report_window(looks_);
}

void Worker::report_window(const std::map<std::string, NodeInspection>& looks) {
  ComputedWindow shown;
  shown.index = window_->index;
  shown.scan = window_->views.front().frame->scan;
  for (const stream::Window::View& view : window_->views)
    if (view.frame->number) shown.views.push_back(*view.frame->number);
  shown.lost = window_->lost;
  shown.time = window_->newest;
  const Result<void> found = guarded([&]() -> Result<void> {
    add_found(graph_, registry_, looks, shown);
    return ok();
  });
  if (follower_ && follower_->has_values()) add_learned(graph_, follower_->settings().targets, shown);
  window_is_known_ =
      !found.ok() || std::all_of(looks.begin(), looks.end(), [](const auto& look) { return look.second.complete; });
  listener_.notify(WindowShown{std::move(shown)});
}

void Worker::take_follow(const FollowJob& job) {
  const std::unique_ptr<Follower> before = std::move(follower_);
  if (job.settings) follower_ = std::make_unique<Follower>(*job.settings);
  if (before && follower_) follower_->take_values(*before);
  const bool had_values = before && before->has_values();
  // The window is given again, without the nodes that are learned.
  if ((had_values && !follower_) || (follower_ && window_)) show_drawn();
}

// The images of the window are computed again.
void Worker::measure_again() {
  if (!window_) return;
  arrivals_->measure_again();
  window_is_known_ = false;
  show_drawn();
}

void Worker::follow_window() {
  const Requests::Guard guard(requests_, FollowJob{std::make_shared<const learn::Settings>(follower_->settings())});
  Monitor monitor(wiring(Interleaving::in_between), Monitor::Detail::quiet);
  FollowEnd end = [&] {
    const ScopedCallOptions use(executor_, call(guard, monitor, Interleaving::alone));
    return follower_->learn(executor_, registry_, drawn_, *window_);
  }();
  for (const std::string& id : monitor.busy()) states_.end(id);
  if (!end.error) graph_ = follower_->values_in(drawn_);
  listener_.notify(learning_news(std::move(end)));
}

}  // namespace tl::live
