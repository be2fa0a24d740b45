// Draws balls from the largest to the smallest and skips voxels already drawn. Balls contained in a neighbour's ball
// are removed first.
#include "gpu/segmentation/local_thickness.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "gpu/device/parallel_for.h"
#include "gpu/segmentation/distance.h"

namespace tl::ops {
namespace {

struct Ball {
  double square = 0;            // of the radius
  int32_t z = 0, y = 0, x = 0;  // cell
};

constexpr std::size_t max_limits = std::size_t{1} << 16;

// Decides whether a ball contains its neighbour: the ball of squared radius r2 about a cell is contained, cell for
// cell, in one about a neighbouring cell if the squared radius of the latter exceeds limit(r2).
class Containment {
 public:
  // For balls up to a squared radius `most` of cells with the edges `step`. `whole`: all squares are integers.
  Containment(const Lattice& fine, const std::array<double, 3>& step, double most, bool whole,
              const CancelToken& cancel)
      : exact_(whole && most < static_cast<double>(max_limits)),
        scale_(exact_ ? 1 : static_cast<double>(max_limits - 1) / most) {
    const std::size_t count = exact_ ? static_cast<std::size_t>(most) + 2 : max_limits + 1;
    for (auto& table : limits_) table.assign(count, 0);
    const std::array<int64_t, 3> size = {fine.nz, fine.ny, fine.nx};
    std::array<int64_t, 3> last{};
    for (std::size_t d = 0; d < 3; ++d)
      last[d] = std::min(size[d] - 1, static_cast<int64_t>(std::sqrt(most) / step[d]) + 1);
    const auto square = [&](std::size_t d, int64_t n) {
      const double length = static_cast<double>(n) * step[d];
      return length * length;
    };
    for (int64_t z = 0; z <= last[0]; ++z) {
      cancel.check();
      for (int64_t y = 0; y <= last[1]; ++y)
        for (int64_t x = 0; x <= last[2]; ++x) {
          const double here = square(0, z) + square(1, y) + square(2, x);
          if (here >= most) break;
          // Balls larger than `here` contain this cell: entry i is for balls with squared radii from that of i on.
          const std::size_t entry = index(here) + (exact_ ? 1 : 0);
          for (std::size_t shift = 1; shift < limits_.size(); ++shift) {
            const auto s = static_cast<int64_t>(shift);
            const double there = square(0, z + (s >> 2)) + square(1, y + (s >> 1 & 1)) + square(2, x + (s & 1));
            limits_[shift][entry] = std::max(limits_[shift][entry], rounded_up(there));
          }
        }
    }
    for (auto& table : limits_)
      for (std::size_t i = 1; i < table.size(); ++i) table[i] = std::max(table[i], table[i - 1]);
  }

  // `shift`: 4 |z| + 2 |y| + |x| of the step to the neighbour.
  [[nodiscard]] bool contains(double square, double of_neighbour, std::size_t shift) const {
    return limits_[shift][index(square)] < of_neighbour;
  }

