// The axis finders on views: known axes, noise, full turns and odd angles, verdicts, damaged pixels.
#include <ATen/ATen.h>

#include <cmath>
#include <functional>
#include <limits>

#include "core/base/error.h"
#include "core/base/units.h"
#include "gpu/axis/curve.h"
#include "gpu/axis/moments.h"
#include "gpu/axis/phase_correlation.h"
#include "gpu/axis/vo.h"
#include "gpu/axis/wedge.h"
#include "gpu/simulate/phantom_library.h"
#include "gpu/simulate/poisson.h"
#include "gpu/verify/axis_scans.h"
#include "tests/support/test_case.h"

namespace tl::finders_test {

using namespace tl::ops;

namespace {

using Finder = std::function<AxisResult(const at::Tensor&, const std::vector<double>&, const AxisSearch&)>;

template <class Params>
Params with(const AxisSearch& search) {
  Params p;
  p.search = search;
  return p;
}

const std::vector<std::pair<std::string, Finder>>& finders() {
  static const std::vector<std::pair<std::string, Finder>> all = {
      {"vo", [](const auto& p, const auto& a, const auto& s) { return axis_vo(p, a, with<VoParams>(s)); }},
      {"wedge", [](const auto& p, const auto& a, const auto& s) { return axis_wedge(p, a, with<WedgeParams>(s)); }},
      {"phase", [](const auto& p, const auto& a,
                   const auto& s) { return axis_phase_correlation(p, a, with<PhaseCorrelationParams>(s)); }},
      {"moments",
       [](const auto& p, const auto& a, const auto& s) -> AxisResult {
         return axis_moments(p, a, with<MomentParams>(s)).found;
       }},
  };
  return all;
}

// Shepp-Logan in 512 columns with largest absorption about 0.7, inside the field for every axis used here.
at::Tensor head(const std::vector<double>& angles, double axis, int64_t rows = 1) {
  return project(with_values_scaled(shepp_logan_2d(220), 1.3 / 220), angles, 512, axis, rows);
}

}  // namespace

class AxisFindersTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // A block of pixels rows 20..29, columns 35..41 of a 64^2 image, rotated about 31.5: column 31.5 is 0 px.
  void block_of_64() {
    Primitive block{Solid::box, {38 - 31.5, 31.5 - 24.5, 0}, {3.5, 5, std::numeric_limits<double>::infinity()}, 1};
    std::vector<double> angles;
    for (int i = 0; i < 37; ++i) angles.push_back(pi * i / 36);
    const auto g = ScanGeometry::parallel(angles, {1, 64, 1, 1}).or_throw();
    for (const int64_t rays : {1, 4}) {
      const at::Tensor p = phantom_projections({{block}}, g, {at::kFloat, rays, {}});
      for (const auto& [name, find] : finders()) {
        const AxisResult r = find(p, angles, {});
        QVERIFY2(std::abs(column_from_axis(r.axis, 64) - 31.5) < 0.2, axis_result_text(name, 0, r).c_str());
        QVERIFY2(r.verdict == AxisVerdict::resolved, axis_result_text(name, 0, r).c_str());
      }
    }
  }

  void known_axes_data() {
    QTest::addColumn<double>("axis");
    for (const double a : {-20.3, -7.75, 0.0, 0.25, 0.5, 13.3, 20.3}) QTest::addRow("%g", a) << a;
  }
  void known_axes() {
    QFETCH(double, axis);
    const at::Tensor p = head(half_turn(128), axis);
    const at::Tensor q = with_photon_noise(p, 1e4, 7);
    for (const auto& [name, find] : finders()) {
      const AxisResult clean = find(p, half_turn(128), {});
      QVERIFY2(std::abs(clean.axis - axis) < 0.25, axis_result_text(name, axis, clean).c_str());
      QVERIFY2(clean.verdict == AxisVerdict::resolved, axis_result_text(name, axis, clean).c_str());
      const AxisResult grainy = find(q, half_turn(128), {});
      QVERIFY2(std::abs(grainy.axis - axis) < 0.5, axis_result_text(name, axis, grainy).c_str());
      QVERIFY2(grainy.verdict == AxisVerdict::resolved, axis_result_text(name, axis, grainy).c_str());
      QVERIFY2(grainy.uncertainty > 0 && grainy.uncertainty < 0.5, axis_result_text(name, axis, grainy).c_str());
      QVERIFY2(std::abs(grainy.axis - axis) < 4 * grainy.uncertainty + 0.25,
               axis_result_text(name, axis, grainy).c_str());
      QCOMPARE(clean.curve_axis.size(), clean.curve_score.size());
    }
  }

