// matching_views: views are paired by their rays in any order, and nothing else is.
#include "core/base/view_match.h"

#include <algorithm>
#include <numbers>
#include <numeric>

#include "core/base/random.h"
#include "tests/support/test_case.h"

namespace tl::view_match_test {

namespace {

constexpr double pi = std::numbers::pi;
const DetectorShape shape{4, 101, 0.5, 0.5};

std::vector<double> turn(int64_t views, double range) {
  std::vector<double> angles;
  for (int64_t i = 0; i < views; ++i) angles.push_back(range * static_cast<double>(i) / static_cast<double>(views));
  return angles;
}

ScanGeometry scan(const std::vector<double>& angles, double axis = 0) {
  return ScanGeometry::parallel(angles, shape, axis).or_throw();
}

std::vector<int64_t> shuffled(int64_t count) {
  std::vector<int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), int64_t{0});
  const Philox random{5, 0};
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(random.uniform(i) * static_cast<double>(i))]);
  return order;
}

}  // namespace

class ViewMatchTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void equal_scans_pair_by_number() {
    const auto pairs = matching_views(scan(turn(90, 2 * pi)), scan(turn(90, 2 * pi))).or_throw();
    for (std::size_t i = 0; i < pairs.size(); ++i) QCOMPARE(pairs[i], static_cast<int64_t>(i));
  }
  void any_order_is_found() {
    // Angles twice, and turns that go on: the partner of a repeated angle may be either.
    std::vector<double> angles = turn(90, 2 * pi);
    const std::vector<double> once = angles;
    for (const double a : once) angles.push_back(a + 2 * pi);
    const ScanGeometry one = scan(angles, 3.25);
    const std::vector<int64_t> order = shuffled(one.views());
    const ScanGeometry other = one.select(order);
    const auto pairs = matching_views(one, other).or_throw();
    std::vector<int64_t> sorted = pairs;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      QCOMPARE(sorted[i], static_cast<int64_t>(i));
      const int64_t partner = order[static_cast<std::size_t>(pairs[i])];
      QCOMPARE(partner % 90, static_cast<int64_t>(i) % 90);
    }
  }
  void angles_to_a_part_of_a_pixel() {
    const double step = 1.0 / 50;  // [rad] a pixel at the ends of the rows
    std::vector<double> angles = turn(20, pi);
    for (double& a : angles) a += 0.4 * step;
    QVERIFY(matching_views(scan(turn(20, pi)), scan(angles)).ok());
    for (double& a : angles) a += 0.4 * step;
    QVERIFY(!matching_views(scan(turn(20, pi)), scan(angles)).ok());
  }
  void heights_do_not_count() {
    const ScanGeometry one = scan(turn(20, pi));
    std::vector<View> views;
    for (int64_t i = 0; i < one.views(); ++i) {
      View v = one.view(i);
      v.detector = v.detector - 7.0 * v.v + 12.0 * v.beam;
      views.push_back(v);
    }
    QVERIFY(matching_views(one, ScanGeometry::from_views(Beam::parallel, shape, views).or_throw()).ok());
  }
  void other_rays_have_no_partner() {
    const ScanGeometry one = scan(turn(20, pi));
    QVERIFY(!matching_views(one, scan(turn(20, pi), 0.6)).ok());  // the axis
    QVERIFY(!matching_views(one, scan(turn(20, -pi))).ok());      // opposite sense of rotation
    QVERIFY(!matching_views(one, scan(turn(19, pi))).ok());       // fewer views
    Orbit orbit = *one.orbit();
    orbit.tilt = 0.02;  // a pixel at the ends of the rows
    QVERIFY(!matching_views(one, ScanGeometry::from_orbit(orbit, shape).or_throw()).ok());
    DetectorShape finer = shape;
    finer.pitch_u = finer.pitch_v = 0.25;
    QVERIFY(!matching_views(one, ScanGeometry::parallel(turn(20, pi), finer).or_throw()).ok());
    QVERIFY(!matching_views(one, ScanGeometry::cone(turn(20, pi), shape, 100, 50).or_throw()).ok());
    const auto missing = matching_views(one, scan(turn(20, -pi)));
    QVERIFY2(missing.error().what.find("view 1 ") != std::string::npos, missing.error().what.c_str());
  }
};

TL_TEST_CASE(ViewMatchTest)

}  // namespace tl::view_match_test

#include "view_match.moc"
