// MemoryWalk: estimates the peak memory of an evaluation and finds repeated regions, before anything is computed.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/run/session/evaluation.h"
#include "core/run/session/planning_context.h"

namespace tl {

using PortKey = std::pair<std::string, std::string>;

// Bytes of a region of an output, the flats and darks of projections included.
int64_t value_bytes(const Info& info, const Region& region, int64_t element_size);
inline Memory memory_on(const std::string& device, int64_t bytes) {
  return device == "cpu" ? Memory{bytes, 0} : Memory{0, bytes};
}

// Visits each region of an output once, however many paths lead to it.
class MemoryWalk {
 public:
  explicit MemoryWalk(const PlanningContext& context)
      : context_(context), element_size_(context.session.element_size()) {}

  // Peak bytes while (node, port) is computed on a region, without shared values; adds the bytes requested to `demand`.
  Result<Memory> peak(const std::string& node, const std::string& port, const Region& region);
  // The peak for all inputs of a node, computed one after the other.
  Result<Memory> inputs_peak(const std::string& node, const Regions& needed);
  // Bytes of an output and its copy on another device while both exist.
  Result<Memory> while_moved(const std::string& node, const std::string& port, const Region& region,
                             const std::string& to);

  std::map<PortKey, int64_t> demand;  // bytes requested
  std::map<PortKey, bool> stored;     // planned to be stored
  Evaluation evaluation;

 private:
  [[nodiscard]] bool lies_on_host(const ResolvedNode& r, const std::string& node, const std::string& port) const;
  Result<Memory> first_peak(const std::string& node, const std::string& port, const Region& region);
  // Counts a region that is requested repeatedly as shared: it stays in memory.
  Result<void> share(const Hash& key, const std::string& node, const std::string& port, const Region& region);

  const PlanningContext& context_;
  int64_t element_size_;
};

// Peaks and repeated regions of an evaluation of these requests, which are all inputs of one consumer.
Result<Evaluation> estimate_evaluation(const PlanningContext& context, const std::vector<RegionRequest>& requests);
// Bytes of the regions of sources that can be read before an evaluation.
int64_t bytes_from_files(const PlanningContext& context, const Evaluation& evaluation);
// Peak bytes while a region is computed.
Result<Memory> region_peak(const PlanningContext& context, const std::string& node, const std::string& port,
                           const Region& region);

}  // namespace tl
