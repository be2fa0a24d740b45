// The effect of a node as an image: a small simulated scan before and after the node, side by side.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

#include "core/run/executor.h"

namespace tl {

// Whether the node has a visible effect: it outputs projections, a volume, labels or a table, neither writes files nor
// makes everything from one input. Objectives only score their input; they show nothing.
bool has_picture(const NodeType& type);

// Grey values 0 to 1 [row, col], row 0 at the top. The scan has noise, stripes, zingers and dead pixels; for nodes of
// labels several objects and only noise; the node has its defaults, overridden by its declaration's example(); labels
// come from a threshold, and their numbers are shown as grey values. Shown are sinograms of the middle row if the node
// works on rows, else the first view; the middle slice of a volume or of labels; a table as the curve of its second
// column over the first. Nothing if before and after are equal (the node changes no pixels), for labels that are all
// equal (nothing is painted yet), or for a table of one row or a constant curve. Errors: the node accepts none of the
// simulated sources.
Result<std::optional<at::Tensor>> node_picture(const Registry& registry, const NodeType& type,
                                               const RunOptions& options);

}  // namespace tl
