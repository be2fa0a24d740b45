// Interpolates a volume trilinearly on another grid by torch's grid_sampler.
#include "core/values/interpolated.h"

#include <ATen/ATen.h>

#include "core/base/grid_box.h"

namespace tl {

at::Tensor interpolated(const at::Tensor& volume, const VolumeGrid& from, const VolumeGrid& to) {
  const auto index = [](int64_t n) { return at::arange(n, at::kDouble); };
  const GridPoint origin = fractional_index(from, to.position(0, 0, 0));
  const auto step = [&](Vec3 by) {
    const GridPoint p = fractional_index(from, to.position(0, 0, 0) + by);
    return GridPoint{p.k - origin.k, p.j - origin.j, p.i - origin.i};
  };
  const GridPoint z = step(to.step_z), y = step(to.step_y), x = step(to.step_x);
  const auto position = [&](double start, double dz, double dy, double dx, int64_t length) {
    const at::Tensor p = start + dz * index(to.nz).view({-1, 1, 1}) + dy * index(to.ny).view({1, -1, 1}) +
                         dx * index(to.nx).view({1, 1, -1});
    return (2 * p + 1) / static_cast<double>(length) - 1;  // pixel edges at -1 and 1
  };
  const at::Tensor where =
      at::stack({position(origin.i, z.i, y.i, x.i, from.nx), position(origin.j, z.j, y.j, x.j, from.ny),
                 position(origin.k, z.k, y.k, x.k, from.nz)},
                -1);
  constexpr double rounding = 1e-6;  // relative to half the volume's length
  constexpr int64_t linear = 0, border = 1;
  const at::Tensor values =
      at::grid_sampler(volume.unsqueeze(0).unsqueeze(0), where.unsqueeze(0).to(volume.device(), volume.scalar_type()),
                       linear, border, /*align_corners=*/false)
          .squeeze(0)
          .squeeze(0)
          .contiguous();
  const at::Tensor outside = where.abs().amax(-1) > 1 + rounding;
  return outside.any().item<bool>() ? values.masked_fill(outside.to(values.device()), 0) : values;
}

}  // namespace tl
