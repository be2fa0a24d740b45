// Projects cone beams without tilt: tiles of voxels with z innermost, groups of views with the detector rows innermost;
// the inner loops are in cone_untilted_lanes.
#include "gpu/projection/projector/cpu/cone_untilted.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gpu/device/aligned_vector.h"
#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/projection/projector/cpu/cone_untilted_lanes.h"
#include "gpu/projection/projector/cpu/lanes.h"
#include "gpu/projection/projector/cpu/lines.h"
#include "gpu/projection/projector/cpu/scratch.h"

namespace tl::ops {
namespace {

constexpr int64_t tile_size = 16;  // voxels along y and x: with 256 slices a tile stays in L2
constexpr int64_t max_block_rows = 128, max_block_slices = 256, max_group_views = 64;

int64_t padded(int64_t count) { return (count + 15) / 16 * 16; }
double cross(double ax, double ay, double bx, double by) { return ax * by - ay * bx; }

struct Part {
  int64_t begin, end;
};

// Ray length per line [mm] for each pixel of a view: sqrt(flat + (rise voxel)^2) |inverse|.
class RayLengths {
 public:
  RayLengths(const ProjectTask& task, const RayFan& fan) : task_(task), fan_(fan) {
    for (int64_t col = 0; col < task.cols; ++col) {
      double square = 0, largest = 0;
      for (int axis = 0; axis < 2; ++axis) {
        const double pixel = fan.corner[axis] + static_cast<double>(col) * fan.along_col[axis];
        const double d = task.cone != 0 ? pixel - fan.beam[axis] : fan.beam[axis];
        square += d * d * task.voxel[axis] * task.voxel[axis];
        largest = std::max(largest, std::abs(d));
      }
      flat_.push_back(square);
      inverse_.push_back(1 / largest);
    }
  }
  // out = line times the ray length, for one detector row.
  void scale(int64_t row, const float* line, float* out) const {
    const double rise =
        task_.cone != 0 ? fan_.corner[2] + static_cast<double>(row) * fan_.along_row[2] - fan_.beam[2] : fan_.beam[2];
    const double up = rise * rise * task_.voxel[2] * task_.voxel[2];
    for (std::size_t c = 0; c < flat_.size(); ++c)
      out[c] = line[c] * static_cast<float>(std::sqrt(flat_[c] + up) * inverse_[c]);
  }

