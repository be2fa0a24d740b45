// Repeats the outermost slices of a volume before an operator, and adds the copies back in the transpose.
#include "gpu/solve/repeated_ends.h"

#include <ATen/ATen.h>

#include "gpu/operator/forward_mode.h"
#include "gpu/operator/operator_checks.h"

namespace tl::solve {
namespace {

at::Tensor repeated(const at::Tensor& x) { return at::cat({x.narrow(0, 0, 1), x, x.narrow(0, x.size(0) - 1, 1)}, 0); }

at::Tensor added_back(const at::Tensor& longer) {
  const int64_t n = longer.size(0) - 2;
  at::Tensor x = longer.narrow(0, 1, n).clone();
  x.narrow(0, 0, 1) += longer.narrow(0, 0, 1);
  x.narrow(0, n - 1, 1) += longer.narrow(0, n + 1, 1);
  return x;
}

class RepeatedEnds final : public LinearOperator, public DirectionalOperator {
 public:
  explicit RepeatedEnds(OperatorPtr op) : op_(std::move(op)) {
    TL_CHECK(op_->domain().size() == 3 && op_->domain()[0] > 2, "an operator of two slices more");
  }
  [[nodiscard]] std::string name() const override { return op_->name() + " of a volume with repeated ends"; }
  [[nodiscard]] std::vector<int64_t> domain() const override {
    std::vector<int64_t> shape = op_->domain();
    shape[0] -= 2;
    return shape;
  }
  [[nodiscard]] std::vector<int64_t> range() const override { return op_->range(); }
  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override {
    ops::require_tensor(x, domain(), name());
    return op_->apply(repeated(x));
  }
  [[nodiscard]] at::Tensor adjoint(const at::Tensor& y) const override { return added_back(op_->adjoint(y)); }

  [[nodiscard]] OperatorPtr with_vectors(const at::Tensor& vectors) const override {
    OperatorPtr other = op_->with_vectors(vectors);
    return other == nullptr ? nullptr : with_repeated_ends(std::move(other));
  }
  [[nodiscard]] at::Tensor vectors_gradient(const at::Tensor& x, const at::Tensor& y) const override {
    return op_->vectors_gradient(repeated(x), y);
  }

  [[nodiscard]] OperatorPtr along(const at::Tensor& change) const override {
    return with_repeated_ends(directional().along(change));
  }
  [[nodiscard]] ValueAndSlope apply_along(const at::Tensor& x, const at::Tensor& change) const override {
    return directional().apply_along(repeated(x), change);
  }
  [[nodiscard]] at::Tensor adjoint_along(const ValueAndSlope& y, const at::Tensor& change) const override {
    const at::Tensor x = directional().adjoint_along(y, change);
    return x.defined() ? added_back(x) : x;
  }

 private:
  [[nodiscard]] const DirectionalOperator& directional() const {
    const auto* op = dynamic_cast<const DirectionalOperator*>(op_.get());
    TL_CHECK(op != nullptr, "an operator that can be differentiated along a direction");
    return *op;
  }

  OperatorPtr op_;
};

}  // namespace

OperatorPtr with_repeated_ends(OperatorPtr op) { return std::make_shared<RepeatedEnds>(std::move(op)); }

}  // namespace tl::solve
