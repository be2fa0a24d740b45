// Monitor: converts the executor's events to states, progress and messages, and serves urgent requests between blocks
// of a run.
#pragma once

#include <chrono>
#include <functional>
#include <set>
#include <string>

#include "core/base/events.h"
#include "core/live/states.h"
#include "core/run/common/progress.h"

namespace tl::live {

// Compute thread only.
class Monitor final : public EventSink {
 public:
  struct Wiring {
    Listener& listener;
    States& states;
    std::function<void()> between;                       // serves urgent requests; empty: none
    std::function<std::string(std::string_view)> title;  // title of a node
  };
  // Which events are forwarded: quiet = none; pictures = nodes only after 0.2 s; runs = all.
  enum class Detail { quiet, pictures, runs };
  Monitor(Wiring wiring, Detail detail) : wiring_(std::move(wiring)), detail_(detail) {}

  void node_started(std::string_view node) override;
  void node_progress(std::string_view node, int64_t done, int64_t total) override;
  void run_progress(int64_t done, int64_t total) override;
  void metric(std::string_view node, std::string_view name, int64_t index, double value) override;
  void message(LogLevel level, std::string_view node, std::string_view text) override;

  [[nodiscard]] bool computed() const { return started_ > 0; }
  [[nodiscard]] const std::set<std::string, std::less<>>& busy() const { return busy_; }  // nodes shown as running
  [[nodiscard]] double seconds() const;

 private:
  void show_running();
  void report_run();
  Wiring wiring_;
  Detail detail_;
  ProgressEstimate estimate_;
  std::set<std::string, std::less<>> busy_;
  std::string doing_;
  ProgressEstimate steps_;  // iterations of the running node
  std::string stepping_;
  int64_t steps_done_ = 0;
  double steps_begin_ = 0, steps_seconds_ = 0;  // start time of the running node, and time of its last step [s]
  std::string unshown_;                         // the node started last, if it is not shown as running
  int64_t started_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point reported_{};
};

}  // namespace tl::live
