// Stitching: the joined scan equals that of a wider detector; overlaps are found and judged.
#include "gpu/stitching/stitching.h"

#include <cmath>

#include "core/base/geometry.h"
#include "core/base/units.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::stitching_test {

using namespace tl::ops;

namespace {

// Smooth spots at several positions in the slice, per row another height: p(t, s) of a full turn.
at::Tensor scan(const std::vector<double>& angles, int64_t rows, int64_t cols, double axis) {
  const auto n = static_cast<int64_t>(angles.size());
  const at::Tensor t = at::tensor(angles, at::kDouble).view({n, 1, 1}),
                   row = at::arange(rows, at::kDouble).view({1, rows, 1});
  const at::Tensor s = (at::arange(cols, at::kDouble) - 0.5 * static_cast<double>(cols - 1) - axis).view({1, 1, cols});
  at::Tensor out = at::zeros({n, rows, cols}, at::kDouble);
  const double spots[][3] = {{30, 5, 6}, {-22, 18, 5}, {4, -35, 7}, {-40, -20, 6}, {10, 12, 4}};
  for (const auto& p : spots)
    out = out + (1 + 0.2 * row) * (-(s - p[0] * t.cos() - p[1] * t.sin()).square() / (2 * p[2] * p[2])).exp();
  return out;
}

std::vector<double> angles_of(const HalfTurnPlan& plan, const std::vector<double>& angles) {
  std::vector<double> own;
  for (const int64_t view : plan.views) own.push_back(angles[static_cast<std::size_t>(view)]);
  return own;
}

}  // namespace

class StitchingTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void the_half_turn_is_what_a_wider_detector_sees() {
    const int64_t cols = 80;
    for (const double turn : {2 * pi, -2 * pi})
      for (const double axis : {27.5, -27.5, 23.3, -30.8, 0.0, 0.3}) {
        const std::vector<double> angles = equidistant_angles(120, turn, 0.2);
        const HalfTurnPlan plan = plan_half_turn(angles, cols, axis).or_throw();
        QCOMPARE(static_cast<int64_t>(plan.views.size()), int64_t{60});
        QCOMPARE(plan.cols, cols + static_cast<int64_t>(std::floor(2 * std::abs(axis))));
        QVERIFY(std::abs(plan.axis) < 0.5 + 1e-9);
        const at::Tensor data = scan(angles, 2, cols, axis);
        const at::Tensor wide = scan(angles_of(plan, angles), 2, plan.cols, plan.axis);
        const double error = test::max_difference(stitch_half_turn(data, plan, axis).or_throw(), wide);
        // Linear interpolation of spots of 4 px: a quarter of a pixel squared over 2 * 16, times their height.
        const bool whole = std::abs(2 * axis - std::round(2 * axis)) < 1e-9;
        QVERIFY2(error < (whole ? 1e-12 : 2e-2), (std::to_string(axis) + ": " + std::to_string(error)).c_str());
        QVERIFY(test::max_difference(stitch_half_turn(data.to(at::kFloat), plan, axis).or_throw(),
                                     stitch_half_turn(data, plan, axis).or_throw()) < 1e-5);
      }
  }
  void an_odd_number_of_views_is_interpolated() {
    const std::vector<double> angles = equidistant_angles(361, 2 * pi);
    const HalfTurnPlan plan = plan_half_turn(angles, 80, 20.5).or_throw();
    const at::Tensor wide = scan(angles_of(plan, angles), 1, plan.cols, plan.axis);
    QVERIFY(test::max_difference(stitch_half_turn(scan(angles, 1, 80, 20.5), plan, 20.5).or_throw(), wide) < 1e-2);
  }
  void views_in_any_order_and_twice() {
    // Golden ratio, every third again at the end.
    std::vector<double> angles;
    for (int i = 0; i < 89; ++i) angles.push_back(2 * pi / 89 * (i * 55 % 89));
    for (std::size_t i = 0; i < 89; i += 3) angles.push_back(angles[i] + 2 * pi);
    const HalfTurnPlan plan = plan_half_turn(angles, 80, 20.5).or_throw();
    QVERIFY(plan.views.size() > 45 && plan.views.size() < 75);
    const at::Tensor wide = scan(angles_of(plan, angles), 1, plan.cols, plan.axis);
    // Linear interpolation between views 4 degrees apart.
    QVERIFY(test::max_difference(stitch_half_turn(scan(angles, 1, 80, 20.5), plan, 20.5).or_throw(), wide) < 0.15);
  }
  void the_overlap_is_found() {
    for (const double axis : {27.5, -27.5, 23.3, -30.8, 12.0}) {
      const std::vector<double> angles = equidistant_angles(120, 2 * pi);
      at::Tensor data = scan(angles, 3, 80, axis);
      data = data + 0.02 * test::gaussian(data.sizes().vec(), at::kDouble, 1);
      const AxisResult found = find_half_turn_overlap(data, angles, {});
      qInfo("axis %.2f: found %.3f +- %.3f", axis, found.axis, found.uncertainty);
      QVERIFY2(found.verdict == AxisVerdict::resolved, found.explanation.c_str());
      QVERIFY(std::abs(found.axis - axis) < 0.1);
    }
    // Joined columns: a detector of 600.
    const std::vector<double> angles = equidistant_angles(60, 2 * pi);
    const at::Tensor wide = at::upsample_linear1d(scan(angles, 1, 100, 30.0), {600}, false);
    const AxisResult found = find_half_turn_overlap(wide, angles, {});
    QVERIFY2(found.verdict == AxisVerdict::resolved && std::abs(found.axis - 180) < 0.5,
             std::to_string(found.axis).c_str());
  }
  void empty_views_and_narrow_ranges_are_reported() {
    const std::vector<double> angles = equidistant_angles(40, 2 * pi);
    QVERIFY(find_half_turn_overlap(at::zeros({40, 1, 80}), angles, {}).verdict == AxisVerdict::flat);
    AxisSearch narrow;
    narrow.centre = 10;
    narrow.reach = 4;
    QVERIFY(find_half_turn_overlap(scan(angles, 1, 80, 27.5), angles, narrow).verdict != AxisVerdict::resolved);
  }
  void what_is_not_a_full_turn_is_refused() {
    QVERIFY(!plan_half_turn(equidistant_angles(90, pi), 80, 3).ok());
    QVERIFY(!plan_half_turn(equidistant_angles(90, 2 * pi), 80, 40.5).ok());
    QVERIFY(!plan_half_turn({0, 1, 2}, 80, 0).ok());
  }
  void stitching_is_linear_and_differentiable() {
    const std::vector<double> angles = equidistant_angles(9, 2 * pi);
    const HalfTurnPlan plan = plan_half_turn(angles, 10, 2.3).or_throw();
    const at::Tensor x = test::gaussian({9, 2, 10}, at::kDouble, 2).requires_grad_();
    const auto stitched = [&](const at::Tensor& t) {
      return stitch_rows(stitch_half_turn(t, plan, 2.3).or_throw(), stitch_half_turn(2 * t, plan, 2.3).or_throw(), 1)
          .or_throw();
    };
    const at::Tensor w = test::gaussian(stitched(x.detach()).sizes().vec(), at::kDouble, 3),
                     direction = test::gaussian({9, 2, 10}, at::kDouble, 4);
    (stitched(x) * w).sum().backward();
    const at::Tensor base = x.detach();
    const double numeric =
        ((stitched(base + direction) - stitched(base - direction)) * w).sum().item<double>() / 2;  // linear: any step
    QVERIFY(std::abs((x.grad() * direction).sum().item<double>() - numeric) < 1e-12);
  }

  void heights_are_joined_and_their_overlap_found() {
    const at::Tensor tall =
        test::gaussian({30, 50, 20}, at::kDouble, 5).cumsum(1) + test::gaussian({30, 50, 20}, at::kDouble, 6);
    for (const int64_t overlap : {4, 10, 17}) {
      const at::Tensor upper = tall.narrow(1, 0, 30), lower = tall.narrow(1, 30 - overlap, 20 + overlap);
      QVERIFY(test::max_difference(stitch_rows(upper, lower, overlap).or_throw(), tall) < 1e-13);
      const at::Tensor noisy = upper + 0.1 * test::gaussian({30, 30, 20}, at::kDouble, 7);
      const AxisResult found = find_row_overlap(noisy, lower, {});
      QVERIFY2(found.verdict == AxisVerdict::resolved && std::abs(found.axis - static_cast<double>(overlap)) < 0.3,
               found.explanation.c_str());
    }
    QVERIFY(stitch_rows(tall, tall, 0).or_throw().size(1) == 100);
    QVERIFY(!stitch_rows(tall, tall.narrow(2, 0, 5), 3).ok());
    QVERIFY(!stitch_rows(tall, tall, 51).ok());
    QVERIFY(find_row_overlap(at::zeros({4, 9, 5}), at::zeros({4, 9, 5}), {}).verdict == AxisVerdict::flat);
  }
};

TL_TEST_CASE(StitchingTest)

}  // namespace tl::stitching_test

#include "stitching.moc"
