// Computes eigenvalues of small symmetric matrices by Jacobi's method (G. Golub, C. Van Loan, Matrix Computations,
// section 8.5).
#include "core/learn/descent/symmetric.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tl::learn {

std::vector<double> times(const Matrix& m, const std::vector<double>& x) {
  std::vector<double> y(m.n, 0.0);
  for (std::size_t i = 0; i < m.n; ++i)
    for (std::size_t j = 0; j < m.n; ++j) y[i] += m(i, j) * x[j];
  return y;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
double length(const std::vector<double>& a) { return std::sqrt(dot(a, a)); }

namespace {

void rotate(Matrix& m, Matrix& v, std::size_t p, std::size_t q) {
  const double theta = (m(q, q) - m(p, p)) / (2 * m(p, q));
  const double t = (theta >= 0 ? 1.0 : -1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  for (std::size_t k = 0; k < m.n; ++k) {
    const double a = m(k, p), b = m(k, q);
    m(k, p) = c * a - s * b;
    m(k, q) = s * a + c * b;
  }
  for (std::size_t k = 0; k < m.n; ++k) {
    const double a = m(p, k), b = m(q, k);
    m(p, k) = c * a - s * b;
    m(q, k) = s * a + c * b;
    const double x = v(k, p), y = v(k, q);
    v(k, p) = c * x - s * y;
    v(k, q) = s * x + c * y;
  }
}

}  // namespace

Eigen eigen(Matrix m) {
  const std::size_t n = m.n;
  Matrix v(n);
  for (std::size_t i = 0; i < n; ++i) v(i, i) = 1;
  constexpr int max_sweeps = 60;
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    double off = 0, all = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) (i == j ? all : off) += m(i, j) * m(i, j);
    if (off <= 1e-28 * all || off == 0) break;
    for (std::size_t p = 0; p + 1 < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q)
        if (m(p, q) != 0) rotate(m, v, p, q);
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return m(a, a) < m(b, b); });
  Eigen out{std::vector<double>(n), Matrix(n)};
  for (std::size_t k = 0; k < n; ++k) {
    out.values[k] = m(order[k], order[k]);
    for (std::size_t i = 0; i < n; ++i) out.vectors(i, k) = v(i, order[k]);
  }
  return out;
}

Matrix positive_part(const Matrix& m) {
  const Eigen axes = eigen(m);
  Matrix out(m.n);
  for (std::size_t k = 0; k < m.n; ++k)
    for (std::size_t i = 0; i < m.n && axes.values[k] > 0; ++i)
      for (std::size_t j = 0; j < m.n; ++j) out(i, j) += axes.values[k] * axes.vectors(i, k) * axes.vectors(j, k);
  return out;
}

}  // namespace tl::learn
