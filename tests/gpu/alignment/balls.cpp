// Balls are found in views, and the orbit that shows them is recovered; what they do not determine is not invented.
#include "gpu/alignment/balls/ball_fit.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/random.h"
#include "core/base/units.h"
#include "gpu/alignment/balls/ball_images.h"
#include "gpu/simulate/phantom.h"
#include "tests/support/test_case.h"

namespace tl::balls_test {

using namespace tl::ops;

const DetectorShape detector{96, 96, 0.2, 0.2};
constexpr double source_to_axis = 27, source_to_detector = 54;
constexpr int64_t views = 36;

Orbit nominal() {
  Orbit o;
  o.beam = Beam::cone;
  o.angles = equidistant_angles(views, 2 * pi);
  o.source_to_axis = source_to_axis;
  o.axis_to_detector = source_to_detector - source_to_axis;
  return o;
}
BallFit truth(double pitch = 0) {
  BallFit t;
  t.value = {3, 1.5, 0.5 * pi / 180, pi / 180, pitch, 1.02 * source_to_detector};
  return t;
}
// At several heights and distances from the axis.
std::vector<Vec3> places(int64_t count) {
  std::vector<Vec3> all;
  for (int64_t n = 0; n < count; ++n) {
    const double angle = 2.4 * static_cast<double>(n), radius = 1.6 + 0.5 * std::sin(1.7 * static_cast<double>(n));
    const double height = count > 1 ? 6.4 * (static_cast<double>(n) / static_cast<double>(count - 1) - 0.5) : 0;
    all.push_back({radius * std::cos(angle), radius * std::sin(angle), height});
  }
  return all;
}
std::vector<BallImage> images(const std::vector<Vec3>& balls, const BallFit& orbit, double noise, uint64_t seed) {
  const auto g = geometry_of(orbit, nominal(), detector).or_throw();
  const Philox random{seed, 4};
  uint64_t draw = 0;
  std::vector<BallImage> all;
  for (const Vec3& ball : balls)
    for (int64_t v = 0; v < views; ++v) {
      const auto hit = g.project(v, ball);
      const double u = noise * random.normal(draw++), w = noise * random.normal(draw++);
      all.push_back({v, hit.col - 47.5 + u, 47.5 - hit.row + w, 1, 9});
    }
  return all;
}
std::string text(const BallFit& f) {
  std::string all;
  for (std::size_t k = 0; k < ball_unknowns; ++k)
    all += std::to_string(f.value[k]) + " +- " + std::to_string(f.sigma[k]) + ", ";
  return all + "rms " + std::to_string(f.rms);
}
double off(const BallFit& f, BallUnknown u, const BallFit& t) { return std::abs(f.at(u) - t.at(u)); }

class BallsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // What is asked for of eight balls with 0.05 px of noise, and sigmas that contain the truth.
  void the_orbit_is_found() {
    constexpr double axis = 0.02, tilt = 0.03 * pi / 180, yaw = 0.4 * pi / 180, distance = 0.006;
    for (uint64_t seed = 1; seed <= 5; ++seed) {
      const BallFit t = truth();
      const BallFit f = fit_balls(images(places(8), t, 0.05, seed), nominal(), detector).or_throw();
      QVERIFY(f.balls.size() == 8);
      QVERIFY2(off(f, BallUnknown::axis, t) < axis, text(f).c_str());
      QVERIFY2(off(f, BallUnknown::tilt, t) < tilt, text(f).c_str());
      QVERIFY2(off(f, BallUnknown::yaw, t) < yaw, text(f).c_str());
      QVERIFY2(off(f, BallUnknown::source_to_detector, t) < distance * source_to_detector, text(f).c_str());
      for (const BallUnknown u : {BallUnknown::axis, BallUnknown::height, BallUnknown::tilt, BallUnknown::yaw,
                                  BallUnknown::source_to_detector})
        QVERIFY2(off(f, u, t) < 4 * f.sigma_of(u), text(f).c_str());
    }
  }
  void perfect_centres_give_the_orbit_and_the_balls() {
    const BallFit t = truth();
    const BallFit f = fit_balls(images(places(5), t, 0, 1), nominal(), detector).or_throw();
    for (std::size_t k = 0; k < ball_unknowns; ++k) QVERIFY2(std::abs(f.value[k] - t.value[k]) < 1e-6, text(f).c_str());
    for (const Vec3& ball : places(5))
      QVERIFY(std::any_of(f.balls.begin(), f.balls.end(), [&](Vec3 b) { return norm(b - ball) < 1e-6; }));
  }
  // A pitch moves the balls that are found, and none of the other values by more than its second order.
  void a_pitch_is_made_up_for_by_other_places() {
    const BallFit t = truth(0.5 * pi / 180);
    const BallFit f = fit_balls(images(places(8), t, 0, 1), nominal(), detector).or_throw();
    constexpr double rms = 0.02;  // [px]
    QVERIFY2(f.rms < rms, text(f).c_str());
    QVERIFY(f.at(BallUnknown::pitch) == 0);
    QVERIFY2(off(f, BallUnknown::tilt, t) < 3 * f.sigma_of(BallUnknown::tilt), text(f).c_str());
  }
  void images_that_belong_to_no_ball_are_left_out() {
    const BallFit t = truth();
    auto all = images(places(6), t, 0.05, 2);
    all.push_back({3, 20, 20, 1, 9});
    all[40].u += 3;  // two that touched
    all.erase(all.begin() + 5);
    const BallFit f = fit_balls(all, nominal(), detector).or_throw();
    QCOMPARE(f.left_out, int64_t{2});
    QVERIFY2(off(f, BallUnknown::axis, t) < 0.02, text(f).c_str());
  }
  // What orbit() of a scan with a yaw gives is a start for the fit: a shift of the source, as a yaw again.
  void a_shifted_source_is_a_yaw() {
    Orbit o = nominal();
    o.tilt = 0.2;
    o.axis = 3;
    o.shift_v.assign(views, 1.5);
    o.source_shift_u = 2;
    const auto same = ScanGeometry::from_orbit(facing_the_source(o, detector), detector).or_throw();
    const auto given = ScanGeometry::from_orbit(o, detector).or_throw();
    for (std::size_t i = 0; i < given.vectors().size(); ++i)
      QVERIFY(std::abs(same.vectors()[i] - given.vectors()[i]) < 1e-9);
    // Above the middle it is the same with heights from there.
    o.source_shift_v = 4;
    const Orbit level = facing_the_source(o, detector);
    QVERIFY(level.source_shift_u == 0 && level.source_shift_v == 0 && level.yaw != 0);
    const auto above = ScanGeometry::from_orbit(o, detector).or_throw();
    const auto from_there = ScanGeometry::from_orbit(level, detector).or_throw();
    for (int64_t v = 0; v < views; ++v) {
      const auto hit = above.project(v, {1, -0.5, 4.7}), other = from_there.project(v, {1, -0.5, 0.7});
      QVERIFY(std::abs(hit.col - other.col) < 1e-9 && std::abs(hit.row - other.row) < 1e-9);
    }
  }
  // A scan that has been calibrated is calibrated again.
  void a_fit_starts_from_the_last() {
    const BallFit t = truth();
    const auto found = geometry_of(t, nominal(), detector).or_throw();
    const Orbit start = facing_the_source(found.orbit().value(), detector);
    const BallFit f = fit_balls(images(places(8), t, 0, 1), start, detector, {0.5}).or_throw();
    for (std::size_t k = 0; k < ball_unknowns; ++k) QVERIFY2(std::abs(f.value[k] - t.value[k]) < 1e-6, text(f).c_str());
  }
  void too_few_balls_are_named() {
    const auto two = fit_balls(images(places(2), truth(), 0.05, 1), nominal(), detector);
    QVERIFY(!two.ok());
    QVERIFY(two.error().what.find("2 were found") != std::string::npos);
    QVERIFY(!fit_balls({}, nominal(), detector).ok());
  }

