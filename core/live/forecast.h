// Forecast: time and memory of a whole run before it starts, from the speed of its nodes so far in this process.
#pragma once

#include <map>
#include <string>

#include "core/live/notification.h"
#include "core/run/executor.h"

namespace tl::live {

// Seconds per voxel of every node type that has run. Compute thread only.
class Rates {
 public:
  enum class News { none, first_speed };
  // Adds the work that the executor did since the last call. first_speed: the speed of some type is known now that was
  // not before.
  News learn(const Executor& executor, const Registry& registry, const Graph& graph);
  // Estimated seconds for a number of voxels; below 0 = not known: this type never ran, or once if it measures.
  [[nodiscard]] double seconds(const std::string& type, int64_t voxels) const;
  // Whether this type has run at all: a node that measures then has its measurement, which a run does not repeat.
  [[nodiscard]] bool has_run(const std::string& type) const;

 private:
  struct Pace {
    double seconds = 0, voxels = 0;
    bool known = false;
    void add(double more_seconds, double more_voxels);
    void add_measuring(double more_seconds, double more_voxels);
  };
  std::map<std::string, NodeStats> seen_;  // by node
  std::map<std::string, Pace> pace_;       // by type
};

Forecast make_forecast(Executor& executor, const Registry& registry, const Graph& graph,
                       const std::map<std::string, NodeInspection>& looks, const Rates& rates);

}  // namespace tl::live
