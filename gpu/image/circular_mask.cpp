// Masks a volume by a circle about its axis: weights from the distance of every voxel to the axis of the whole volume.
#include "gpu/image/circular_mask.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/units.h"

namespace tl::ops {
namespace {

// Coordinate of every voxel along a direction, relative to the centre of the whole volume [mm].
at::Tensor coordinate(const VolumeGrid& part, const Vec3& from, const Vec3& direction) {
  const auto line = [](int64_t n, double step) {
    return (at::arange(n, at::kDouble) - 0.5 * static_cast<double>(n - 1)) * step;
  };
  return dot(part.centre - from, direction) + line(part.nz, dot(part.step_z, direction)).view({-1, 1, 1}) +
         line(part.ny, dot(part.step_y, direction)).view({1, -1, 1}) +
         line(part.nx, dot(part.step_x, direction)).view({1, 1, -1});
}

}  // namespace

Result<at::Tensor> circular_weights(const VolumeGrid& part, const CircularMaskSpec& spec, at::ScalarType type) {
  if (!(spec.radius > 0) || !std::isfinite(spec.radius))
    return invalid("the radius must be positive", "circular mask", "Choose 1 for the inscribed circle");
  if (!(spec.soft_edge >= 0) || !std::isfinite(spec.soft_edge))
    return invalid("the soft edge must not be negative", "circular mask");
  const VolumeGrid& g = spec.whole;
  const double dx = norm(g.step_x), dy = norm(g.step_y);
  const double radius = 0.5 * spec.radius * std::min(static_cast<double>(g.nx) * dx, static_cast<double>(g.ny) * dy);
  const at::Tensor x = coordinate(part, g.centre, (1 / dx) * g.step_x),
                   y = coordinate(part, g.centre, (1 / dy) * g.step_y);
  const at::Tensor distance = at::hypot(x, y);
  const double edge = spec.soft_edge * dx;
  const at::Tensor inside = distance < radius;
  if (edge == 0) return inside.to(type);
  const at::Tensor depth = ((radius - distance) / edge).clamp(0, 1);
  return (0.5 - 0.5 * at::cos(pi * depth)).mul(inside).to(type);
}

at::Tensor masked(const at::Tensor& volume, const at::Tensor& factors, double outside) {
  const at::Tensor weights = factors.to(volume.device());
  const at::Tensor mixed = volume * weights + outside * (1 - weights);
  return at::where(weights == 0, at::full({}, outside, volume.options().requires_grad(false)), mixed);
}

}  // namespace tl::ops
