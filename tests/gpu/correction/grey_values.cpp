// Grey values: beam-hardening polynomial, two-point calibration, integers convert back, exact gradients.
#include "gpu/correction/grey_values.h"

#include <cmath>

#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::grey_values_test {

using namespace tl::ops;

namespace {

at::Tensor scalar(double v) { return at::scalar_tensor(v, at::kDouble); }

// Absorption of t mm in a beam of two equally strong lines, 0.4 and 0.2 per cm: 5 cm give 1.379885.
at::Tensor hardened(const at::Tensor& thickness) {
  return -(0.5 * (-0.04 * thickness).exp() + 0.5 * (-0.02 * thickness).exp()).log();
}

}  // namespace

class GreyValuesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_hardened_beam_becomes_linear() {
    QVERIFY(std::abs(hardened(scalar(50)).item<double>() - 1.379885) < 1e-6);
    // Coefficients by least squares on a wedge of up to 50 mm; then the corrected absorption is 0.03 per mm.
    const at::Tensor t = at::linspace(0, 50, 51, at::kDouble), p = hardened(t);
    const at::Tensor powers = at::stack({p, p.pow(2), p.pow(3), p.pow(4)}, 1);
    const at::Tensor c = at::linalg_solve(powers.t().mm(powers), powers.t().mv(0.03 * t));
    const at::Tensor fixed = polynomial_absorption(p, c).or_throw();
    const double before = test::max_difference(p, 0.03 * t), after = test::max_difference(fixed, 0.03 * t);
    qInfo("largest error %.4f before, %.2e after", before, after);
    QVERIFY(after < 1e-4 && after < before / 1000);
    QVERIFY(test::max_difference(polynomial_absorption(p.to(at::kFloat), c).or_throw(), fixed) < 1e-6);
    const at::Tensor one = at::tensor({1.0, 0.0, 0.0});
    QVERIFY(polynomial_absorption(p, one.to(at::kDouble)).or_throw().equal(p));  // changes nothing, bit for bit
  }
  void gradients() {
    const at::Tensor c = at::tensor({0.9, 0.2, -0.1}, at::kDouble).requires_grad_();
    const at::Tensor x = test::gaussian({3, 4}, at::kDouble, 1).requires_grad_();
    const at::Tensor w = test::gaussian({3, 4}, at::kDouble, 2), dx = test::gaussian({3, 4}, at::kDouble, 3),
                     dc = test::gaussian({3}, at::kDouble, 4);
    const auto loss = [&](const at::Tensor& a, const at::Tensor& b) {
      return (polynomial_absorption(a, b).or_throw() * w).sum();
    };
    loss(x, c).backward();
    const double h = 1e-6, exact = ((x.grad() * dx).sum() + (c.grad() * dc).sum()).item<double>();
    const at::Tensor a = x.detach(), b = c.detach();
    const double numeric = ((loss(a + h * dx, b + h * dc) - loss(a - h * dx, b - h * dc)) / (2 * h)).item<double>();
    QVERIFY(std::abs(exact - numeric) < 1e-7 * std::max(1.0, std::abs(exact)));
  }
  void two_points_are_met() {
    for (const auto type : {at::kFloat, at::kDouble}) {
      const at::Tensor x = at::tensor({0.001, 0.021, 0.011}, at::kDouble).to(type);
      const at::Tensor y = calibrate_two_points(x, {scalar(0.001), scalar(0.021), scalar(-1000), scalar(0)}).or_throw();
      const double rounding = type == at::kFloat ? 1e-3 : 1e-9;
      QVERIFY(test::max_difference(y, at::tensor({-1000.0, 0.0, -500.0}, at::kDouble)) < rounding);
    }
    QVERIFY(!calibrate_two_points(at::zeros({2}), {scalar(1), scalar(1), scalar(0), scalar(1)}).ok());
  }
  void integers_lead_back() {
    for (const int64_t bits : {8, 16})
      for (const auto type : {at::kFloat, at::kDouble}) {
        const at::Tensor x = test::gaussian({5, 6}, at::kDouble, 5).clamp(-2, 2).to(type);
        const Quantised q = quantise(x, -2, 2, bits).or_throw();
        QVERIFY(q.numbers.equal(q.numbers.round()) && q.clipped == 0 && q.nans == 0);
        QVERIFY(test::max_difference(q.offset + q.scale * q.numbers.to(at::kDouble), x) <= 0.5 * q.scale * (1 + 1e-9));
      }
    const Quantised ends = quantise(at::tensor({-3.0, -2.0, 2.0, 5.0, std::nan("")}, at::kDouble), -2, 2, 8).or_throw();
    QVERIFY(ends.numbers.equal(at::tensor({0.0, 0.0, 255.0, 255.0, 0.0}, at::kDouble)));
    QVERIFY(ends.clipped == 2 && ends.nans == 1);
    QVERIFY(!quantise(at::zeros({2}), 1, 1, 8).ok());
    QVERIFY(!quantise(at::zeros({2}), 0, 1, 12).ok());
  }
};

TL_TEST_CASE(GreyValuesTest)

}  // namespace tl::grey_values_test

#include "grey_values.moc"
