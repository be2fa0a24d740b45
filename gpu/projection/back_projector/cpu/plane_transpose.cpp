// Transposes the back-projection of plane slices and its derivative: voxels are spread over one detector line per view,
// four rows of voxels at a time into separate lines, so that additions do not depend on each other. With AVX-512 and
// few slices, columns are summed along their rays instead where the geometry allows it.

#include <algorithm>
#include <cmath>
#include <vector>

#include "gpu/device/choose_variant.h"
#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/device/vector_lanes.h"
#include "gpu/operator/bilinear_slopes.h"
#include "gpu/projection/back_projector/cpu/plane.h"
#include "gpu/projection/back_projector/cpu/plane_strips.h"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace tl::ops {
namespace {

constexpr int64_t rows_at_once = 4;
constexpr int64_t piece = 32;   // number of voxels of a row whose intermediate values stay in L1
constexpr int64_t padding = 4;  // pixels at both ends of a line: positions beyond the detector are clamped there

// The map coefficients of one slice in one view, and their derivatives.
struct PlaneMap : LineMap {
  double du[3], dw[3];
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

// Contributions to a pixel and to the next one, stored and added side by side in one instruction.
using Pair = VectorOf<double, 16>::type;
using FloatPair = VectorOf<float, 8>::type;

// Which of the volume and its derivative are given.
enum class Given { value, slope, both };
struct Rows {
  const float *value, *slope;
};

// Positions of a piece of a row of voxels, and each voxel's contributions to the pixel below and to the next one.
struct Landed {
  int32_t offset[piece];               // offset of the pair of the pixel below in a line [bytes]
  alignas(64) float share[2 * piece];  // of pairs
};

// With the derivative, in double because a voxel projected exactly onto a pixel centre has two slopes. `moved`: amount
// that the voxel's motion transfers from one pixel to the other.
struct LandedMoving {
  int32_t pixel[piece];
  double share[2 * piece];
  double fraction[piece], moved[piece];
};

union Scratch {
  Landed values[rows_at_once];
  LandedMoving moving[rows_at_once];
};

// Positions of the middle of a piece in several rows: the pixel below, the coefficients relative to it, and the ends of
// the line.
template <int64_t rows>
struct Middles {
  int32_t pixel[rows];
  float u[rows], per_voxel[rows], w[rows], low[rows], high[rows];

