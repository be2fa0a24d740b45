// Networks before and after a training: by name and settings, or with the weights of a file; as a file.
#pragma once

#include <filesystem>
#include <string>

#include "core/io/output/output_rules.h"
#include "core/net/network.h"

namespace tl::train {

// `words`: a name with its settings ("msd depth=30"), or a network's file (.safetensors, .onnx); "classes" and "inputs"
// are added where it has them and the words do not say them. `weights`: empty, or a file: one of ours says itself which
// network it is, whatever the words are. Errors: invalid; io.
Result<net::Network> network_to_train(const std::string& words, const std::filesystem::path& weights, int64_t classes,
                                      int64_t inputs);

// The whole file, or none. Errors: invalid, by the rules; io.
Result<void> write_network(const net::Network& network, const std::filesystem::path& file,
                           const io::OutputRules& rules);

}  // namespace tl::train
