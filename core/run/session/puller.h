// Puller: the value of an output on a region: given, stored, cached, or computed by its node from pulled inputs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/run/common/run_options.h"
#include "core/run/session/evaluation.h"
#include "core/run/session/findings_cache.h"
#include "core/run/session/node_runner.h"
#include "core/run/session/placement.h"
#include "core/run/session/planning_context.h"
#include "core/run/session/result_cache.h"
#include "core/run/session/value_source.h"

namespace tl {

// Which results are cached: all (live views), or only those consumed by several nodes (batch).
enum class CachedOutputs { all, shared };

// Runs reducing nodes over all blocks of their inputs.
class Reducer {
 public:
  virtual ~Reducer() = default;
  // From the cache, if it was already reduced.
  virtual Result<Findings> reduced(const std::string& node, const ResolvedNode& r) = 0;
};

class Puller final : public ValueSource {
 public:
  Puller(const PlanningContext& planning, NodeRunner& runner, Placement& placement, FindingsCache& findings,
         Reducer& reducer, CachedOutputs keep);

  // With Samples::counts: raw uint16 if the node supplies it and the value is neither cached nor consumed twice;
  // otherwise floats. With Samples::floats always floats.
  Result<Value> pull(const std::string& node, const std::string& port, const Region& region, Samples samples);
  // Pulls a region that may exceed the budget in pieces, which are moved to `device` and joined there.
  Result<Value> pull_in_blocks(const std::string& node, const std::string& port, const Region& region,
                               const std::string& device = "cpu", Samples samples = Samples::floats);
  // Pulls regions as one evaluation and moves the values to `device`; all of them are inputs of one consumer.
  // Meanwhile, sources may read the parts of their files for the requests in `next`.
  Result<std::vector<Value>> evaluate(const std::vector<RegionRequest>& requests, const std::string& device,
                                      const std::vector<RegionRequest>& next = {});
  Result<Value> evaluate(const RegionRequest& request, const std::string& device,
                         const std::vector<RegionRequest>& next = {});
  // ValueSource
  Result<Value> pull(const std::string& node, const std::string& port, const Region& region) override;
  Result<std::optional<Value>> known(const std::string& node, const std::string& port, const Region& region) override;
  Result<void> pull_inputs(const std::string& node, const Regions& needed, NodeRun& run) override;
  Result<void> pull_pieces(const std::string& node, const ResolvedNode& r, const std::string& port,
                           const Region& region, NodeRun& run, const std::function<Result<void>()>& take) override;

 private:
  [[nodiscard]] Result<std::optional<Value>> given(const std::string& node, const std::string& port,
                                                   const Region& region, Samples samples) const;
  Result<void> pull_inputs(const std::string& node, const Regions& needed, NodeRun& run, Samples samples);
  Result<Value> pull_to(const RegionRequest& request, const std::string& device, Samples samples);
  Result<Value> pull_in_evaluation(const ResolvedNode& r, const RegionRequest& request, Samples samples);
  Result<Value> computed_or_kept(const ResolvedNode& r, const RegionRequest& request, Samples samples);
  Result<Value> compute(const ResolvedNode& r, const RegionRequest& request, Samples samples);
  [[nodiscard]] std::optional<Region> next_from_files(const RegionRequest& request) const;
  Result<bool> is_made_view_by_view(const std::string& node, const ScanRegion& view);
  Result<Value> pull_view_subset(const std::string& node, const std::string& port, const ScanRegion& region,
                                 int64_t every, const std::string& device);

  const PlanningContext& planning_;
  SessionContext& session_;
  Resolver& resolver_;
  NodeRunner& runner_;
  Placement& placement_;
  FindingsCache& findings_;
  Reducer& reducer_;
  ResultCache results_;
  CachedOutputs keep_;
  bool batch_;
  std::vector<Evaluation> evaluations_;  // the last one is current
};

}  // namespace tl