  __attribute__((always_inline)) Middles(const PlaneMap& p, int64_t cols, double j, double middle) {
    const double last = static_cast<double>(cols) + 1, at = p.u[0] + p.u[1] * middle, depth = p.w[0] + p.w[1] * middle;
    for (int32_t r = 0; r < rows; ++r) {
      const double row = j + r, across = at + p.u[2] * row, away = depth + p.w[2] * row;
      const double below = std::floor(std::min(std::max(across / away, -1e6), 1e6));
      pixel[r] = static_cast<int32_t>(below);
      u[r] = static_cast<float>(across - below * away);
      per_voxel[r] = static_cast<float>(p.u[1] - below * p.w[1]);
      w[r] = static_cast<float>(away);
      low[r] = static_cast<float>(-2 - below);
      high[r] = static_cast<float>(last - below);
    }
  }
};

// Positions are computed in double for the middle of the piece and in float within it, relative to the pixel below the
// middle.
template <int64_t rows>
__attribute__((always_inline)) inline void land_values(const PlaneMap& p, const Middles<rows>& middles, int64_t row,
                                                       const float* values, int64_t count, Landed& out) {
  const float u = middles.u[row], per_voxel = middles.per_voxel[row], w = middles.w[row],
              deeper = static_cast<float>(p.w[1]), low = middles.low[row], high = middles.high[row];
  const int32_t origin = middles.pixel[row] + static_cast<int32_t>(padding);
  const float start = -0.5f * static_cast<float>(count - 1);
  for (int64_t n = 0; n < count; ++n) {
    const float i = static_cast<float>(static_cast<int32_t>(n)) + start;
    const float landing = std::min(std::max((u + per_voxel * i) / (w + deeper * i), low), high);
    const float below = std::floor(landing), x = values[n], next = (landing - below) * x;
    out.offset[n] = (static_cast<int32_t>(below) + origin) * static_cast<int32_t>(sizeof(Pair));
    out.share[2 * n] = x - next;
    out.share[2 * n + 1] = next;
  }
}

template <Given given>
__attribute__((always_inline)) inline void land_moving(const PlaneMap& p, int64_t cols, double j, Rows voxels,
                                                       int64_t first, int64_t count, LandedMoving& out) {
  const double u = p.u[0] + p.u[2] * j, w = p.w[0] + p.w[2] * j, du = p.du[0] + p.du[2] * j, dw = p.dw[0] + p.dw[2] * j;
  const double last = static_cast<double>(cols) + 1;
  for (int64_t n = 0; n < count; ++n) {
    const double i = static_cast<int32_t>(first + n), inverse = 1 / (w + p.w[1] * i),
                 landing = (u + p.u[1] * i) * inverse;
    const double col = std::min(std::max(landing, -2.0), last), low = std::floor(col + kink);
    const double f = std::max(col - low, 0.0);
    const double x = given == Given::both ? static_cast<double>(voxels.value[first + n]) : 0;
    const double moved =
        (du + p.du[1] * i - landing * (dw + p.dw[1] * i)) * inverse * static_cast<double>(voxels.slope[first + n]);
    out.pixel[n] = static_cast<int32_t>(low);
    out.share[2 * n] = x - f * x - moved;
    out.share[2 * n + 1] = f * x + moved;
    out.fraction[n] = f;
    out.moved[n] = moved;
  }
}

template <int64_t rows>
__attribute__((always_inline)) inline void spread_values(const PlaneMap& p, int64_t cols, double j, const float* values,
                                                         int64_t nx, Landed* landed, Pair* const* lines) {
  for (int64_t first = 0; first < nx; first += piece) {
    const int64_t count = std::min(piece, nx - first);
    const Middles<rows> middles(p, cols, j, static_cast<double>(first) + 0.5 * static_cast<double>(count - 1));
    for (int64_t r = 0; r < rows; ++r) land_values(p, middles, r, values + r * nx + first, count, landed[r]);
    char* line[rows];
    for (int64_t r = 0; r < rows; ++r) line[r] = reinterpret_cast<char*>(lines[r]);
    for (int64_t n = 0; n < count; ++n)
#pragma GCC unroll 4
      for (int64_t r = 0; r < rows; ++r)
        *reinterpret_cast<Pair*>(line[r] + landed[r].offset[n]) +=
#if defined(__x86_64__)
            _mm_cvtps_pd(_mm_castpd_ps(_mm_load_sd(reinterpret_cast<const double*>(landed[r].share + 2 * n))));
#else
            __builtin_convertvector(*reinterpret_cast<const FloatPair*>(landed[r].share + 2 * n), Pair);
#endif
  }
}

template <Given given, int64_t rows>
__attribute__((always_inline)) inline void spread_moving(const PlaneMap& p, int64_t cols, double j, Rows voxels,
                                                         int64_t nx, LandedMoving* landed, Pair* const* lines) {
  for (int64_t first = 0; first < nx; first += piece) {
    const int64_t count = std::min(piece, nx - first);
    for (int64_t r = 0; r < rows; ++r)
      land_moving<given>(p, cols, j + static_cast<double>(r), {voxels.value + r * nx, voxels.slope + r * nx}, first,
                         count, landed[r]);
    for (int64_t n = 0; n < count; ++n)
      for (int64_t r = 0; r < rows; ++r) {
        Pair* at = lines[r] + padding + landed[r].pixel[n];
        at[0] += *reinterpret_cast<const Pair*>(landed[r].share + 2 * n);
        if (landed[r].fraction[n] < kink) {  // the mean of the one-sided slopes
          const double half = 0.5 * landed[r].moved[n];
          at[-1] += Pair{-half, half};
          at[0] += Pair{half, -half};
        }
      }
  }
}

template <Given given, int64_t rows>
__attribute__((always_inline)) inline void spread_some(const PlaneMap& p, int64_t cols, double j, Rows voxels,
                                                       int64_t nx, Scratch& scratch, Pair* const* lines) {
  if constexpr (given == Given::value)
    spread_values<rows>(p, cols, j, voxels.value, nx, scratch.values, lines);
  else
    spread_moving<given, rows>(p, cols, j, voxels, nx, scratch.moving, lines);
}

template <Given given>
__attribute__((always_inline)) inline void spread_rows(const PlaneMap& p, int64_t cols, double j, Rows voxels,
                                                       int64_t nx, int64_t rows, Scratch& scratch, Pair* const* lines) {
  if (rows == rows_at_once) return spread_some<given, rows_at_once>(p, cols, j, voxels, nx, scratch, lines);
  for (int64_t r = 0; r < rows; ++r)
    spread_some<given, 1>(p, cols, j + static_cast<double>(r), {voxels.value + r * nx, voxels.slope + r * nx}, nx,
                          scratch, lines + r);
}

using Spread = void (*)(const PlaneMap&, int64_t, double, Rows, int64_t, int64_t, Scratch&, Pair* const*);
template <Given given>
Spread spread_of() {
  return LoopVariants<spread_rows<given>>::of(best_cpu_variant());
}

// The lines that rows of voxels are spread over.
struct SpreadLines {
  explicit SpreadLines(int64_t columns) : cols(columns), own(static_cast<std::size_t>(2 * rows_at_once * length())) {
    for (int64_t n = 0; n < rows_at_once; ++n) first[n] = reinterpret_cast<Pair*>(own.data()) + n * length();
  }
  [[nodiscard]] int64_t length() const { return cols + 2 * padding; }
  void clear() { std::fill(own.begin(), own.end(), 0.0); }
  void add_to(double* line) const {
    for (int64_t c = 0; c < cols; ++c)
      for (const Pair* from : first) line[c] += from[c + padding][0] + from[c + padding - 1][1];
  }

