// Window functions by name, and their values.
#include "gpu/filtering/ramp_window.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include "core/base/units.h"

namespace tl::ops {
namespace {

constexpr std::array<std::string_view, 17> names = {
    "ram_lak",         "shepp_logan",      "cosine",   "hamming",       "hann",     "tukey",
    "lanczos",         "triangular",       "gaussian", "bartlett_hann", "blackman", "nuttall",
    "blackman_harris", "blackman_nuttall", "flat_top", "parzen",        "kaiser"};
static_assert(names.size() == static_cast<std::size_t>(RampWindow::kaiser) + 1);

double sinc(double x) { return x == 0 ? 1 : std::sin(pi * x) / (pi * x); }

// a0 + a1 cos(pi x) + a2 cos(2 pi x) + ...
double cosine_sum(double x, std::initializer_list<double> coefficients) {
  double value = 0;
  int order = 0;
  for (const double a : coefficients) value += a * std::cos(pi * x * order++);
  return value;
}

double parzen(double x) {
  const double rest = 1 - x;
  return x <= 0.5 ? 1 - 6 * x * x * rest : 2 * rest * rest * rest;
}

}  // namespace

std::span<const std::string_view> ramp_window_names() { return names; }
std::string_view to_string(RampWindow window) { return names[static_cast<std::size_t>(window)]; }

std::optional<RampWindow> parse_ramp_window(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<RampWindow>(i);
  return std::nullopt;
}

double ramp_window_value(RampWindow window, double x) {
  switch (window) {
    case RampWindow::ram_lak:
      return 1;
    case RampWindow::shepp_logan:
      return sinc(x / 2);
    case RampWindow::cosine:
      return std::cos(pi * x / 2);
    case RampWindow::hamming:
      return cosine_sum(x, {0.54, 0.46});
    case RampWindow::hann:
      return cosine_sum(x, {0.5, 0.5});
    case RampWindow::tukey:
      return x <= 0.5 ? 1 : 0.5 - 0.5 * std::cos(2 * pi * x);
    case RampWindow::lanczos:
      return sinc(x);
    case RampWindow::triangular:
      return 1 - x;
    case RampWindow::gaussian:
      return std::exp(-0.5 * (x / 0.4) * (x / 0.4));
    case RampWindow::bartlett_hann:
      return 0.62 - 0.24 * x + 0.38 * std::cos(pi * x);
    case RampWindow::blackman:
      return cosine_sum(x, {0.42, 0.5, 0.08});
    case RampWindow::nuttall:
      return cosine_sum(x, {0.355768, 0.487396, 0.144232, 0.012604});
    case RampWindow::blackman_harris:
      return cosine_sum(x, {0.35875, 0.48829, 0.14128, 0.01168});
    case RampWindow::blackman_nuttall:
      return cosine_sum(x, {0.3635819, 0.4891775, 0.1365995, 0.0106411});
    case RampWindow::flat_top:
      return cosine_sum(x, {0.215578947, 0.41663158, 0.277263158, 0.083578947, 0.006947368});
    case RampWindow::parzen:
      return parzen(x);
    case RampWindow::kaiser:
      return std::cyl_bessel_i(0.0, 3 * pi * std::sqrt(std::max(0.0, 1 - x * x))) / std::cyl_bessel_i(0.0, 3 * pi);
  }
  return 1;
}

}  // namespace tl::ops