  // C11: exact moments of area detectors follow a sinusoid.
  void moments_are_a_sinusoid() {
    for (const double axis : {-13.3, 0.25, 7.75}) {
      const auto g = ScanGeometry::parallel(half_turn(90), {1, 256, 1, 1}, axis).or_throw();
      const at::Tensor p = phantom_projections(shepp_logan_2d(100), g, {at::kDouble, 4, {}});
      const MomentResult r = axis_moments(p, half_turn(90));
      QVERIFY2(std::abs(r.found.axis - axis) < 0.02 && r.residual < 0.02,
               axis_result_text("moments", axis, r.found).c_str());
      QVERIFY2(r.residual > 0, "exactly zero means that nothing was measured");
    }
  }

  void full_turns_any_order_and_several_rows() {
    const double axis = 6.4;
    std::vector<double> angles = equidistant_angles(200, -2 * pi, 1.234);  // the other sense, any start
    const at::Tensor p = head(angles, axis, 3);
    std::vector<int64_t> order(200);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>((i * 77) % 200);
    std::vector<double> mixed;
    for (const int64_t i : order) mixed.push_back(angles[static_cast<std::size_t>(i)]);
    const at::Tensor q = with_photon_noise(p.index_select(0, at::tensor(order, at::kLong)), 1e4, 3);
    for (const auto& [name, find] : finders()) {
      const AxisResult r = find(q, mixed, {});
      QVERIFY2(std::abs(r.axis - axis) < 0.25 && r.verdict == AxisVerdict::resolved,
               axis_result_text(name, axis, r).c_str());
    }
  }

  void uneven_angles() {
    std::vector<double> angles = half_turn(150);
    for (std::size_t i = 0; i < angles.size(); ++i) angles[i] += 0.004 * std::sin(3.0 * static_cast<double>(i));
    const at::Tensor p = head(angles, -4.3).to(at::kDouble);
    for (const auto& [name, find] : finders()) {
      const AxisResult r = find(p, angles, {});
      QVERIFY2(std::abs(r.axis + 4.3) < 0.25 && r.verdict == AxisVerdict::resolved,
               axis_result_text(name, -4.3, r).c_str());
    }
  }

  // Every angle exposed twice: forth and back, or one after the other with a hair between them.
  void repeated_angles_count_once() {
    const std::vector<double> angles = half_turn(150);
    const at::Tensor p = with_photon_noise(head(angles, 3.3), 1e5, 4),
                     again = with_photon_noise(head(angles, 3.3), 1e5, 5);
    std::vector<double> back(angles.rbegin(), angles.rend()), twice = angles, pairs;
    twice.insert(twice.end(), back.begin(), back.end());
    for (const double a : angles) pairs.insert(pairs.end(), {a, a + 1e-5});
    const at::Tensor interleaved = at::stack({p, again}, 1).flatten(0, 1), after = at::cat({p, again.flip({0})}, 0);
    for (const auto& [name, find] : finders())
      for (const AxisResult& r : {find(after, twice, {}), find(interleaved, pairs, {})})
        QVERIFY2(std::abs(r.axis - 3.3) < 0.1 && r.verdict == AxisVerdict::resolved,
                 axis_result_text(name, 3.3, r).c_str());
  }

  void empty_slices_are_flat() {
    const std::vector<double> angles = half_turn(90);
    const at::Tensor zero = at::zeros({90, 2, 256});
    const at::Tensor noise = with_photon_noise(zero, 1e4, 5);
    // Beam intensity that changes from view to view is not an object either.
    const at::Tensor flicker = noise + 0.05 * at::sin(at::arange(90, at::kFloat)).reshape({90, 1, 1});
    for (const at::Tensor& p : {zero, noise, at::full_like(zero, 0.3), flicker})
      for (const auto& [name, find] : finders()) {
        const AxisResult r = find(p, angles, {});
        QVERIFY2(r.verdict == AxisVerdict::flat, axis_result_text(name, 0, r).c_str());
        QVERIFY(!r.explanation.empty());
      }
  }

  void narrow_ranges_are_railed() {
    const at::Tensor p = with_photon_noise(head(half_turn(128), 20.3), 1e5, 3);
    for (const auto& [name, find] : finders()) {
      const AxisResult low = find(p, half_turn(128), {.centre = 0, .reach = 10, .cancel = {}});
      QVERIFY2(low.verdict == AxisVerdict::railed, axis_result_text(name, 20.3, low).c_str());
      const AxisResult high = find(p, half_turn(128), {.centre = 40, .reach = 12, .cancel = {}});
      QVERIFY2(high.verdict == AxisVerdict::railed, axis_result_text(name, 20.3, high).c_str());
      const AxisResult wide = find(p, half_turn(128), {.centre = 15, .reach = 10, .cancel = {}});
      QVERIFY2(wide.verdict == AxisVerdict::resolved && std::abs(wide.axis - 20.3) < 0.25,
               axis_result_text(name, 20.3, wide).c_str());
    }
  }

