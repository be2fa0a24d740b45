// PackedLabels: labels or a mask in few bytes.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace tl {

// A copy of a mask (bool) or of labels (int32) as runs of equal numbers, or, if there are many runs, voxel by voxel in
// the smallest sufficient integer type.
class PackedLabels {
 public:
  explicit PackedLabels(const at::Tensor& labels);  // on the CPU
  [[nodiscard]] at::Tensor unpacked() const;        // a tensor of the original type, shape and numbers
  [[nodiscard]] int64_t bytes() const;

 private:
  struct Run {
    int32_t length, number;
  };
  std::vector<int64_t> shape_;
  at::ScalarType type_;
  std::vector<Run> runs_;  // in the order of the voxels; empty if plain_ is defined
  at::Tensor plain_;
};

}  // namespace tl
