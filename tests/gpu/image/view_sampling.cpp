// Sampling of views: exact at pixels and for parabolas, exact transpose, derivatives by finite differences.
#include "gpu/image/warp/view_sampling.h"

#include <ATen/ATen.h>

#include <cmath>

#include "tests/support/test_case.h"

namespace tl::view_sampling_test {

namespace {

at::Tensor positions(int64_t views, int64_t rows, int64_t cols, double low, double high) {
  at::manual_seed(5);
  at::Tensor p = at::rand({views, 2, rows, cols}, at::kDouble);
  return p * (high - low) + low;
}

}  // namespace

class ViewSamplingTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void pixels_and_parabolas() {
    const at::Tensor index = at::arange(12, at::kDouble);
    const at::Tensor image = (index.square().unsqueeze(1) * 0.3 - index.unsqueeze(0) * 2 +
                              index.unsqueeze(1) * index.unsqueeze(0) * 0.1 + index.square().unsqueeze(0))
                                 .unsqueeze(0)
                                 .contiguous();
    const at::Tensor at_pixels =
        at::stack({index.unsqueeze(1).expand({12, 12}), index.unsqueeze(0).expand({12, 12})}).unsqueeze(0);
    QVERIFY(at::equal(ops::sampled_views(image, at_pixels), image));
    const at::Tensor p = positions(1, 20, 20, 1, 10);  // all taps lie within
    const at::Tensor r = p[0][0], c = p[0][1];
    const at::Tensor expected = r.square() * 0.3 - c * 2 + r * c * 0.1 + c.square();
    QVERIFY((ops::sampled_views(image, p)[0] - expected).abs().max().item<double>() < 1e-10);
  }
  void beyond_the_edges() {
    const at::Tensor image = at::ones({1, 5, 6}, at::kDouble);
    const at::Tensor p =
        at::tensor({-0.5, -0.51, 4.5, 4.51}, at::kDouble).view({1, 1, 1, 4}).repeat({1, 2, 1, 1}).clone();
    p[0][1].fill_(2);
    const at::Tensor found = ops::sampled_views(image, p)[0][0];
    QVERIFY(at::equal(found, at::tensor({1.0, 0.0, 1.0, 0.0}, at::kDouble)));
  }
  void the_transpose_is_exact() {
    for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
      const auto op = ops::make_view_sampling({{3, 9, 11}, positions(3, 13, 7, -2, 12), {}});
      at::manual_seed(1);
      const at::Tensor x = at::rand({3, 9, 11}, at::TensorOptions(type)),
                       y = at::rand({3, 13, 7}, at::TensorOptions(type));
      const double a = (op->apply(x).to(at::kDouble) * y).sum().item<double>();
      const double b = (op->adjoint(y).to(at::kDouble) * x).sum().item<double>();
      QVERIFY(std::abs(a - b) < (type == at::kFloat ? 1e-5 : 1e-12) * std::abs(a));
    }
  }
  void derivatives() {
    at::manual_seed(2);
    const at::Tensor image = at::rand({2, 8, 9}, at::kDouble), weight = at::rand({2, 4, 5}, at::kDouble);
    const at::Tensor p = positions(2, 4, 5, 0.3, 6.7).requires_grad_(true);
    const at::Tensor x = image.clone().requires_grad_(true);
    (ops::sampled_views(x, p) * weight).sum().backward();
    constexpr double step = 1e-6;
    const at::Tensor at = p.detach();
    for (int64_t i = 0; i < at.numel(); i += 7) {
      at::Tensor up = at.clone(), down = at.clone();
      up.flatten()[i] += step;
      down.flatten()[i] -= step;
      const double slope =
          ((ops::sampled_views(image, up) - ops::sampled_views(image, down)) * weight).sum().item<double>() /
          (2 * step);
      QVERIFY(std::abs(slope - p.grad().flatten()[i].item<double>()) < 1e-6);
    }
    const auto op = ops::make_view_sampling({{2, 8, 9}, at, {}});
    QVERIFY(at::allclose(x.grad(), op->adjoint(weight), 1e-12, 1e-12));
  }
};

TL_TEST_CASE(ViewSamplingTest)

}  // namespace tl::view_sampling_test

#include "view_sampling.moc"
