// Fourier shift: integer shifts, band-limited signals, round trips, edges, gradients.
#include "gpu/correction/fourier_shift.h"

#include <cmath>

#include "core/base/units.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::fourier_shift_test {

using namespace tl::ops;

namespace {
at::Tensor scalar(double value) { return at::scalar_tensor(value, at::TensorOptions().dtype(at::kDouble)); }
at::Tensor shifted(const at::Tensor& x, const at::Tensor& s, ShiftAlong along, LineExtension extension) {
  return fourier_shift(x, s, {along, extension}).or_throw();
}
}  // namespace

class FourierShiftTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void whole_pixels_roll() {
    for (const int64_t n : {16, 17}) {
      const at::Tensor x = test::gaussian({3, n, n}, at::kDouble, 1);
      QVERIFY(test::max_difference(shifted(x, scalar(3), ShiftAlong::cols, LineExtension::periodic), x.roll(3, 2)) <
              1e-14);
      QVERIFY(test::max_difference(shifted(x, scalar(-2), ShiftAlong::rows, LineExtension::periodic), x.roll(-2, 1)) <
              1e-14);
      const at::Tensor x32 = x.to(at::kFloat);
      QVERIFY(test::max_difference(shifted(x32, scalar(3), ShiftAlong::cols, LineExtension::periodic), x32.roll(3, 2)) <
              2e-6);
    }
  }
  void each_view_its_own_part_of_a_pixel() {
    const at::Tensor s = at::tensor({0.3, -1.7, 5.25});
    const at::Tensor c = at::arange(20, at::kDouble).view({1, 1, 20});
    const at::Tensor x = (2 * pi * 3 / 20 * c).cos().expand({3, 4, 20}).contiguous();
    const at::Tensor expected = (2 * pi * 3 / 20 * (c - s.view({3, 1, 1}))).cos().expand({3, 4, 20});
    QVERIFY(test::max_difference(shifted(x, s, ShiftAlong::cols, LineExtension::periodic), expected) < 1e-14);
    const at::Tensor turned = shifted(x.transpose(1, 2).contiguous(), s, ShiftAlong::rows, LineExtension::periodic);
    QVERIFY(test::max_difference(turned.transpose(1, 2), expected) < 1e-14);
  }
  void the_nyquist_term_stays_real() {
    const at::Tensor x = (at::arange(8, at::kDouble) * pi).cos().view({1, 1, 8});
    const at::Tensor y = shifted(x, scalar(0.25), ShiftAlong::cols, LineExtension::periodic);
    QVERIFY(test::max_difference(y, std::cos(pi / 4) * x) < 1e-15);
  }
  void there_and_back() {
    const at::Tensor x = test::gaussian({2, 5, 33}, at::kDouble, 2);  // odd: no Nyquist term
    const at::Tensor there = shifted(x, scalar(0.37), ShiftAlong::cols, LineExtension::periodic);
    QVERIFY(test::max_difference(there, x) > 0.1);
    QVERIFY(test::max_difference(shifted(there, scalar(-0.37), ShiftAlong::cols, LineExtension::periodic), x) < 1e-14);
    // the transpose of a shift is the opposite one
    const at::Tensor y = test::gaussian({2, 5, 33}, at::kDouble, 3);
    const at::Tensor back = shifted(y, scalar(-0.37), ShiftAlong::cols, LineExtension::periodic);
    QVERIFY(std::abs(inner_product(there, y) - inner_product(x, back)) < 1e-12);
  }
  void edges_are_repeated() {
    const at::Tensor flat = at::full({2, 3, 10}, 4.0, at::kDouble);
    QVERIFY(test::max_difference(shifted(flat, scalar(2.6), ShiftAlong::rows, LineExtension::edge), flat) < 1e-13);
    const at::Tensor ramp = at::arange(12, at::kDouble).view({1, 1, 12});
    const at::Tensor moved = shifted(ramp, scalar(2), ShiftAlong::cols, LineExtension::edge);
    QVERIFY(test::max_difference(moved, at::arange(-2, 10, at::kDouble).clamp_min(0).view({1, 1, 12})) < 1e-13);
  }
  void gradients() {
    const at::Tensor x = test::gaussian({3, 6, 9}, at::kDouble, 4), y = test::gaussian({3, 6, 9}, at::kDouble, 5);
    for (const auto along : {ShiftAlong::cols, ShiftAlong::rows})
      for (const auto extension : {LineExtension::edge, LineExtension::periodic}) {
        const at::Tensor s = at::tensor({0.31, 1.4, -0.8});
        at::Tensor leaf = x.clone().requires_grad_(), shift = s.clone().requires_grad_();
        shifted(leaf, shift, along, extension).backward(y);
        const double h = 1e-5;
        for (int64_t v = 0; v < 3; ++v) {
          at::Tensor up = s.clone(), down = s.clone();
          up[v] += h;
          down[v] -= h;
          const double numeric = (inner_product(shifted(x, up, along, extension), y) -
                                  inner_product(shifted(x, down, along, extension), y)) /
                                 (2 * h);
          QVERIFY(std::abs(numeric - shift.grad()[v].item<double>()) < 1e-7);
        }
        const at::Tensor d = test::gaussian({3, 6, 9}, at::kDouble, 6);
        QVERIFY(std::abs(inner_product(shifted(d, s, along, extension), y) - inner_product(d, leaf.grad())) < 1e-12);
      }
  }
  void refusals() {
    QVERIFY(!fourier_shift(at::zeros({3, 4}), scalar(1), {}).ok());
    QVERIFY(!fourier_shift(at::zeros({3, 4, 4}), at::zeros({2}), {}).ok());
    QVERIFY(!fourier_shift(at::zeros({3, 4, 4}), at::zeros({1}, at::kLong), {}).ok());
  }
};

TL_TEST_CASE(FourierShiftTest)

}  // namespace tl::fourier_shift_test

#include "fourier_shift.moc"
