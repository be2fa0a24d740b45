// Small symmetric matrices and their eigenvalues, for trust regions and covariances.
#pragma once

#include <cstddef>
#include <vector>

namespace tl::learn {

// n x n, row by row.
struct Matrix {
  std::size_t n = 0;
  std::vector<double> a;
  explicit Matrix(std::size_t size = 0) : n(size), a(size * size, 0.0) {}
  double& operator()(std::size_t i, std::size_t j) { return a[i * n + j]; }
  double operator()(std::size_t i, std::size_t j) const { return a[i * n + j]; }
};
std::vector<double> times(const Matrix& m, const std::vector<double>& x);
double dot(const std::vector<double>& a, const std::vector<double>& b);
double length(const std::vector<double>& a);

// Ascending eigenvalues; column k of `vectors` belongs to value k. Only the lower triangle of the matrix is read.
struct EigenSystem {
  std::vector<double> values;
  Matrix vectors;
};
EigenSystem eigen_system(const Matrix& m);
// The matrix with its negative eigenvalues set to zero.
Matrix positive_part(const Matrix& m);

}  // namespace tl::learn