  // Of balls of two pixels' radius, averaged over pixels, to a hundredth of a pixel.
  void centres_are_found_in_views() {
    Phantom phantom;
    for (const Vec3& ball : places(4)) phantom.parts.push_back({Solid::ellipsoid, ball, {0.2, 0.2, 0.2}, 3});
    const auto g = geometry_of(truth(), nominal(), detector).or_throw();
    const BallImages found = ball_images(phantom_projections(phantom, g, {at::kFloat, 4, {}}));
    QCOMPARE(found.leaving, int64_t{0});
    constexpr double centre = 0.05;  // [px], of sampled pixels
    int64_t near = 0;
    for (const BallImage& b : found.balls)
      for (const Vec3& ball : places(4)) {
        const auto hit = g.project(b.view, ball);
        near += std::hypot(b.u - (hit.col - 47.5), b.v - (47.5 - hit.row)) < centre ? 1 : 0;
      }
    QCOMPARE(near, static_cast<int64_t>(found.balls.size()));
    QCOMPARE(near + 2 * found.overlapping, 4 * views);
  }
  void balls_that_leave_or_overlap_are_counted() {
    at::Tensor view = at::zeros({1, 40, 40}, at::kFloat);
    const auto put = [&](int64_t row, int64_t col, int64_t rows, int64_t cols) {
      view[0].narrow(0, row, rows).narrow(1, col, cols).fill_(1);
    };
    put(5, 5, 4, 4);
    put(5, 20, 4, 4);
    put(15, 5, 4, 4);
    put(20, 20, 4, 8);  // two
    put(36, 10, 4, 4);  // at the edge
    const BallImages found = ball_images(view);
    QCOMPARE(static_cast<int64_t>(found.balls.size()), int64_t{3});
    QCOMPARE(found.overlapping, int64_t{1});
    QCOMPARE(found.leaving, int64_t{1});
    QVERIFY(std::abs(found.balls[0].u - (6.5 - 19.5)) < 1e-6 && std::abs(found.balls[0].v - (19.5 - 6.5)) < 1e-6);
    QVERIFY(ball_images(at::zeros({1, 8, 8}, at::kFloat)).balls.empty());
  }
};

TL_TEST_CASE(BallsTest)

}  // namespace tl::balls_test

#include "balls.moc"
