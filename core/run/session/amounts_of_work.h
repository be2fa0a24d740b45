// Amounts of work: the work of a node for a region, and of all nodes for a plan, determined without computing.
#pragma once

#include <map>
#include <string>

#include "core/run/common/node_work.h"
#include "core/run/session/evaluation.h"
#include "core/run/session/resolved.h"

namespace tl {

class Session;

// Work for a region of an output, from the needed regions of its inputs; only every `view_step`-th view of them is
// used.
NodeWork work_of(const ResolvedNode& r, const std::string& port, const Region& region, const Regions& needed,
                 int64_t view_step);
// Work for a block of a reducing node.
NodeWork work_of_block(const Region& block);

// Work by node, for a region of an output and for a plan: everything upstream that is not cached. Measurements are left
// out.
Result<std::map<std::string, NodeWork>> planned_work(Session& session, const RegionRequest& request);
Result<std::map<std::string, NodeWork>> planned_work(Session& session, const Plan& plan);

}  // namespace tl
