// Laws of networks as rows of the verification table.
#pragma once

#include "core/base/cancel.h"
#include "gpu/verify/verify.h"

namespace tl::net {

// N1: gradients by autograd against central differences in double, for weights and input of every architecture that is
// small enough. N2: the middle of a picture from a tile with its surroundings equals that of the whole. N3: a
// classifier of windows and its conversion give the same at every pixel.
CheckTable verify_networks(VerifySize size, const CancelToken& cancel = {});

}  // namespace tl::net
