// An object of smooth balls whose values are known at any point: volumes before and after any motion, without
// interpolation.
#pragma once

#include <ATen/ATen.h>

#include <cmath>
#include <vector>

#include "core/base/random.h"

namespace tl::test {

// Values, about 0 to 2, at positions x, y, z [voxels from the centre], float64 [3, z, y, x], of an object that fills
// most of a cube of `size` voxels; more balls give more structure.
inline at::Tensor ball_phantom(const at::Tensor& positions, double size, int balls = 50) {
  const auto ball = [&](double x, double y, double z, double radius, double edge) {
    const at::Tensor r =
        ((positions[0] - x).square() + (positions[1] - y).square() + (positions[2] - z).square()).sqrt();
    return ((radius - r) / edge).sigmoid();
  };
  const double s = size / 96;
  const at::Tensor body =
      ((positions[0] / (34 * s)).square() + (positions[1] / (30 * s)).square() + (positions[2] / (36 * s)).square())
          .sqrt();
  at::Tensor v = (30 * (1 - body)).sigmoid();
  const Philox random{11, 3};
  uint64_t next = 0;
  const auto uniform = [&](double low, double high) { return low + (high - low) * random.uniform(next++); };
  for (int i = 0; i < balls; ++i) {
    const double x = uniform(-24, 24) * s, y = uniform(-22, 22) * s, z = uniform(-24, 24) * s;
    const double radius = uniform(3, 6.5) * s, value = uniform(-0.6, 0.8);
    v = v + value * ball(x, y, z, radius, 0.6);
  }
  return v;
}

// Positions x, y, z of a cube's voxels, from its middle.
inline at::Tensor cube_positions(int64_t n) {
  const at::Tensor i = at::arange(n, at::kDouble) - 0.5 * static_cast<double>(n - 1);
  const std::vector<at::Tensor> grids = at::meshgrid({i, i, i}, "ij");
  return at::stack({grids[2], grids[1], grids[0]});
}

// float32, with Gaussian noise of this sigma, independent of the number of threads.
inline at::Tensor with_noise(const at::Tensor& x, double sigma, uint64_t seed) {
  at::Tensor noise = at::empty(x.sizes(), at::kDouble);
  const Philox random{seed, 7};
  for (int64_t i = 0; i < noise.numel(); ++i)
    noise.mutable_data_ptr<double>()[i] = random.normal(static_cast<uint64_t>(i));
  return (x + sigma * noise).to(at::kFloat).contiguous();
}

}  // namespace tl::test