 private:
  const ProjectTask& task_;
  const RayFan& fan_;
  std::vector<double> flat_, inverse_;
};

// The slices in a tile of voxels that rays of the given detector rows and views cross.
Part slices_needed(const ProjectTask& task, const RayFan* fans, int64_t count, Part rows, const int64_t* begin,
                   const int64_t* end) {
  auto low = static_cast<double>(task.size[2]);
  double high = -1;
  for (int64_t v = 0; v < count; ++v) {
    const RayFan& fan = fans[v];
    for (int corner = 0; corner < 8; ++corner) {
      const auto x = static_cast<double>((corner & 1) == 0 ? begin[0] - 1 : end[0]);
      const auto y = static_cast<double>((corner & 2) == 0 ? begin[1] - 1 : end[1]);
      const auto row = static_cast<double>((corner & 4) == 0 ? rows.begin : rows.end - 1);
      const double height = fan.corner[2] + row * fan.along_row[2];
      const double* l = fan.along_col;
      double z = 0;
      if (task.cone != 0) {
        const double share = cross(l[0], l[1], x - fan.beam[0], y - fan.beam[1]) /
                             cross(l[0], l[1], fan.corner[0] - fan.beam[0], fan.corner[1] - fan.beam[1]);
        z = fan.beam[2] + share * (height - fan.beam[2]);
      } else {
        z = height + fan.beam[2] * cross(l[0], l[1], x - fan.corner[0], y - fan.corner[1]) /
                         cross(l[0], l[1], fan.beam[0], fan.beam[1]);
      }
      low = std::min(low, z);
      high = std::max(high, z);
    }
  }
  const auto edge = static_cast<double>(task.size[2]);
  const double first = std::min(std::max(std::floor(low), 0.0), edge);
  return {static_cast<int64_t>(first), static_cast<int64_t>(std::min(std::max(std::ceil(high) + 1, first), edge))};
}

// Copies a tile of the volume with z innermost and zeros around it.
ConeTile<const float> load_tile(const ProjectTask& task, const float* volume, Part slices, int64_t y0, int64_t x0,
                                AlignedVector<float>& store) {
  const int64_t lanes = slices.end - slices.begin + 2 * cone_column_padding,
                line = (tile_size + 2 * tile_border) * lanes;
  const int64_t y1 = std::min(task.size[1], y0 + tile_size), x1 = std::min(task.size[0], x0 + tile_size);
  store.assign(static_cast<std::size_t>((tile_size + 2 * tile_border) * line), 0.0f);
  float* data = store.data() + tile_border * (line + lanes) + cone_column_padding;
  for (int64_t y = y0; y < y1; ++y)
    slices_to_lanes(volume + slices.begin * task.stride[2] + y * task.stride[1] + x0, task.stride[2],
                    slices.end - slices.begin, x1 - x0, data + (y - y0) * line, lanes);
  return {{x0, y0, slices.begin}, {x1, y1, slices.end}, {lanes, line}, data};
}

void project_rows(const ProjectTask& task, Part views, Part rows, const float* volume, float* projections,
                  const CancelToken& cancel) {
  const int64_t count = views.end - views.begin, lanes = padded(rows.end - rows.begin);
  AlignedVector<float> columns(static_cast<std::size_t>(count * task.cols * lanes)), tile;
  const RayFan* fans = task.fans + views.begin;
  const ConeColumns<float> group{fans, count, rows.begin, rows.end - rows.begin, columns.data(), task.cols * lanes,
                                 lanes};
  for (int64_t y = 0; y < task.size[1]; y += tile_size)
    for (int64_t x = 0; x < task.size[0]; x += tile_size) {
      cancel.check();
      const int64_t begin[2] = {x, y},
                    end[2] = {std::min(task.size[0], x + tile_size), std::min(task.size[1], y + tile_size)};
      const Part slices = slices_needed(task, fans, count, rows, begin, end);
      if (slices.begin < slices.end) project_cone_tile(task, group, load_tile(task, volume, slices, y, x, tile));
    }
  tile.resize(static_cast<std::size_t>((rows.end - rows.begin) * task.cols));
  for (int64_t v = 0; v < count; ++v) {
    lanes_to_slices(columns.data() + v * task.cols * lanes, lanes, rows.end - rows.begin, task.cols, tile.data(),
                    task.cols);
    const RayLengths lengths(task, fans[v]);
    for (int64_t row = rows.begin; row < rows.end; ++row)
      lengths.scale(row, tile.data() + (row - rows.begin) * task.cols,
                    projections + ((views.begin + v) * task.rows + row) * task.cols);
  }
}

// Transposes views times ray length: columns outermost, rows innermost with zeros at both ends.
void transpose_views(const ProjectTask& task, int64_t first, int64_t count, const float* projections, float* columns) {
  const int64_t lanes = task.rows + 2 * cone_column_padding;
  ops::parallel_for(0, count, grain(task.cols * lanes), [&](int64_t begin, int64_t end) {
    AlignedVector<float> scaled(static_cast<std::size_t>(task.rows * task.cols));
    for (int64_t v = begin; v < end; ++v) {
      const RayLengths lengths(task, task.fans[first + v]);
      for (int64_t row = 0; row < task.rows; ++row)
        lengths.scale(row, projections + ((first + v) * task.rows + row) * task.cols, scaled.data() + row * task.cols);
      slices_to_lanes(scaled.data(), task.cols, task.rows, task.cols,
                      columns + v * task.cols * lanes + cone_column_padding, lanes);
    }
  });
}

void collect_slices(const ProjectTask& task, const ConeColumns<const float>& group, Part slices, float* volume,
                    const CancelToken& cancel) {
  const int64_t width = slices.end - slices.begin, lanes = padded(width), line = (tile_size + 2 * tile_border) * lanes;
  const int64_t tiles_x = (task.size[0] + tile_size - 1) / tile_size;
  const int64_t tiles = tiles_x * ((task.size[1] + tile_size - 1) / tile_size);
  ops::parallel_for(0, tiles, grain(tile_size * tile_size * lanes * group.views), [&](int64_t begin, int64_t end) {
    AlignedVector<float> sums(static_cast<std::size_t>((tile_size + 2 * tile_border) * line));
    for (int64_t t = begin; t < end; ++t) {
      cancel.check();
      std::fill(sums.begin(), sums.end(), 0.0f);
      const int64_t y0 = t / tiles_x * tile_size, x0 = t % tiles_x * tile_size;
      const int64_t y1 = std::min(task.size[1], y0 + tile_size), x1 = std::min(task.size[0], x0 + tile_size);
      float* data = sums.data() + tile_border * (line + lanes);
      collect_cone_tile(task, group,
                        ConeTile<float>{{x0, y0, slices.begin}, {x1, y1, slices.begin + lanes}, {lanes, line}, data});
      for (int64_t y = y0; y < y1; ++y)
        add_lanes_to_slices(data + (y - y0) * line, lanes, width, x1 - x0,
                            volume + slices.begin * task.stride[2] + y * task.stride[1] + x0, task.stride[2]);
    }
  });
}

}  // namespace

bool is_cone_untilted(const ProjectTask& task) {
  // Smaller deviations over the whole scan [voxels] are rounding of the vectors.
  constexpr double rounding = 1e-9;
  for (int64_t v = 0; v < task.views; ++v) {
    const RayFan& fan = task.fans[v];
    if (std::abs(fan.along_col[2]) * static_cast<double>(task.cols) > rounding ||
        (std::abs(fan.along_row[0]) + std::abs(fan.along_row[1])) * static_cast<double>(task.rows) > rounding)
      return false;
    for (int64_t col = 0; col < task.cols; ++col) {
      for (const int64_t row : {int64_t{0}, task.rows - 1})
        if (make_ray(task, fan, row, col).main == 2) return false;
      const ConeColumnRays track = cone_column_rays(task, fan, col);
      const LineSpan lines =
          lines_of(track.offset, track.slope, 0, task.size[track.main], 0, task.size[1 - track.main]);
      if (lines.begin == lines.end) continue;
      const double first = track.row0 + track.row1 * static_cast<double>(lines.begin);
      const double last = track.row0 + track.row1 * static_cast<double>(lines.end - 1);
      if (!(first * last > 0) || std::min(std::abs(first), std::abs(last)) < min_row_step ||
          std::max(std::abs(first), std::abs(last)) > max_row_step)
        return false;
    }
  }
  return true;
}

void project_cone_untilted(const ProjectTask& task, const float* volume, float* projections,
                           const CancelToken& cancel) {
  static constinit LoopHistory history;
  const LoopThreads loop(history, static_cast<double>(task.size[0] * task.size[1] * task.size[2] * task.views));
  const int64_t threads = ops::threads_of_loop(), room = scratch_values<float>(task) / threads;
  const int64_t block = std::min(task.rows, max_block_rows);
  const int64_t group = std::clamp<int64_t>(room / (task.cols * padded(block)), 1,
                                            std::min(max_group_views, (task.views + threads - 1) / threads));
  const int64_t groups = (task.views + group - 1) / group;
  const int64_t updates = task.size[0] * task.size[1] * task.size[2] * group;
  ops::parallel_for(0, groups, grain(updates), [&](int64_t begin, int64_t end) {
    for (int64_t g = begin; g < end; ++g)
      for (int64_t row = 0; row < task.rows; row += block)
        project_rows(task, {g * group, std::min(task.views, (g + 1) * group)}, {row, std::min(task.rows, row + block)},
                     volume, projections, cancel);
  });
}

void project_cone_untilted_transpose(const ProjectTask& task, const float* projections, float* volume,
                                     const CancelToken& cancel) {
  std::fill_n(volume, task.size[0] * task.size[1] * task.size[2], 0.0f);
  const int64_t lanes = task.rows + 2 * cone_column_padding, view_size = task.cols * lanes;
  const int64_t group =
      std::clamp<int64_t>(scratch_values<float>(task) / view_size, 1, std::min(task.views, max_group_views));
  AlignedVector<float> columns(static_cast<std::size_t>(group * view_size));
  for (int64_t first = 0; first < task.views; first += group) {
    const int64_t count = std::min(group, task.views - first);
    transpose_views(task, first, count, projections, columns.data());
    const ConeColumns<const float> part{task.fans + first, count, 0, task.rows, columns.data() + cone_column_padding,
                                        view_size,         lanes};
    for (int64_t k = 0; k < task.size[2]; k += max_block_slices)
      collect_slices(task, part, {k, std::min(task.size[2], k + max_block_slices)}, volume, cancel);
  }
}

}  // namespace tl::ops
