// PaddedMaps: the maps of a mixed-scale dense network, and its layers as one loop over all maps that they read (CPU).
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <vector>

#include "core/base/cancel.h"

namespace tl::ops {

enum class Rectify { negative_to_zero, nothing };

// Inputs and output of a dense layer; D. M. Pelt, J. A. Sethian, PNAS 115, 254 (2018).
struct DenseLayer {
  std::vector<int64_t> inputs;  // maps
  int64_t output = 0;           // map, not among the inputs
  at::Tensor weight;            // [inputs, 3, 3]
  double bias = 0;
  int64_t dilation = 1;
  Rectify rectify = Rectify::negative_to_zero;
};

// The maps from `first_output` on become themselves plus weight [output, input] times the inputs, pixel by pixel; what
// lies beyond the ends of their rows is undefined afterwards. Inputs are other maps.
struct PixelSum {
  int64_t first_output = 0;
  std::vector<int64_t> inputs;
  at::Tensor weight;
};

// Layers, each of which may read the outputs of earlier ones; then the sum, if there is one.
struct DenseStep {
  std::vector<DenseLayer> layers;
  std::optional<PixelSum> sum;
};

// Maps of one image, each [y, x], in rows with room for the padding at their ends: mirrored, with the edge repeated.
// float32 or float64, in CPU memory. Not thread-safe; it uses all threads of torch.
class PaddedMaps {
 public:
  // `border`: the largest dilation. All maps are 0.
  PaddedMaps(int64_t maps, int64_t ny, int64_t nx, int64_t border, at::ScalarType type);

  void put(int64_t map, const at::Tensor& image);
  // [count, y, x]: a view of these maps.
  [[nodiscard]] at::Tensor view(int64_t first, int64_t count) const;
  // Each layer's output becomes the bias plus all inputs cross-correlated with their filters. Maps from before the
  // layers of a step are loaded from memory once for all of them; the order of sums differs from that of single layers,
  // but is the same for any number of threads. Steps may reuse maps that no later one reads. Throws Failure: cancelled.
  void compute(const std::vector<DenseStep>& steps, const CancelToken& cancel);
  void fill(int64_t map, double value);

  // For the backward pass (padded_gradients.h): rows as stored in memory, and where their pixels begin.
  [[nodiscard]] const at::Tensor& data() const { return data_; }
  [[nodiscard]] int64_t start() const { return start_; }
  // Of an image, without borders.
  [[nodiscard]] int64_t ny() const { return ny_; }
  [[nodiscard]] int64_t nx() const { return nx_; }
  [[nodiscard]] int64_t border() const { return border_; }

 private:
  template <class T>
  class Plan;
  void check(const DenseLayer& layer) const;
  void check(const PixelSum& sum) const;

  int64_t ny_, nx_, border_, start_;
  at::Tensor data_;  // [map, y, pitch]
};

}  // namespace tl::ops
