// MALIS: a loss of affinities between neighbouring pixels that counts which pairs of pixels they join or separate
// wrongly.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/base/error.h"

namespace tl::ops {

// Edges of a graph of pixels; nodes are numbered from 0.
struct AffinityEdges {
  std::vector<int64_t> from, to;
  std::vector<float> affinity;  // finite
};

enum class PixelPairs { of_one_object, of_different_objects };

// For each edge of the maximum spanning tree (Kruskal), over the two clusters that it joins, the number of pairs of
// pixels in the same object, or in different ones; 0 for other edges. Pixels of object 0 or below are not counted.
// Among equal affinities the first edge is used. The sums over all edges of a connected graph are sum n (n - 1) / 2
// over the objects, and sum n m over pairs of objects (S. Turaga et al., NIPS 22, 1865 (2009)).
std::vector<int64_t> joined_pairs(const std::vector<int32_t>& object, const AffinityEdges& edges, PixelPairs pairs);

// From the probability of pixels [(z,) y, x] to be inside objects: for each axis the affinity of a pixel to the next
// one, the smaller of the two probabilities. Differentiable; that axis is one shorter.
std::vector<at::Tensor> affinities_of(const at::Tensor& inside);

// Weights of the affinities, in shape and order of affinities_of(), from two passes (J. Funke et al., IEEE Trans.
// Pattern Anal. 41, 1669 (2019)). First, pairs of pixels in one object are counted with the affinities of all edges
// outside objects set to 0; only edges inside objects get a weight. Then pairs in different objects are counted with
// the affinities inside objects set to 1; only the other edges get a weight. The weights of each pass sum to 1, or are
// all 0 if it counts no pair. `objects`, int32: objects from 1, 0 = between objects, negative = unknown, whose edges
// have weight 0.
std::vector<at::Tensor> malis_weights(const std::vector<at::Tensor>& affinities, const at::Tensor& objects);

// sum w (1 - a)^2 inside objects and w a^2 elsewhere, with these weights, which the gradient treats as constants; for
// float32 or float64 on the CPU. Throws Failure: invalid for probabilities that are not finite, and shapes that differ.
at::Tensor malis_loss(const at::Tensor& inside, const at::Tensor& objects);

}  // namespace tl::ops
