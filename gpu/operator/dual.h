// Dual numbers: a value and its derivatives with respect to N inputs, exact to rounding (forward-mode differentiation).
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace tl::ops {

template <std::size_t N>
struct Dual {
  double value = 0;
  std::array<double, N> slope{};

  Dual() = default;
  Dual(double v) : value(v) {}  // NOLINT(google-explicit-constructor): constants mix with variables
  static Dual variable(double v, std::size_t which) {
    Dual d(v);
    d.slope[which] = 1;
    return d;
  }

  friend Dual operator+(const Dual& a, const Dual& b) { return combine(a.value + b.value, a, 1, b, 1); }
  friend Dual operator-(const Dual& a, const Dual& b) { return combine(a.value - b.value, a, 1, b, -1); }
  friend Dual operator*(const Dual& a, const Dual& b) { return combine(a.value * b.value, a, b.value, b, a.value); }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const double q = a.value / b.value;
    return combine(q, a, 1 / b.value, b, -q / b.value);
  }
  friend Dual sin(const Dual& a) { return combine(std::sin(a.value), a, std::cos(a.value), a, 0); }
  friend Dual cos(const Dual& a) { return combine(std::cos(a.value), a, -std::sin(a.value), a, 0); }

 private:
  static Dual combine(double value, const Dual& a, double da, const Dual& b, double db) {
    Dual d(value);
    for (std::size_t n = 0; n < N; ++n) d.slope[n] = da * a.slope[n] + db * b.slope[n];
    return d;
  }
};

}  // namespace tl::ops
