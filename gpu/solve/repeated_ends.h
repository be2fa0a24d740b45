// Volumes that continue beyond their first and last slice: an operator applied to the volume with a copy of each.
#pragma once

#include "gpu/operator/linear_operator.h"

namespace tl::solve {

// A P, where P adds a copy of the first slice before a volume [z, y, x], and one of the last after it; `op` is A, for z
// + 2 slices. A projector interpolates between the centres of slices, so that rays beyond the outermost centres, but
// inside the outermost voxels, would lose a part of their value. Follows the view vectors of `op`.
OperatorPtr with_repeated_ends(OperatorPtr op);

}  // namespace tl::solve