  // An object and the same one rotated by 180 degrees, each about an axis of its own: the scores are symmetric about 0.
  // The centre of mass knows nothing of that.
  void two_equal_lobes_are_ambiguous() {
    const std::vector<double> angles = half_turn(90);
    const at::Tensor left = project(random_ellipses(35, 12, 4), angles, 256, -40);
    const at::Tensor p = left + at::flip(left, {2});
    for (const auto& [name, find] : finders()) {
      if (name == "moments") continue;
      const AxisResult r = find(p, angles, {});
      QVERIFY2(r.verdict == AxisVerdict::ambiguous, axis_result_text(name, 40, r).c_str());
      const AxisResult one = find(p, angles, {.centre = 40, .reach = 12, .cancel = {}});
      QVERIFY2(std::abs(one.axis - 40) < 1, axis_result_text(name, 40, one).c_str());
    }
  }

  void curves() {
    std::vector<double> x, two, one, edge, level;
    for (int i = 0; i <= 100; ++i) {
      x.push_back(i);
      const auto lobe = [i](double at) { return std::exp(-0.02 * (i - at) * (i - at)); };
      two.push_back(-lobe(30) - 0.95 * lobe(70));
      one.push_back(-lobe(30) - 0.6 * lobe(70));
      edge.push_back(-lobe(0));
      level.push_back(2);
    }
    QCOMPARE(judge_score_curve(x, two, 0.8).verdict, AxisVerdict::ambiguous);
    QCOMPARE(judge_score_curve(x, two, 0.8).rival, 70.0);
    QCOMPARE(judge_score_curve(x, one, 0.8).verdict, AxisVerdict::resolved);
    QCOMPARE(judge_score_curve(x, edge, 0.8).verdict, AxisVerdict::railed);
    QCOMPARE(judge_score_curve(x, level, 0.8).verdict, AxisVerdict::flat);
    QVERIFY(std::abs(parabola_minimum({1, 2, 3, 4}, {5.29, 1.69, 0.09, 0.49}) - 3.3) < 1e-12);
    const RowValue v = combine_rows({{1, 0.1}, {1.1, 0.1}, {30, 0.1}, {0.9, 0.1}, {1, 0.1}});
    QCOMPARE(v.axis, 1.0);
  }

  void damaged_pixels() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    at::Tensor p = head(half_turn(128), 5.2);
    p.slice(0, 20, 40).slice(2, 100, 103).fill_(nan);
    p[60].fill_(nan);  // a lost view
    p[90].slice(1, 0, 7).fill_(-std::numeric_limits<double>::infinity());
    for (const auto& [name, find] : finders()) {
      const AxisResult r = find(p, half_turn(128), {});
      QVERIFY2(std::abs(r.axis - 5.2) < 0.25 && r.verdict == AxisVerdict::resolved,
               axis_result_text(name, 5.2, r).c_str());
      QVERIFY2(r.explanation.find("67 pixels") != std::string::npos, r.explanation.c_str());
      QVERIFY2(r.explanation.find("1 view") != std::string::npos, r.explanation.c_str());
      QVERIFY(std::isfinite(r.uncertainty));
    }
    p.slice(0, 0, 60).fill_(nan);
    for (const auto& [name, find] : finders()) QVERIFY_EXCEPTION_THROWN(find(p, half_turn(128), {}), Failure);
  }

  void unusable_scans_are_refused() {
    const std::vector<double> quarter = equidistant_angles(60, pi / 2);
    const at::Tensor p = head(quarter, 3);
    for (const auto& [name, find] : finders()) {
      if (name == "moments") {
        QVERIFY(std::abs(find(p, quarter, {}).axis - 3) < 0.25);
        continue;
      }
      QVERIFY_EXCEPTION_THROWN(find(p, quarter, {}), Failure);
    }
    for (const auto& [name, find] : finders()) {
      QVERIFY_EXCEPTION_THROWN(find(at::zeros({2, 1, 64}), {0, 1}, {}), Failure);
      QVERIFY_EXCEPTION_THROWN(find(at::zeros({9, 1, 4}), half_turn(9), {}), Failure);
      QVERIFY_EXCEPTION_THROWN(find(at::zeros({9, 1, 64}), half_turn(9), {.centre = 200, .cancel = {}}), Failure);
      AxisSearch stopped;
      stopped.cancel.cancel();
      QVERIFY_EXCEPTION_THROWN(find(head(half_turn(45), 3), half_turn(45), stopped), Failure);
    }
  }

  // An object that leaves the field has no constant mass: the moments say so.
  void truncated_objects() {
    const at::Tensor p = project(shifted(disc(40), {90, 0, 0}), half_turn(90), 200, 0);
    const AxisResult r = axis_moments(p, half_turn(90)).found;
    QVERIFY2(r.verdict == AxisVerdict::ambiguous, axis_result_text("moments", 0, r).c_str());
  }

  void rows_to_read() {
    QCOMPARE(axis_rows(100, 1), std::vector<int64_t>({50}));
    QCOMPARE(axis_rows(9, 3), std::vector<int64_t>({1, 4, 7}));
    QCOMPARE(axis_rows(2, 9), std::vector<int64_t>({0, 1}));
  }
};

TL_TEST_CASE(AxisFindersTest)

}  // namespace tl::finders_test

#include "finders.moc"
