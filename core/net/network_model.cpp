// Matches the tensors of a model with the tensor names of the layers.
#include "core/net/network_model.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/net/network_json.h"
#include "core/net/state_dict.h"

namespace tl::net {
namespace {

// "", or the common text before the names of all tensors.
std::string common_prefix(const std::map<std::string, std::vector<int64_t>>& wanted, const Model& model) {
  if (wanted.empty()) return {};
  const std::string& first = wanted.begin()->first;
  for (const auto& [name, array] : model.arrays) {
    if (name.size() <= first.size() || name.substr(name.size() - first.size()) != first) continue;
    std::string prefix = name.substr(0, name.size() - first.size());
    if (prefix.back() == '.' && std::all_of(wanted.begin(), wanted.end(),
                                            [&](const auto& w) { return model.arrays.count(prefix + w.first) != 0; }))
      return prefix;
  }
  return {};
}

// Whether the shapes are equal, apart from trailing axes of length one.
bool fits(at::IntArrayRef shape, const std::vector<int64_t>& wanted) {
  if (shape.size() > wanted.size()) return false;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i] != (i < shape.size() ? shape[i] : 1)) return false;
  return true;
}

}  // namespace

Model model_of(const Network& network) {
  Model model;
  model.description = to_json_text(network);
  for (const auto& [name, tensor] : network.tensors) model.arrays[name] = tensor.detach().to(at::kCPU).contiguous();
  return model;
}

Result<Network> with_tensors(Network network, const Model& model, const std::string& where) {
  TL_TRY(const auto shapes, tensor_shapes(network));
  const std::string prefix =
      shapes.empty() || model.arrays.count(shapes.begin()->first) != 0 ? "" : common_prefix(shapes, model);
  network.tensors.clear();
  for (const auto& [name, shape] : shapes) {
    const auto refused = [&, &named = name](const std::string& what) {
      return invalid("tensor \"" + named + "\" " + what, where,
                     "Choose the weights of this network" +
                         (network.architecture.empty() ? "" : " (" + network.architecture + ")") +
                         ", or other settings for it");
    };
    const auto found = model.arrays.find(prefix + name);
    if (found == model.arrays.end()) return refused("is missing");
    const at::Tensor& given = found->second;
    if (!given.is_floating_point()) return refused("has integers, not floating point numbers");
    if (!fits(given.sizes(), shape)) return refused("is " + shape_text(given.sizes()) + ", not " + shape_text(shape));
    const at::Tensor numbers = given.detach().to(at::kFloat).view(shape).contiguous();
    if (!at::isfinite(numbers).all().item<bool>()) return refused("has values that are not finite (NaN or infinite)");
    network.tensors[name] = numbers;
  }
  TL_TRY(take_other_arrays(network, model, prefix, where));
  for (const Layer& l : network.layers)
    if (l.kind == LayerKind::batch_norm && network.tensors[l.variance].min().item<double>() < 0)
      return invalid("tensor \"" + l.variance + "\" has negative variances", where, "Copy or save the file again");
  return network;
}

Result<Network> network_of(const Model& model, const std::string& where) {
  TL_TRY(Network network, network_from_json(model.description, where));
  return with_tensors(std::move(network), model, where);
}

}  // namespace tl::net
