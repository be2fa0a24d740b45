// Evaluates the Kaiser-Bessel blob and its transform.
#include "gpu/filtering/fourier_volume/blob.h"

#include <cmath>

#include "core/base/units.h"

namespace tl::ops {
namespace {

double bessel_i0(double x) { return std::cyl_bessel_i(0.0, x); }

// I_{3/2}(z) / z^{3/2} without the factor sqrt(2 / pi), as a function of z^2, which may be negative.
double spherical_part(double square) {
  constexpr double small = 1e-4;  // from which on the closed forms keep twelve digits
  if (std::abs(square) < small) return 1.0 / 3 + square / 30;
  const double z = std::sqrt(std::abs(square));
  return square > 0 ? (std::cosh(z) - std::sinh(z) / z) / square : (std::cos(z) - std::sin(z) / z) / square;
}

}  // namespace

double blob(double r) {
  const double share = 1 - r * r / blob_reach;
  return share < 0 ? 0 : bessel_i0(blob_alpha * std::sqrt(share)) / bessel_i0(blob_alpha);
}

double blob_transform(double s) {
  const double turn = 2 * pi * blob_radius * s;
  const double volume = std::pow(2 * pi, 1.5) * std::pow(blob_radius, 3) * std::sqrt(2 / pi);
  return volume * spherical_part(blob_alpha * blob_alpha - turn * turn) / bessel_i0(blob_alpha);
}

BlobTable::BlobTable() {
  const auto at = [](int32_t i) { return blob(std::sqrt(static_cast<double>(i) / nodes)); };
  for (int32_t i = 0; i <= blob_last_entry; ++i) {
    const double value = at(i), slope = at(i + 1) - value;
    double_.push_back({value, slope});
    single_.push_back({static_cast<float>(value), static_cast<float>(slope)});
  }
}

}  // namespace tl::ops
