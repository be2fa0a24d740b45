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
// The regions that a measuring node reads, as a section of its own. An error if the budget cannot hold it.
Result<Section> measurement_section(const PlanningContext& context, const std::string& node);
// Cuts a region into pieces whose peaks fit the budget; they are to be joined on `device`. `current`: the evaluation
// that the request is a part of; its peaks are not computed again. May be nullptr.
Result<std::vector<Region>> pieces_within(const PlanningContext& context, const RegionRequest& request,
                                          const std::string& device, const Evaluation* current);
// Cuts what node `r` measures into pieces that fit the budget, its own work on each included: it takes one after the
// other.
Result<std::vector<Region>> pieces_to_measure(const PlanningContext& context, const std::string& node,
                                              const ResolvedNode& r, const std::string& port, const Region& region);

}  // namespace tl