  int64_t cols;
  std::vector<double> own;
  Pair* first[rows_at_once];
  Scratch scratch;
};

// Copies of the slices for both ray directions, if there are few; empty if the CPU lacks AVX-512.
std::vector<PlaneSlice> slices_along_rays(const BackProjectTask& task, const float* volume) {
  constexpr int64_t few = 4;
  std::vector<PlaneSlice> slices;
  if (task.nz > few || best_cpu_variant() != CpuVariant::avx512) return slices;
  for (int64_t k = 0; k < task.nz; ++k) slices.emplace_back(volume + k * task.ny * task.nx, task.ny, task.nx);
  return slices;
}

}  // namespace

void back_project_plane_transpose(const BackProjectTask& task, const ViewMap* changes, const float* volume,
                                  const float* slope, float* projections, const CancelToken& cancel) {
  const Spread spread = slope == nullptr    ? spread_of<Given::value>()
                        : volume == nullptr ? spread_of<Given::slope>()
                                            : spread_of<Given::both>();
  // If one of the two is null, the other supplies a valid address that is never used.
  const Rows all{volume == nullptr ? slope : volume, slope == nullptr ? volume : slope};
  const std::vector<PlaneSlice> slices = slope == nullptr ? slices_along_rays(task, volume) : std::vector<PlaneSlice>();
  ops::parallel_for(0, task.views, grain(task.nz * task.ny * task.nx), [&](int64_t begin, int64_t end) {
    SpreadLines lines(task.cols);
    std::vector<PlaneStrip> strips;
    std::vector<double> own(static_cast<std::size_t>(task.cols + 2 * strip_columns));
    std::vector<double> view(static_cast<std::size_t>(task.rows * task.cols));
    double* line = own.data() + strip_columns;
    for (int64_t v = begin; v < end; ++v) {
      std::fill(view.begin(), view.end(), 0.0);
      for (int64_t k = 0; k < task.nz; ++k) {
        cancel.check();
        const ViewMap& map = task.maps[v];
        const PlaneMap p = plane_map(map, changes[v], static_cast<double>(k));
        std::fill(own.begin(), own.end(), 0.0);
        if (slices.empty() || !sum_along_rays(slices[static_cast<std::size_t>(k)], p, task.cols, strips, line)) {
          lines.clear();
          for (int64_t j = 0; j < task.ny; j += rows_at_once)
            spread(p, task.cols, static_cast<double>(j),
                   {all.value + (k * task.ny + j) * task.nx, all.slope + (k * task.ny + j) * task.nx}, task.nx,
                   std::min(rows_at_once, task.ny - j), lines.scratch, lines.first);
          lines.add_to(line);
        }
        const double row = plane_row(map, static_cast<double>(k)), low = std::floor(row);
        for (int64_t n = 0; n < 2; ++n) {
          const double weight = n == 0 ? 1 - (row - low) : row - low, at = low + static_cast<double>(n);
          if (!(weight > 0) || at < 0 || at >= static_cast<double>(task.rows)) continue;
          double* out = view.data() + static_cast<int64_t>(at) * task.cols;
          for (int64_t c = 0; c < task.cols; ++c) out[c] += weight * line[c];
        }
      }
      std::transform(view.begin(), view.end(), projections + v * task.rows * task.cols,
                     [](double s) { return static_cast<float>(s); });
    }
  });
}

}  // namespace tl::ops
