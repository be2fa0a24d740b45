// Defines the windows of the ramp filter, one table row each.
#include "gpu/filtering/ramp_window.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include "core/base/units.h"

namespace tl::ops {
namespace {

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

// All windows. A new one is a row at the end; nodes, forms, the schema and documents follow.
constexpr auto windows = std::to_array<RampWindowEntry>({
    {"ram_lak", "Ram-Lak", [](double) { return 1.0; }},
    {"shepp_logan", "Shepp-Logan", [](double x) { return sinc(x / 2); }},
    {"cosine", "Cosine", [](double x) { return std::cos(pi * x / 2); }},
    {"hamming", "Hamming",
     [](double x) {
       return cosine_sum(x, {0.54, 0.46});
     }},
    {"hann", "Hann",
     [](double x) {
       return cosine_sum(x, {0.5, 0.5});
     }},
    {"tukey", "Tukey", [](double x) { return x <= 0.5 ? 1 : 0.5 - 0.5 * std::cos(2 * pi * x); }},
    {"lanczos", "Lanczos", sinc},
    {"triangular", "Triangular", [](double x) { return 1 - x; }},
    {"gaussian", "Gaussian", [](double x) { return std::exp(-0.5 * (x / 0.4) * (x / 0.4)); }},
    {"bartlett_hann", "Bartlett-Hann", [](double x) { return 0.62 - 0.24 * x + 0.38 * std::cos(pi * x); }},
    {"blackman", "Blackman",
     [](double x) {
       return cosine_sum(x, {0.42, 0.5, 0.08});
     }},
    {"nuttall", "Nuttall",
     [](double x) {
       return cosine_sum(x, {0.355768, 0.487396, 0.144232, 0.012604});
     }},
    {"blackman_harris", "Blackman-Harris",
     [](double x) {
       return cosine_sum(x, {0.35875, 0.48829, 0.14128, 0.01168});
     }},
    {"blackman_nuttall", "Blackman-Nuttall",
     [](double x) {
       return cosine_sum(x, {0.3635819, 0.4891775, 0.1365995, 0.0106411});
     }},
    {"flat_top", "Flat top",
     [](double x) {
       return cosine_sum(x, {0.215578947, 0.41663158, 0.277263158, 0.083578947, 0.006947368});
     }},
    {"parzen", "Parzen", parzen},
    {"kaiser", "Kaiser-Bessel",
     [](double x) {
       return std::cyl_bessel_i(0.0, 3 * pi * std::sqrt(std::max(0.0, 1 - x * x))) / std::cyl_bessel_i(0.0, 3 * pi);
     }},
});

constexpr const RampWindowEntry& entry(RampWindow window) { return windows[static_cast<std::size_t>(window)]; }
static_assert(entry(RampWindow::ram_lak).name == "ram_lak" && entry(RampWindow::hann).name == "hann" &&
                  entry(RampWindow::parzen).name == "parzen" && entry(RampWindow::kaiser).name == "kaiser",
              "the names of RampWindow are in the order of the rows");

}  // namespace

std::span<const RampWindowEntry> ramp_windows() { return windows; }
std::string_view to_string(RampWindow window) { return entry(window).name; }
double ramp_window_value(RampWindow window, double x) { return entry(window).value(x); }

std::optional<RampWindow> parse_ramp_window(std::string_view name) {
  for (std::size_t i = 0; i < windows.size(); ++i)
    if (windows[i].name == name) return static_cast<RampWindow>(i);
  return std::nullopt;
}

}  // namespace tl::ops
