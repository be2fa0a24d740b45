// Reads and writes the filters of the three kinds of layers that have filters.
#include "core/net/prune/edges.h"

#include <ATen/ATen.h>

namespace tl::net {
std::vector<std::size_t> filter_layers(const Network& network) {
  const std::vector<bool> used = used_layers(network);
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i] && row_of(network.layers[i].kind).has_filters()) all.push_back(i);
  return all;
}

at::Tensor filters_of(const Network& network, const Layer& l) {
  const at::Tensor stored = network.tensors.at(l.weight);
  const FilterLayout layout = row_of(l.kind).filters;
  if (layout == FilterLayout::in_out) return stored.transpose(0, 1);
  if (layout == FilterLayout::out_in) return stored;
  std::vector<int64_t> shape{l.channels, -1};
  shape.insert(shape.end(), static_cast<std::size_t>(network.dims), l.kernel);
  return stored.reshape(shape);
}

at::Tensor in_file_layout(const Network& network, const Layer& l, const at::Tensor& filters) {
  TL_CHECK(filters.dim() == network.dims + 2, "filters of [out, in, axes of space]");
  const FilterLayout layout = row_of(l.kind).filters;
  if (layout == FilterLayout::in_out) return filters.transpose(0, 1).contiguous();
  return layout == FilterLayout::out_in ? filters.contiguous() : filters.flatten(1).contiguous();
}

EdgeMatrices all_edges(const Network& network) {
  EdgeMatrices all;
  for (const std::size_t i : filter_layers(network)) {
    const at::Tensor filters = filters_of(network, network.layers[i]);
    all[network.layers[i].name] = at::ones({filters.size(0), filters.size(1)}, at::kBool);
  }
  return all;
}

int64_t prunable_edges(const Network& network, const EdgeMatrices& edges) {
  const std::vector<std::size_t> layers = filter_layers(network);
  int64_t count = 0;
  for (std::size_t k = 0; k + 1 < layers.size(); ++k)
    count += edges.at(network.layers[layers[k]].name).sum().item<int64_t>();
  return count;
}

}  // namespace tl::net
