// Completes the settings of a network from its training data, and writes trained networks.
#include "core/train/network_to_train.h"

#include <sstream>
#include <vector>

#include "core/io/model/safetensors.h"
#include "core/io/output/output_file.h"
#include "core/net/architectures/architectures.h"
#include "core/net/files/network_file.h"

namespace tl::train {
namespace {

bool has_setting(const std::string& network, const std::string& setting) {
  for (const net::Architecture& a : net::architectures())
    if (network == a.name)
      for (const net::Setting& s : a.settings)
        if (setting == s.name) return true;
  return false;
}

Result<net::Network> network_named(const std::string& words, int64_t classes, int64_t inputs) {
  std::istringstream stream(words);
  std::string name, word;
  stream >> name;
  std::vector<std::string> settings;
  bool has_classes = false, has_inputs = false;
  while (stream >> word) {
    has_classes = has_classes || word.rfind("classes=", 0) == 0;
    has_inputs = has_inputs || word.rfind("inputs=", 0) == 0;
    settings.push_back(word);
  }
  if (!has_classes && has_setting(name, "classes")) settings.push_back("classes=" + std::to_string(classes));
  if (!has_inputs && has_setting(name, "inputs")) settings.push_back("inputs=" + std::to_string(inputs));
  return net::make_network(name, settings);
}

}  // namespace

Result<net::Network> network_to_train(const std::string& words, const std::filesystem::path& weights, int64_t classes,
                                      int64_t inputs) {
  if (net::is_onnx_file(weights)) return net::read_network(weights);
  if (net::is_network_file(words)) {
    if (weights.empty()) return net::read_network(words);
    return invalid("both are files", words + ", " + weights.string(),
                   "Give the file of the network alone: it has its weights");
  }
  if (weights.empty()) return network_named(words, classes, inputs);
  TL_TRY(const Model model, io::read_model(weights));
  if (Result<net::Network> ours = net::network_of(model, weights.string()); ours.ok()) return ours;
  TL_TRY(net::Network network, network_named(words, classes, inputs));
  return net::with_tensors(std::move(network), model, weights.string());
}

Result<void> write_network(const net::Network& network, const std::filesystem::path& file,
                           const io::OutputRules& rules) {
  TL_TRY(const std::string bytes, net::network_file_bytes(network, file));
  return io::write_text(file, bytes, rules);
}

}  // namespace tl::train
