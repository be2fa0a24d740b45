// Networks on disk: as safetensors files (core/io/model), and as ONNX files by net/onnx.
#pragma once

#include <filesystem>
#include <string>

#include "core/net/network_model.h"

namespace tl::net {

// A file whose name ends in .onnx is an ONNX model, any other one a model file.
bool is_onnx_file(const std::filesystem::path& file);
// Whether a name is that of a network file (.safetensors, .onnx), not of an architecture.
bool is_network_file(const std::filesystem::path& name);
Result<Network> read_network(const std::filesystem::path& file);
// Only the graph. Reads only the header of a model file: tensors are not checked.
Result<Network> read_graph(const std::filesystem::path& file);
// The content of a network file with that name. Errors as to_onnx().
Result<std::string> network_file_bytes(const Network& network, const std::filesystem::path& file);

}  // namespace tl::net
