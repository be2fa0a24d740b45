// Masks rows of an operator: measurements that are missing have no effect.
#include "gpu/solve/masked_operator.h"

#include <ATen/ATen.h>

#include "gpu/operator/operator_checks.h"

namespace tl::solve {
namespace {

class Masked final : public LinearOperator {
 public:
  Masked(OperatorPtr op, at::Tensor present) : op_(std::move(op)), present_(std::move(present)) {
    ops::require_tensor(present_, op_->range(), "gaps");
  }
  [[nodiscard]] std::string name() const override { return op_->name() + " without gaps"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return op_->domain(); }
  [[nodiscard]] std::vector<int64_t> range() const override { return op_->range(); }
  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override {
    return op_->apply(x).mul_(present_.to(x.scalar_type()));
  }
  [[nodiscard]] at::Tensor adjoint(const at::Tensor& y) const override {
    ops::require_tensor(y, range(), name());
    return op_->adjoint(y * present_.to(y.scalar_type()));
  }

 private:
  OperatorPtr op_;
  at::Tensor present_;
};

}  // namespace

OperatorPtr masked_operator(OperatorPtr op, at::Tensor present) {
  return std::make_shared<Masked>(std::move(op), std::move(present));
}

}  // namespace tl::solve
