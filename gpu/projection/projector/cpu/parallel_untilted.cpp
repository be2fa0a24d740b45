// Projects parallel beams without tilt: tiles of voxels and groups of views are transposed to have slices innermost;
// the inner loops are in lanes.h.
#include "gpu/projection/projector/cpu/parallel_untilted.h"

#include <algorithm>
#include <cmath>

#include "gpu/device/aligned_vector.h"
#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/projection/projector/cpu/lines.h"
#include "gpu/projection/projector/cpu/scratch.h"

namespace tl::ops {
namespace {

constexpr int64_t tile_size = 32;  // voxels along y and x: a tile of 64 float lanes stays in L2
template <class T>
constexpr int64_t block_lanes = 256 / static_cast<int64_t>(sizeof(T));  // four AVX-512 registers
// The slice below a detector row and the weight of the next slice. A row within 1e-9 of a slice counts as on it, so
// that rounding of the vectors does not require an additional slice.
struct Level {
  int64_t low;
  double share;
};
Level level_of(const UntiltedView& view, int64_t row) {
  constexpr double rounding = 1e-9;
  const double z = view.first_slice + static_cast<double>(row) * view.slice_step, near = std::round(z);
  const double low = std::abs(z - near) < rounding ? near : std::floor(z);
  return {static_cast<int64_t>(low), std::abs(z - near) < rounding ? 0.0 : z - low};
}

// Calls use(row, slice, weight) for every row of a view and the slices begin <= slice < end that it reads.
template <class Use>
void each_level(const ProjectTask& task, const UntiltedView& view, int64_t begin, int64_t end, const Use& use) {
  for (int64_t row = 0; row < task.rows; ++row) {
    const Level at = level_of(view, row);
    if (at.low >= begin && at.low < end) use(row, at.low, view.length * (1 - at.share));
    if (at.share > 0 && at.low + 1 >= begin && at.low + 1 < end) use(row, at.low + 1, view.length * at.share);
  }
}

struct SliceBlock {
  int64_t begin, end;
};
// The slices that the rows of some views need.
SliceBlock slices_read(const ProjectTask& task, const UntiltedView* views, int64_t count) {
  SliceBlock all{task.size[2], 0};
  for (int64_t v = 0; v < count; ++v)
    for (const int64_t row : {int64_t{0}, task.rows - 1}) {
      const Level at = level_of(views[v], row);
      all.begin = std::min(all.begin, at.low);
      all.end = std::max(all.end, at.low + (at.share > 0 ? 2 : 1));
    }
  return {std::max<int64_t>(all.begin, 0), std::min(all.end, task.size[2])};
}

template <class T>
int64_t padded(int64_t lanes) {
  return (lanes + lane_unit<T> - 1) / lane_unit<T> * lane_unit<T>;
}

// Slices of a block of each of `parts` volumes.
template <class T>
int64_t block_slices(std::size_t parts) {
  return block_lanes<T> / static_cast<int64_t>(parts);
}

// Copies a tile of the volumes with slices innermost, the second volume's after the first one's, and zeros around it.
template <class T>
UntiltedTile<const T> load_tile(const ProjectTask& task, std::span<const T* const> volumes, SliceBlock slices,
                                int64_t y0, int64_t x0, AlignedVector<T>& store) {
  const int64_t width = slices.end - slices.begin, lanes = padded<T>(width * std::ssize(volumes));
  const int64_t line = (tile_size + 2 * tile_border) * lanes;
  const int64_t y1 = std::min(task.size[1], y0 + tile_size), x1 = std::min(task.size[0], x0 + tile_size);
  std::fill(store.begin(), store.end(), T(0));
  T* data = store.data() + tile_border * (line + lanes);
  for (int64_t y = y0; y < y1; ++y)
    for (int64_t p = 0; p < std::ssize(volumes); ++p)
      slices_to_lanes(volumes[static_cast<std::size_t>(p)] + slices.begin * task.stride[2] + y * task.stride[1] + x0,
                      task.stride[2], width, x1 - x0, data + (y - y0) * line + p * width, lanes);
  return {{x0, y0}, {x1, y1}, {lanes, line}, data, lanes};
}

// Projects one group of views, from `first` on, for one block of slices.
template <class T>
void project_group(const ProjectTask& task, const UntiltedView* views, int64_t first, int64_t count, SliceBlock slices,
                   std::span<const T* const> volumes, std::span<T* const> projections, AlignedVector<T>& columns,
                   AlignedVector<T>& tile, const CancelToken& cancel) {
  const int64_t width = slices.end - slices.begin, lanes = padded<T>(width * std::ssize(volumes));
  const int64_t view_size = task.cols * lanes;
  columns.assign(static_cast<std::size_t>(count * view_size), T(0));
  const UntiltedColumns<T> group{views, count, task.cols, columns.data(), view_size};
  for (int64_t y = 0; y < task.size[1]; y += tile_size)
    for (int64_t x = 0; x < task.size[0]; x += tile_size) {
      cancel.check();
      project_untilted_tile(group, load_tile(task, volumes, slices, y, x, tile));
    }
  AlignedVector<T>& transposed = tile;  // [slice][col] of one view
  transposed.resize(std::max(transposed.size(), static_cast<std::size_t>(width * task.cols)));
  for (int64_t v = 0; v < count; ++v)
    for (int64_t p = 0; p < std::ssize(volumes); ++p) {
      lanes_to_slices(columns.data() + v * view_size + p * width, lanes, width, task.cols, transposed.data(),
                      task.cols);
      each_level(task, views[v], slices.begin, slices.end, [&](int64_t row, int64_t slice, double weight) {
        const T* from = transposed.data() + (slice - slices.begin) * task.cols;
        T* to = projections[static_cast<std::size_t>(p)] + ((first + v) * task.rows + row) * task.cols;
        for (int64_t c = 0; c < task.cols; ++c) to[c] += static_cast<T>(weight) * from[c];
      });
    }
}

// Transposes some views: slices begin ... end innermost, columns outermost, with `taps` columns of zeros on either
// side.
template <class T>
void transpose_views(const ProjectTask& task, const UntiltedParallelScan& scan, int64_t first, int64_t count,
                     SliceBlock slices, std::span<const T* const> projections, T* columns, int64_t view_size) {
  const int64_t width = slices.end - slices.begin, lanes = padded<T>(width * std::ssize(projections));
  ops::parallel_for(0, count, grain(view_size), [&](int64_t begin, int64_t end) {
    AlignedVector<T> transposed(static_cast<std::size_t>(width * task.cols));
    for (int64_t v = begin; v < end; ++v)
      for (int64_t p = 0; p < std::ssize(projections); ++p) {
        std::fill(transposed.begin(), transposed.end(), T(0));
        const UntiltedView& view = scan.views[static_cast<std::size_t>(first + v)];
        each_level(task, view, slices.begin, slices.end, [&](int64_t row, int64_t slice, double weight) {
          const T* from = projections[static_cast<std::size_t>(p)] + ((first + v) * task.rows + row) * task.cols;
          T* to = transposed.data() + (slice - slices.begin) * task.cols;
          for (int64_t c = 0; c < task.cols; ++c) to[c] += static_cast<T>(weight) * from[c];
        });
        slices_to_lanes(transposed.data(), task.cols, width, task.cols,
                        columns + v * view_size + scan.taps * lanes + p * width, lanes);
      }
  });
}

// Back-projects one group of views into one block of slices: every tile gathers them and is added to the volumes.
template <class T>
void collect_group(const ProjectTask& task, const UntiltedColumns<const T>& group, int64_t taps, SliceBlock slices,
                   std::span<T* const> volumes, const CancelToken& cancel) {
  const int64_t width = slices.end - slices.begin, lanes = padded<T>(width * std::ssize(volumes));
  const int64_t tiles_x = (task.size[0] + tile_size - 1) / tile_size;
  const int64_t tiles = tiles_x * ((task.size[1] + tile_size - 1) / tile_size);
  ops::parallel_for(0, tiles, grain(tile_size * tile_size * lanes / 8 * group.count), [&](int64_t begin, int64_t end) {
    AlignedVector<T> sums(static_cast<std::size_t>(tile_size * tile_size * lanes));
    for (int64_t t = begin; t < end; ++t) {
      cancel.check();
      std::fill(sums.begin(), sums.end(), T(0));
      const int64_t y0 = t / tiles_x * tile_size, x0 = t % tiles_x * tile_size;
      const int64_t y1 = std::min(task.size[1], y0 + tile_size), x1 = std::min(task.size[0], x0 + tile_size);
      collect_untilted_tile(group, taps,
                            UntiltedTile<T>{{x0, y0}, {x1, y1}, {lanes, tile_size * lanes}, sums.data(), lanes});
      for (int64_t y = y0; y < y1; ++y)
        for (int64_t p = 0; p < std::ssize(volumes); ++p)
          add_lanes_to_slices(
              sums.data() + (y - y0) * tile_size * lanes + p * width, lanes, width, x1 - x0,
              volumes[static_cast<std::size_t>(p)] + slices.begin * task.stride[2] + y * task.stride[1] + x0,
              task.stride[2]);
    }
  });
}

}  // namespace

UntiltedParallelScan untilted_parallel_scan(const ProjectTask& task) {
  // Smaller deviations over the whole scan [voxels] are rounding of the vectors.
  constexpr double rounding = 1e-9;
  constexpr double min_step = 2.0 / max_untilted_taps;
  UntiltedParallelScan scan;
  if (task.cone != 0) return scan;
  const auto rows = static_cast<double>(task.rows), cols = static_cast<double>(task.cols);
  const auto depth = static_cast<double>(std::max(task.size[0], task.size[1]));
  double narrowest = 1;
  for (int64_t v = 0; v < task.views; ++v) {
    const RayFan& fan = task.fans[v];
    const int32_t main = std::abs(fan.beam[1]) > std::abs(fan.beam[0]) ? 1 : 0, other = 1 - main;
    const bool level = std::abs(fan.beam[2]) * depth <= rounding * std::abs(fan.beam[main]) &&
                       std::abs(fan.along_col[2]) * cols <= rounding &&
                       (std::abs(fan.along_row[0]) + std::abs(fan.along_row[1])) * rows <= rounding;
    UntiltedView view{};
    view.main = main;
    view.slope = fan.beam[other] / fan.beam[main];
    view.offset = fan.corner[other] - view.slope * fan.corner[main];
    view.step = fan.along_col[other] - view.slope * fan.along_col[main];
    if (!level || !(std::abs(view.step) >= min_step)) return {};
    narrowest = std::min(narrowest, std::abs(view.step));
    view.u = -view.offset / view.step;
    (main == 1 ? view.u_x : view.u_y) = 1 / view.step;
    (main == 1 ? view.u_y : view.u_x) = -view.slope / view.step;
    view.first_slice = fan.corner[2];
    view.slice_step = fan.along_row[2];
    view.length = std::hypot(fan.beam[0] * task.voxel[0], fan.beam[1] * task.voxel[1]) / std::abs(fan.beam[main]);
    scan.views.push_back(view);
  }
  // At slope 1 a step of one pixel is 1 up to rounding, so that a third column has no weight.
  while (static_cast<double>(scan.taps) * narrowest < 2 - rounding) scan.taps *= 2;
  return scan;
}

template <class T>
int64_t max_slices_of_pair() {
  return block_slices<T>(2);
}

template <class T>
void project_parallel_untilted(const ProjectTask& task, const UntiltedParallelScan& scan,
                               std::span<const T* const> volumes, std::span<T* const> projections,
                               const CancelToken& cancel) {
  for (T* const each : projections) std::fill_n(each, task.views * task.rows * task.cols, T(0));
  const int64_t slices = block_slices<T>(volumes.size());
  static constinit LoopHistory history;
  const LoopThreads loop(history, static_cast<double>(task.size[0] * task.size[1] * task.size[2] * task.views));
  const int64_t threads = ops::threads_of_loop();
  const int64_t lanes = std::min(block_lanes<T>, padded<T>(task.size[2] * std::ssize(volumes)));
  const int64_t fitting = std::max<int64_t>(1, scratch_values<T>(task) / threads / (task.cols * lanes));
  const int64_t group = std::min(fitting, (task.views + threads - 1) / threads);
  const int64_t groups = (task.views + group - 1) / group;
  const int64_t updates = task.size[0] * task.size[1] * lanes * group / 8;
  ops::parallel_for(0, groups, grain(updates), [&](int64_t begin, int64_t end) {
    const int64_t edge = tile_size + 2 * tile_border;
    AlignedVector<T> columns, tile(static_cast<std::size_t>(edge * edge * lanes));
    for (int64_t g = begin; g < end; ++g) {
      const int64_t first = g * group, count = std::min(group, task.views - first);
      const UntiltedView* views = scan.views.data() + first;
      const SliceBlock all = slices_read(task, views, count);
      for (int64_t k = all.begin; k < all.end; k += slices)
        project_group(task, views, first, count, {k, std::min(all.end, k + slices)}, volumes, projections, columns,
                      tile, cancel);
    }
  });
}

template <class T>
void project_parallel_untilted_transpose(const ProjectTask& task, const UntiltedParallelScan& scan,
                                         std::span<const T* const> projections, std::span<T* const> volumes,
                                         const CancelToken& cancel) {
  for (T* const each : volumes) std::fill_n(each, task.size[0] * task.size[1] * task.size[2], T(0));
  const int64_t most = block_slices<T>(volumes.size());
  AlignedVector<T> columns;
  for (int64_t k = 0; k < task.size[2]; k += most) {
    const SliceBlock slices{k, std::min(task.size[2], k + most)};
    const int64_t lanes = padded<T>((slices.end - slices.begin) * std::ssize(volumes));
    const int64_t view_size = (task.cols + 2 * scan.taps) * lanes;
    const int64_t group =
        std::clamp<int64_t>(scratch_values<T>(task) / view_size, 1, std::min<int64_t>(task.views, max_untilted_views));
    columns.assign(static_cast<std::size_t>(group * view_size), T(0));
    for (int64_t first = 0; first < task.views; first += group) {
      const int64_t count = std::min(group, task.views - first);
      const UntiltedView* views = scan.views.data() + first;
      const SliceBlock read = slices_read(task, views, count);
      if (read.begin >= slices.end || read.end <= slices.begin) continue;
      transpose_views(task, scan, first, count, slices, projections, columns.data(), view_size);
      collect_group(task,
                    UntiltedColumns<const T>{views, count, task.cols, columns.data() + scan.taps * lanes, view_size},
                    scan.taps, slices, volumes, cancel);
    }
  }
}

#define TL_INSTANTIATE(T)                                                                                             \
  template int64_t max_slices_of_pair<T>();                                                                           \
  template void project_parallel_untilted(const ProjectTask&, const UntiltedParallelScan&, std::span<const T* const>, \
                                          std::span<T* const>, const CancelToken&);                                   \
  template void project_parallel_untilted_transpose(const ProjectTask&, const UntiltedParallelScan&,                  \
                                                    std::span<const T* const>, std::span<T* const>,                   \
                                                    const CancelToken&);
TL_INSTANTIATE(float)
TL_INSTANTIATE(double)
#undef TL_INSTANTIATE

}  // namespace tl::ops
