// Monitor: what the executor tells while it works, turned into states, progress and messages; between blocks of a run
// it lets urgent requests through.
#pragma once

#include <chrono>
#include <functional>
#include <set>
#include <string>

#include "core/base/events.h"
#include "core/live/states.h"
#include "core/run/progress.h"

namespace tl::live {

// Compute thread only.
class Monitor final : public EventSink {
 public:
  struct Wiring {
    Listener& listener;
    States& states;
    std::function<void()> between;                       // may be empty: nothing is let through
    std::function<std::string(std::string_view)> title;  // of a node
  };
  // Pictures tell of a node only when it takes a while; what is quiet tells nothing.
  enum class Detail { quiet, pictures, runs };
  Monitor(Wiring wiring, Detail detail) : wiring_(std::move(wiring)), detail_(detail) {}

  void node_started(std::string_view node) override;
  void node_progress(std::string_view node, int64_t done, int64_t total) override;
  void run_progress(int64_t done, int64_t total) override;
  void metric(std::string_view node, std::string_view name, int64_t index, double value) override;
  void message(LogLevel level, std::string_view node, std::string_view text) override;

  [[nodiscard]] bool computed() const { return started_ > 0; }
  [[nodiscard]] const std::set<std::string>& busy() const { return busy_; }  // shown as running
  [[nodiscard]] double seconds() const;

 private:
  void tell_run();
  Wiring wiring_;
  Detail detail_;
  ProgressEstimate estimate_;
  std::set<std::string> busy_;
  std::string doing_;
  int64_t started_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point told_{};
};

}  // namespace tl::live
