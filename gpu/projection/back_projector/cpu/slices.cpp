// Back-projects parallel scans by slices: interpolates one line per view and slice, then sums the lines by squares of
// voxels.
#include "gpu/projection/back_projector/cpu/slices.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/device/parallel_parts.h"
#include "gpu/projection/back_projector/cpu/interpolate_row.h"
#include "gpu/projection/back_projector/cpu/squares.h"
#include "gpu/projection/back_projector/cpu/views.h"

namespace tl::ops {
namespace {

constexpr int64_t group_floats = int64_t{1} << 17;  // floats in a group of lines, about: half a MiB, stays in L2

}  // namespace

bool squares_fit(const BackProjectTask& task) {
  constexpr double middle = 0.5 * static_cast<double>(square_size - 1);
  // Pixels from the middle of the square to its corner: with one more, and whatever is rounded, sixteen are not
  // reached.
  constexpr double most = 14.99;
  return std::all_of(task.maps, task.maps + task.views,
                     [](const ViewMap& m) { return middle * (std::abs(m.u[1]) + std::abs(m.u[2])) <= most; });
}

void back_project_slices(const BackProjectTask& task, const float* projections, float* volume,
                         const CancelToken& cancel) {
  const ViewArrays maps(task);
  const int64_t stride = task.cols + 2 * line_padding;
  const int64_t most = std::clamp<int64_t>(group_floats / stride, 1, max_square_views);
  const int64_t groups = (task.views + most - 1) / most, group = (task.views + groups - 1) / groups;
  const int64_t bands = (task.ny + square_size - 1) / square_size;
  const auto sum_bands = [&](std::vector<float>& lines, int64_t begin, int64_t end) {
    for (int64_t from = begin; from < end;) {
      const int64_t k = from / bands, to = std::min(end, (k + 1) * bands);
      for (int64_t first = 0; first < task.views; first += group) {
        const int64_t views = std::min(group, task.views - first);
        for (int64_t v = 0; v < views; ++v) {
          const double* row = task.maps[first + v].v;
          interpolate_row(task, projections, first + v, row[0] + row[3] * static_cast<double>(k),
                          lines.data() + v * stride + line_padding, 1);
        }
        const LineGroup part{lines.data(),
                             stride,
                             views,
                             task.cols,
                             maps.u[0].data() + first,
                             maps.u[1].data() + first,
                             maps.u[2].data() + first};
        for (int64_t b = from; b < to; ++b) {
          cancel.check();
          const int64_t j0 = (b - k * bands) * square_size, j1 = std::min(task.ny, j0 + square_size);
          float* out = volume + (k * task.ny + j0) * task.nx;
          collect_squares(part, {j0, j1, task.nx, out}, first == 0 ? Collect::write : Collect::add);
        }
      }
      from = to;
    }
  };
  // Whole slices one by one; a few slices in equal shares, because the lines of a slice are interpolated again in every
  // part.
  static constinit LoopHistory history;
  const LoopThreads loop(history, static_cast<double>(task.nz * task.ny * task.nx) * static_cast<double>(task.views));
  const int64_t threads = ops::threads_of_loop(), count = task.nz * bands;
  const int64_t share = std::max((count + threads - 1) / threads, grain(square_size * task.nx * task.views / 16));
  parallel_parts(count, task.nz >= 8 * threads ? bands : share, [&] {
    return [&sum_bands, lines = std::vector<float>(static_cast<std::size_t>(group * stride))](
               int64_t begin, int64_t end) mutable { sum_bands(lines, begin, end); };
  });
}

}  // namespace tl::ops
