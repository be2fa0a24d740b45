// Gridding of view spectra on the GPU: each call gathers one point of the Fourier plane. The CPU scatters instead
// (spread() in gridrec.cpp) and only shares the table of the gridding kernel.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"

namespace tl::ops {

// Kernel value at a distance given in samples of the plane, linearly interpolated from a table, 0 beyond its reach.
struct GridKernel {
  const double* values;  // in steps of 1 / steps_per_sample, with at least one entry beyond the reach
  int64_t steps_per_sample;
  double reach;

  TL_HD double at(double distance) const {
    const double size = distance < 0 ? -distance : distance;
    if (size > reach) return 0;
    const double place = size * static_cast<double>(steps_per_sample);
    const auto step = static_cast<int64_t>(place);
    return values[step] + (place - static_cast<double>(step)) * (values[step + 1] - values[step]);
  }
};

// A view and the direction, in [0, pi), of its line of samples.
struct GridView {
  double angle, cosine, sine;
  int64_t view;
};

// Computes one complex point of the plane [length, length]: the kernel-weighted sum of the samples of all views, in the
// order of their angles. No two calls write to the same point.
template <class T>
struct GridPoint {
  const T* spectra;            // [view, length], real and imaginary parts interleaved
  const GridView* directions;  // ascending
  int64_t views, length;
  GridKernel kernel;
  T* plane;

  TL_HD void operator()(int64_t index) const {
    const int64_t row = index / length, col = index % length, half = length / 2;
    const double y = static_cast<double>(row < length - row ? row : row - length);
    const double x = static_cast<double>(col < length - col ? col : col - length);
    const double limit = static_cast<double>(half) + kernel.reach;
    T sum[2] = {0, 0};
    // The plane is periodic: samples beyond one edge enter at the opposite edge.
    for (int b = -1; b <= 1; ++b)
      for (int a = -1; a <= 1; ++a) {
        const double v = y + static_cast<double>(b * length), u = x + static_cast<double>(a * length);
        if (v > limit || v < -limit || u > limit || u < -limit) continue;
        collect(u, v, sum);
      }
    plane[2 * index] = sum[0];
    plane[2 * index + 1] = sum[1];
  }

 private:
  TL_HD static double root(double x) { return x <= 0 ? 0 : std::sqrt(x); }

  // Adds all samples within the kernel about (u, v). Such a sample is at most reach * sqrt(2) away, so its view's line
  // passes within that distance: |u sin - v cos| is at most that.
  TL_HD void collect(double u, double v, T* sum) const {
    const double wide = kernel.reach * 1.4142135623730951, wide2 = wide * wide;
    const double radius2 = u * u + v * v;
    if (radius2 <= wide2) {
      for (int64_t i = 0; i < views; ++i) add(directions[i], u, v, wide, sum);
      return;
    }
    // The directions near that of (u, v), which may wrap around at 0 = pi.
    const double pi = 3.14159265358979323846;
    double towards = std::atan2(v, u);
    if (towards < 0) towards += pi;
    const double open = std::asin(wide / root(radius2)) + 1e-9;
    for (int turn = -1; turn <= 1; ++turn) {
      const double low = towards - open + static_cast<double>(turn) * pi,
                   high = towards + open + static_cast<double>(turn) * pi;
      if (high < 0 || low >= pi) continue;
      for (int64_t i = first_from(low); i < views && directions[i].angle <= high; ++i)
        add(directions[i], u, v, wide, sum);
    }
  }

  TL_HD int64_t first_from(double angle) const {
    int64_t low = 0, high = views;
    while (low < high) {
      const int64_t middle = (low + high) / 2;
      if (directions[middle].angle < angle)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  TL_HD void add(const GridView& d, double u, double v, double wide, T* sum) const {
    const double along = u * d.cosine + v * d.sine;
    const int64_t half = length / 2;
    auto f = static_cast<int64_t>(std::ceil(along - wide));
    const auto last = static_cast<int64_t>(std::floor(along + wide));
    f = f < -half ? -half : f;
    for (; f <= last && f < length - half; ++f) {
      const auto place = static_cast<double>(f);
      const double weight_y = kernel.at(place * d.sine - v);
      if (weight_y == 0) continue;
      const double weight_x = kernel.at(place * d.cosine - u);
      if (weight_x == 0) continue;
      const T* sample = spectra + 2 * (d.view * length + (f < 0 ? f + length : f));
      sum[0] += sample[0] * static_cast<T>(weight_y) * static_cast<T>(weight_x);
      sum[1] += sample[1] * static_cast<T>(weight_y) * static_cast<T>(weight_x);
    }
  }
};

}  // namespace tl::ops
