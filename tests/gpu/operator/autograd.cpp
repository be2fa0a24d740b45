// The autograd wrapper: gradients of both directions are the adjoints, and missing second derivatives are refused.
#include <torch/csrc/autograd/autograd.h>

#include "gpu/projection/back_projector/back_projector.h"
#include "tests/support/test_case.h"

namespace tl::autograd_test {

class AutogradTest : public QObject {
  Q_OBJECT
  OperatorPtr op_;
 private Q_SLOTS:
  void initTestCase() {
    const auto geometry = ScanGeometry::parallel(equidistant_angles(7, 3.0, 0.1), {2, 9, 1, 1}).or_throw();
    op_ = make_back_projector({geometry, VolumeGrid::cubic(2, 8, 8, 1)}).or_throw();
  }
  void gradients_are_transposes() {
    const at::Tensor x = at::linspace(-1, 1, 7 * 2 * 9, at::kDouble).reshape({7, 2, 9}).requires_grad_(true);
    const at::Tensor w = at::linspace(2, -1, 2 * 8 * 8, at::kDouble).reshape({2, 8, 8});
    const auto forward = torch::autograd::grad({(tl::apply(op_, x) * w).sum()}, {x});
    QVERIFY(forward[0].equal(op_->adjoint(w)));
    const at::Tensor v = w.clone().requires_grad_(true);
    const auto back = torch::autograd::grad({(tl::adjoint(op_, v) * x.detach()).sum()}, {v});
    QVERIFY(back[0].equal(op_->apply(x.detach())));
  }
  // d/dw of the gradient of <A x, w> with respect to x is A again.
  void the_gradient_can_be_differentiated() {
    const at::Tensor x = at::ones({7, 2, 9}, at::kDouble).requires_grad_(true);
    const at::Tensor w = at::ones({2, 8, 8}, at::kDouble).requires_grad_(true);
    const auto first = torch::autograd::grad({(tl::apply(op_, x) * w).sum()}, {x}, {}, {}, true);
    const auto second = torch::autograd::grad({(first[0] * x.detach() * 2).sum()}, {w});
    QVERIFY((second[0] - 2 * op_->apply(x.detach())).abs().max().item<double>() < 1e-12);
  }
  void second_derivatives_to_the_geometry_are_refused() {
    const auto geometry = ScanGeometry::parallel(equidistant_angles(7, 3.0, 0.1), {2, 9, 1, 1}).or_throw();
    const auto numbers = geometry.vectors();
    const at::Tensor vectors = at::tensor(numbers, at::kDouble).reshape({7, 12}).requires_grad_(true);
    const at::Tensor x = at::ones({7, 2, 9}, at::kDouble);
    const at::Tensor loss = tl::apply(op_, x, vectors).square().sum();
    bool refused = false;
    try {
      torch::autograd::grad({loss}, {vectors}, {}, {}, true);
    } catch (const std::exception& e) {
      refused = std::string(e.what()).find("second derivatives") != std::string::npos;
    }
    QVERIFY(refused);
  }
};

TL_TEST_CASE(AutogradTest)

}  // namespace tl::autograd_test

#include "autograd.moc"
