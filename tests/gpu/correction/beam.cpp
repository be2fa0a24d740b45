// Beam intensity and double flat-field correction: their defects are removed exactly, gradients are exact.
#include <cmath>

#include "core/base/units.h"
#include "gpu/correction/flats/beam_intensity.h"
#include "gpu/correction/flats/double_flat.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::beam_test {

using namespace tl::ops;

namespace {

// An object in the middle columns, nothing at the edges.
at::Tensor object(int64_t views, int64_t rows, int64_t cols) {
  at::Tensor x = 0.5 * test::gaussian({views, rows, cols}, at::kDouble, 1).abs();
  x.narrow(2, 0, 4).zero_();
  x.narrow(2, cols - 4, 4).zero_();
  return x;
}

template <class F>
void verify_gradient(const F& f, const at::Tensor& at_point) {
  const at::Tensor x = at_point.clone().requires_grad_();
  const at::Tensor w = test::gaussian(x.sizes().vec(), at::kDouble, 21),
                   direction = test::gaussian(x.sizes().vec(), at::kDouble, 22);
  (f(x) * w).sum().backward();
  const double h = 1e-6;
  const double numeric =
      (((f(at_point + h * direction) - f(at_point - h * direction)) * w).sum() / (2 * h)).template item<double>();
  // Central differences at 1e-6: rounding 1e-10, curvature 1e-12.
  QVERIFY(std::abs((x.grad() * direction).sum().template item<double>() - numeric) <
          1e-7 * std::max(1.0, std::abs(numeric)));
}

}  // namespace

class BeamTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_drifting_beam_is_normalised() {
    for (const auto type : {at::kFloat, at::kDouble})
      for (const BackgroundRows rows : {BackgroundRows::each_row, BackgroundRows::whole_view}) {
        const at::Tensor truth = object(5, 3, 40);
        // Another slope and level in every view.
        const at::Tensor v = at::arange(5, at::kDouble).view({5, 1, 1}), c = at::arange(40, at::kDouble);
        const at::Tensor drift = 0.03 * v + 0.002 * (v - 2) * c;
        BeamIntensitySpec spec{4, 4, rows, StripeModel::offset};
        const double limit = type == at::kFloat ? 1e-6 : 1e-14;
        QVERIFY(test::max_difference(normalise_beam((truth + drift).to(type), spec).or_throw().projections, truth) <
                limit);
        spec.model = StripeModel::gain;
        const at::Tensor beam = 0.8 + 0.01 * v + 0.001 * (v - 2) * c;
        QVERIFY(test::max_difference(normalise_beam(((-truth).exp() * beam).to(type), spec).or_throw().projections,
                                     (-truth).exp()) < limit);
      }
    const at::Tensor truth = object(2, 3, 40);
    const BeamIntensitySpec one_side{0, 4, BackgroundRows::each_row, StripeModel::offset};
    QVERIFY(test::max_difference(normalise_beam(truth + 0.2, one_side).or_throw().projections, truth) < 1e-14);
  }
  void backgrounds_that_cannot_be_are_counted() {
    at::Tensor x = at::ones({2, 2, 10}, at::kDouble);
    x[1][0].zero_();
    const BeamIntensityResult done = normalise_beam(x, {2, 2, BackgroundRows::each_row, StripeModel::gain}).or_throw();
    QCOMPARE(done.unusable, int64_t{1});
    QVERIFY(done.projections.equal(x));
    QVERIFY(!normalise_beam(x, {0, 0, BackgroundRows::each_row, StripeModel::gain}).ok());
    QVERIFY(!normalise_beam(x, {6, 5, BackgroundRows::each_row, StripeModel::gain}).ok());
  }
  void beam_gradients() {
    for (const StripeModel model : {StripeModel::gain, StripeModel::offset})
      for (const BackgroundRows rows : {BackgroundRows::each_row, BackgroundRows::whole_view})
        verify_gradient(
            [&](const at::Tensor& x) {
              return normalise_beam(x, {3, 2, rows, model}).or_throw().projections;
            },
            1 + 0.1 * test::gaussian({3, 2, 12}, at::kDouble, 2));
  }

  void the_detectors_pattern_is_removed_and_the_object_stays() {
    // An object that averages to something smooth over the views, and a pattern that stays.
    const int64_t views = 60, rows = 24, cols = 48;
    const at::Tensor v = at::arange(views, at::kDouble).view({views, 1, 1}), c = at::arange(cols, at::kDouble);
    const at::Tensor truth = (1 + (0.13 * c + 2 * pi / 15 * v).sin()).expand({views, rows, cols}).contiguous();
    const at::Tensor pattern = 0.05 * test::gaussian({1, rows, cols}, at::kDouble, 3);
    const DoubleFlatSpec offset{4, StripeModel::offset}, gain{4, StripeModel::gain};
    const at::Tensor clean = double_flat(truth, offset).or_throw();
    QVERIFY(test::max_difference(clean, truth) < 1e-12);  // four whole periods: the mean view is flat
    // The pattern leaves its coarse part, which is small: a Gaussian of 4 px lets 1 / (2 sqrt(pi) 4) = 7 % of white
    // noise through, more next to mirrored edges.
    const at::Tensor left = double_flat(truth + pattern, offset).or_throw() - clean;
    const double share = std::sqrt(total_of_squares(left.mean(0)) / total_of_squares(pattern[0]));
    QVERIFY2(share < 0.15, std::to_string(share).c_str());
    QVERIFY(test::max_difference(left, gaussian_blurred(pattern[0], 4).unsqueeze(0).expand_as(left)) < 1e-12);
    const at::Tensor t = (-truth).exp();
    const at::Tensor divided = double_flat(t * (1 + pattern), gain).or_throw() / double_flat(t, gain).or_throw();
    const double kept = std::sqrt(total_of_squares(divided.mean(0) - 1) / total_of_squares(pattern[0]));
    QVERIFY2(kept < 0.15, std::to_string(kept).c_str());
    QVERIFY(test::max_difference(double_flat((truth + pattern).to(at::kFloat), offset).or_throw(),
                                 double_flat(truth + pattern, offset).or_throw()) < 1e-6);
    QVERIFY(!double_flat(truth, {0.1, StripeModel::gain}).ok());
  }
  void the_blur_keeps_sums_and_constants() {
    const at::Tensor image = test::gaussian({9, 14}, at::kDouble, 4);
    QVERIFY(std::abs(total(gaussian_blurred(image, 2)) - total(image)) < 1e-12);  // mirrored edges lose nothing
    QVERIFY(test::max_difference(gaussian_blurred(at::ones({9, 14}, at::kDouble), 2), at::ones({9, 14}, at::kDouble)) <
            1e-14);
  }
  void double_flat_gradients() {
    for (const StripeModel model : {StripeModel::gain, StripeModel::offset})
      verify_gradient(
          [&](const at::Tensor& x) {
            return double_flat(x, {1.5, model}).or_throw();
          },
          1 + 0.1 * test::gaussian({4, 5, 7}, at::kDouble, 5));
  }
};

TL_TEST_CASE(BeamTest)

}  // namespace tl::beam_test

#include "beam.moc"
