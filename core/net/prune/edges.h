// Edges of a network: each filter between an input and an output channel of a layer is an edge.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <vector>

#include "core/net/network.h"

namespace tl::net {

// By the name of a layer with filters, a matrix with a number for each of its edges: [output channel, input channel].
using EdgeMatrices = std::map<std::string, at::Tensor>;

// The layers with filters on which the output depends, in order. The last of them makes the output's channels: its
// edges are part of paths, but are neither pruned nor counted.
std::vector<std::size_t> filter_layers(const Network& network);

// The filters of a layer as [out, in, (kz,) ky, kx], whatever their layout in the file.
at::Tensor filters_of(const Network& network, const Layer& layer);
// Converts such filters to the layout of the file.
at::Tensor in_file_layout(const Network& network, const Layer& layer, const at::Tensor& filters);

// True for all edges.
EdgeMatrices all_edges(const Network& network);

// The number of true edges, except edges of the last layer.
int64_t prunable_edges(const Network& network, const EdgeMatrices& edges);

}  // namespace tl::net
