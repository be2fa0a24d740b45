// Products of bells along the axes.
#include "gpu/simulate/smooth_balls.h"

#include <ATen/ATen.h>

#include <cmath>

#include "core/base/units.h"

namespace tl::ops {
namespace {

// exp(-(x - centre)^2 / (2 sigma^2)) at n points around 0.
at::Tensor bell(int64_t n, double centre, double sigma) {
  const at::Tensor x = at::arange(n, at::kDouble) - 0.5 * static_cast<double>(n - 1) - centre;
  return at::exp(x.square() / (-2 * sigma * sigma));
}

}  // namespace

std::vector<SmoothBall> random_balls(const RandomBalls& spec, const Philox& random) {
  std::vector<SmoothBall> all;
  for (int64_t i = 0; i < spec.count; ++i) {
    const auto first = static_cast<uint64_t>(4 * i);
    const auto place = [&](uint64_t n) { return spec.reach * (2 * random.uniform(first + n) - 1); };
    const double sigma = spec.least_sigma + (spec.most_sigma - spec.least_sigma) * random.uniform(first + 3);
    all.push_back({{place(0), place(1), place(2)}, sigma, 1});
  }
  return all;
}

at::Tensor volume_of_balls(const std::vector<SmoothBall>& balls, int64_t n) {
  at::Tensor v = at::zeros({n, n, n}, at::kDouble);
  for (const SmoothBall& b : balls)
    v += b.value * bell(n, b.centre.z, b.sigma).view({n, 1, 1}) * bell(n, b.centre.y, b.sigma).view({n, 1}) *
         bell(n, b.centre.x, b.sigma);
  return v;
}

at::Tensor views_of_balls(const std::vector<SmoothBall>& balls, const ScanGeometry& g) {
  const int64_t rows = g.detector().rows, cols = g.detector().cols;
  at::Tensor p = at::zeros({g.views(), rows, cols}, at::kFloat);
  for (int64_t i = 0; i < g.views(); ++i) {
    const View& v = g.view(i);
    at::Tensor view = at::zeros({rows, cols}, at::kDouble);
    for (const SmoothBall& b : balls) {
      const Vec3 place = b.centre - v.detector;
      view += b.value * b.sigma * std::sqrt(2 * pi) * bell(rows, -dot(place, v.v), b.sigma).view({rows, 1}) *
              bell(cols, dot(place, v.u), b.sigma);
    }
    p[i].copy_(view);
  }
  return p;
}

ScanGeometry random_views(int64_t count, int64_t n, const Philox& random) {
  std::vector<View> all;
  for (int64_t i = 0; i < count; ++i) {
    const auto three = [&](int64_t from) {
      const auto at = static_cast<uint64_t>(6 * i + from);
      return Vec3{random.normal(at), random.normal(at + 1), random.normal(at + 2)};
    };
    View v;
    v.beam = three(0);
    v.beam = (1 / norm(v.beam)) * v.beam;
    const Vec3 across = cross(three(3), v.beam);
    v.u = (1 / norm(across)) * across;
    v.v = cross(v.u, v.beam);
    all.push_back(v);
  }
  return ScanGeometry::from_views(Beam::parallel, {n, n, 1, 1}, std::move(all)).or_throw();
}

}  // namespace tl::ops
