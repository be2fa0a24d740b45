// Chooses between model files and ONNX by a file's name.
#include "core/net/files/network_file.h"

#include "core/base/text.h"
#include "core/io/model/safetensors.h"
#include "core/net/network_json.h"
#include "core/net/onnx/read_onnx.h"
#include "core/net/onnx/write_onnx.h"

namespace tl::net {
namespace {

std::string lower_case_ending(const std::filesystem::path& file) { return lower_case(file.extension().string()); }

}  // namespace

bool is_onnx_file(const std::filesystem::path& file) { return lower_case_ending(file) == ".onnx"; }

bool is_network_file(const std::filesystem::path& name) {
  return is_onnx_file(name) || lower_case_ending(name) == ".safetensors";
}

Result<Network> read_network(const std::filesystem::path& file) {
  if (is_onnx_file(file)) {
    TL_TRY(const std::string bytes, io::model_file_bytes(file));
    return onnx::network_from_onnx(bytes, file.string());
  }
  TL_TRY(const Model model, io::read_model(file));
  return network_of(model, file.string());
}

Result<Network> read_graph(const std::filesystem::path& file) {
  if (is_onnx_file(file)) {  // sizes and borders are numbers of the ONNX graph
    TL_TRY(Network network, read_network(file));
    network.tensors.clear();
    return network;
  }
  TL_TRY(const std::string description, io::read_model_description(file));
  return network_from_json(description, file.string());
}

Result<std::string> network_file_bytes(const Network& network, const std::filesystem::path& file) {
  if (is_onnx_file(file)) return onnx::to_onnx(network, file.string());
  return io::to_safetensors(model_of(network));
}

}  // namespace tl::net
