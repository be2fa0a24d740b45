// The transposes of the fast back-projection of plane slices and of its derivative: voxels are spread over one detector
// line per view, four rows of voxels at a time into lines of their own, so that no addition waits for the one before.
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gpu/ops/back_projector_plane.h"
#include "gpu/ops/cpu_variant.h"
#include "gpu/ops/grain.h"
#include "gpu/ops/slopes.h"

namespace tl::ops {
namespace {

constexpr int64_t rows_at_once = 4;
constexpr int64_t piece = 128;  // voxels of a row: what is known of them stays in the first cache
constexpr int64_t padding = 4;  // pixels at both ends of a line: what lands beyond the detector is clamped there

// The coefficients of one slice in one view: number = [0] + [1] i + [2] j.
struct PlaneMap {
  double u[3], w[3], du[3], dw[3];
};

PlaneMap plane_map(const ViewMap& map, const ViewMap& change, double k) {
  PlaneMap p{};
  for (int c = 0; c < 3; ++c) {
    const double up = c == 0 ? k : 0;
    p.u[c] = map.u[c] + map.u[3] * up;
    p.w[c] = map.w[c] + map.w[3] * up;
    p.du[c] = change.u[c] + change.u[3] * up;
    p.dw[c] = change.w[c] + change.w[3] * up;
  }
  return p;
}

// Where a piece of a row of voxels lands and what each gives to the pixel below and to the next one.
struct Landed {
  int32_t pixel[piece];
  double below[piece], above[piece], fraction[piece];
};

__attribute__((always_inline)) inline void land_row(const PlaneMap& p, PlanePart part, int64_t cols, double j,
                                                    const float* voxels, int64_t first, int64_t count, Landed& out) {
  const double u = p.u[0] + p.u[2] * j, w = p.w[0] + p.w[2] * j, du = p.du[0] + p.du[2] * j, dw = p.dw[0] + p.dw[2] * j;
  const double last = static_cast<double>(cols) + 1;
  for (int64_t n = 0; n < count; ++n) {
    const double i = static_cast<int32_t>(first + n), inverse = 1 / (w + p.w[1] * i),
                 landing = (u + p.u[1] * i) * inverse;
    const double col = std::min(std::max(landing, -2.0), last), low = std::floor(col + kink);
    const double f = std::max(col - low, 0.0), x = static_cast<double>(voxels[first + n]);
    out.pixel[n] = static_cast<int32_t>(low);
    out.fraction[n] = f;
    const double moved = (du + p.du[1] * i - landing * (dw + p.dw[1] * i)) * inverse * x;
    out.above[n] = part == PlanePart::value ? f * x : moved;
    out.below[n] = part == PlanePart::value ? x - f * x : -moved;
  }
}

template <int64_t rows>
__attribute__((always_inline)) inline void spread_some(const PlaneMap& p, PlanePart part, int64_t cols, double j,
                                                       const float* voxels, int64_t nx, Landed* landed,
                                                       double* const* lines) {
  for (int64_t first = 0; first < nx; first += piece) {
    const int64_t count = std::min(piece, nx - first);
    for (int64_t r = 0; r < rows; ++r)
      land_row(p, part, cols, j + static_cast<double>(r), voxels + r * nx, first, count, landed[r]);
    if (part == PlanePart::value) {
      for (int64_t n = 0; n < count; ++n)
        for (int64_t r = 0; r < rows; ++r) {
          double* at = lines[r] + padding + landed[r].pixel[n];
          at[0] += landed[r].below[n];
          at[1] += landed[r].above[n];
        }
      continue;
    }
    for (int64_t n = 0; n < count; ++n)
      for (int64_t r = 0; r < rows; ++r) {
        double* at = lines[r] + padding + landed[r].pixel[n];
        const double above = landed[r].above[n];
        if (landed[r].fraction[n] < kink) {  // the mean of the one-sided slopes
          at[-1] -= 0.5 * above;
          at[1] += 0.5 * above;
        } else {
          at[0] += landed[r].below[n];
          at[1] += above;
        }
      }
  }
}

__attribute__((always_inline)) inline void spread_rows(const PlaneMap& p, PlanePart part, int64_t cols, double j,
                                                       const float* voxels, int64_t nx, int64_t rows, Landed* landed,
                                                       double* const* lines) {
  if (rows == rows_at_once) return spread_some<rows_at_once>(p, part, cols, j, voxels, nx, landed, lines);
  for (int64_t r = 0; r < rows; ++r)
    spread_some<1>(p, part, cols, j + static_cast<double>(r), voxels + r * nx, nx, landed, lines + r);
}

__attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma"))) void spread_avx512(const PlaneMap& p, PlanePart part,
                                                                                 int64_t cols, double j,
                                                                                 const float* voxels, int64_t nx,
                                                                                 int64_t rows, Landed* landed,
                                                                                 double* const* lines) {
  spread_rows(p, part, cols, j, voxels, nx, rows, landed, lines);
}
__attribute__((target("avx2,fma"))) void spread_avx2(const PlaneMap& p, PlanePart part, int64_t cols, double j,
                                                     const float* voxels, int64_t nx, int64_t rows, Landed* landed,
                                                     double* const* lines) {
  spread_rows(p, part, cols, j, voxels, nx, rows, landed, lines);
}
void spread_plain(const PlaneMap& p, PlanePart part, int64_t cols, double j, const float* voxels, int64_t nx,
                  int64_t rows, Landed* landed, double* const* lines) {
  spread_rows(p, part, cols, j, voxels, nx, rows, landed, lines);
}

}  // namespace

