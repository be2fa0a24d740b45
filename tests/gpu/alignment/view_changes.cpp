// Changes of single views: what they do to images, which of them a motion of the object gives, smoothing, jumps, and
// their registration.
#include <ATen/ATen.h>

#include <cmath>

#include "gpu/alignment/views/view_motion.h"
#include "gpu/alignment/views/view_registration.h"
#include "tests/support/learn/moved_scan.h"
#include "tests/support/test_case.h"

namespace tl::view_changes_test {

using namespace tl::ops;

namespace {

ScanGeometry scan(Beam beam) {
  Orbit o;
  o.beam = beam;
  o.angles = equidistant_angles(12, 2 * pi, 0.1);
  o.axis = 1.3;
  if (beam == Beam::cone) o.source_to_axis = 500, o.axis_to_detector = 250;
  return ScanGeometry::from_orbit(o, {24, 40, 1, 1.25}).or_throw();
}

ViewChanges same_in_all_views(ViewChange kind, double value, int64_t views) {
  ViewChanges all = no_changes({kind}, views);
  std::fill(all.values.begin(), all.values.end(), value);
  return all;
}

test::MovedScan small_scan(double photons) {
  test::MovedScan s;
  s.views = 6;
  s.rows = 40;
  s.cols = 48;
  s.photons = photons;
  return s;
}

}  // namespace

class ViewChangesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // A shift moves the image of every point by so many columns, or rows upwards, in either beam; and it is the one of
  // Orbit's lists.
  void shifts_move_images() {
    for (const Beam beam : {Beam::parallel, Beam::cone}) {
      const ScanGeometry g = scan(beam);
      const Vec3 point{3, -2, 4};
      const ScanGeometry along = changed(g, same_in_all_views(ViewChange::shift_u, 2.5, 12)).or_throw();
      const ScanGeometry up = changed(g, same_in_all_views(ViewChange::shift_v, 1.5, 12)).or_throw();
      for (int64_t i = 0; i < g.views(); ++i) {
        constexpr double rounding = 1e-9;  // of a pixel
        QVERIFY(std::abs(along.project(i, point).col - g.project(i, point).col - 2.5) < rounding);
        QVERIFY(std::abs(along.project(i, point).row - g.project(i, point).row) < rounding);
        QVERIFY(std::abs(up.project(i, point).row - g.project(i, point).row + 1.5) < rounding);
      }
      ViewChanges one = no_changes({ViewChange::shift_u}, 12);
      one.values[5] = 0.75;
      const auto orbit = changed(g, one).or_throw().orbit();
      QVERIFY(orbit.has_value());
      QVERIFY(std::abs(orbit->shift_u.at(5) - orbit->shift_u.at(4) - 0.75) < 1e-9);
    }
  }
  void roll_is_a_tilt_and_angle_turns_the_gantry() {
    Orbit o = scan(Beam::cone).orbit().value();
    const ScanGeometry g = scan(Beam::cone);
    Orbit tilted = o;
    tilted.axis = 0;
    o.axis = 0;
    const ScanGeometry centred = ScanGeometry::from_orbit(o, g.detector()).or_throw();
    tilted.tilt = 0.02;
    const ScanGeometry rolled = changed(centred, same_in_all_views(ViewChange::roll, 0.02, 12)).or_throw();
    const ScanGeometry expected = ScanGeometry::from_orbit(tilted, g.detector()).or_throw();
    Orbit later = o;
    for (double& a : later.angles) a += 0.03;
    const ScanGeometry turned = changed(centred, same_in_all_views(ViewChange::angle, 0.03, 12)).or_throw();
    const ScanGeometry expected_turn = ScanGeometry::from_orbit(later, g.detector()).or_throw();
    const std::vector<double> a = rolled.vectors(), b = expected.vectors(), c = turned.vectors(),
                              d = expected_turn.vectors();
    for (std::size_t i = 0; i < a.size(); ++i) {
      constexpr double rounding = 1e-9;  // [mm], of distances up to 500 mm
      QVERIFY(std::abs(a[i] - b[i]) < rounding);
      QVERIFY(std::abs(c[i] - d[i]) < rounding);
    }
  }
  void magnification_enlarges_about_the_centre() {
    const ScanGeometry g = scan(Beam::parallel);
    const ScanGeometry larger = changed(g, same_in_all_views(ViewChange::magnification, 0.01, 12)).or_throw();
    const auto before = g.project(3, {5, 5, 5}), after = larger.project(3, {5, 5, 5});
    QVERIFY(std::abs(after.col - 19.5 - 1.01 * (before.col - 19.5)) < 1e-9);
    QVERIFY(std::abs(after.row - 11.5 - 1.01 * (before.row - 11.5)) < 1e-9);
  }
  // Sine and cosine of the angle in shift_u, a constant in shift_v; with the angle a constant in it, too.
  void motions_of_the_object() {
    const ScanGeometry g = scan(Beam::parallel);
    const auto count = [&](const std::vector<ViewChange>& kinds) { return object_motions(g, kinds).size(); };
    QCOMPARE(count({ViewChange::shift_u}), std::size_t{2});
    QCOMPARE(count({ViewChange::shift_v}), std::size_t{1});
    QCOMPARE(count({ViewChange::shift_u, ViewChange::shift_v}), std::size_t{3});
    QCOMPARE(count({ViewChange::shift_u, ViewChange::shift_v, ViewChange::angle}), std::size_t{4});
    ViewChanges lists = no_changes({ViewChange::shift_u, ViewChange::shift_v}, g.views());
    const auto orbit = g.orbit().value();
    for (std::size_t i = 0; i < lists.views(); ++i) {
      lists.values[2 * i] = 2 * std::cos(orbit.angles[i]) - 3 * std::sin(orbit.angles[i]);
      lists.values[2 * i + 1] = 1.5;
    }
    remove_motions(lists, object_motions(g, lists.kinds), g.detector());
    for (const double x : lists.values) QVERIFY(std::abs(x) < 1e-6);  // of displacements that are linear to a millionth
  }
  void smoothing_keeps_lines_and_jumps_are_found() {
    ViewChanges line = no_changes({ViewChange::shift_u}, 40);
    for (std::size_t i = 0; i < 40; ++i) line.values[i] = 0.3 * static_cast<double>(i) - 2;
    const std::vector<double> before = line.values;
    smooth_over_views(line, 4);
    for (std::size_t i = 0; i < 40; ++i) QVERIFY(std::abs(line.values[i] - before[i]) < 1e-9);
    test::MovedScanDraw draw(5, 5);
    std::vector<double> walk(60, 0.0);
    for (std::size_t i = 1; i < walk.size(); ++i) walk[i] = walk[i - 1] + 0.2 * draw.normal() + (i == 33 ? 5 : 0);
    QCOMPARE(jumps(walk, 1), std::vector<int64_t>{33});
    walk.assign(60, 0.0);
    QVERIFY(jumps(walk, 1).empty());
  }
  // The step finds small changes of noiseless views, but for the curvature of the images.
  void registration_finds_small_changes() {
    const test::MovedScan s = small_scan(0);
    const std::vector<ViewChange> kinds = {ViewChange::shift_u, ViewChange::shift_v, ViewChange::roll,
                                           ViewChange::magnification};
    ViewChanges truth = no_changes(kinds, s.views);
    test::MovedScanDraw draw(3, 3);
    for (std::size_t i = 0; i < truth.values.size(); ++i)
      truth.values[i] = draw.uniform(-0.2, 0.2) * natural_step(kinds[i % kinds.size()], {s.rows, s.cols, 1, 1});
    const at::Tensor still = test::moved_scan(s, no_changes(kinds, s.views)).data;
    const at::Tensor moved = test::moved_scan(s, truth).data;
    const ViewRegistration found = register_views({moved, still, {}, {}, kinds, 1, {}});
    for (std::size_t i = 0; i < truth.values.size(); ++i) {
      const double step = natural_step(kinds[i % kinds.size()], {s.rows, s.cols, 1, 1});
      constexpr double curved = 0.04;  // natural steps, of changes up to 0.2
      QVERIFY2(std::abs(found.change[i] - truth.values[i]) < curved * step,
               (std::to_string(found.change[i] / step) + " for " + std::to_string(truth.values[i] / step)).c_str());
    }
    QVERIFY(found.error[0] > 0);
  }
  // With noise in the view alone, sigma is that of the shifts found over many draws.
  void sigma_is_that_of_the_noise() {
    const test::MovedScan s = small_scan(0);
    const ViewChanges none = no_changes({ViewChange::shift_u, ViewChange::shift_v}, s.views);
    const at::Tensor still = test::moved_scan(s, none).data.to(at::kDouble);
    double squares = 0, variances = 0, count = 0;
    for (uint64_t seed = 0; seed < 20; ++seed) {
      at::Tensor noisy = still.clone();
      Philox noise{seed, 9};
      double* x = noisy.mutable_data_ptr<double>();
      for (int64_t i = 0; i < noisy.numel(); ++i) x[i] += 0.02 * noise.normal(static_cast<uint64_t>(i));
      const ViewRegistration found = register_views({noisy, still, {}, {}, none.kinds, 1, {}});
      for (std::size_t i = 0; i < found.change.size(); ++i) {
        squares += found.change[i] * found.change[i];
        variances += found.sigma[i] * found.sigma[i];
        ++count;
      }
    }
    const double ratio = std::sqrt(squares / variances);  // of 240 numbers: known to 5 %
    QVERIFY2(ratio > 0.8 && ratio < 1.25, std::to_string(ratio).c_str());
  }
  void what_a_view_does_not_show() {
    const at::Tensor rod = at::zeros({1, 16, 24}, at::kDouble);
    rod.narrow(2, 9, 5).fill_(1);  // the same in all rows
    const ViewRegistration found =
        register_views({rod, rod, {}, {}, {ViewChange::shift_u, ViewChange::shift_v}, 1, {}});
    QCOMPARE(found.change[1], 0.0);
    QVERIFY(std::isinf(found.sigma[1]) && std::isfinite(found.sigma[0]));
    const ViewRegistration none =
        register_views({rod, rod, at::zeros_like(rod), {}, {ViewChange::shift_u, ViewChange::shift_v}, 1, {}});
    QVERIFY(std::isinf(none.sigma[0]) && none.change[0] == 0 && none.error[0] == 0);
    QVERIFY_THROWS_EXCEPTION(Failure, register_views({rod, rod.narrow(1, 0, 8), {}, {}, {ViewChange::shift_u}, 1, {}}));
  }
};

TL_TEST_CASE(ViewChangesTest)

}  // namespace tl::view_changes_test

#include "view_changes.moc"
