// Region growing by a queue of voxels in the order in which they are reached.
#include "gpu/segmentation/region_growing.h"

#include <ATen/ATen.h>

#include <cmath>
#include <unordered_map>
#include <vector>

namespace tl::ops {
namespace {

struct SeedMean {
  double sum = 0, mean = 0;
  int64_t count = 0;
};

constexpr int64_t growth_between_checks = 1 << 16;

template <class T>
Result<at::Tensor> grow(const at::Tensor& volume, const at::Tensor& seeds, const Lattice& l,
                        const RegionGrowingSpec& spec, const std::string& where) {
  const T* v = volume.const_data_ptr<T>();
  at::Tensor out = seeds.clone();
  auto* label = out.mutable_data_ptr<int32_t>();
  std::unordered_map<int32_t, SeedMean> means;
  std::vector<int64_t> queue;
  for (int64_t i = 0; i < l.count(); ++i) {
    if (label[i] <= 0) continue;
    queue.push_back(i);
    SeedMean& m = means[label[i]];
    if (std::isnan(v[i])) continue;
    m.sum += static_cast<double>(v[i]);
    ++m.count;
  }
  if (queue.empty()) return invalid("there are no seeds", where, "Paint at least one voxel of a class");
  for (auto& [number, m] : means) {
    if (m.count == 0) return invalid("all seeds of class " + std::to_string(number) + " are NaN", where, "Move them");
    m.mean = m.sum / static_cast<double>(m.count);
  }
  const std::vector<LatticeStep> steps = neighbours_of(l, spec.connectivity);
  for (std::size_t next = 0; next < queue.size(); ++next) {
    if (next % growth_between_checks == 0) spec.cancel.check();
    const int64_t i = queue[next], x = i % l.nx, y = i / l.nx % l.ny, z = i / l.nx / l.ny;
    const double mean = means[label[i]].mean;
    for_neighbours(l, steps, z, y, x, [&](int64_t n, const LatticeStep&) {
      if (label[n] != 0 || !(std::abs(static_cast<double>(v[n]) - mean) <= spec.tolerance)) return;
      label[n] = label[i];
      queue.push_back(n);
    });
  }
  return out.clamp_min_(0);
}

}  // namespace

Result<at::Tensor> region_growing(const at::Tensor& volume, const at::Tensor& seeds, const RegionGrowingSpec& spec) {
  const std::string where = "region growing";
  TL_TRY(const Lattice l, check_volume(volume, where));
  TL_TRY(check_labels(seeds, where));
  TL_TRY(check_same_shape(volume, seeds, "the seeds", where));
  if (!(spec.tolerance >= 0)) return invalid("the tolerance must be 0 or above", where);
  const at::Tensor plain = volume.contiguous(), numbers = seeds.to(at::kInt).contiguous();
  if (plain.scalar_type() == at::kFloat) return grow<float>(plain, numbers, l, spec, where);
  return grow<double>(plain, numbers, l, spec, where);
}

}  // namespace tl::ops
