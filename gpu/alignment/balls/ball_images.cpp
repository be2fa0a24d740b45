// Implements the search for balls: flood fill of every view, weighted centres, and what overlaps by area and mass.
#include "gpu/alignment/balls/ball_images.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "gpu/device/parallel_for.h"

namespace tl::ops {
namespace {

constexpr int64_t fewest_pixels = 4, rim = 2;
constexpr double much_larger = 1.6;  // than the median, in area and in mass: two that overlap

struct OfView {
  std::vector<BallImage> balls;
  int64_t leaving = 0;
};

OfView in_view(const float* x, int64_t view, int64_t rows, int64_t cols, float threshold) {
  OfView found;
  std::vector<char> visited(static_cast<std::size_t>(rows * cols), 0);
  std::vector<int64_t> pixels;
  for (int64_t first = 0; first < rows * cols; ++first) {
    if (visited[static_cast<std::size_t>(first)] != 0 || !(x[first] > threshold)) continue;
    pixels.assign(1, first);
    visited[static_cast<std::size_t>(first)] = 1;
    int64_t top = rows, bottom = 0, left = cols, right = 0;
    for (std::size_t n = 0; n < pixels.size(); ++n) {
      const int64_t r = pixels[n] / cols, c = pixels[n] % cols;
      top = std::min(top, r);
      bottom = std::max(bottom, r);
      left = std::min(left, c);
      right = std::max(right, c);
      const auto add = [&](int64_t row, int64_t col) {
        if (row < 0 || col < 0 || row >= rows || col >= cols) return;
        const int64_t at = row * cols + col;
        if (visited[static_cast<std::size_t>(at)] != 0 || !(x[at] > threshold)) return;
        visited[static_cast<std::size_t>(at)] = 1;
        pixels.push_back(at);
      };
      add(r - 1, c);
      add(r + 1, c);
      add(r, c - 1);
      add(r, c + 1);
    }
    if (static_cast<int64_t>(pixels.size()) < fewest_pixels) continue;
    if (top == 0 || left == 0 || bottom == rows - 1 || right == cols - 1) {
      ++found.leaving;
      continue;
    }
    // With the rim around the pixels above the threshold: without it centres jump from pixel to pixel.
    const int64_t r0 = std::max<int64_t>(0, top - rim), r1 = std::min(rows - 1, bottom + rim);
    const int64_t c0 = std::max<int64_t>(0, left - rim), c1 = std::min(cols - 1, right + rim);
    double around = 0, count = 0;
    for (int64_t r = r0; r <= r1; ++r)
      for (int64_t c = c0; c <= c1; ++c)
        if (r == r0 || r == r1 || c == c0 || c == c1) {
          around += static_cast<double>(x[r * cols + c]);
          ++count;
        }
    const double background = around / count;
    BallImage ball{view, 0, 0, 0, static_cast<double>(pixels.size())};
    for (int64_t r = r0; r <= r1; ++r)
      for (int64_t c = c0; c <= c1; ++c) {
        const double above = static_cast<double>(x[r * cols + c]) - background;
        ball.mass += above;
        ball.u += above * (static_cast<double>(c) - 0.5 * static_cast<double>(cols - 1));
        ball.v += above * (0.5 * static_cast<double>(rows - 1) - static_cast<double>(r));
      }
    if (!(ball.mass > 0)) continue;
    ball.u /= ball.mass;
    ball.v /= ball.mass;
    found.balls.push_back(ball);
  }
  return found;
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

BallImages ball_images(const at::Tensor& projections, double threshold) {
  const at::Tensor data = projections.detach().to(at::kCPU, at::kFloat).contiguous();
  const int64_t views = data.size(0), rows = data.size(1), cols = data.size(2);
  BallImages out;
  out.threshold = threshold;
  if (data.numel() == 0) return out;
  if (!(threshold > 0)) {
    const at::Tensor finite = data.nan_to_num(0, 0, 0).reshape(-1);
    const int64_t largest = std::max<int64_t>(1, finite.numel() / 10000);
    out.threshold = 0.5 * std::get<0>(finite.topk(largest)).min().item<double>();
  }
  if (!(out.threshold > 0)) return out;
  std::vector<OfView> all(static_cast<std::size_t>(views));
  ops::parallel_for(0, views, 1, [&](int64_t begin, int64_t end) {
    for (int64_t v = begin; v < end; ++v)
      all[static_cast<std::size_t>(v)] =
          in_view(data.const_data_ptr<float>() + v * rows * cols, v, rows, cols, static_cast<float>(out.threshold));
  });
  std::vector<double> areas, masses;
  for (const OfView& of_view : all) {
    out.leaving += of_view.leaving;
    for (const BallImage& b : of_view.balls) {
      areas.push_back(b.area);
      masses.push_back(b.mass);
    }
  }
  if (areas.empty()) return out;
  const double area = median_of(areas), mass = median_of(masses);
  for (const OfView& of_view : all)
    for (const BallImage& b : of_view.balls) {
      if (b.area > much_larger * area && b.mass > much_larger * mass)
        ++out.overlapping;
      else
        out.balls.push_back(b);
    }
  return out;
}

}  // namespace tl::ops
