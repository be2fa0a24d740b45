// Reports progress of images and runs, from the executor's events.
#include "core/live/monitor.h"

#include <utility>

namespace tl::live {
namespace {

// A faster image does not set nodes to running: they would flicker while a slider is dragged.
constexpr double unnoticed = 0.2;  // [s]
constexpr std::chrono::milliseconds between_reports{50};

}  // namespace

double Monitor::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Monitor::node_started(std::string_view node) {
  ++started_;
  stepping_.clear();
  steps_seconds_ = seconds();
  doing_ = wiring_.title(node);
  unshown_ = node;
  show_running();
  if (detail_ == Detail::runs) report_run();
}

// Shows the node started last as running, once the work has taken long enough.
void Monitor::show_running() {
  if (unshown_.empty() || detail_ == Detail::quiet || (detail_ == Detail::pictures && seconds() < unnoticed)) return;
  wiring_.states.run(unshown_, detail_ == Detail::runs ? estimate_.fraction() : -1, estimate_.seconds_left());
  busy_.insert(std::exchange(unshown_, {}));
}

// Iterations of a node count as a percentage of an image, and as a part of the block of a run.
void Monitor::node_progress(std::string_view node, int64_t done, int64_t total) {
  show_running();
  if (total > 0) {
    if (std::exchange(stepping_, node) != node || done < steps_done_) {
      steps_ = {};
      steps_begin_ = steps_seconds_;
    }
    steps_done_ = done;
    steps_seconds_ = seconds();
    steps_.update(done, total, steps_seconds_ - steps_begin_);
    estimate_.update_block(done, total, steps_seconds_);
    const ProgressEstimate& shown = detail_ == Detail::runs ? estimate_ : steps_;
    if (const auto busy = busy_.find(node); busy != busy_.end())
      wiring_.states.run(*busy, shown.fraction(), shown.seconds_left());
    if (detail_ == Detail::runs) report_run();
  }
  if (wiring_.between) wiring_.between();
}

void Monitor::run_progress(int64_t done, int64_t total) {
  estimate_.update(done, total, seconds());
  show_running();
  for (const std::string& id : busy_) wiring_.states.run(id, estimate_.fraction(), estimate_.seconds_left());
  if (detail_ == Detail::runs) report_run();
  if (wiring_.between) wiring_.between();
}

void Monitor::report_run() {
  const auto now = std::chrono::steady_clock::now();
  if (now - reported_ < between_reports) return;
  reported_ = now;
  wiring_.listener.notify(RunProgress{true, estimate_.fraction(), seconds(), estimate_.seconds_left(), doing_});
}

void Monitor::metric(std::string_view node, std::string_view name, int64_t index, double value) {
  if (detail_ != Detail::quiet) wiring_.listener.notify(Metric{std::string(node), std::string(name), index, value});
  if (wiring_.between) wiring_.between();
}

void Monitor::message(LogLevel level, std::string_view node, std::string_view text) {
  if (detail_ == Detail::quiet) return;
  wiring_.listener.notify(Message{level, std::string(node), std::string(text)});
}

}  // namespace tl::live
