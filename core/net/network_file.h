// Networks as models, and so as safetensors files (core/io/model).
#pragma once

#include <filesystem>
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
// arrays are ignored. Errors as network_of().
Result<Network> with_tensors(Network network, const Model& model, const std::string& where);

Result<Network> read_network(const std::filesystem::path& file);
// The graph alone; of the file only the header is read. Tensors are neither there nor checked.
Result<Network> read_graph(const std::filesystem::path& file);

}  // namespace tl::net
