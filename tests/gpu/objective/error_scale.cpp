// The squared error's scales: what each ignores, its value in closed form, its gradients in both modes.
#include <torch/csrc/autograd/autograd.h>

#include <cmath>

#include "gpu/objective/compare.h"
#include "gpu/operator/forward_mode.h"
#include "gpu/operator/slab_sum.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::error_scale_test {

using ops::ErrorScale;

namespace {

constexpr double rounding = 1e-12;       // of sums of some hundred numbers in float64
constexpr double of_differences = 1e-7;  // central ones of step 1e-5 lose what its square leaves
const std::vector<int64_t> shape{5, 6, 7};

at::Tensor numbers(uint64_t seed) { return test::gaussian(shape, at::kDouble, seed); }

// Half correlated.
at::Tensor related(const at::Tensor& x, uint64_t seed) { return 0.7 * x + 0.7 * numbers(seed) + 0.4; }

double error(const at::Tensor& x, const at::Tensor& y, ErrorScale scale) {
  return ops::mean_squared_error(x, y, scale).item<double>();
}

bool near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b)); }

const std::pair<const char*, ErrorScale> scales[] = {
    {"absolute", ErrorScale::absolute}, {"relative", ErrorScale::relative}, {"scaled", ErrorScale::scaled}};

void rows_of_scales() {
  QTest::addColumn<int>("scale");
  for (const auto& [name, scale] : scales) QTest::newRow(name) << static_cast<int>(scale);
}
ErrorScale scale_of_row() {
  QFETCH(int, scale);
  return static_cast<ErrorScale>(scale);
}

}  // namespace

class ErrorScaleTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // By a mean and a positive factor of its own neither side changes the scaled error; the others see them.
  void scaled_ignores_level_and_spread() {
    const at::Tensor x = numbers(1), y = related(x, 2);
    const double plain = error(x, y, ErrorScale::scaled);
    QVERIFY(plain > 0.1 && plain < 1.9);
    for (const double factor : {1e-3, 0.4, 7.0, 1e4})
      for (const double offset : {-3.0, 0.0, 12.0}) {
        QVERIFY(near(error(factor * x + offset, y, ErrorScale::scaled), plain, 1e-9));
        QVERIFY(near(error(x, factor * y + offset, ErrorScale::scaled), plain, 1e-9));
      }
    QVERIFY(!near(error(2 * x, y, ErrorScale::absolute), error(x, y, ErrorScale::absolute), 0.1));
    QVERIFY(!near(error(x + 5, y, ErrorScale::relative), error(x, y, ErrorScale::relative), 0.1));
  }

  // The relative error sees a common factor as little, the absolute one a common offset.
  void each_scale_has_its_invariance() {
    const at::Tensor x = numbers(3), y = related(x, 4);
    QVERIFY(near(error(9 * x, 9 * y, ErrorScale::relative), error(x, y, ErrorScale::relative), rounding));
    QVERIFY(near(error(x + 9, y + 9, ErrorScale::absolute), error(x, y, ErrorScale::absolute), 1e-10));
  }

  void scaled_is_twice_what_correlation_lacks() {
    const at::Tensor x = numbers(5), y = related(x, 6), a = x - x.mean(), b = y - y.mean();
    const double correlation = ((a * b).mean() / (a.square().mean() * b.square().mean()).sqrt()).item<double>();
    QVERIFY(near(error(x, y, ErrorScale::scaled), 2 * (1 - correlation), rounding));
    QVERIFY(near(error(-x, y, ErrorScale::scaled), 2 * (1 + correlation), rounding));
    QVERIFY(std::abs(error(x, 3 * x - 2, ErrorScale::scaled)) < rounding);
    QVERIFY(near(error(x, y, ErrorScale::scaled), error(y, x, ErrorScale::scaled), rounding));
    QVERIFY(std::isnan(error(x, at::ones_like(x), ErrorScale::scaled)));
  }

  // To both sides, backwards and forwards, in one slab and in several.
  void gradients_match_differences_data() { rows_of_scales(); }
  void gradients_match_differences() {
    const ErrorScale scale = scale_of_row();
    const at::Tensor x = numbers(7), y = related(x, 8), dx = numbers(9), dy = numbers(10);
    constexpr double h = 1e-5;
    const double by_x = (error(x + h * dx, y, scale) - error(x - h * dx, y, scale)) / (2 * h),
                 by_y = (error(x, y + h * dy, scale) - error(x, y - h * dy, scale)) / (2 * h);
    QVERIFY(std::abs(by_x) > 1e-3 && std::abs(by_y) > 1e-3);
    for (const int64_t at_once : {int64_t{1} << 20, int64_t{2 * 6 * 7}}) {
      const ScopedSlabSize slabs(at_once);
      const at::Tensor p = x.clone().requires_grad_(), q = y.clone().requires_grad_();
      const auto g = torch::autograd::grad({ops::mean_squared_error(p, q, scale)}, {p, q});
      QVERIFY(near((g[0] * dx).sum().item<double>(), by_x, of_differences));
      QVERIFY(near((g[1] * dy).sum().item<double>(), by_y, of_differences));
    }
    const ForwardDirection direction;
    const at::Tensor moved = tangent(ops::mean_squared_error(dual(x, dx), dual(y, dy), scale));
    QVERIFY(moved.defined() && near(moved.item<double>(), by_x + by_y, of_differences));
  }

  // Bands along each axis add up to the error, and each holds its own pixels.
  void bands_add_up_to_the_error_data() { rows_of_scales(); }
  void bands_add_up_to_the_error() {
    const ErrorScale scale = scale_of_row();
    const at::Tensor x = numbers(13), y = related(x, 14), shares = ops::squared_error_by_band(x, y, scale, 4);
    QCOMPARE(shares.sizes().vec(), (std::vector<int64_t>{3, 4}));
    for (int64_t axis = 0; axis < 3; ++axis)
      QVERIFY(near(shares[axis].sum().item<double>(), error(x, y, scale), rounding));
    const at::Tensor off = ops::residual(x, y, scale);
    QVERIFY(near(shares[2][1].item<double>(),
                 off.slice(2, 7 / 4, 2 * 7 / 4).square().sum().item<double>() / static_cast<double>(x.numel()),
                 rounding));
  }

  // The error is the residual's mean square, its slope twice the mean of the residual times its slope.
  void error_is_the_mean_square_of_the_residual_data() { rows_of_scales(); }
  void error_is_the_mean_square_of_the_residual() {
    const ErrorScale scale = scale_of_row();
    const at::Tensor x = numbers(15), y = related(x, 16), dx = numbers(17), dy = numbers(18);
    QVERIFY(near(ops::residual(x, y, scale).square().mean().item<double>(), error(x, y, scale), rounding));
    const ForwardDirection direction;
    const at::Tensor moved = tangent(ops::mean_squared_error(dual(x, dx), dual(y, dy), scale));
    const DualParts off = dual_parts(ops::residual(dual(x, dx), dual(y, dy), scale));
    QVERIFY(near(2 * (off.value * off.tangent).mean().item<double>(), moved.item<double>(), rounding));
  }

  // What a side cannot change has no slope: along its own values, and along a constant.
  void scaled_gradient_has_no_part_along_level_and_spread() {
    const at::Tensor x = numbers(11).requires_grad_(), y = related(x.detach(), 12);
    const at::Tensor g = torch::autograd::grad({ops::mean_squared_error(x, y, ErrorScale::scaled)}, {x})[0];
    const double size = g.norm().item<double>() * x.detach().norm().item<double>();
    QVERIFY(size > 1e-3);
    QVERIFY(std::abs(g.sum().item<double>()) < rounding * size);
    QVERIFY(std::abs((g * x.detach()).sum().item<double>()) < rounding * size);
  }
};

TL_TEST_CASE(ErrorScaleTest)

}  // namespace tl::error_scale_test

#include "error_scale.moc"
