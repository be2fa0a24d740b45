// Geodesic contours: the edge map by Gaussians and their derivatives axis by axis, then morphological steps.
#include "gpu/segmentation/geodesic_contour.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/image/gaussian_filter.h"
#include "gpu/segmentation/level_set.h"

namespace tl::ops {
namespace {

constexpr double widest_sigma = 100;  // [voxels]
constexpr double automatic_percentile = 0.4;
constexpr double gaussian_reach_in_sigma = 4;

// The Gaussian and its derivative at the offsets -radius to radius.
struct EdgeKernels {
  explicit EdgeKernels(double sigma) {
    const std::vector<double> half = gaussian_kernel(sigma, gaussian_reach_in_sigma);  // from the centre on
    smooth.assign(half.rbegin(), half.rend());
    smooth.insert(smooth.end(), half.begin() + 1, half.end());
    derivative = smooth;
    const auto radius = static_cast<int64_t>(half.size()) - 1;
    for (int64_t i = -radius; i <= radius; ++i)
      derivative[static_cast<std::size_t>(i + radius)] *= static_cast<double>(i) / (sigma * sigma);
  }
  std::vector<double> smooth, derivative;
};

// out <- v correlated along an axis (0, 1, 2 for z, y, x); the edge voxel is repeated.
void correlate(const double* v, double* out, const Lattice& l, int axis, const std::vector<double>& weights,
               const CancelToken& cancel) {
  const int64_t count = axis == 0 ? l.nz : axis == 1 ? l.ny : l.nx;
  const int64_t stride = axis == 0 ? l.ny * l.nx : axis == 1 ? l.nx : 1;
  const auto radius = static_cast<int64_t>(weights.size() / 2);
  ops::parallel_for(0, l.rows(), grain(l.nx * static_cast<int64_t>(weights.size())), [&](int64_t first, int64_t last) {
    for (int64_t r = first; r < last; ++r) {
      cancel.check();
      const int64_t at = axis == 0 ? r / l.ny : r % l.ny;
      double* to = out + r * l.nx;
      std::fill(to, to + l.nx, 0.0);
      for (int64_t k = -radius; k <= radius; ++k) {
        const double w = weights[static_cast<std::size_t>(k + radius)];
        const double* from = v + r * l.nx;
        if (axis == 2) {
          for (int64_t x = 0; x < l.nx; ++x) to[x] += w * from[std::clamp<int64_t>(x + k, 0, l.nx - 1)];
        } else {
          from += (std::clamp<int64_t>(at + k, 0, count - 1) - at) * stride;
          for (int64_t x = 0; x < l.nx; ++x) to[x] += w * from[x];
        }
      }
    }
  });
}

// |gradient of the smoothed volume|^2 (float64), with two volumes of intermediate results.
at::Tensor squared_gradient(const at::Tensor& volume, const Lattice& l, const EdgeMapSpec& spec) {
  const EdgeKernels kernels(spec.sigma);
  at::Tensor squares = at::zeros(volume.sizes(), at::kDouble);
  at::Tensor now = at::empty_like(squares), next = at::empty_like(squares);
  const int first_axis = l.one_slice() ? 1 : 0;
  for (int along = first_axis; along < 3; ++along) {
    const double* from = volume.const_data_ptr<double>();
    for (int axis = first_axis; axis < 3; ++axis) {
      correlate(from, next.mutable_data_ptr<double>(), l, axis, axis == along ? kernels.derivative : kernels.smooth,
                spec.cancel);
      std::swap(now, next);
      from = now.const_data_ptr<double>();
    }
    double* sum = squares.mutable_data_ptr<double>();
    ops::parallel_for(0, l.count(), serial_updates, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) sum[i] += from[i] * from[i];
    });
  }
  return squares;
}

template <class T>
T percentile_40(const T* v, int64_t count) {
  std::vector<T> sorted(v, v + count);
  const double place = automatic_percentile * static_cast<double>(count - 1), below = std::floor(place);
  const auto at = sorted.begin() + static_cast<int64_t>(below);
  std::nth_element(sorted.begin(), at, sorted.end());
  if (at + 1 == sorted.end()) return *at;
  const T next = *std::min_element(at + 1, sorted.end());
  return static_cast<T>(static_cast<double>(*at) +
                        (place - below) * (static_cast<double>(next) - static_cast<double>(*at)));
}

