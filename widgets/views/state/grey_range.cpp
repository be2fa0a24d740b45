// GreyPicture: finds the pixel of a voxel, in the order of rows that images have.
#include "widgets/views/state/grey_range.h"

#include <cmath>
#include <limits>

#include "core/base/grid_box.h"

namespace tl::ui {

double GreyPicture::at(Vec3 point) const {
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  const GridPoint p = fractional_index(grid, point);
  const auto inside = [](double index, int64_t count) {
    return index > -0.5 - 1e-6 && index < static_cast<double>(count) - 0.5 + 1e-6;
  };
  if (!inside(p.k, grid.nz) || !inside(p.j, grid.ny) || !inside(p.i, grid.nx)) return nothing;
  const auto nearest = [](double index, int64_t count) {
    return std::clamp<int64_t>(std::llround(index), 0, count - 1);
  };
  const int64_t k = nearest(p.k, grid.nz), j = nearest(p.j, grid.ny), i = nearest(p.i, grid.nx);
  // An axis of one voxel is dropped, z before y before x; rows begin at the top.
  int64_t row = grid.ny - 1 - j, col = i;
  if (slices == 1 && grid.nz > 1) {
    row = grid.nz - 1 - k;
    col = grid.ny == 1 ? i : j;
  } else {
    row += k * grid.ny;
  }
  if (row < 0 || row >= image->rows || col < 0 || col >= image->cols) return nothing;
  return image->pixels[static_cast<std::size_t>(row * image->cols + col)];
}

}  // namespace tl::ui
