// The effect of a node as a picture: a small simulated scan goes through it, before and after side by side.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

#include "core/run/executor.h"

namespace tl {

// Whether the node has an effect to show: it takes or gives projections or a volume and writes no files.
bool has_picture(const NodeType& type);

// Grey values 0 to 1 [row, col], row 0 at the top. The scan has noise, stripes, zingers and dead pixels; the node has
// the settings of its declaration's example() on top of its defaults. Sinograms of the middle row where the node works
// on rows, else the first view; middle slices of volumes; tables as curves of their second column over the first.
// Nothing if before and after are the same: a node that sets numbers and leaves the pixels alone.
// Errors: the node accepts none of the sources that the picture can offer.
Result<std::optional<at::Tensor>> node_picture(const Registry& registry, const NodeType& type,
                                               const RunOptions& options);

}  // namespace tl