// Gradient of v along an axis, computed like np.gradient.
template <class T>
double gradient_along(const T* v, int64_t at, int64_t count, int64_t stride) {
  if (count < 2) return 0;
  if (at == 0) return static_cast<double>(v[stride] - v[0]);
  if (at == count - 1) return static_cast<double>(v[0] - v[-stride]);
  return static_cast<double>(v[stride] - v[-stride]) / 2;
}

template <class T>
at::Tensor move_contour(const at::Tensor& edges, const at::Tensor& start, const Lattice& l,
                        const GeodesicContourSpec& spec) {
  const T* g = edges.const_data_ptr<T>();
  const double threshold = spec.threshold.has_value() ? *spec.threshold
                           : spec.balloon != 0        ? static_cast<double>(percentile_40(g, l.count()))
                                                      : 0;
  const double balloon_threshold = threshold / std::abs(spec.balloon);
  LevelSet level(l, start);
  std::vector<uint8_t> before(spec.balloon != 0 ? static_cast<std::size_t>(l.count()) : 0);
  for (int64_t step = 0; step < spec.steps; ++step) {
    spec.cancel.check();
    if (spec.balloon != 0) {
      std::copy(level.values(), level.values() + l.count(), before.begin());
      spec.balloon > 0 ? level.dilate() : level.erode();
      uint8_t* moved = level.values();
      ops::parallel_for(0, l.count(), serial_updates, [&](int64_t first, int64_t last) {
        for (int64_t i = first; i < last; ++i)
          if (!(static_cast<double>(g[i]) > balloon_threshold)) moved[i] = before[static_cast<std::size_t>(i)];
      });
    }
    level.move([&](int64_t z, int64_t y, int64_t x, const std::array<int, 3>& twice_gradient) {
      const T* here = g + (z * l.ny + y) * l.nx + x;
      double pull = 0;
      pull += gradient_along(here, z, l.nz, l.ny * l.nx) * twice_gradient[0];
      pull += gradient_along(here, y, l.ny, l.nx) * twice_gradient[1];
      pull += gradient_along(here, x, l.nx, 1) * twice_gradient[2];
      return pull;
    });
    for (int64_t n = 0; n < spec.smoothing; ++n) level.smooth();
  }
  return level.mask(start);
}

}  // namespace

int64_t edge_map_reach(const EdgeMapSpec& spec) { return gaussian_reach(spec.sigma, gaussian_reach_in_sigma); }

Result<at::Tensor> edge_map(const at::Tensor& volume, const EdgeMapSpec& spec) {
  const std::string where = "edge map";
  TL_TRY(const Lattice l, check_volume(volume, where));
  TL_TRY(check_finite(volume, where));
  if (!(spec.alpha >= 0) || !std::isfinite(spec.alpha))
    return invalid("alpha must be 0 or above", where, "100 is usual");
  if (!(spec.sigma > 0) || spec.sigma > widest_sigma)
    return invalid("sigma must be above 0 and at most 100 voxels", where, "Choose the width of the edges");
  at::Tensor map = squared_gradient(volume.to(at::kDouble).contiguous(), l, spec);
  double* m = map.mutable_data_ptr<double>();
  ops::parallel_for(0, l.count(), serial_updates, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) m[i] = 1 / std::sqrt(1 + spec.alpha * std::sqrt(m[i]));
  });
  return map.to(volume.scalar_type());
}

Result<at::Tensor> geodesic_contour(const at::Tensor& edges, const at::Tensor& start, const GeodesicContourSpec& spec) {
  const std::string where = "geodesic contour";
  TL_TRY(const Lattice l, check_volume(edges, where));
  TL_TRY(check_mask(start, where));
  TL_TRY(check_same_shape(edges, start, "the first contour", where));
  TL_TRY(check_finite(edges, where));
  if (spec.steps < 0 || spec.smoothing < 0) return invalid("the numbers of steps must be 0 or above", where);
  if (!std::isfinite(spec.balloon)) return invalid("the balloon must be a finite number", where);
  if (edges.scalar_type() == at::kFloat) return move_contour<float>(edges.contiguous(), start, l, spec);
  return move_contour<double>(edges.contiguous(), start, l, spec);
}

}  // namespace tl::ops
