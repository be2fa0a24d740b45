// Imports scalings into the network, so that its output equals that of the program that trained it.
#include "core/net/state_dict.h"

#include <ATen/ATen.h>

#include <set>

namespace tl::net {
namespace {

// A convolution of one pixel: a vector becomes matrix * vector + offset.
struct Scale {
  at::Tensor matrix, offset;  // [channel, channel], [channel], float64
};

// The arrays NAME.weight and NAME.bias of `channels` channels; none: an empty matrix. Arrays that are found are erased
// from `left`.
Result<Scale> scale_named(const std::string& name, int64_t channels, const Model& model, std::set<std::string>& left,
                          const std::string& where) {
  const auto weight = model.arrays.find(name + ".weight"), bias = model.arrays.find(name + ".bias");
  if (weight == model.arrays.end() || left.count(weight->first) == 0) return Scale{};
  const auto refused = [&](const std::string& what) {
    return invalid("tensor \"" + weight->first + "\" " + what, where,
                   "Save the scaling of each channel, or leave it out");
  };
  const at::Tensor& w = weight->second;
  if (!w.is_floating_point() || w.dim() < 2 || w.size(0) != channels || w.size(1) != channels ||
      w.numel() != channels * channels)
    return refused("does not scale the " + std::to_string(channels) + " channels of the network");
  Scale s{w.detach().to(at::kDouble).reshape({channels, channels}), at::zeros({channels}, at::kDouble)};
  left.erase(weight->first);
  if (bias != model.arrays.end()) {
    if (!bias->second.is_floating_point() || bias->second.numel() != channels)
      return refused("has an offset of another length");
    s.offset = bias->second.detach().to(at::kDouble).reshape({channels});
    left.erase(bias->first);
  }
  if (!at::isfinite(s.matrix).all().item<bool>() || !at::isfinite(s.offset).all().item<bool>())
    return refused("has values that are not finite (NaN or infinite)");
  return s;
}

Result<void> scale_input(Network& network, const Scale& s, const std::string& where) {
  const at::Tensor factor = s.matrix.diagonal();
  if (!s.matrix.equal(at::diag(factor)) || factor.le(0).any().item<bool>())
    return invalid("the scaling of the input mixes channels, or multiplies one by 0 or less", where,
                   "Save the scaling of each channel");
  const at::Tensor deviation = (1 / factor).contiguous(), mean = (-s.offset / factor).contiguous();
  const auto numbers = [](const at::Tensor& t) {
    return std::vector<double>(t.data_ptr<double>(), t.data_ptr<double>() + t.numel());
  };
  network.scaling = {numbers(mean), numbers(deviation)};
  return ok();
}

Result<void> scale_output(Network& network, const Scale& s, const std::string& where) {
  const Layer& last = network.layers.back();
  if (last.kind != LayerKind::convolution || last.bias.empty() || last.bias_offset != 0)
    return invalid("the scaling of the output has no convolution before it", where, "Leave it out");
  at::Tensor &weight = network.tensors.at(last.weight), &bias = network.tensors.at(last.bias);
  weight = at::matmul(s.matrix, weight.to(at::kDouble).flatten(1)).view(weight.sizes()).to(at::kFloat);
  bias = (at::matmul(s.matrix, bias.to(at::kDouble)) + s.offset).to(at::kFloat);
  return ok();
}

}  // namespace

Result<void> take_other_arrays(Network& network, const Model& model, const std::string& prefix,
                               const std::string& where) {
  std::set<std::string> left;
  for (const auto& [name, array] : model.arrays)
    if (array.is_floating_point() &&
        (name.rfind(prefix, 0) != 0 || network.tensors.count(name.substr(prefix.size())) == 0))
      left.insert(name);
  if (left.empty()) return ok();

  // Prefix of the modules at the same level as the layers: "module.1." is inside "module.".
  const std::size_t dot = prefix.size() < 2 ? std::string::npos : prefix.rfind('.', prefix.size() - 2);
  const std::string parent = dot == std::string::npos ? "" : prefix.substr(0, dot + 1);
  const bool in_sequence = prefix == parent + "1.";
  TL_TRY(const auto channels, channels_of(network));
  const auto scale = [&](const std::string& name, const std::string& number, int64_t count) -> Result<Scale> {
    std::vector<std::string> names{parent + name, prefix + name};
    if (in_sequence) names.push_back(parent + number);
    for (const std::string& candidate : names) {
      TL_TRY(Scale found, scale_named(candidate, count, model, left, where));
      if (found.matrix.defined()) return found;
    }
    return Scale{};
  };
  TL_TRY(const Scale in, scale("scale_in", "0", channels.front()));
  if (in.matrix.defined()) TL_TRY(scale_input(network, in, where));
  TL_TRY(const Scale out, scale("scale_out", "2", channels.back()));
  if (out.matrix.defined()) TL_TRY(scale_output(network, out, where));

  bool has_auxiliary_head = false;
  for (const auto& [name, tensor] : network.tensors) has_auxiliary_head |= name.rfind("aux_classifier.", 0) == 0;
  if (!has_auxiliary_head)
    for (auto at = left.begin(); at != left.end();)
      at = at->rfind(prefix + "aux_classifier.", 0) == 0 ? left.erase(at) : std::next(at);
  if (left.empty()) return ok();
  const std::string more = left.size() == 1 ? "" : " and " + std::to_string(left.size() - 1) + " more";
  return invalid(
      "tensor \"" + *left.begin() + "\"" + more + (left.size() == 1 ? " belongs" : " belong") +
          " to no layer of the network" + (network.architecture.empty() ? "" : " (" + network.architecture + ")"),
      where, "Choose the network of these weights, or remove weights that do not belong to it from the file");
}

}  // namespace tl::net
