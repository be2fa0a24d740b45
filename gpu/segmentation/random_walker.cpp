// Random walker: leaves out voxels that no seed can reach, then solves one linear system per label except the last.
#include "gpu/segmentation/random_walker.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/operator/reduce.h"
#include "gpu/segmentation/run_labels.h"
#include "gpu/segmentation/walk_equations.h"
#include "gpu/segmentation/watershed.h"

namespace tl::ops {
namespace {

// The distinct numbers above 0, ascending.
std::vector<int32_t> seed_names(const at::Tensor& seeds) {
  std::set<int32_t> names;
  const auto* s = seeds.const_data_ptr<int32_t>();
  for (int64_t i = 0; i < seeds.numel(); ++i)
    if (s[i] > 0 && (i == 0 || s[i] != s[i - 1])) names.insert(s[i]);
  return {names.begin(), names.end()};
}

// WalkVoxel of every voxel: islands without seeds are outside.
Result<at::Tensor> walk_voxels(const at::Tensor& seeds, const CancelToken& cancel, const std::string& where) {
  const at::Tensor labelled = seeds.gt(0);
  TL_TRY(const RunLabels islands, label_runs(seeds.ge(0), Connectivity::faces, VoxelsToLabel::not_zero, cancel, where));
  const at::Tensor reached = mask_of_components(islands, containing(islands, labelled), seeds);
  const at::Tensor free = reached.logical_and(labelled.logical_not());
  return (labelled.to(at::kByte) * static_cast<int>(WalkVoxel::seed) +
          free.to(at::kByte) * static_cast<int>(WalkVoxel::free))
      .contiguous();
}

// Largest difference of every voxel from its neighbours inside, per unit of length.
template <class T>
at::Tensor steepness(const at::Tensor& volume, const uint8_t* kind, const Lattice& l, const VoxelSize& voxel) {
  at::Tensor out = at::empty_like(volume);
  const T* v = volume.const_data_ptr<T>();
  T* to = out.mutable_data_ptr<T>();
  const std::vector<LatticeStep> steps = neighbours_of(l, Connectivity::faces);
  ops::parallel_for(0, l.rows(), grain(l.nx * 24), [&](int64_t first, int64_t last) {
    for (int64_t r = first; r < last; ++r)
      for (int64_t x = 0; x < l.nx; ++x) {
        const int64_t z = r / l.ny, y = r % l.ny, i = r * l.nx + x;
        T steepest = 0;
        for_neighbours(l, steps, z, y, x, [&](int64_t n, const LatticeStep& s) {
          if (kind[n] == static_cast<uint8_t>(WalkVoxel::outside)) return;
          const auto edge = static_cast<T>(s.z != 0 ? voxel.z : s.y != 0 ? voxel.y : voxel.x);
          steepest = std::max(steepest, std::abs(v[n] - v[i]) / edge);
        });
        to[i] = steepest;
      }
  });
  return out;
}

template <class T>
Result<RandomWalk> walk(const at::Tensor& volume, const at::Tensor& seeds, const Lattice& l,
                        const RandomWalkerSpec& spec, RandomWalk result, const std::string& where) {
  TL_TRY(const at::Tensor kinds, walk_voxels(seeds, spec.cancel, where));
  const auto* kind = kinds.const_data_ptr<uint8_t>();
  const auto* seed = seeds.const_data_ptr<int32_t>();
  // The start: the result of a flood from the seeds that reaches steep voxels last, the limit of random walks for large
  // beta.
  TL_TRY(const at::Tensor flooded, watershed(steepness<T>(volume, kind, l, spec.voxel), seeds.clamp_min(0), kinds.ne(0),
                                             {Connectivity::faces, 0, WatershedLines::none, spec.cancel}));
  const auto* guess = flooded.const_data_ptr<int32_t>();
  const double deviation = std::sqrt(moments(volume).variance);
  WalkEquations<T> equations(l, volume.const_data_ptr<T>(), kind, seed,
                             {deviation > 0 ? -spec.beta / (10 * deviation) : 0, spec.voxel});
  const bool wanted = spec.probabilities == WalkerProbabilities::wanted;
  const auto all = static_cast<int64_t>(result.names.size());
  std::vector<int64_t> shape = volume.sizes().vec();
  shape.insert(shape.begin(), wanted ? all : 1);
  at::Tensor found = at::zeros(shape, volume.options());
  at::Tensor highest = at::zeros(volume.sizes(), volume.options()), rest = at::ones(volume.sizes(), volume.options());
  result.labels = seeds.clone();
  T *best = highest.mutable_data_ptr<T>(), *left = rest.mutable_data_ptr<T>();
  auto* label = result.labels.mutable_data_ptr<int32_t>();
  constexpr auto free = static_cast<uint8_t>(WalkVoxel::free), outside = static_cast<uint8_t>(WalkVoxel::outside);
  for (int64_t n = 0; n < all; ++n) {
    const int32_t name = result.names[static_cast<std::size_t>(n)];
    T* u = found.mutable_data_ptr<T>() + (wanted ? n * l.count() : 0);
    const bool last = n + 1 == all;
    if (!last) {
      const auto outcome = equations.solve(name, guess, spec.tolerance, spec.max_steps, spec.cancel, u);
      result.steps += outcome.steps;
      result.residual = std::max(result.residual, outcome.residual);
    }
    ops::parallel_for(0, l.count(), serial_updates, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        if (kind[i] != free) {
          u[i] = kind[i] != outside && seed[i] == name ? T{1} : T{0};
          continue;
        }
        if (last) u[i] = left[i];
        left[i] -= u[i];
        if (n > 0 && !(u[i] > best[i])) continue;
        best[i] = u[i];
        label[i] = name;
      }
    });
  }
  ops::parallel_for(0, l.count(), serial_updates, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      if (kind[i] == outside) label[i] = -1;
  });
  if (wanted) result.probabilities = found;
  return result;
}

}  // namespace

Result<RandomWalk> random_walker(const at::Tensor& volume, const at::Tensor& seeds, const RandomWalkerSpec& spec) {
  const std::string where = "random walker";
  TL_TRY(const Lattice l, check_volume(volume, where));
  TL_TRY(check_labels(seeds, where));
  TL_TRY(check_same_shape(volume, seeds, "the seeds", where));
  TL_TRY(check_voxel_size(spec.voxel, where));
  TL_TRY(check_finite(volume, where));
  if (!(spec.beta >= 0) || !std::isfinite(spec.beta)) return invalid("beta must be 0 or above", where, "130 is usual");
  if (!(spec.tolerance > 0) || spec.max_steps < 1)
    return invalid("the tolerance and the number of steps must be positive", where);
  const at::Tensor numbers = seeds.to(at::kInt).contiguous();
  RandomWalk result;
  result.names = seed_names(numbers);
  if (result.names.empty()) return invalid("there are no seeds", where, "Paint at least one voxel of every class");
  if (result.names.size() == 1)
    return invalid("all seeds have class " + std::to_string(result.names.front()), where,
                   "Paint a second class, for example the background");
  if (volume.scalar_type() == at::kFloat)
    return walk<float>(volume.contiguous(), numbers, l, spec, std::move(result), where);
  return walk<double>(volume.contiguous(), numbers, l, spec, std::move(result), where);
}

}  // namespace tl::ops
