// Networks before and after a training: made by name and settings, or from a file's weights; and written to a file.
#pragma once

#include <filesystem>
#include <string>

#include "core/io/output/output_rules.h"
#include "core/net/network.h"

namespace tl::train {

// `words`: a name with its settings ("msd depth=30"), or a network's file (.safetensors, .onnx); "classes" and "inputs"
// are added if the network has these settings and `words` does not contain them. `weights`: empty, or a file: one of
// ours specifies its network itself, whatever `words` says. Errors: invalid; io.
Result<net::Network> network_to_train(const std::string& words, const std::filesystem::path& weights, int64_t classes,
                                      int64_t inputs);

// The whole file, or none. Errors: invalid, by the rules; io.
Result<void> write_network(const net::Network& network, const std::filesystem::path& file,
                           const io::OutputRules& rules);

}  // namespace tl::train
