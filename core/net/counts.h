// What a network is made of and what it costs: parameters, edges, sizes of its maps, operations, memory.
#pragma once

#include <map>
#include <vector>

#include "core/net/network.h"

namespace tl::net {

using Size = std::vector<int64_t>;  // pixels along (z,) y, x

struct Counts {
  int64_t weights = 0;  // numbers in filters
  int64_t biases = 0;   // numbers added to channels, batch norm's scale and shift included
  int64_t edges = 0;    // filters: pairs of an input and an output channel
  std::map<int64_t, int64_t> edges_by_kernel;
  [[nodiscard]] int64_t parameters() const { return weights + biases; }
};
// Of all layers, an auxiliary head included; running means and variances are not parameters.
Result<Counts> counts_of(const Network& network);

// The size of the map that each layer gives for an input of that size. Poolings whose stride is their kernel must
// divide their map. Errors: invalid, `where` is the layer: "43 is odd (pool2)", a map smaller than a kernel.
Result<std::vector<Size>> layer_sizes(const Network& network, const Size& input);

// Operations of each layer: out * pixels * (2 in k^d - 1) for filters of k along d axes, 0 for other layers.
std::vector<double> operations(const Network& network, const std::vector<int64_t>& channels,
                               const std::vector<Size>& sizes);

// Bytes of all maps together (rectifiers write over their input), and of those that are needed at a time, working
// copies included.
double bytes_of_maps(const Network& network, const std::vector<int64_t>& channels, const std::vector<Size>& sizes,
                     int64_t element_size = 4);
double peak_bytes(const Network& network, const std::vector<int64_t>& channels, const std::vector<Size>& sizes,
                  int64_t element_size = 4);

}  // namespace tl::net
