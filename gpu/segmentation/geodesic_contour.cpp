// Geodesic contours: the edge map by Gaussians and their derivatives axis by axis, then morphological steps.
#include "gpu/segmentation/geodesic_contour.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gpu/device/grain.h"
#include "gpu/segmentation/level_set.h"

namespace tl::ops {
namespace {

constexpr double widest_sigma = 100;  // [voxels]
constexpr double automatic_percentile = 0.4;

std::vector<double> gaussian_weights(double sigma) {
  const auto radius = static_cast<int64_t>(std::lround(4 * sigma));
  std::vector<double> weights;
  double sum = 0;
  for (int64_t i = -radius; i <= radius; ++i) {
    weights.push_back(std::exp(-0.5 * static_cast<double>(i * i) / (sigma * sigma)));
    sum += weights.back();
  }
  for (double& w : weights) w /= sum;
  return weights;
}

std::vector<double> derivative_weights(double sigma) {
  std::vector<double> weights = gaussian_weights(sigma);
  const auto radius = static_cast<int64_t>(weights.size() / 2);
  for (int64_t i = -radius; i <= radius; ++i)
    weights[static_cast<std::size_t>(i + radius)] *= static_cast<double>(i) / (sigma * sigma);
  return weights;
}

// Correlates along an axis (0, 1, 2 for z, y, x); the edge voxel is repeated.
std::vector<double> correlated(const std::vector<double>& v, const Lattice& l, int axis,
                               const std::vector<double>& weights) {
  const int64_t count = axis == 0 ? l.nz : axis == 1 ? l.ny : l.nx;
  const int64_t stride = axis == 0 ? l.ny * l.nx : axis == 1 ? l.nx : 1;
  const auto radius = static_cast<int64_t>(weights.size() / 2);
  std::vector<double> out(v.size(), 0);
  at::parallel_for(0, l.rows(), grain(l.nx * static_cast<int64_t>(weights.size())), [&](int64_t first, int64_t last) {
    for (int64_t r = first; r < last; ++r) {
      const int64_t at = axis == 0 ? r / l.ny : r % l.ny;
      double* to = out.data() + r * l.nx;
      for (int64_t k = -radius; k <= radius; ++k) {
        const double w = weights[static_cast<std::size_t>(k + radius)];
        const double* from = v.data() + r * l.nx;
        if (axis == 2) {
          for (int64_t x = 0; x < l.nx; ++x) to[x] += w * from[std::clamp<int64_t>(x + k, 0, l.nx - 1)];
        } else {
          from += (std::clamp<int64_t>(at + k, 0, count - 1) - at) * stride;
          for (int64_t x = 0; x < l.nx; ++x) to[x] += w * from[x];
        }
      }
    }
  });
  return out;
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

// Gradient of v along an axis as np.gradient has it.
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
  const double flat = threshold / std::abs(spec.balloon);
  LevelSet level(l, start);
  std::vector<uint8_t> next(static_cast<std::size_t>(l.count()));
  for (int64_t step = 0; step < spec.steps; ++step) {
    spec.cancel.check();
    if (spec.balloon != 0) {
      std::copy(level.values(), level.values() + l.count(), next.begin());
      spec.balloon > 0 ? level.dilate() : level.erode();
      for (int64_t i = 0; i < l.count(); ++i)
        if (!(static_cast<double>(g[i]) > flat)) level.values()[i] = next[static_cast<std::size_t>(i)];
    }
    at::parallel_for(0, l.rows(), grain(l.nx * 16), [&](int64_t first, int64_t last) {
      for (int64_t r = first; r < last; ++r)
        for (int64_t x = 0; x < l.nx; ++x) {
          const int64_t i = r * l.nx + x, z = r / l.ny, y = r % l.ny;
          uint8_t& to = next[static_cast<std::size_t>(i)];
          to = level.values()[i];
          const auto du = level.twice_gradient(z, y, x);
          if (du == std::array<int, 3>{0, 0, 0}) continue;
          double pull = 0;
          pull += gradient_along(g + i, z, l.nz, l.ny * l.nx) * du[0];
          pull += gradient_along(g + i, y, l.ny, l.nx) * du[1];
          pull += gradient_along(g + i, x, l.nx, 1) * du[2];
          if (pull > 0) to = 1;
          if (pull < 0) to = 0;
        }
    });
    std::copy(next.begin(), next.end(), level.values());
    for (int64_t n = 0; n < spec.smoothing; ++n) level.smooth();
  }
  return level.mask(start);
}

}  // namespace

Result<at::Tensor> edge_map(const at::Tensor& volume, double alpha, double sigma) {
  const std::string where = "edge map";
  TL_TRY(const Lattice l, check_volume(volume, where));
  TL_TRY(check_finite(volume, where));
  if (!(alpha >= 0) || !std::isfinite(alpha)) return invalid("alpha must be 0 or above", where, "100 is usual");
  if (!(sigma > 0) || sigma > widest_sigma)
    return invalid("sigma must be above 0 and at most 100 voxels", where, "Choose the width of the edges");
  const at::Tensor plain = volume.to(at::kDouble).contiguous();
  const std::vector<double> v(plain.const_data_ptr<double>(), plain.const_data_ptr<double>() + l.count());
  const std::vector<double> smooth = gaussian_weights(sigma), derivative = derivative_weights(sigma);
  std::vector<double> squares(v.size(), 0);
  for (int along = l.one_slice() ? 1 : 0; along < 3; ++along) {
    std::vector<double> d = v;
    for (int axis = l.one_slice() ? 1 : 0; axis < 3; ++axis)
      d = correlated(d, l, axis, axis == along ? derivative : smooth);
    for (std::size_t i = 0; i < d.size(); ++i) squares[i] += d[i] * d[i];
  }
  for (double& s : squares) s = 1 / std::sqrt(1 + alpha * std::sqrt(s));
  return at::tensor(at::ArrayRef<double>(squares), at::kDouble).view(volume.sizes()).to(volume.scalar_type());
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
