// Turns a classifier of windows into a network for all pixels at once.
#pragma once

#include "core/net/network.h"

namespace tl::net {

// The network that gives at every pixel what `window` gives for the window there (SW to SK; Tschopp, arXiv 1509.03371).
// d begins at 1; convolutions take the dilation d; poolings take it too and stride 1, then d grows by their stride; the
// first inner product becomes a convolution as large as its map, with dilation d, then d is 1; later ones become
// convolutions of one pixel. Tensors, if there are any, go over. Errors: invalid: layers that have no such form, no
// inner product behind the last pooling.
Result<Network> fully_convolutional(const Network& window);

}  // namespace tl::net