 private:
  [[nodiscard]] std::size_t index(double square) const { return static_cast<std::size_t>(square * scale_); }
  // Rounds up to float32, so that rounding may keep a redundant ball but never drops a necessary one.
  [[nodiscard]] float rounded_up(double number) const {
    if (exact_) return static_cast<float>(number);
    const double safe = number * (1 + 1e-12);
    const auto rounded = static_cast<float>(safe);
    return static_cast<double>(rounded) < safe ? std::nextafter(rounded, std::numeric_limits<float>::infinity())
                                               : rounded;
  }
  bool exact_;
  double scale_;
  std::array<std::vector<float>, 8> limits_;
};

// Balls of cells that are not contained in a neighbour's ball; of two that contain each other, the first in raster
// order.
template <class T>
std::vector<Ball> largest_balls(const at::Tensor& squares, const Lattice& fine, const std::array<double, 3>& step,
                                const CancelToken& cancel) {
  const T* const d = squares.const_data_ptr<T>();
  const double most = squares.max().item<double>();
  const Containment containment(fine, step, most, std::is_same_v<T, float>, cancel);
  const std::vector<LatticeStep> steps = neighbours_of(fine, Connectivity::corners);
  std::vector<std::vector<Ball>> of_slice(static_cast<std::size_t>(fine.nz));
  ops::parallel_for(0, fine.nz, 1, [&](int64_t first, int64_t last) {
    for (int64_t z = first; z < last; ++z)
      for (int64_t y = 0; y < fine.ny; ++y) {
        cancel.check();
        for (int64_t x = 0; x < fine.nx; ++x) {
          const int64_t at = (z * fine.ny + y) * fine.nx + x;
          if (!(d[at] > 0)) continue;
          bool contained = false;
          for_neighbours(fine, steps, z, y, x, [&](int64_t n, const LatticeStep& s) {
            if (contained || d[n] < d[at] || (d[n] == d[at] && n > at)) return;
            const auto shift = static_cast<std::size_t>(4 * (s.z & 1) + 2 * (s.y & 1) + (s.x & 1));
            contained = containment.contains(static_cast<double>(d[at]), static_cast<double>(d[n]), shift);
          });
          if (!contained)
            of_slice[static_cast<std::size_t>(z)].push_back({static_cast<double>(d[at]), static_cast<int32_t>(z),
                                                             static_cast<int32_t>(y), static_cast<int32_t>(x)});
        }
      }
  });
  std::size_t count = 0;
  for (const auto& balls : of_slice) count += balls.size();
  std::vector<Ball> all;
  all.reserve(count);
  for (auto& balls : of_slice) {
    all.insert(all.end(), balls.begin(), balls.end());
    std::vector<Ball>().swap(balls);
  }
  std::sort(all.begin(), all.end(), [](const Ball& a, const Ball& b) { return a.square > b.square; });
  return all;
}

// The largest integer n with (n step)^2 < square; -1 if there is none.
int64_t cells_within(double square, double step) {
  if (!(square > 0)) return -1;
  const auto is_within = [&](int64_t n) {
    const double length = static_cast<double>(n) * step;
    return length * length < square;
  };
  auto n = static_cast<int64_t>(std::sqrt(square) / step);
  while (n > 0 && !is_within(n)) --n;
  while (is_within(n + 1)) ++n;
  return n;
}

// Draws balls into slices of voxels.
class Drawing {
 public:
  // `per_z`: number of cells per voxel along z, 1 in a slice.
  Drawing(const at::Tensor& mask, const Lattice& voxels, int64_t per_z, const std::array<double, 3>& step, double unit)
      : l_(voxels),
        per_z_(per_z),
        step_(step),
        unit_(unit),
        mask_(mask.const_data_ptr<bool>()),
        out_(at::zeros(mask.sizes(), mask.options().dtype(at::kFloat))),
        to_(out_.mutable_data_ptr<float>()),
        next_(static_cast<std::size_t>(voxels.rows() * (voxels.nx + 1))) {}

  // Draws all of these balls, the largest first, into the slices [first, last).
  void slices(const std::vector<Ball>& balls, int64_t first, int64_t last, const CancelToken& cancel) {
    int64_t left = 0;
    for (int64_t row = first * l_.ny; row < last * l_.ny; ++row) {
      int32_t* const next = next_of(row);
      for (int64_t x = 0; x < l_.nx; ++x) {
        const bool open = mask_[row * l_.nx + x];
        next[x] = static_cast<int32_t>(open ? x : x + 1);
        left += open ? 1 : 0;
      }
      next[l_.nx] = static_cast<int32_t>(l_.nx);
    }
    for (const Ball& b : balls) {
      if (left == 0) return;
      cancel.check();
      const int64_t reach = cells_within(b.square, step_[0]);
      const int64_t begin = std::max(first, std::max<int64_t>(b.z - reach, 0) / per_z_),
                    end = std::min(last - 1, (b.z + reach) / per_z_);
      for (int64_t z = begin; z <= end; ++z) left -= slice(b, z);
    }
  }
  [[nodiscard]] at::Tensor result() const { return out_; }

