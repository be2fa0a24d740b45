// Rates: computing time of each node type, learned from the work done in this process.
#pragma once

#include <deque>
#include <map>
#include <string>

#include "core/run/executor.h"

namespace tl::live {

// The time of a node is modelled as a sum of three parts: per call, per number read, per number computed. A
// reconstruction filters what it reads and back-projects into what it computes, so that planes along and across the
// axis differ in time per voxel by orders of magnitude; for a source, reading one row of all views may take as long as
// reading all rows. One thread at a time.
class Rates {
 public:
  enum class News { none, some };
  // Adds the work that the executor did since the last call.
  News learn(const Executor& executor, const Registry& registry, const Graph& graph);
  // Learns rates from a run that has ended, in any executor.
  News learn(const RunReport& run, const Registry& registry, const Graph& graph);
  // Adds a measurement of a node type, such as that of one image.
  void add(const std::string& type, const NodeWork& work);
  // Estimated time of some work [s]; below 0 = not known: this type has not computed anything.
  [[nodiscard]] double seconds(const std::string& type, const NodeWork& work) const;
  // Duration of this type's latest measurement run [s]; below 0 = it has not measured.
  [[nodiscard]] double measuring(const std::string& type) const;

 private:
  struct Samples {
    std::deque<NodeWork> newest_last;
    int64_t added = 0;
  };
  News learn(const std::map<std::string, NodeStats>& stats, const Registry& registry, const Graph& graph);
  std::map<std::string, NodeStats> last_stats_;  // by node
  std::map<std::string, Samples> samples_;       // by type
  std::map<std::string, double> measuring_;      // by type
};

}  // namespace tl::live
