// Volumes that continue beyond their first and last slice: an operator that is given a copy of each.
#pragma once

#include "gpu/operator/linear_operator.h"

namespace tl::solve {

// A P, where P puts a copy of the first slice before a volume [z, y, x], and one of the last behind it; `op` is A, of
// z + 2 slices. A projector interpolates between the centres of slices, so that rays which pass beyond the outermost
// centres, but through the outermost voxels, would miss a part of their value. Follows the view vectors of `op`.
OperatorPtr with_repeated_ends(OperatorPtr op);

}  // namespace tl::solve
