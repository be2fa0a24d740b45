// EventSink: the interface through which running work reports progress, metrics and messages.
#pragma once

#include <cstdint>
#include <string_view>

namespace tl {

enum class LogLevel { debug, info, warning, error };

// Called on the compute thread; an implementation that displays events must pass them to its own thread.
class EventSink {
 public:
  virtual ~EventSink() = default;
  // A node begins to compute a region; node_progress follows when it is done.
  virtual void node_started(std::string_view /*node*/) {}
  // A node finished a region: `done` elements so far, of `total` (0 = not known).
  virtual void node_progress(std::string_view /*node*/, int64_t /*done*/, int64_t /*total*/) {}
  // Progress of the whole run: `done` of `total` blocks over all sections; 0 before the first block.
  virtual void run_progress(int64_t /*done*/, int64_t /*total*/) {}
  // A named number for live plots (loss, parameter value) at step `index`.
  virtual void metric(std::string_view /*node*/, std::string_view /*name*/, int64_t /*index*/, double /*value*/) {}
  virtual void message(LogLevel /*level*/, std::string_view /*node*/, std::string_view /*text*/) {}
};

}  // namespace tl
