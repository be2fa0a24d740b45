// A small dense matrix as a LinearOperator, for solver tests with known results.
#pragma once

#include <ATen/ATen.h>

#include "gpu/operator/linear_operator.h"

namespace tl::verify {

// Maps volumes of shape `domain` to vectors with one element per row of the matrix.
class MatrixOperator final : public LinearOperator {
 public:
  MatrixOperator(at::Tensor matrix, std::vector<int64_t> domain)
      : matrix_(std::move(matrix)), domain_(std::move(domain)) {}
  [[nodiscard]] std::string name() const override { return "matrix"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return domain_; }
  [[nodiscard]] std::vector<int64_t> range() const override { return {matrix_.size(0)}; }
  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override {
    return at::mv(matrix_.to(x.scalar_type()), x.reshape({-1})).contiguous();
  }
  [[nodiscard]] at::Tensor adjoint(const at::Tensor& y) const override {
    return at::mv(matrix_.to(y.scalar_type()).t(), y).view(domain_).contiguous();
  }

 private:
  at::Tensor matrix_;
  std::vector<int64_t> domain_;
};

inline OperatorPtr matrix(const at::Tensor& entries, const std::vector<int64_t>& domain) {
  return std::make_shared<MatrixOperator>(entries, domain);
}

}  // namespace tl::verify
