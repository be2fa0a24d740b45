// The effect of a node as an image: a small simulated scan before and after the node, side by side.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

#include "core/run/executor.h"

namespace tl {

// Whether the node has an effect to show: it gives projections, a volume, labels or a table, and neither writes files
// nor makes everything of one. Objectives score what they read; they show nothing.
bool has_picture(const NodeType& type);

// Grey values 0 to 1 [row, col], row 0 at the top. The scan has noise, stripes, zingers and dead pixels, for nodes of
// labels several objects and noise alone; the node has its defaults, overridden by its declaration's example(); labels
// are those of a threshold, and their numbers are shades. Shown are sinograms of the middle row if the node works on
// rows, else the first view; the middle slice of a volume or of labels; a table as the curve of its second column over
// the first. Nothing if before and after are the same (the node changes no pixels), for labels that are all
// the same (nothing is painted yet), or for a table of one row or a level curve. Errors:
// the node accepts none of the simulated sources.
Result<std::optional<at::Tensor>> node_picture(const Registry& registry, const NodeType& type,
                                               const RunOptions& options);

}  // namespace tl
