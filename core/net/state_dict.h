// State dicts of other programs: arrays that correspond to no layer of the network.
#pragma once

#include <string>

#include "core/net/network.h"
#include "core/values/values.h"

namespace tl::net {

// Uses or refuses every array of `model` that is not a tensor of the network with `prefix` before its name.
// - `scale_in` and `scale_out` of msd_pytorch (`0` and `2` next to `1.` in its sequence of modules): the scaling of the
//   input, and a convolution of one pixel after the last layer, which is multiplied into its weights.
// - Integers (counters of batches and epochs), and torchvision's auxiliary head of a network that has none, change
//   nothing.
// Errors: invalid, naming the array: any other one; a scaling of the input that mixes channels or is not positive.
Result<void> take_other_arrays(Network& network, const Model& model, const std::string& prefix,
                               const std::string& where);

}  // namespace tl::net
