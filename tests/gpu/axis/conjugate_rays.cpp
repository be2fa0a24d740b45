// Axis of a cone beam by opposite rays: known axes, noise and its uncertainty, odd angles, refusals.
#include "gpu/axis/conjugate_rays.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/units.h"
#include "gpu/simulate/phantom_library.h"
#include "gpu/simulate/poisson.h"
#include "tests/support/test_case.h"

namespace tl::conjugate_rays_test {

using namespace tl::ops;

namespace {

constexpr double source_to_axis = 300, axis_to_detector = 150;

std::vector<double> turn(int64_t views) { return equidistant_angles(views, 2 * pi, 0.3); }

ConjugateRaysParams params(AxisSearch search = {}) {
  return {std::move(search), 1 / (source_to_axis + axis_to_detector)};
}

at::Tensor project(const Phantom& phantom, const std::vector<double>& angles, double axis, int64_t cols = 192,
                   int64_t rows = 1) {
  const auto g = ScanGeometry::cone(angles, {rows, cols, 1, 1}, source_to_axis, axis_to_detector, axis).or_throw();
  return phantom_projections(phantom, g);
}

// Rods within 50 mm of the axis: 75 px on the detector.
Phantom rods() { return with_values_scaled(random_ellipses(50, 14, 5), 0.01); }

at::Tensor noisy(const at::Tensor& absorption, double photons, uint64_t seed) {
  const NoiseFrame frame{seed,
                         NoiseSeries::projections,
                         {{0, absorption.size(0)}, {0, absorption.size(1)}, {0, absorption.size(2)}},
                         absorption.size(1),
                         absorption.size(2)};
  return -at::log(poisson_counts(photons * at::exp(-absorption), frame).clamp_min(0.5) / photons);
}

std::string describe(double truth, const AxisResult& r) {
  return std::to_string(r.axis) + " +- " + std::to_string(r.uncertainty) + " for " + std::to_string(truth) +
         ", verdict " + std::to_string(static_cast<int>(r.verdict)) + ". " + r.explanation;
}

}  // namespace

class AxisConjugateRaysTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(1); }  // small pieces: threads would wait for each other

  void known_axes_data() {
    QTest::addColumn<double>("axis");
    for (const double a : {-17.75, 0.0, 0.25, 21.3}) QTest::addRow("%g", a) << a;
  }
  void known_axes() {
    QFETCH(double, axis);
    const std::vector<double> angles = turn(160);
    const at::Tensor p = project(rods(), angles, axis);
    const AxisResult clean = axis_conjugate_rays(p, angles, params());
    // Edges of the rods are sharper than a column: their Fourier shifts ring.
    QVERIFY2(std::abs(clean.axis - axis) < 0.01, describe(axis, clean).c_str());
    QVERIFY2(clean.verdict == AxisVerdict::resolved, describe(axis, clean).c_str());
    QCOMPARE(clean.curve_axis.size(), clean.curve_score.size());
    const AxisResult grainy = axis_conjugate_rays(noisy(p, 1e4, 3), angles, params());
    QVERIFY2(grainy.verdict == AxisVerdict::resolved, describe(axis, grainy).c_str());
    QVERIFY2(grainy.uncertainty > 0 && grainy.uncertainty < 0.05, describe(axis, grainy).c_str());
    QVERIFY2(std::abs(grainy.axis - axis) < 4 * grainy.uncertainty + 0.01, describe(axis, grainy).c_str());
  }

  void any_order_sense_and_start() {
    const double axis = -6.4;
    const std::vector<double> angles = equidistant_angles(200, -2 * pi, 1.234);
    std::vector<int64_t> order(200);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>((i * 77) % 200);
    std::vector<double> mixed;
    for (const int64_t i : order) mixed.push_back(angles[static_cast<std::size_t>(i)]);
    const at::Tensor p = project(rods(), angles, axis).index_select(0, at::tensor(order, at::kLong));
    const AxisResult r = axis_conjugate_rays(p, mixed, params());
    QVERIFY2(std::abs(r.axis - axis) < 0.02 && r.verdict == AxisVerdict::resolved, describe(axis, r).c_str());
  }

  void repeated_angles_count_once() {
    const std::vector<double> angles = turn(160);
    std::vector<double> twice;
    for (const double a : angles) twice.insert(twice.end(), {a, a});
    const AxisResult r = axis_conjugate_rays(project(rods(), angles, 2.3).repeat_interleave(2, 0), twice, params());
    QVERIFY2(std::abs(r.axis - 2.3) < 0.02 && r.verdict == AxisVerdict::resolved, describe(2.3, r).c_str());
  }

  void uneven_angles_are_interpolated() {
    std::vector<double> angles = turn(160);
    for (std::size_t i = 0; i < angles.size(); ++i) angles[i] += 0.004 * std::sin(3.0 * static_cast<double>(i));
    const AxisResult r = axis_conjugate_rays(project(rods(), angles, 4.3), angles, params());
    // Straight lines between views 1.5 degrees apart: a twentieth of a pixel is what they cost here.
    QVERIFY2(std::abs(r.axis - 4.3) < 0.05 && r.verdict == AxisVerdict::resolved, describe(4.3, r).c_str());
    QVERIFY2(r.explanation.find("interpolated") != std::string::npos, r.explanation.c_str());
  }

  // Above and below the source's plane opposite rays part by the cone angle: rows at +-v miss by opposite amounts.
  void a_solid_head_and_rows_about_the_plane_of_the_source() {
    const std::vector<double> angles = turn(160);
    const Phantom head = with_values_scaled(shepp_logan_3d(50), 0.01);
    const AxisResult r = axis_conjugate_rays(project(head, angles, 5.6, 192, 5), angles, params());
    QVERIFY2(std::abs(r.axis - 5.6) < 0.02 && r.verdict == AxisVerdict::resolved, describe(5.6, r).c_str());
  }

  // Opposite rays see the same whatever lies beyond the detector.
  void objects_wider_than_the_field() {
    const std::vector<double> angles = turn(160);
    const AxisResult r = axis_conjugate_rays(project(rods(), angles, 3.25, 96), angles, params());
    QVERIFY2(std::abs(r.axis - 3.25) < 0.1 && r.verdict == AxisVerdict::resolved, describe(3.25, r).c_str());
  }

  void uniform_scans_are_flat_and_a_narrow_range_is_railed() {
    const std::vector<double> angles = turn(120);
    const at::Tensor empty = at::zeros({120, 2, 128});
    for (const at::Tensor& p : {empty, noisy(empty, 1e4, 5)})
      QCOMPARE(axis_conjugate_rays(p, angles, params()).verdict, AxisVerdict::flat);
    const at::Tensor p = noisy(project(rods(), angles, 15), 1e5, 3);
    const AxisResult low = axis_conjugate_rays(p, angles, params({.centre = 0, .reach = 8, .cancel = {}}));
    QVERIFY2(low.verdict == AxisVerdict::railed, describe(15, low).c_str());
    const AxisResult high = axis_conjugate_rays(p, angles, params({.centre = 30, .reach = 9, .cancel = {}}));
    QVERIFY2(high.verdict == AxisVerdict::railed, describe(15, high).c_str());
  }

  void less_than_a_turn_is_refused() {
    for (const double range : {pi, 1.5 * pi, 1.9 * pi}) {
      const std::vector<double> angles = equidistant_angles(120, range);
      try {
        axis_conjugate_rays(project(rods(), angles, 0, 128), angles, params());
        QFAIL("not refused");
      } catch (const Failure& f) {
        QCOMPARE(f.error().kind, ErrorKind::invalid);
        QVERIFY2(f.error().what.find("full turn") != std::string::npos, f.error().message().c_str());
      }
    }
    AxisSearch stopped;
    stopped.cancel.cancel();
    const std::vector<double> angles = turn(60);
    QVERIFY_EXCEPTION_THROWN(axis_conjugate_rays(project(rods(), angles, 0, 128), angles, params(stopped)), Failure);
  }
};

TL_TEST_CASE(AxisConjugateRaysTest)

}  // namespace tl::conjugate_rays_test

#include "conjugate_rays.moc"
