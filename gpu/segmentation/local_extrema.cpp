// Local extrema: voxels with a higher neighbour are excluded in parallel, then the plateaus that contain one of them.
#include "gpu/segmentation/local_extrema.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/segmentation/components.h"

namespace tl::ops {
namespace {

constexpr uint8_t extreme = 1, not_extreme = 0;
constexpr int64_t plateau_voxels_between_checks = 1 << 16;
constexpr std::size_t plateaus_between_checks = 1 << 10;

template <class T>
void find_extrema(const T* v, const Lattice& l, T sign, Connectivity connectivity, const CancelToken& cancel,
                  uint8_t* state) {
  const std::vector<LatticeStep> steps = neighbours_of(l, connectivity);
  const auto operations = static_cast<int64_t>(steps.size()) * 4;
  ops::parallel_for(0, l.rows(), grain(l.nx * operations), [&](int64_t first, int64_t last) {
    for (int64_t r = first; r < last; ++r) {
      cancel.check();
      for (int64_t x = 0; x < l.nx; ++x) {
        const int64_t i = r * l.nx + x;
        bool highest = !std::isnan(v[i]);
        for_neighbours(l, steps, r / l.ny, r % l.ny, x,
                       [&](int64_t n, const LatticeStep&) { highest = highest && sign * v[n] <= sign * v[i]; });
        state[i] = highest ? extreme : not_extreme;
      }
    }
  });
  // A plateau is not an extremum if one of its voxels is not.
  std::vector<int64_t> stack;
  for (int64_t i = 0; i < l.count(); ++i) {
    if (i % l.nx == 0) cancel.check();
    if (state[i] != not_extreme) continue;
    stack.push_back(i);
    for (int64_t done = 1; !stack.empty(); ++done) {
      if (done % plateau_voxels_between_checks == 0) cancel.check();
      const int64_t at = stack.back();
      stack.pop_back();
      for_neighbours(l, steps, at / l.nx / l.ny, at / l.nx % l.ny, at % l.nx, [&](int64_t n, const LatticeStep&) {
        if (state[n] != extreme || v[n] != v[at]) return;
        state[n] = not_extreme;
        stack.push_back(n);
      });
    }
  }
}

struct Plateau {
  double height = 0;
  int64_t z = 0, y = 0, x = 0;  // of its first voxel
};

// Selects plateaus from the highest on that are not too near to one already selected. Positions are looked up in cells
// as large as the separation.
std::vector<bool> separated(const std::vector<Plateau>& plateaus, const MarkersSpec& spec) {
  std::vector<std::size_t> order(plateaus.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return plateaus[a].height > plateaus[b].height; });
  using Cell = std::tuple<int64_t, int64_t, int64_t>;
  std::map<Cell, std::vector<std::size_t>> cells;
  std::vector<bool> stays(plateaus.size(), false);
  const auto place = [&](const Plateau& p) {
    return std::array<double, 3>{static_cast<double>(p.z) * spec.voxel.z, static_cast<double>(p.y) * spec.voxel.y,
                                 static_cast<double>(p.x) * spec.voxel.x};
  };
  for (std::size_t done = 0; done < order.size(); ++done) {
    if (done % plateaus_between_checks == 0) spec.cancel.check();
    const std::size_t i = order[done];
    const auto at = place(plateaus[i]);
    const auto cell = [&](int axis) {
      return static_cast<int64_t>(std::floor(at[static_cast<std::size_t>(axis)] / spec.separation));
    };
    bool alone = true;
    for (int64_t z = cell(0) - 1; z <= cell(0) + 1 && alone; ++z)
      for (int64_t y = cell(1) - 1; y <= cell(1) + 1 && alone; ++y)
        for (int64_t x = cell(2) - 1; x <= cell(2) + 1 && alone; ++x) {
          const auto found = cells.find({z, y, x});
          if (found == cells.end()) continue;
          for (const std::size_t other : found->second) {
            const auto b = place(plateaus[other]);
            const double dz = at[0] - b[0], dy = at[1] - b[1], dx = at[2] - b[2];
            alone = alone && dz * dz + dy * dy + dx * dx >= spec.separation * spec.separation;
          }
        }
    if (!alone) continue;
    stays[i] = true;
    cells[{cell(0), cell(1), cell(2)}].push_back(i);
  }
  return stays;
}

}  // namespace

Result<at::Tensor> local_extrema(const at::Tensor& volume, Extremum which, Connectivity connectivity,
                                 const CancelToken& cancel) {
  TL_TRY(const Lattice l, check_volume(volume, "local extrema"));
  const at::Tensor plain = volume.contiguous();
  at::Tensor out = at::empty(volume.sizes(), at::kBool);
  auto* state = static_cast<uint8_t*>(out.mutable_data_ptr());
  if (plain.scalar_type() == at::kFloat)
    find_extrema(plain.const_data_ptr<float>(), l, which == Extremum::maximum ? 1.0F : -1.0F, connectivity, cancel,
                 state);
  else
    find_extrema(plain.const_data_ptr<double>(), l, which == Extremum::maximum ? 1.0 : -1.0, connectivity, cancel,
                 state);
  // A plateau that covers the whole volume is not an extremum.
  if (out.all().item<bool>() && plain.min().item<double>() == plain.max().item<double>()) out.zero_();
  return out;
}

Result<at::Tensor> markers_from_maxima(const at::Tensor& distance, const MarkersSpec& spec) {
  const std::string where = "markers from maxima";
  TL_TRY(const Lattice l, check_volume(distance, where));
  TL_TRY(check_no_nan(distance, where));
  TL_TRY(check_voxel_size(spec.voxel, where));
  if (!(spec.separation >= 0) || !std::isfinite(spec.separation))
    return invalid("the separation must be 0 or above", where, "Choose about half the width of the objects");
  TL_TRY(at::Tensor maxima, local_extrema(distance, Extremum::maximum, spec.connectivity, spec.cancel));
  maxima.logical_and_(distance.gt(0));
  TL_TRY(Components found, components(maxima, {spec.connectivity, spec.cancel}));
  if (found.count() == 0 || spec.separation == 0) return found.labels;
  std::vector<Plateau> plateaus;
  const at::Tensor heights = distance.to(at::kDouble).contiguous();
  const auto* height = heights.const_data_ptr<double>();
  auto* label = found.labels.mutable_data_ptr<int32_t>();
  for (int64_t i = 0; i < l.count(); ++i)
    if (label[i] == static_cast<int32_t>(plateaus.size()) + 1)
      plateaus.push_back({height[i], i / l.nx / l.ny, i / l.nx % l.ny, i % l.nx});
  const std::vector<bool> stays = separated(plateaus, spec);
  std::vector<int32_t> numbers(plateaus.size() + 1, 0);
  int32_t last = 0;
  for (std::size_t i = 0; i < plateaus.size(); ++i) numbers[i + 1] = stays[i] ? ++last : 0;
  for (int64_t i = 0; i < l.count(); ++i) label[i] = numbers[static_cast<std::size_t>(label[i])];
  return found.labels;
}

}  // namespace tl::ops
