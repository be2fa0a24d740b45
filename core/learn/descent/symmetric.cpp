// Small symmetric matrices, with eigenvalues by the library Eigen.
#include "core/learn/descent/symmetric.h"

#include <Eigen/Eigenvalues>
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

EigenSystem eigen_system(const Matrix& m) {
  EigenSystem out{std::vector<double>(m.n), Matrix(m.n)};
  if (m.n == 0) return out;
  using Rows = ::Eigen::Matrix<double, ::Eigen::Dynamic, ::Eigen::Dynamic, ::Eigen::RowMajor>;
  const auto n = static_cast<::Eigen::Index>(m.n);
  const ::Eigen::SelfAdjointEigenSolver<Rows> solver(::Eigen::Map<const Rows>(m.a.data(), n, n));
  ::Eigen::Map<::Eigen::VectorXd>(out.values.data(), n) = solver.eigenvalues();
  ::Eigen::Map<Rows>(out.vectors.a.data(), n, n) = solver.eigenvectors();
  return out;
}

Matrix positive_part(const Matrix& m) {
  const EigenSystem axes = eigen_system(m);
  Matrix out(m.n);
  for (std::size_t k = 0; k < m.n; ++k)
    for (std::size_t i = 0; i < m.n && axes.values[k] > 0; ++i)
      for (std::size_t j = 0; j < m.n; ++j) out(i, j) += axes.values[k] * axes.vectors(i, k) * axes.vectors(j, k);
  return out;
}

}  // namespace tl::learn
