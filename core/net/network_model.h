// Networks as models: a description and named arrays, as model files keep them (core/io/model).
#pragma once

#include <string>

#include "core/net/network.h"
#include "core/values/values.h"

namespace tl::net {

// The description is that of network_json.h; arrays have the names that the layers give.
Model model_of(const Network& network);

// Errors: invalid, with `where` and the tensor: another kind of model, a tensor that is missing, of another shape or
// type, or not finite.
Result<Network> network_of(const Model& model, const std::string& where);

// Takes the tensors for a graph that has none yet from a model of any origin, such as a state dict of msd_pytorch or
// torchvision: by their names, all of which may have one prefix ("module."); filters of one pixel may lack axes. Other
// arrays as take_other_arrays() (state_dict.h). Errors as network_of(), and arrays that belong to no layer.
Result<Network> with_tensors(Network network, const Model& model, const std::string& where);

}  // namespace tl::net
