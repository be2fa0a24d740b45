// Networks as models, and so as safetensors files (core/io/model); as ONNX files by net/onnx.
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
// arrays as take_other_arrays() (state_dict.h). Errors as network_of(), and arrays that belong to no layer.
Result<Network> with_tensors(Network network, const Model& model, const std::string& where);

// A file whose name ends in .onnx is an ONNX model, any other one a model file.
bool is_onnx_file(const std::filesystem::path& file);
// Whether that is a file's name (.safetensors, .onnx), not that of an architecture.
bool is_network_file(const std::filesystem::path& name);
Result<Network> read_network(const std::filesystem::path& file);
// The graph alone. Of a model file only the header is read: tensors are not checked.
Result<Network> read_graph(const std::filesystem::path& file);
// The bytes of a file of that name. Errors as to_onnx().
Result<std::string> network_file_bytes(const Network& network, const std::filesystem::path& file);

}  // namespace tl::net
