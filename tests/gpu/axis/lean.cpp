// A rotation axis that leans along the beam is found from opposite views; one across the beam is not mistaken for it.
#include "gpu/axis/lean.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cmath>

#include "core/base/geometry.h"
#include "core/base/units.h"
#include "gpu/simulate/phantom_library.h"
#include "gpu/simulate/poisson.h"
#include "gpu/verify/axis_scans.h"
#include "tests/support/test_case.h"

namespace tl::lean_test {

using namespace tl::ops;

class AxisLeanTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    at::set_num_threads(1);  // the scans are small: waiting for each other would be most of what threads do
  }
  void found_and_not_invented_data() {
    QTest::addColumn<double>("turn");
    QTest::addColumn<double>("lean");
    QTest::addColumn<double>("radius");
    for (const double turn : {180.0, 360.0})
      for (const double lean : {0.0, 2.0, -4.0}) {
        QTest::addRow("%g of %g degrees, inside", lean, turn) << turn << lean << 30.0;
        QTest::addRow("%g of %g degrees, leaves the field", lean, turn) << turn << lean << 70.0;
      }
  }
  void found_and_not_invented() {
    QFETCH(double, turn);
    QFETCH(double, lean);
    QFETCH(double, radius);
    const int64_t views = turn > 200 ? 240 : 120;
    Orbit o;
    o.angles = equidistant_angles(views, turn * pi / 180);
    o.axis = 4.3;
    o.lamino = lean * pi / 180;
    const DetectorShape detector{48, 96, 1, 1};
    const auto geometry = ScanGeometry::from_orbit(o, detector).or_throw();
    const at::Tensor lines =
        phantom_projections(with_values_scaled(geode(radius, 7), 1 / radius), geometry, {at::kDouble, 2, {}});
    const AxisLean found = axis_lean({with_photon_noise(lines, 2e4, 3), o.angles, o.axis, 1});
    const double degrees = found.lean * 180 / pi, sigma = found.lean_sigma * 180 / pi;
    const std::string found_text = "found " + std::to_string(degrees) + " +- " + std::to_string(sigma);
    QVERIFY(found.known);
    QVERIFY2(sigma > 0 && sigma < 0.6, found_text.c_str());
    QVERIFY2(found.leans() == (lean != 0), found_text.c_str());
    // The fit is of first order in the lean: features that it moves by more than the smoothing are not counted in full.
    constexpr double first_order = 0.2, small = 2;  // of the lean, [deg]
    if (std::abs(lean) <= small)
      QVERIFY2(std::abs(degrees - lean) < 4 * sigma + first_order * std::abs(lean), found_text.c_str());
    else
      QVERIFY2(degrees * lean > 0, found_text.c_str());
  }

  // A tilt that is not in the lines is distinguished from a lean.
  void a_tilt_is_not_a_lean() {
    for (const double turn : {180.0, 360.0}) {
      Orbit o;
      o.angles = equidistant_angles(turn > 200 ? 240 : 120, turn * pi / 180);
      o.tilt = pi / 180;
      const auto geometry = ScanGeometry::from_orbit(o, {48, 96, 1, 1}).or_throw();
      const at::Tensor lines =
          phantom_projections(with_values_scaled(geode(30, 7), 1 / 30.0), geometry, {at::kDouble, 2, {}});
      const AxisLean found = axis_lean({with_photon_noise(lines, 2e4, 3), o.angles, 0, 1});
      QVERIFY2(!found.leans(), std::to_string(found.lean * 180 / pi).c_str());
      QVERIFY2(std::abs(found.tilt - o.tilt) < 4 * found.tilt_sigma + 0.2 * o.tilt,
               std::to_string(found.tilt * 180 / pi).c_str());
    }
  }

  void nothing_to_see() {
    const std::vector<double> part = equidistant_angles(60, 0.6 * pi);
    QVERIFY(!axis_lean({at::rand({60, 16, 64}, at::kDouble), part, 0, 1}).known);
    QVERIFY(!axis_lean({at::zeros({60, 16, 64}, at::kDouble), equidistant_angles(60, 2 * pi), 0, 1}).known);
    QVERIFY(!axis_lean({at::rand({60, 3, 64}, at::kDouble), equidistant_angles(60, 2 * pi), 0, 1}).known);
  }
};

TL_TEST_CASE(AxisLeanTest)

}  // namespace tl::lean_test

#include "lean.moc"
