// Amounts of work: what a node has to do for a region, and all nodes for a plan, known without computing anything.
#pragma once

#include <map>
#include <string>

#include "core/run/common/node_work.h"
#include "core/run/session/evaluation.h"
#include "core/run/session/resolved.h"

namespace tl {

class Session;

// For a region of an output, from the regions of its inputs that it needs; of each, one view in `view_step`.
NodeWork work_of(const ResolvedNode& r, const std::string& port, const Region& region, const Regions& needed,
                 int64_t view_step);
// For a block of a reducing node.
NodeWork work_of_block(const Region& block);

// By node, for a region of an output and for a plan: everything upstream that is not cached. Measurements are left out.
Result<std::map<std::string, NodeWork>> planned_work(Session& session, const RegionRequest& request);
Result<std::map<std::string, NodeWork>> planned_work(Session& session, const Plan& plan);

}  // namespace tl
