// Planning: sections and blocks of a run from the memory budget, before anything is computed.
#pragma once

#include <string>
#include <vector>

#include "core/run/common/plan.h"
#include "core/run/session/evaluation.h"
#include "core/run/session/planning_context.h"

namespace tl {

// Sections and blocks for a reducing node or an output node. An error if the smallest block does not fit.
Result<Plan> make_plan(const PlanningContext& context, const std::string& node);
// The regions that a measuring node reads, as a separate section. An error if they exceed the budget.
Result<Section> measurement_section(const PlanningContext& context, const std::string& node);
// Cuts a region into pieces whose peaks fit the budget; they will be joined on `device`. `current`: the evaluation that
// contains the request; its peaks are not computed again. May be nullptr.
Result<std::vector<Region>> pieces_within(const PlanningContext& context, const RegionRequest& request,
                                          const std::string& device, const Evaluation* current);
// Cuts the input of measuring node `r` into pieces that fit the budget, including its own work on each: it processes
// one after the other.
Result<std::vector<Region>> pieces_to_measure(const PlanningContext& context, const std::string& node,
                                              const ResolvedNode& r, const std::string& port, const Region& region);

}  // namespace tl
