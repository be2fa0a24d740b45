// Rotation axis from overlapping opposite views of a full turn, and the line fit through several heights.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/base/units.h"
#include "gpu/axis/line.h"
#include "gpu/axis/overlap.h"
#include "gpu/simulate/phantom_library.h"
#include "gpu/simulate/poisson.h"
#include "gpu/verify/axis_scans.h"
#include "tests/support/test_case.h"

namespace tl::overlap_test {

using namespace tl::ops;

namespace {

// Shepp-Logan in 160 columns with largest absorption about 0.7.
at::Tensor head(const std::vector<double>& angles, double axis, int64_t rows = 1) {
  return project(with_values_scaled(shepp_logan_2d(60), 1.3 / 60), angles, 160, axis, rows);
}

}  // namespace

class AxisOverlapTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    at::set_num_threads(1);  // the scans are small: waiting for each other would be most of what threads do
  }
  void half_turns_are_refused() {
    QVERIFY_THROWS_EXCEPTION(Failure, (void)axis_overlap(head(half_turn(60), 3), half_turn(60)));
  }

  // Half acquisition: an object twice as wide as the detector sees, the axis near its edge.
  void overlaps_data() {
    QTest::addColumn<double>("axis");
    for (const double a : {-93.3, 101.75, 60.0}) QTest::addRow("%g", a) << a;
  }
  void overlaps() {
    QFETCH(double, axis);
    const std::vector<double> angles = equidistant_angles(180, 2 * pi, 0.3);
    const at::Tensor p = project(with_values_scaled(shepp_logan_2d(190), 1.3 / 190), angles, 256, axis, 3);
    for (const at::Tensor& scan : {p, with_photon_noise(p, 1e4, 5)}) {
      const OverlapResult r = axis_overlap(scan, angles);
      QVERIFY2(std::abs(r.axis - axis) < 0.1, axis_result_text("overlap", axis, r).c_str());
      // With a fifth of the columns in common opposite views may agree as well elsewhere, which is then said.
      const bool rivalled = axis > 100 && r.explanation.find("agree about as well") != std::string::npos;
      QVERIFY2(r.verdict == AxisVerdict::resolved || rivalled, axis_result_text("overlap", axis, r).c_str());
      QVERIFY2(r.side == (axis < 0 ? OverlapSide::left : OverlapSide::right),
               axis_result_text("overlap", axis, r).c_str());
      QVERIFY2(std::abs(r.overlap - (256 - 2 * std::abs(axis))) < 0.2, axis_result_text("overlap", axis, r).c_str());
      QVERIFY(r.uncertainty > 0 && r.uncertainty < 0.25);
    }
    OverlapParams wrong_side;
    wrong_side.side = axis < 0 ? OverlapSide::right : OverlapSide::left;
    QVERIFY(std::abs(axis_overlap(p, angles, wrong_side).axis - axis) > 10);
    QVERIFY(axis_overlap(at::zeros_like(p), angles).verdict == AxisVerdict::flat);
  }

  // A line with noise of 0.05 px: exact within its own uncertainty, single wrong heights named.
  void lines_through_heights() {
    const Philox random{5, 1};
    std::vector<AxisAtHeight> heights;
    for (int i = 0; i < 21; ++i) {
      const double h = 40.0 * i - 380;
      heights.push_back(
          {h, 12.3 + 0.002 * h + 0.05 * random.normal(static_cast<uint64_t>(i)), 0.05, AxisVerdict::resolved});
    }
    const AxisLine clean = fit_axis_line(heights);
    QVERIFY(clean.verdict == AxisVerdict::resolved);
    QVERIFY(std::abs(clean.axis - 12.3) < 4 * clean.axis_sigma && clean.axis_sigma < 0.03);
    QVERIFY(std::abs(clean.slope - 0.002) < 4 * clean.slope_sigma && clean.slope_sigma < 1e-4);
    heights[3].axis += 7;
    heights[17].axis -= 2.5;
    heights[8].verdict = AxisVerdict::flat;
    const AxisLine dirty = fit_axis_line(heights);
    QVERIFY(std::abs(dirty.axis - 12.3) < 0.05 && std::abs(dirty.slope - 0.002) < 2e-4);
    QVERIFY(!dirty.used[3] && !dirty.used[17] && !dirty.used[8] && dirty.used[4]);
    QVERIFY2(dirty.explanation.find("-260.00, 300.00 px") != std::string::npos, dirty.explanation.c_str());
    for (AxisAtHeight& h : heights) h.verdict = AxisVerdict::flat;
    QVERIFY(fit_axis_line(heights).verdict == AxisVerdict::flat);
    for (std::size_t i = 0; i < 15; ++i) heights[i].verdict = AxisVerdict::railed;
    QVERIFY(fit_axis_line(heights).verdict == AxisVerdict::railed);
    for (std::size_t i = 0; i < 15; ++i) heights[i].verdict = i < 2 ? AxisVerdict::resolved : AxisVerdict::ambiguous;
    QVERIFY(fit_axis_line(heights).verdict == AxisVerdict::ambiguous);
    QVERIFY(std::abs(fit_axis_line({{0, 5, 0.1, AxisVerdict::resolved}}).axis - 5) < 1e-12);
    QVERIFY(fit_axis_line({}).verdict == AxisVerdict::flat);
  }
};

TL_TEST_CASE(AxisOverlapTest)

}  // namespace tl::overlap_test

#include "overlap.moc"
