// PlanRunner: runs plans: stores intermediate results block by block, and feeds blocks to reducing nodes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/run/common/plan.h"
#include "core/run/session/findings_cache.h"
#include "core/run/session/node_runner.h"
#include "core/run/session/placement.h"
#include "core/run/session/planning_context.h"
#include "core/run/session/puller.h"
#include "core/run/session/run_outputs.h"

namespace tl {

// Parts of a plan runner, in addition to the parts for planning.
struct PlanRunnerParts {
  NodeRunner& runner;
  Placement& placement;
  FindingsCache& findings;
  StoredResults& stored;
  Puller& puller;
  const RunOutputs& outputs;
};

class PlanRunner final : public Reducer {
 public:
  PlanRunner(const PlanningContext& planning, const PlanRunnerParts& parts);

  // Runs a plan that ends in a reducing node. Progress counts the blocks of all plans.
  Result<Findings> run(const Plan& plan);

  // Reducer
  Result<Findings> reduced(const std::string& node, const ResolvedNode& r) override;

 private:
  Result<void> store(const Section& section);
  Result<Findings> reduce(const Section& section);
  Result<void> accumulate(const ResolvedNode& r, void* state, NodeRun& run, const Region* next);

  const PlanningContext& planning_;
  PlanRunnerParts parts_;
  SessionContext& session_;
  int64_t blocks_done_ = 0, blocks_total_ = 0;
};

}  // namespace tl
