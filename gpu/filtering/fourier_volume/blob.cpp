// Evaluates the Kaiser-Bessel blob and its transform.
#include "gpu/filtering/fourier_volume/blob.h"

#include <algorithm>
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

// Of the blob by the square of the distance: I0' = I1.
double blob_derivative(double square) {
  const double share = 1 - square / blob_reach;
  if (share < 0) return 0;
  const double z = blob_alpha * std::sqrt(share);
  const double i1_over_z = z < 1e-8 ? 0.5 : std::cyl_bessel_i(1.0, z) / z;
  return -blob_alpha * blob_alpha / (2 * blob_reach) * i1_over_z / bessel_i0(blob_alpha);
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
  for (int32_t i = 0; i <= blob_last_entry; ++i)
    single_.push_back({static_cast<float>(at(i)), static_cast<float>(at(i + 1) - at(i))});
  // The step at the end of the blob, over the last eighth of a squared cell.
  constexpr int32_t fading = 64;
  const double step = blob(blob_radius);
  for (int32_t i = 0; i < blob_last_entry; ++i) {
    const double t = std::max(0.0, static_cast<double>(i - (blob_last_entry - fading)) / fading);
    double_.push_back({at(i) - step * t * t * (3 - 2 * t),
                       blob_derivative(static_cast<double>(i) / nodes) / nodes - step * 6 * t * (1 - t) / fading});
  }
  double_.push_back({0, 0});
  double_.push_back({0, 0});  // the end of the last piece
}

}  // namespace tl::ops
