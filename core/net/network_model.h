// Networks as models: a description and named arrays, as stored in model files (core/io/model).
#pragma once

#include <string>

#include "core/net/network.h"
#include "core/values/values.h"

namespace tl::net {

// The description is defined in network_json.h; arrays are named by the layers.
Model model_of(const Network& network);

// Errors: invalid, with `where` and the tensor: another kind of model, a tensor that is missing, of another shape or
// type, or not finite.
Result<Network> network_of(const Model& model, const std::string& where);

// Fills a graph that has no tensors with those of a model of any origin, such as a state dict of msd_pytorch or
// torchvision: by their names, all of which may have one prefix ("module."); filters of one pixel may lack axes. Other
// arrays are treated by take_other_arrays() (state_dict.h). Errors as network_of(), and arrays that belong to no layer.
Result<Network> with_tensors(Network network, const Model& model, const std::string& where);

}  // namespace tl::net
