// Objects of smooth balls, whose volume and parallel projections are known in closed form, and random directions.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "core/base/geometry.h"
#include "core/base/random.h"

namespace tl::ops {

// value exp(-r^2 / (2 sigma^2)); lengths in mm, of which a pixel and a voxel have 1.
struct SmoothBall {
  Vec3 centre;
  double sigma = 1, value = 1;
};

// Positions uniform in a cube of edge 2 reach, sigma uniform between the two, all of value 1: four random numbers each.
struct RandomBalls {
  int64_t count = 12;
  double reach = 10, least_sigma = 1, most_sigma = 2;
};
std::vector<SmoothBall> random_balls(const RandomBalls& spec, const Philox& random);

// [n, n, n] around the origin, float64.
at::Tensor volume_of_balls(const std::vector<SmoothBall>& balls, int64_t n);
// Line integrals [view, row, col] at the pixels' centres, float32, of a parallel beam at right angles to its detector.
at::Tensor views_of_balls(const std::vector<SmoothBall>& balls, const ScanGeometry& geometry);

// Views of n x n pixels in directions that are uniform on the sphere, rotated at random: six random numbers each.
ScanGeometry random_views(int64_t count, int64_t n, const Philox& random);

}  // namespace tl::ops
