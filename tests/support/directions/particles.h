// Noisy images of an asymmetric object of smooth balls in random directions, and how far found directions are off.
#pragma once

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/units.h"
#include "gpu/alignment/directions/sphere.h"
#include "gpu/simulate/smooth_balls.h"

namespace tl::test {

struct ParticlesSpec {
  int64_t images = 100, size = 32;
  double ratio = 0.5;    // variance of the noiseless images over that of the noise; 0: no noise
  double shift = 2;      // largest along each axis [px]
  double widest = 0.05;  // sigma of the widest ball [size]; of the narrowest 0.025
  uint64_t seed = 7;
};

struct Particles {
  std::vector<ops::SmoothBall> balls;
  at::Tensor volume;      // [z, y, x], float32, voxels of 1 mm
  at::Tensor images;      // float32
  ScanGeometry geometry;  // the true one, with shifts
};

inline Particles particles(const ParticlesSpec& spec) {
  Particles p;
  const auto size = static_cast<double>(spec.size);
  p.balls = ops::random_balls({12, 0.2 * size, 0.025 * size, spec.widest * size}, Philox{spec.seed, 1});
  p.volume = ops::volume_of_balls(p.balls, spec.size).to(at::kFloat);
  const ScanGeometry centred = ops::random_views(spec.images, spec.size, Philox{spec.seed, 2});
  const Philox of_shifts{spec.seed, 3}, of_noise{spec.seed, 4};
  std::vector<View> views;
  for (int64_t i = 0; i < spec.images; ++i) {
    View v = centred.view(i);
    const auto at = static_cast<uint64_t>(2 * i);
    v.detector =
        (spec.shift * (2 * of_shifts.uniform(at) - 1)) * v.u + (spec.shift * (2 * of_shifts.uniform(at + 1) - 1)) * v.v;
    views.push_back(v);
  }
  p.geometry = ScanGeometry::from_views(Beam::parallel, centred.detector(), std::move(views)).or_throw();
  p.images = ops::views_of_balls(p.balls, p.geometry);
  if (spec.ratio > 0) {
    const double sigma = std::sqrt(p.images.var().item<double>() / spec.ratio);
    auto* pixel = p.images.mutable_data_ptr<float>();
    for (int64_t i = 0; i < p.images.numel(); ++i)
      pixel[i] += static_cast<float>(sigma * of_noise.normal(static_cast<uint64_t>(i)));
  }
  return p;
}

// Angle between the directions of two views [deg].
inline double direction_error(const View& a, const View& b) {
  return from_stored(ops::angle_between((1 / norm(a.beam)) * a.beam, (1 / norm(b.beam)) * b.beam), Unit::deg);
}
// Rotation between two views, in the plane included [deg].
inline double rotation_error(const View& a, const View& b) {
  const auto unit = [](Vec3 v) { return (1 / norm(v)) * v; };
  const double trace = dot(unit(a.u), unit(b.u)) + dot(unit(a.v), unit(b.v)) + dot(unit(a.beam), unit(b.beam));
  return from_stored(std::acos(std::clamp(0.5 * (trace - 1), -1.0, 1.0)), Unit::deg);
}

inline double median_of(std::vector<double> values) {
  if (values.empty()) return std::nan("");
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace tl::test
