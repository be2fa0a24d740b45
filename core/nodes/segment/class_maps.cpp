// Finds the two largest probabilities of each voxel.
#include "core/nodes/segment/class_maps.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

namespace tl {

MostProbable most_probable(const at::Tensor& probabilities, const std::vector<LabelClass>& classes) {
  const at::IntArrayRef shape = probabilities.sizes().slice(1);
  MostProbable most{at::empty(shape, at::kInt), at::empty(shape, at::kFloat)};
  const auto* from = probabilities.const_data_ptr<float>();
  auto* numbers = most.numbers.mutable_data_ptr<int32_t>();
  auto* uncertainty = most.uncertainty.mutable_data_ptr<float>();
  const int64_t voxels = most.numbers.numel(), count = probabilities.size(0);
  constexpr int64_t few = 16384;
  at::parallel_for(0, voxels, few, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      float largest = 0, second = 0;
      int64_t best = 0;
      for (int64_t c = 0; c < count; ++c) {
        const float p = from[c * voxels + i];
        if (p > largest) {
          second = largest;
          largest = p;
          best = c;
        } else if (p > second) {
          second = p;
        }
      }
      numbers[i] = static_cast<int32_t>(classes[static_cast<std::size_t>(best)].number);
      uncertainty[i] = 1 - (largest - second);
    }
  });
  return most;
}

}  // namespace tl
