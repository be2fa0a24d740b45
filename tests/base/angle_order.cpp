// AngleOrder: orders of recording a scan, the range covered, neighbours in angle; results do not depend on the order.
#include "core/base/angle_order.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>

#include "core/base/random.h"
#include "core/base/units.h"
#include "tests/support/test_case.h"

namespace tl::angle_order_test {

namespace {

constexpr double golden = 0.6180339887498949;

std::vector<double> in_degrees(int count, const std::function<double(int)>& angle) {
  std::vector<double> list;
  for (int i = 0; i < count; ++i) list.push_back(to_stored(angle(i), Unit::deg));
  return list;
}

struct Recording {
  std::string name;
  std::vector<double> angles;
  double covered, range;  // [deg]
  std::size_t distinct;
  bool closed;
};

std::vector<Recording> recordings() {
  const auto fraction = [](double x) { return x - std::floor(x); };
  return {
      {"full turn", in_degrees(180, [](int i) { return 2.0 * i; }), 360, 360, 180, true},
      {"full turn, its end too", in_degrees(181, [](int i) { return 2.0 * i; }), 360, 360, 180, true},
      {"full turn, one view missing", in_degrees(359, [](int i) { return 1.0 * i; }), 360, 360, 359, true},
      {"ten degrees of a turn missing", in_degrees(350, [](int i) { return 1.0 * i; }), 350, 350, 350, false},
      {"half turn", in_degrees(180, [](int i) { return 1.0 * i; }), 180, 180, 180, false},
      {"half turn, its end too", in_degrees(181, [](int i) { return 1.0 * i; }), 181, 181, 181, false},
      {"half turn backwards", in_degrees(180, [](int i) { return -1.0 * i; }), 180, 180, 180, false},
      {"across the cut of atan2", in_degrees(180, [](int i) { return 100.0 + i; }), 180, 180, 180, false},
      {"every angle twice", in_degrees(360, [](int i) { return 1.0 * (i / 2); }), 180, 180, 180, false},
      {"forth and back", in_degrees(360, [](int i) { return i < 180 ? i : 359.0 - i; }), 180, 180, 180, false},
      {"interlaced", in_degrees(180, [](int i) { return 4.0 * (i % 45) + i / 45; }), 180, 180, 180, false},
      {"three turns", in_degrees(300, [](int i) { return 3.6 * i; }), 360, 360, 100, true},
      {"one and a half turns", in_degrees(540, [](int i) { return 1.0 * i; }), 360, 360, 360, true},
      {"golden ratio of a turn", in_degrees(200, [](int i) { return 360 * golden * i; }), 360, 360, 200, true},
      // Fibonacci numbers of views have gaps of two sizes.
      {"golden ratio of half a turn", in_degrees(233, [&](int i) { return 180 * fraction(golden * i); }), 180, 180, 233,
       false},
      {"a missing wedge", in_degrees(120, [](int i) { return i < 60 ? i : 60.0 + i; }), 120, 180, 120, false},
      {"limited", in_degrees(121, [](int i) { return 1.0 * i - 60; }), 121, 121, 121, false},
      {"one angle", in_degrees(5, [](int) { return 33.0; }), 0, 0, 1, false},
  };
}

std::string note(const Recording& r, double value) { return r.name + ": " + std::to_string(value * 180 / pi); }

std::vector<int64_t> shuffled(std::size_t count) {
  std::vector<int64_t> list(count);
  std::iota(list.begin(), list.end(), int64_t{0});
  const Philox random{3, 0};
  for (std::size_t i = count; i > 1; --i)
    std::swap(list[i - 1], list[static_cast<std::size_t>(random.uniform(i) * static_cast<double>(i))]);
  return list;
}

}  // namespace

class AngleOrderTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void what_a_scan_covers() {
    constexpr double tolerance = 1.0;  // [deg] the gaps of a golden ratio differ by half a step
    for (const Recording& r : recordings()) {
      const AngleOrder order = angle_order(r.angles);
      QVERIFY2(std::abs(order.covered * 180 / pi - r.covered) < tolerance, note(r, order.covered).c_str());
      QVERIFY2(std::abs(order.range * 180 / pi - r.range) < tolerance, note(r, order.range).c_str());
      QVERIFY2(order.groups.size() == r.distinct, r.name.c_str());
      QVERIFY2(order.closed == r.closed, r.name.c_str());
    }
  }
  void all_views_by_ascending_angle() {
    for (const Recording& r : recordings()) {
      const AngleOrder order = angle_order(r.angles);
      QVERIFY(std::is_sorted(order.angles.begin(), order.angles.end()) && order.angles.front() == 0);
      std::vector<int64_t> views = order.views;
      std::sort(views.begin(), views.end());
      for (std::size_t i = 0; i < r.angles.size(); ++i) QCOMPARE(views[i], static_cast<int64_t>(i));
      for (std::size_t k = 0; k < order.views.size(); ++k) {
        const double off = r.angles[static_cast<std::size_t>(order.views[k])] - order.begin - order.angles[k];
        QVERIFY2(std::abs(std::remainder(off, 2 * pi)) < 1e-9, r.name.c_str());
      }
    }
  }
  // Angles from a geometry come back with rounding: a full turn began a step later where that of its first view was
  // below zero.
  void rounding_below_zero_does_not_matter() {
    std::vector<double> angles = equidistant_angles(120, 2 * pi);
    angles[0] = -1e-15;
    const AngleOrder order = angle_order(angles);
    QCOMPARE(order.views.front(), int64_t{0});
    QVERIFY(order.closed && std::abs(order.begin) < 1e-12);
  }
  void the_order_of_recording_does_not_matter() {
    for (const Recording& r : recordings()) {
      const AngleOrder order = angle_order(r.angles);
      const std::vector<int64_t> from = shuffled(r.angles.size());
      std::vector<double> angles;
      for (const int64_t i : from) angles.push_back(r.angles[static_cast<std::size_t>(i)]);
      const AngleOrder other = angle_order(angles);
      QVERIFY2(std::abs(other.covered - order.covered) < 1e-9 && other.closed == order.closed, r.name.c_str());
      QCOMPARE(other.groups.size(), order.groups.size());
      for (std::size_t g = 0; g < order.groups.size(); ++g) {
        std::vector<int64_t> views;
        for (const int64_t view : other.groups[g].views) views.push_back(from[static_cast<std::size_t>(view)]);
        std::vector<int64_t> expected = order.groups[g].views;
        std::sort(views.begin(), views.end());
        std::sort(expected.begin(), expected.end());
        QVERIFY2(views == expected, r.name.c_str());
      }
    }
  }
  void neighbours_are_next_in_angle() {
    for (const Recording& r : recordings()) {
      const AngleOrder order = angle_order(r.angles);
      for (std::size_t i = 0; i < r.angles.size(); ++i) {
        const auto view = static_cast<int64_t>(i);
        const AngleOrder::Neighbours n = order.neighbours(view);
        const auto apart = [&](const std::optional<int64_t>& other) {
          return std::abs(
              std::remainder(r.angles[static_cast<std::size_t>(other.value_or(view))] - r.angles[i], 2 * pi));
        };
        // The largest gap that is not missing data is below two steps in all of them, but for missing views.
        const double most = r.name == "a missing wedge" ? 61 * pi / 180 : 2.1 * order.step;
        QVERIFY2(apart(n.before) <= most && apart(n.after) <= most, r.name.c_str());
        QVERIFY2(!n.before || apart(n.before) > 0, r.name.c_str());
        QVERIFY2(!n.after || apart(n.after) > 0, r.name.c_str());
        if (order.closed) QVERIFY2(n.before && n.after, r.name.c_str());
        for (const int64_t other : order.repeats(view)) QVERIFY(other != view && apart(other) < 1e-9);
      }
    }
    const AngleOrder twice = angle_order(in_degrees(360, [](int i) { return i < 180 ? i : 359.0 - i; }));
    QCOMPARE(*twice.neighbours(10).after, int64_t{11});  // in time: not 348, of the return sweep
    QCOMPARE(twice.repeats(10), std::vector<int64_t>{349});
    QVERIFY(!twice.neighbours(0).before && *twice.neighbours(359).after == 358);
  }
  void helical_scans_keep_their_turns() {
    Orbit o;
    o.angles = equidistant_angles(90, 6 * pi);
    o.shift_v.resize(90);
    for (std::size_t i = 0; i < 90; ++i) o.shift_v[i] = 0.5 * static_cast<double>(i);
    const AngleOrder order = angle_order(ScanGeometry::from_orbit(o, {8, 16, 1, 1}).value());
    QVERIFY(std::abs(order.covered - 6 * pi) < 1e-9 && !order.closed);
    QCOMPARE(*order.neighbours(31).before, int64_t{30});
    QVERIFY(order.repeats(31).empty());
    o.shift_v.clear();
    QCOMPARE(angle_order(ScanGeometry::from_orbit(o, {8, 16, 1, 1}).value()).repeats(31).size(), std::size_t{2});
  }
  void angular_range_of_geometries() {
    for (const Recording& r : recordings()) {
      const double range = ScanGeometry::parallel(r.angles, {1, 8, 1, 1}).value().angular_range();
      QVERIFY2(std::abs(range * 180 / pi - r.covered) < 1, note(r, range).c_str());
    }
  }
};

TL_TEST_CASE(AngleOrderTest)

}  // namespace tl::angle_order_test

#include "angle_order.moc"
