// Bursts of frames with known shifts: an image of blobs, computed exactly at any displaced
// position.
#pragma once

#include <ATen/ATen.h>

#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace tl::test {

// Displacement (x, y) [px] at the time of a frame of the point at (row, col).
using Motion = std::function<std::array<double, 2>(int64_t frame, double row, double col)>;

struct BurstSpec {
  int64_t frames = 12, rows = 128, cols = 128;
  int64_t blobs = 250;
  double narrow = 1.2, wide = 5;  // [px] standard deviations of the narrowest and widest blobs
  double noise = 0;               // standard deviation, for an image of blobs of height 0.5 to 1
  unsigned seed = 1;
};

// float32 [frame, row, col]. A blob moves like its centre.
inline at::Tensor burst(const BurstSpec& spec, const Motion& motion) {
  std::mt19937 random(spec.seed);
  std::uniform_real_distribution<double> part(0, 1);
  struct Blob {
    double row, col, sigma, height;
  };
  std::vector<Blob> blobs;
  // Also beyond the edges: other parts move into the field.
  for (int64_t i = 0; i < spec.blobs; ++i)
    blobs.push_back({(1.4 * part(random) - 0.2) * static_cast<double>(spec.rows),
                     (1.4 * part(random) - 0.2) * static_cast<double>(spec.cols),
                     spec.narrow + (spec.wide - spec.narrow) * part(random), 0.5 + 0.5 * part(random)});
  std::normal_distribution<double> noise(0, 1);
  at::Tensor out = at::zeros({spec.frames, spec.rows, spec.cols}, at::kFloat);
  auto a = out.accessor<float, 3>();
  for (int64_t n = 0; n < spec.frames; ++n) {
    for (const Blob& b : blobs) {
      const auto [x, y] = motion(n, b.row, b.col);
      const double row = b.row + y, col = b.col + x, reach = 6 * b.sigma;
      for (auto r = static_cast<int64_t>(std::max(0.0, std::ceil(row - reach)));
           r < spec.rows && static_cast<double>(r) <= row + reach; ++r)
        for (auto c = static_cast<int64_t>(std::max(0.0, std::ceil(col - reach)));
             c < spec.cols && static_cast<double>(c) <= col + reach; ++c) {
          const double dr = static_cast<double>(r) - row, dc = static_cast<double>(c) - col;
          a[n][r][c] += static_cast<float>(b.height * std::exp(-0.5 * (dr * dr + dc * dc) / (b.sigma * b.sigma)));
        }
    }
    for (int64_t r = 0; spec.noise > 0 && r < spec.rows; ++r)
      for (int64_t c = 0; c < spec.cols; ++c) a[n][r][c] += static_cast<float>(spec.noise * noise(random));
  }
  return out;
}

// A slow drift and doming: points far from the centre move outwards over time, by at most `dome` px.
inline Motion drift_and_doming(const BurstSpec& spec, double drift, double dome) {
  return [=](int64_t frame, double row, double col) -> std::array<double, 2> {
    const double t = static_cast<double>(frame) / static_cast<double>(spec.frames - 1);
    const double x = 2 * col / static_cast<double>(spec.cols - 1) - 1,
                 y = 2 * row / static_cast<double>(spec.rows - 1) - 1;
    const double grown = dome * (1 - std::exp(-2 * t));
    return {drift * t + grown * x, -0.6 * drift * t * t + grown * y};
  };
}

}  // namespace tl::test
