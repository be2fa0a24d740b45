// Turns a classifier of windows into a network for all pixels at once.
#pragma once

#include "core/net/network.h"

namespace tl::net {

// The network whose output at every pixel equals that of `window` for the window around it (SW to SK; Tschopp, arXiv
// 1509.03371). d begins at 1; convolutions get the dilation d; poolings too, with stride 1, and then d is multiplied by
// their stride; the first inner product becomes a convolution as large as its map, with dilation d, then d is 1; later
// ones become convolutions of one pixel. Tensors, if there are any, are copied. Errors: invalid: layers without such a
// form, no inner product after the last pooling.
Result<Network> fully_convolutional(const Network& window);

}  // namespace tl::net
