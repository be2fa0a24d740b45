// Solves the characteristic equations of symmetric matrices.
#include "gpu/classification/eigenvalues.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gpu/device/choose_variant.h"

namespace tl::ops {
namespace {

__attribute__((always_inline)) inline void eigen_2_body(float* __restrict__ xx, float* __restrict__ yy,
                                                        const float* __restrict__ xy, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    const float mean = 0.5F * (xx[i] + yy[i]), half = 0.5F * (xx[i] - yy[i]);
    const float root = __builtin_sqrtf(half * half + xy[i] * xy[i]);
    xx[i] = mean + root;
    yy[i] = mean - root;
  }
}

}  // namespace

void eigenvalues_2(const SymmetricRows& m, int64_t count) {
  static const auto eigen_2 = Variants<eigen_2_body>::of(best_cpu_variant());
  eigen_2(m.xx, m.yy, m.xy, count);
}

void eigenvalues_3(const SymmetricRows& m, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    const double a = m.xx[i], b = m.yy[i], c = m.zz[i], d = m.xy[i], e = m.xz[i], f = m.yz[i];
    const double mean = (a + b + c) / 3;
    const double p2 =
        (a - mean) * (a - mean) + (b - mean) * (b - mean) + (c - mean) * (c - mean) + 2 * (d * d + e * e + f * f);
    const double p = std::sqrt(p2 / 6);
    double largest = mean, smallest = mean;
    if (p > 0) {
      const double u = (a - mean) / p, v = (b - mean) / p, w = (c - mean) / p, x = d / p, y = e / p, z = f / p;
      const double half_det = 0.5 * (u * (v * w - z * z) - x * (x * w - z * y) + y * (x * z - v * y));
      const double angle = std::acos(std::clamp(half_det, -1.0, 1.0)) / 3;
      largest = mean + 2 * p * std::cos(angle);
      smallest = mean + 2 * p * std::cos(angle + 2 * std::numbers::pi / 3);
    } else if (!(p == 0)) {
      largest = smallest = p;  // NaN
    }
    m.xx[i] = static_cast<float>(largest);
    m.yy[i] = static_cast<float>(3 * mean - largest - smallest);
    m.zz[i] = static_cast<float>(smallest);
  }
}

}  // namespace tl::ops
