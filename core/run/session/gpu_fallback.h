// Reaction of a run if its GPU cannot be used, is out of memory or has failed: smaller blocks, then the CPU.
#pragma once

#include <exception>
#include <string>

#include "core/graph/graph.h"
#include "core/run/common/plan.h"
#include "core/run/common/run_resources.h"
#include "core/run/session/session.h"

namespace tl {

// For DeviceFallback::allow: computes on the CPU if no node of the graph supports the GPU.
void leave_unsupported_gpu(RunResources& resources, const Graph& graph);
// Whether the last error came from the GPU and the options allow to continue on the CPU.
bool may_fall_back_to_cpu(const RunResources& resources);
// Records a failure of the GPU, so that the call may be repeated, and returns its description.
Error gpu_error(RunResources& resources, const std::exception& error);
// Plans and runs an output node. If the GPU runs out of memory, blocks are halved up to three times; if that fails, the
// rest of the session runs on the CPU if the options allow it.
Result<Plan> run_output(Session& session, const std::string& node);

}  // namespace tl
