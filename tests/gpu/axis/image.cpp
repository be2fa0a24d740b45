// Axis finder by scores of reconstructed slices: known axes, noise, verdicts, refusals.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/base/units.h"
#include "gpu/axis/image.h"
#include "gpu/simulate/phantom_library.h"
#include "gpu/simulate/poisson.h"
#include "gpu/verify/axis_scans.h"
#include "tests/support/test_case.h"

namespace tl::image_test {

using namespace tl::ops;

namespace {

// Shepp-Logan in 160 columns with largest absorption about 0.7.
at::Tensor head(const std::vector<double>& angles, double axis, int64_t rows = 1) {
  return project(with_values_scaled(shepp_logan_2d(60), 1.3 / 60), angles, 160, axis, rows);
}

const std::pair<ImageScore, const char*> scores[] = {{ImageScore::entropy, "entropy"},
                                                     {ImageScore::negativity, "negativity"}};

AxisResult by_image(ImageScore score, const at::Tensor& p, const std::vector<double>& angles, double centre = 0,
                    double reach = 0) {
  ImageScoreParams params;
  params.score = score;
  params.search.centre = centre;
  params.search.reach = reach;
  return axis_image(p, angles, params);
}

}  // namespace

class AxisImageTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    at::set_num_threads(1);  // the slices are small: waiting for each other would be most of what threads do
  }
  // Ground truth, section 9: within .25 px noiseless, .5 px at 1e4 photons.
  void known_axes_data() {
    QTest::addColumn<double>("axis");
    for (const double a : {-12.3, 0.25, 8.0}) QTest::addRow("%g", a) << a;
  }
  void known_axes() {
    QFETCH(double, axis);
    const std::vector<double> angles = half_turn(100);
    const at::Tensor p = head(angles, axis), q = with_photon_noise(p, 1e4, 7);
    for (const auto& [score, name] : scores) {
      const AxisResult clean = by_image(score, p, angles);
      QVERIFY2(std::abs(clean.axis - axis) < 0.25, axis_result_text(name, axis, clean).c_str());
      QVERIFY2(clean.verdict == AxisVerdict::resolved, axis_result_text(name, axis, clean).c_str());
      const AxisResult grainy = by_image(score, q, angles);
      QVERIFY2(std::abs(grainy.axis - axis) < 0.5, axis_result_text(name, axis, grainy).c_str());
      QVERIFY2(grainy.verdict == AxisVerdict::resolved, axis_result_text(name, axis, grainy).c_str());
      QVERIFY2(grainy.uncertainty > 0 && grainy.uncertainty < 0.5, axis_result_text(name, axis, grainy).c_str());
      QCOMPARE(clean.curve_axis.size(), clean.curve_score.size());
    }
  }
  void full_turns_and_several_rows() {
    const std::vector<double> angles = equidistant_angles(120, -2 * pi, 1.234);
    const at::Tensor p = with_photon_noise(head(angles, 6.4, 3), 1e4, 3);
    for (const auto& [score, name] : scores) {
      const AxisResult r = by_image(score, p, angles);
      QVERIFY2(std::abs(r.axis - 6.4) < 0.3 && r.verdict == AxisVerdict::resolved,
               axis_result_text(name, 6.4, r).c_str());
    }
  }
  void verdicts() {
    const std::vector<double> angles = half_turn(90);
    const at::Tensor p = with_photon_noise(head(angles, 14.3), 1e5, 3);
    for (const auto& [score, name] : scores) {
      for (const at::Tensor& nothing : {at::zeros_like(p), with_photon_noise(at::zeros_like(p), 1e4, 5)})
        QVERIFY2(by_image(score, nothing, angles).verdict == AxisVerdict::flat, name);
      const AxisResult low = by_image(score, p, angles, 0, 7), high = by_image(score, p, angles, 30, 9);
      QVERIFY2(low.verdict == AxisVerdict::railed, axis_result_text(name, 14.3, low).c_str());
      QVERIFY2(high.verdict == AxisVerdict::railed, axis_result_text(name, 14.3, high).c_str());
    }
  }
  void unusable_scans_are_refused() {
    const std::vector<double> quarter = equidistant_angles(60, pi / 2);
    QVERIFY_THROWS_EXCEPTION(Failure, (void)by_image(ImageScore::entropy, head(quarter, 3), quarter));
    ImageScoreParams stopped;
    stopped.search.cancel.cancel();
    QVERIFY_THROWS_EXCEPTION(Failure, (void)axis_image(head(half_turn(45), 3), half_turn(45), stopped));
  }
};

TL_TEST_CASE(AxisImageTest)

}  // namespace tl::image_test

#include "image.moc"
