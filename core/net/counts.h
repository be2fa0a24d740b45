// Structure and costs of a network: parameters, edges, sizes of its maps, operations, memory.
#pragma once

#include <map>
#include <vector>

#include "core/net/network.h"

namespace tl::net {

using Size = std::vector<int64_t>;  // pixels along (z,) y, x

struct Counts {
  int64_t weights = 0;  // numbers in filters
  int64_t biases = 0;   // numbers added to channels, batch norm's scale and shift included
  int64_t edges = 0;    // number of filters: pairs of an input and an output channel
  std::map<int64_t, int64_t> edges_by_kernel;
  [[nodiscard]] int64_t parameters() const { return weights + biases; }
};
// Counts all layers, including an auxiliary head; running means and variances are not parameters.
Result<Counts> counts_of(const Network& network);

// The size of each layer's output map for an input of that size. The stride of a pooling, if equal to its kernel, must
// divide its map. Errors: invalid, `where` is the layer: "43 is odd (pool2)", a map smaller than a kernel.
Result<std::vector<Size>> layer_sizes(const Network& network, const Size& input);

// Operations of each layer: out * pixels * (2 in k^d - 1) for filters of k along d axes, 0 for other layers.
std::vector<double> operations(const Network& network, const std::vector<int64_t>& channels,
                               const std::vector<Size>& sizes);

// Bytes of all maps together (rectifiers overwrite their input), and peak bytes at a time, including temporary
// copies.
double bytes_of_maps(const Network& network, const std::vector<int64_t>& channels, const std::vector<Size>& sizes,
                     int64_t element_size = 4);
double peak_bytes(const Network& network, const std::vector<int64_t>& channels, const std::vector<Size>& sizes,
                  int64_t element_size = 4);

}  // namespace tl::net
