// PaddedGradients: the backward pass of the layers of PaddedMaps (CPU).
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <map>
#include <vector>

#include "gpu/image/padded_maps.h"

namespace tl::ops {

// A layer that reads a map: the index of its output map, and its filter for this input.
struct DenseReader {
  int64_t output = 0;
  std::array<double, 9> weight{};
  int64_t dilation = 1;
};

// By map, the gradient with respect to the input of its rectifier. Layers must be processed from the last to
// the first: layers that read a map come before it. Deterministic for any number of threads; not
// thread-safe.
class PaddedGradients {
 public:
  // The maps of the forward pass, which must outlive it.
  explicit PaddedGradients(const PaddedMaps& maps);

  // Sets the gradient of a rectified map [y, x], when complete: it is masked to pixels where the map is positive.
  void put(int64_t map, const at::Tensor& gradient);
  // Adds contributions of the layers that read a map to its gradient [y, x], contiguous; put() must have been called
  // for their outputs.
  void add_from(const std::vector<DenseReader>& readers, const at::Tensor& gradient);
  // float64 [inputs, 3, 3], and the gradient of the bias, for the layer with that output.
  [[nodiscard]] at::Tensor weight_gradient(const DenseLayer& layer) const;
  [[nodiscard]] double bias_gradient(int64_t output) const;

 private:
  // Rows that read row y by row b of their filter: [b][y].
  using RowsBack = std::array<std::vector<std::vector<int64_t>>, 3>;
  template <class T>
  void put_as(int64_t map, const at::Tensor& gradient);
  template <class T>
  void add_as(const std::vector<DenseReader>& readers, const at::Tensor& gradient);
  template <class T>
  [[nodiscard]] at::Tensor weight_gradient_as(const DenseLayer& layer) const;
  const RowsBack& rows_back(int64_t dilation);

  const PaddedMaps& maps_;
  int64_t start_, length_;  // of a row: zeros before its first pixel, and number of computed pixels
  at::Tensor data_;         // [map, y, pitch], 0 beyond the image
  std::map<int64_t, RowsBack> rows_back_;
};

}  // namespace tl::ops
