// Finds the two largest probabilities of each voxel, and makes outputs from them.
#include "core/nodes/segment/class_maps.h"

#include <ATen/ATen.h>

#include "gpu/device/parallel_for.h"

namespace tl {

MostProbable most_probable(const at::Tensor& probabilities, const std::vector<LabelClass>& classes) {
  const at::IntArrayRef shape = probabilities.sizes().slice(1);
  MostProbable most{at::empty(shape, at::kInt), at::empty(shape, at::kFloat)};
  const auto* from = probabilities.const_data_ptr<float>();
  auto* numbers = most.numbers.mutable_data_ptr<int32_t>();
  auto* uncertainty = most.uncertainty.mutable_data_ptr<float>();
  const int64_t voxels = most.numbers.numel(), count = probabilities.size(0);
  constexpr int64_t few = 16384;
  ops::parallel_for(0, voxels, few, [&](int64_t first, int64_t last) {
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

bool is_plane(const VolumeGrid& grid) { return grid.nz == 1 || grid.ny == 1 || grid.nx == 1; }

Result<void> put_classes(NodeRun& r, const std::vector<LabelClass>& classes,
                         const std::function<Result<at::Tensor>(const VolumeGrid& wanted)>& find) {
  const auto& wanted = std::get<VolumeGrid>(r.region);
  at::Tensor probabilities;
  if (is_plane(wanted)) {
    const std::string name = "probabilities " + Hasher().add(r.region).digest().text();
    probabilities =
        *r.memo<at::Tensor>(name, static_cast<int64_t>(at::elementSize(r.dtype) * classes.size()) * wanted.count(),
                            [&] { return std::make_shared<at::Tensor>(find(wanted).or_throw()); });
  } else {
    TL_TRY(probabilities, find(wanted));
  }
  const MostProbable most = most_probable(probabilities.to(at::kFloat), classes);
  r.out("labels", Labels{most.numbers, wanted});
  r.out("probabilities", Maps{probabilities.to(r.dtype), wanted});
  return r.done("uncertainty", Volume{most.uncertainty.to(r.dtype), wanted, Unit::none});
}

void put_differentiated_classes(NodeRun& r, const std::vector<LabelClass>& classes, const at::Tensor& probabilities) {
  const auto& wanted = std::get<VolumeGrid>(r.region);
  const at::Tensor largest = std::get<0>(at::topk(probabilities, 2, 0));
  r.out("labels", Labels{most_probable(probabilities.detach().to(at::kFloat).contiguous(), classes).numbers, wanted});
  r.out("probabilities", Maps{probabilities, wanted});
  r.out("uncertainty", Volume{(1 - (largest[0] - largest[1])).contiguous(), wanted, Unit::none});
}

}  // namespace tl