void back_project_plane_transpose(const BackProjectTask& task, const ViewMap* changes, PlanePart part,
                                  const float* volume, float* projections, const CancelToken& cancel) {
  const CpuVariant variant = best_cpu_variant();
  const auto spread = variant == CpuVariant::avx512 ? spread_avx512
                      : variant == CpuVariant::avx2 ? spread_avx2
                                                    : spread_plain;
  const auto length = static_cast<std::size_t>(task.cols + 2 * padding);
  at::parallel_for(0, task.views, grain(task.nz * task.ny * task.nx), [&](int64_t begin, int64_t end) {
    Landed landed[rows_at_once];
    std::vector<double> own(rows_at_once * length), view(static_cast<std::size_t>(task.rows * task.cols));
    double* lines[rows_at_once];
    for (int64_t n = 0; n < rows_at_once; ++n) lines[n] = own.data() + static_cast<std::size_t>(n) * length;
    for (int64_t v = begin; v < end; ++v) {
      std::fill(view.begin(), view.end(), 0.0);
      for (int64_t k = 0; k < task.nz; ++k) {
        cancel.check();
        const ViewMap& map = task.maps[v];
        const PlaneMap p = plane_map(map, changes[v], static_cast<double>(k));
        std::fill(own.begin(), own.end(), 0.0);
        for (int64_t j = 0; j < task.ny; j += rows_at_once)
          spread(p, part, task.cols, static_cast<double>(j), volume + (k * task.ny + j) * task.nx, task.nx,
                 std::min(rows_at_once, task.ny - j), landed, lines);
        const double row = plane_row(map, static_cast<double>(k)), low = std::floor(row);
        for (int64_t n = 0; n < 2; ++n) {
          const double weight = n == 0 ? 1 - (row - low) : row - low, at = low + static_cast<double>(n);
          if (!(weight > 0) || at < 0 || at >= static_cast<double>(task.rows)) continue;
          double* out = view.data() + static_cast<int64_t>(at) * task.cols;
          for (int64_t c = 0; c < task.cols; ++c) {
            double sum = 0;
            for (const double* line : lines) sum += line[c + padding];
            out[c] += weight * sum;
          }
        }
      }
      std::transform(view.begin(), view.end(), projections + v * task.rows * task.cols,
                     [](double s) { return static_cast<float>(s); });
    }
  });
}

}  // namespace tl::ops
