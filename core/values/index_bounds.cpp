// Bounds of indices: a grid is a parallelepiped, so its corners bound all its points.
#include "core/values/index_bounds.h"

#include <algorithm>
#include <cmath>

namespace tl {

std::array<GridPoint, 8> corners_in(const VolumeGrid& in, const VolumeGrid& of) {
  std::array<GridPoint, 8> corners{};
  auto* corner = corners.data();
  for (const int64_t k : {int64_t{0}, of.nz - 1})
    for (const int64_t j : {int64_t{0}, of.ny - 1})
      for (const int64_t i : {int64_t{0}, of.nx - 1})
        *corner++ =
            fractional_index(in, of.position(static_cast<double>(k), static_cast<double>(j), static_cast<double>(i)));
  return corners;
}

IndexBounds bounds_in(const VolumeGrid& in, const VolumeGrid& of) {
  const std::array<GridPoint, 8> corners = corners_in(in, of);
  IndexBounds b{corners[0], corners[0]};
  for (const GridPoint& c : corners) {
    b.low = {std::min(b.low.k, c.k), std::min(b.low.j, c.j), std::min(b.low.i, c.i)};
    b.high = {std::max(b.high.k, c.k), std::max(b.high.j, c.j), std::max(b.high.i, c.i)};
  }
  return b;
}

Range slices_around(const VolumeGrid& whole, const VolumeGrid& wanted) {
  constexpr double rounding = 1e-6;  // so that a slice of the volume needs no neighbouring slice
  const IndexBounds bounds = bounds_in(whole, wanted);
  const double last = static_cast<double>(whole.nz - 1);
  const auto begin = static_cast<int64_t>(std::clamp(std::floor(bounds.low.k + rounding), 0.0, last));
  const auto end = static_cast<int64_t>(std::clamp(std::ceil(bounds.high.k - rounding), 0.0, last)) + 1;
  return {begin, std::max(end, begin + 1)};
}

}  // namespace tl
