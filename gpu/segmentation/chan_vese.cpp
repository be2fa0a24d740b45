// Morphological Chan-Vese: means by sums per row, then one pass over the voxels at the contour.
#include "gpu/segmentation/chan_vese.h"

#include <ATen/ATen.h>

#include <array>
#include <cmath>
#include <vector>

#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/segmentation/level_set.h"

namespace tl::ops {
namespace {

constexpr double no_division_by_zero = 1e-8;

struct ContourSums {
  double inside = 0, outside = 0;
  int64_t count = 0;  // inside
};

template <class T>
ContourSums region_sums(const T* v, const uint8_t* u, const Lattice& l) {
  std::vector<ContourSums> rows(static_cast<std::size_t>(l.rows()));
  ops::parallel_for(0, l.rows(), grain(l.nx * 2), [&](int64_t first, int64_t last) {
    for (int64_t r = first; r < last; ++r) {
      ContourSums sums;
      for (int64_t i = r * l.nx; i < (r + 1) * l.nx; ++i) {
        const auto value = static_cast<double>(v[i]);
        sums.inside += u[i] != 0 ? value : 0;
        sums.outside += u[i] != 0 ? 0 : value;
        sums.count += u[i];
      }
      rows[static_cast<std::size_t>(r)] = sums;
    }
  });
  ContourSums all;
  for (const ContourSums& s : rows) {
    all.inside += s.inside;
    all.outside += s.outside;
    all.count += s.count;
  }
  return all;
}

template <class T>
at::Tensor evolve(const at::Tensor& volume, const at::Tensor& start, const Lattice& l, const ChanVeseSpec& spec) {
  const T* v = volume.const_data_ptr<T>();
  LevelSet level(l, start);
  for (int64_t step = 0; step < spec.steps; ++step) {
    spec.cancel.check();
    const ContourSums sums = region_sums(v, level.values(), l);
    const double inside = sums.inside / (static_cast<double>(sums.count) + no_division_by_zero);
    const double outside = sums.outside / (static_cast<double>(l.count() - sums.count) + no_division_by_zero);
    level.move([&](int64_t z, int64_t y, int64_t x, const std::array<int, 3>&) {
      const auto value = static_cast<double>(v[(z * l.ny + y) * l.nx + x]);
      const double from_inside = value - inside, from_outside = value - outside;
      return spec.outside * from_outside * from_outside - spec.inside * from_inside * from_inside;
    });
    for (int64_t n = 0; n < spec.smoothing; ++n) level.smooth();
  }
  return level.mask(start);
}

}  // namespace

Result<at::Tensor> chan_vese(const at::Tensor& volume, const at::Tensor& start, const ChanVeseSpec& spec) {
  const std::string where = "Chan-Vese";
  TL_TRY(const Lattice l, check_volume(volume, where));
  TL_TRY(check_mask(start, where));
  TL_TRY(check_same_shape(volume, start, "the first contour", where));
  TL_TRY(check_finite(volume, where));
  if (spec.steps < 0 || spec.smoothing < 0) return invalid("the numbers of steps must be 0 or above", where);
  for (const double weight : {spec.inside, spec.outside})
    if (!(weight >= 0) || !std::isfinite(weight))
      return invalid("the weights must be finite and 0 or above", where, "1 is usual");
  if (volume.scalar_type() == at::kFloat) return evolve<float>(volume.contiguous(), start, l, spec);
  return evolve<double>(volume.contiguous(), start, l, spec);
}

}  // namespace tl::ops
