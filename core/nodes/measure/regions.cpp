// core/nodes/measure/regions.cpp: a table of objects: size, position, shape and grey values.
#include <ATen/ATen.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "core/base/grid_box.h"
#include "core/nodes/segment/segment_node.h"
#include "gpu/segmentation/region_sums.h"

namespace tl::measure_regions_node {

struct Params {};

Result<Regions> needs(const Params&, const Infos& in, const Region& block) {
  Regions all;
  for (const auto& [port, info] : in) all[port] = block;
  return all;
}

struct State {
  ops::RegionSums sums;
  int64_t without_value = 0;  // number of labelled voxels outside the grey volume
};

Result<std::shared_ptr<State>> begin(const Params&, NodeRun&) { return std::make_shared<State>(); }

// True for the voxels [z, y, x] of `part` whose centres lie outside of every voxel of `volume`.
at::Tensor outside_of(const VolumeGrid& volume, const VolumeGrid& part) {
  const auto index = [&](double z, double y, double x) { return fractional_index(volume, part.position(z, y, x)); };
  const GridPoint origin = index(0, 0, 0), z = index(1, 0, 0), y = index(0, 1, 0), x = index(0, 0, 1);
  const auto steps = [](int64_t n) { return at::arange(n, at::kDouble); };
  at::Tensor outside = at::zeros({part.nz, part.ny, part.nx}, at::kBool);
  for (const auto& [axis, count] : {std::pair{&GridPoint::k, volume.nz}, std::pair{&GridPoint::j, volume.ny},
                                    std::pair{&GridPoint::i, volume.nx}}) {
    const double first = origin.*axis;
    const at::Tensor at = first + steps(part.nz).view({-1, 1, 1}) * (z.*axis - first) +
                          steps(part.ny).view({-1, 1}) * (y.*axis - first) + steps(part.nx) * (x.*axis - first);
    constexpr double edge = 0.5 + 1e-3;  // half a voxel, and the rounding of grids in files
    outside = outside | at.lt(-edge) | at.gt(static_cast<double>(count) - 1 + edge);
  }
  return outside;
}

Result<void> accumulate(const Params&, State& s, NodeRun& r) {
  const Labels& labels = r.in<Labels>("labels");
  if (!r.has_in("volume")) return s.sums.add(labels.data, {}, r.cancel());
  at::Tensor values = r.in<Volume>("volume").data.detach();
  const VolumeGrid& volume = r.info<VolumeInfo>("volume").grid;
  if (!box_in(volume, labels.grid)) {
    const at::Tensor outside = outside_of(volume, labels.grid);
    s.without_value += outside.logical_and(labels.data.ne(0)).sum().item<int64_t>();
    values = values.masked_fill(outside, std::numeric_limits<double>::quiet_NaN());
  }
  return s.sums.add(labels.data, values, r.cancel());
}

// The axis lengths of the ellipsoid (in one slice: the ellipse) with the same moments, largest first [mm]: a solid
// ellipsoid with an axis of length a has the variance a^2 / 20 along it, an ellipse a^2 / 16.
std::vector<std::array<double, 3>> axes_of(const std::vector<ops::RegionSummary>& regions, const VolumeGrid& grid) {
  const std::array<double, 3> edge = {norm(grid.step_z), norm(grid.step_y), norm(grid.step_x)};
  at::Tensor moments = at::zeros({static_cast<int64_t>(regions.size()), 3, 3}, at::kDouble);
  auto m = moments.accessor<double, 3>();
  constexpr std::array<std::array<int64_t, 2>, 6> pairs{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
  for (std::size_t i = 0; i < regions.size(); ++i)
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const auto [a, b] = pairs[p];
      const double v = regions[i].spread[p] * edge[static_cast<std::size_t>(a)] * edge[static_cast<std::size_t>(b)];
      m[static_cast<int64_t>(i)][a][b] = m[static_cast<int64_t>(i)][b][a] = v;
    }
  const double factor = grid.nz > 1 ? 20 : 16;
  const at::Tensor lengths = at::linalg_eigvalsh(moments).clamp_min(0).mul(factor).sqrt();
  auto l = lengths.accessor<double, 2>();
  std::vector<std::array<double, 3>> all(regions.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t a = 0; a < 3; ++a) all[i][a] = l[static_cast<int64_t>(i)][2 - static_cast<int64_t>(a)];
  return all;
}

bool is_at_border(const ops::RegionSummary& r, const VolumeGrid& grid) {
  const std::array<int64_t, 3> size = {grid.nz, grid.ny, grid.nx};
  for (std::size_t d = grid.nz > 1 ? 0 : 1; d < 3; ++d)
    if (r.first[d] == 0 || r.last[d] == size[d] - 1) return true;
  return false;
}

Result<Findings> finish(const Params&, State& s, NodeRun& r) {
  const VolumeGrid& grid = r.info<LabelsInfo>("labels").grid;
  const std::vector<ops::RegionSummary> regions = s.sums.regions();
  const bool has_values = r.infos.count("volume") != 0;
  if (s.without_value > 0)
    r.message(LogLevel::warning,
              std::to_string(s.without_value) +
                  " labelled voxels lie outside of the volume of grey values: they are left out of all grey values");
  const Unit grey = has_values ? r.info<VolumeInfo>("volume").unit : Unit::none;
  const std::vector<std::array<double, 3>> axes = axes_of(regions, grid);
  Table t;
  const auto add = [&](const char* name, Unit unit, auto value) {
    Table::Column c{name, unit, {}};
    c.values.reserve(regions.size());
    for (std::size_t i = 0; i < regions.size(); ++i) c.values.push_back(value(i));
    t.columns.push_back(std::move(c));
  };
  const auto place = [&](std::size_t i) {
    return grid.position(regions[i].centroid[0], regions[i].centroid[1], regions[i].centroid[2]);
  };
  const auto volume = [&](std::size_t i) { return static_cast<double>(regions[i].voxels) * grid.voxel_volume(); };
  add("number", Unit::none, [&](std::size_t i) { return static_cast<double>(regions[i].number); });
  add("voxels", Unit::none, [&](std::size_t i) { return static_cast<double>(regions[i].voxels); });
  add("volume_mm3", Unit::none, volume);
  add("x", Unit::mm, [&](std::size_t i) { return place(i).x; });
  add("y", Unit::mm, [&](std::size_t i) { return place(i).y; });
  add("z", Unit::mm, [&](std::size_t i) { return place(i).z; });
  add("equivalent_diameter", Unit::mm, [&](std::size_t i) { return std::cbrt(6 * volume(i) / std::numbers::pi); });
  const char* const axis_names[] = {"major_axis", "middle_axis", "minor_axis"};
  for (std::size_t a = 0; a < 3; ++a) add(axis_names[a], Unit::mm, [&](std::size_t i) { return axes[i][a]; });
  const char* const first_names[] = {"first_z", "first_y", "first_x"};
  const char* const last_names[] = {"last_z", "last_y", "last_x"};
  for (std::size_t d = 0; d < 3; ++d) {
    add(first_names[d], Unit::none, [&](std::size_t i) { return static_cast<double>(regions[i].first[d]); });
    add(last_names[d], Unit::none, [&](std::size_t i) { return static_cast<double>(regions[i].last[d]); });
  }
  add("touches_border", Unit::none, [&](std::size_t i) { return is_at_border(regions[i], grid) ? 1.0 : 0.0; });
  if (has_values) {
    add("mean", grey, [&](std::size_t i) { return regions[i].mean; });
    add("deviation", grey, [&](std::size_t i) { return regions[i].deviation; });
    add("least", grey, [&](std::size_t i) { return regions[i].least; });
    add("most", grey, [&](std::size_t i) { return regions[i].most; });
  }
  Findings f;
  f.values["count"] = Scalar{at::scalar_tensor(static_cast<double>(regions.size()), at::kDouble)};
  f.values["regions"] = std::move(t);
  return f;
}

void describe(NodeBuilder<Params>& n) {
  n.id("measure.regions", 1).title("Table of objects").category("Measure");
  n.not_differentiable("labels are integers");
  n.summary("Region table: size, position, shape and grey values of each object or class.");
  n.description(
      "One row per number but 0: voxels and volume, centroid in mm, box in voxels (counted from 0 along z, y and x, "
      "both ends included; rows of saved slices run against y), the diameter of the ball of the same volume, the axes "
      "of the ellipsoid with the same moments, whether it touches the border of the volume, and, if a volume is given, "
      "mean, standard deviation, smallest and largest grey value. In a volume of one slice the axes are those of an "
      "ellipse, and the diameter is that of the slice's volume. The labels are read once, block by block. NaN and "
      "voxels outside of the volume of grey values are left out of the grey values; an object that has none gets NaN "
      "there.");
  n.synonyms({"regionprops", "label analysis", "particle analysis", "statistics", "morphometry", "properties"});
  n.input<Labels>("labels", "Objects or classes: each number is one row, 0 is none.");
  n.input<Volume>("volume", "Grey values at the same position.", false);
  n.output<Table>("regions", "One row per number.");
  n.output<Scalar>("count", "Number of rows.");
  n.needs(needs).reduce<State>(begin, accumulate, finish);
}

}  // namespace tl::measure_regions_node

TL_NODE(measure_regions)
