// Verifies laws of networks, as rows of the verification table.
#pragma once

#include "core/base/cancel.h"
#include "gpu/verify/verify.h"

namespace tl::net {

// Gradients by autograd against central differences in double, of every architecture that is small enough; a part of an
// image from a tile with its surroundings against that part of the whole; a classifier of windows against the network
// for all pixels that it is converted to; published numbers of parameters and edges; the operator norm of a box, and
// the pairs that MALIS counts in the published chain of pixels.
CheckTable verify_networks(VerifySize size, const CancelToken& cancel = {});

}  // namespace tl::net