 private:
  int32_t* next_of(int64_t row) { return next_.data() + row * (l_.nx + 1); }
  // The first voxel of a row from x on that is in the mask and not drawn yet.
  static int64_t next_open(int32_t* next, int64_t x) {
    while (next[x] != x) {
      next[x] = next[next[x]];
      x = next[x];
    }
    return x;
  }
  // The distance of a cell from the nearest of the `per` cells of a voxel, in cells.
  static int64_t cells_apart(int64_t cell, int64_t voxel, int64_t per) {
    return std::max({voxel * per - cell, cell - (voxel * per + per - 1), int64_t{0}});
  }
  // The number of voxels drawn.
  int64_t slice(const Ball& b, int64_t z) {
    const double apart_z = static_cast<double>(cells_apart(b.z, z, per_z_)) * step_[0];
    const double in_slice = b.square - apart_z * apart_z;
    const int64_t reach = cells_within(in_slice, step_[1]);
    if (reach < 0) return 0;
    const auto value = static_cast<float>(2 * std::sqrt(b.square) * unit_);
    const int64_t begin = std::max<int64_t>(b.y - reach, 0) / 2, end = std::min(l_.ny - 1, (b.y + reach) / 2);
    int64_t drawn = 0;
    for (int64_t y = begin; y <= end; ++y) {
      const double apart_y = static_cast<double>(cells_apart(b.y, y, 2)) * step_[1];
      const int64_t half = cells_within(in_slice - apart_y * apart_y, step_[2]);
      if (half < 0) continue;
      const int64_t row = z * l_.ny + y, last = std::min(l_.nx - 1, (b.x + half) / 2);
      int32_t* const next = next_of(row);
      for (int64_t x = next_open(next, std::max<int64_t>(b.x - half, 0) / 2); x <= last; x = next_open(next, x)) {
        to_[row * l_.nx + x] = value;
        next[x] = static_cast<int32_t>(x + 1);
        ++drawn;
      }
    }
    return drawn;
  }

  Lattice l_;
  int64_t per_z_;
  std::array<double, 3> step_;
  double unit_;
  const bool* mask_;
  at::Tensor out_;
  float* to_;
  std::vector<int32_t> next_;
};

Lattice fine_lattice(const Lattice& l) { return {l.one_slice() ? 1 : 2 * l.nz, 2 * l.ny, 2 * l.nx}; }
// In a slice lengths along z do not count.
VoxelSize cell_of(const Lattice& l, const VoxelSize& voxel) {
  return {(l.one_slice() ? voxel.y : voxel.z) / 2, voxel.y / 2, voxel.x / 2};
}

}  // namespace

int64_t bytes_of_local_thickness(const Lattice& lattice, const VoxelSize& voxel) {
  // Cells and their squared distances, balls (about one for every voxel), rows and the result.
  const Lattice fine = fine_lattice(lattice);
  const int64_t of_cell = squares_fit_float32(fine, cell_of(lattice, voxel)) ? 5 : 9;
  return fine.count() * of_cell + lattice.count() * (24 + 8);
}

Result<at::Tensor> local_thickness(const at::Tensor& mask, const LocalThicknessSpec& spec) {
  const std::string where = "local thickness";
  TL_TRY(const Lattice l, check_mask(mask, where));
  TL_TRY(check_voxel_size(spec.voxel, where));
  const at::Tensor plain = mask.contiguous().view({l.nz, l.ny, l.nx});
  if (plain.all().item<bool>())
    return invalid("every voxel is in the mask: there is no background where its balls end", where);
  if (!plain.any().item<bool>()) return at::zeros(mask.sizes(), mask.options().dtype(at::kFloat));
  const Lattice fine = fine_lattice(l);
  const VoxelSize cell = cell_of(l, spec.voxel);
  std::vector<Ball> balls;
  std::array<double, 3> step = {cell.z, cell.y, cell.x};
  double unit = 1;
  {
    at::Tensor cells = plain.repeat_interleave(2, 1).repeat_interleave(2, 2);
    if (!l.one_slice()) cells = cells.repeat_interleave(2, 0);
    TL_TRY(const SquaredDistances squares,
           squared_distances(cells, DistanceTo::background, {cell, spec.cancel}, where));
    cells = at::Tensor();
    if (squares.values.scalar_type() == at::kFloat) {
      step = {1, 1, 1};
      unit = squares.unit;
      balls = largest_balls<float>(squares.values, fine, step, spec.cancel);
    } else {
      // Slightly reduced: cells exactly as far away as the background are in no ball, however distances are rounded.
      constexpr double rounding = 1e-12;
      balls = largest_balls<double>(squares.values.mul_(1 - rounding), fine, step, spec.cancel);
    }
  }
  Drawing drawing(plain, l, l.one_slice() ? 1 : 2, step, unit);
  const int64_t parts = std::min<int64_t>(l.nz, 4 * ops::threads_of_loop());
  ops::parallel_for(0, parts, 1, [&](int64_t first, int64_t last) {
    for (int64_t part = first; part < last; ++part)
      drawing.slices(balls, l.nz * part / parts, l.nz * (part + 1) / parts, spec.cancel);
  });
  return drawing.result().view(mask.sizes());
}

}  // namespace tl::ops
