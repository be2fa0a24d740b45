// The uncorrected slice: the picture before the corrections of a pipeline.
#pragma once

#include "core/base/cancel.h"
#include "core/graph/graph.h"
#include "core/picture/image.h"

namespace tl::history {

// The middle slice of the reconstruction without corrections (but the flat field), alignment, phase retrieval and
// filters. Computed on the CPU: not for a GUI thread. `graph` has absolute inputs.
// Errors: unavailable without a reconstruction, and those of the nodes.
Result<picture::Image> slice_before(const Graph& graph, const Registry& registry, const CancelToken& cancel = {});

}  // namespace tl::history
