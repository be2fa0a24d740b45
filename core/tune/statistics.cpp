// The incomplete beta function, Student's t and exact intervals of probabilities.
#include "core/tune/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tl::tune {
namespace {

// The continued fraction by Lentz's method; converges fast for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300, precise = 1e-15;
  constexpr int most = 10'000;
  const auto guarded = [](double v) { return std::abs(v) < tiny ? tiny : v; };
  double c = 1, d = 1 / guarded(1 - (a + b) * x / (a + 1)), value = d;
  for (int m = 1; m < most; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / guarded(1 + even * d);
    c = guarded(1 + even / c);
    value *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / guarded(1 + odd * d);
    c = guarded(1 + odd / c);
    value *= d * c;
    if (std::abs(d * c - 1) < precise) break;
  }
  return value;
}

// The x at which I_x(a, b) is `probability`.
double beta_quantile(double a, double b, double probability) {
  double low = 0, high = 1;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (incomplete_beta(a, b, middle) < probability ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double t_test_p(double t, double freedom) {
  if (std::isinf(t)) return 0;
  return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

Sample sample_of(const std::vector<double>& values) {
  Sample s;
  s.count = static_cast<int64_t>(values.size());
  if (values.empty()) return s;
  for (const double v : values) s.mean += v;
  s.mean /= static_cast<double>(s.count);
  for (const double v : values) s.sd += (v - s.mean) * (v - s.mean);
  s.sd = s.count > 1 ? std::sqrt(s.sd / static_cast<double>(s.count - 1)) : 0;
  return s;
}

double pooled_t_test(const Sample& a, const Sample& b) {
  const auto n = static_cast<double>(a.count), m = static_cast<double>(b.count);
  if (a.count < 1 || b.count < 1 || n + m < 3) return 1;
  const double freedom = n + m - 2;
  const double variance = ((n - 1) * a.sd * a.sd + (m - 1) * b.sd * b.sd) / freedom;
  const double difference = a.mean - b.mean;
  if (variance == 0) return difference == 0 ? 1 : 0;
  return t_test_p(difference / std::sqrt(variance * (1 / n + 1 / m)), freedom);
}

std::pair<double, double> exact_interval(int64_t hits, int64_t trials, double confidence) {
  const double tail = (1 - confidence) / 2;
  const auto k = static_cast<double>(hits), n = static_cast<double>(trials);
  return {hits <= 0 ? 0 : beta_quantile(k, n - k + 1, tail),
          hits >= trials ? 1 : beta_quantile(k + 1, n - k, 1 - tail)};
}

}  // namespace tl::tune
