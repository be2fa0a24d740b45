// Networks as ONNX models, for other programs.
#pragma once

#include <string>

#include "core/net/network.h"

namespace tl::net::onnx {

// The content of a model of opset 17. Its input is that of the network, in the units of the volume, of any size (the
// program that runs it refuses images smaller than a mirrored border); its first output is the map of the last layer,
// further ones those of layers that nothing reads. Nodes are named after the layers, initializers after the tensors;
// biases that are part of a shared tensor are named "NAME[BEGIN:END]". Voxel size, scaling, classes, architecture and
// history are metadata. The tensors must be complete. Errors: invalid, `where` is `file`: larger than the limit of ONNX
// files (2 GiB).
Result<std::string> to_onnx(const Network& network, const std::string& file);

// Keys of the metadata.
inline constexpr std::string_view key_of_architecture = "tomoloom.architecture",
                                  key_of_voxel_size = "tomoloom.voxel_size_mm", key_of_scaling = "tomoloom.scaling",
                                  key_of_labels = "tomoloom.labels", key_of_history = "tomoloom.history";

}  // namespace tl::net::onnx
