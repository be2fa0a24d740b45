// Orbits and scans: from one to the other and back, with views that roll and are magnified and detectors that are
// rotated.
#include <cmath>

#include "core/base/geometry.h"
#include "core/base/random.h"
#include "core/base/units.h"
#include "tests/support/test_case.h"

namespace tl::orbits_test {

namespace {

const DetectorShape detector{21, 32, 0.05, 0.04};
constexpr std::size_t views = 7;
// Of lengths up to 200 mm, angles, pixels: what is promised. Rounding leaves 1e-12.
constexpr double tolerance = 1e-9;

class Numbers {
 public:
  explicit Numbers(uint64_t seed) : random_{seed, 7} {}
  double within(double low, double high) { return low + (high - low) * random_.uniform(drawn_++); }
  std::vector<double> list(double reach, double middle = 0) {
    std::vector<double> all;
    for (std::size_t i = 0; i < views; ++i) all.push_back(middle + within(-reach, reach));
    return all;
  }

 private:
  Philox random_;
  uint64_t drawn_ = 0;
};

void subtract_mean(std::vector<double>& list) {
  double sum = 0;
  for (const double x : list) sum += x;
  for (double& x : list) x -= sum / static_cast<double>(list.size());
}

// Any orbit; for one that ScanGeometry::orbit() gives, see as_given().
Orbit some_orbit(Beam beam, uint64_t seed) {
  Numbers n(seed);
  Orbit o;
  o.beam = beam;
  double angle = n.within(-3, 3);
  for (std::size_t i = 0; i < views; ++i) o.angles.push_back(angle += n.within(-2, 2));
  o.axis_to_detector = n.within(5, 90);
  o.axis = n.within(-6, 6);
  o.tilt = n.within(-0.3, 0.3);
  o.shift_u = n.list(3);
  o.shift_v = n.list(3);
  o.yaw = n.within(-0.3, 0.3);
  o.pitch = n.within(-0.3, 0.3);
  o.roll = n.list(0.2);
  o.magnification = n.list(0.2, 1);
  if (beam == Beam::cone) {
    o.source_to_axis = n.within(20, 120);
    o.source_shift_u = n.within(-3, 3);
    o.source_shift_v = n.within(-3, 3);
  } else {
    o.lamino = n.within(-0.5, 0.5);
  }
  return o;
}

Orbit as_given(Orbit o) {
  subtract_mean(o.shift_u);
  subtract_mean(o.roll);
  if (o.beam == Beam::cone) o.yaw = 0;
  double turns = 0;
  for (std::size_t i = 0; i < o.angles.size(); ++i) {
    // The first angle lies in (-pi, pi].
    if (i == 0) turns = 2 * pi * std::round(o.angles[0] / (2 * pi));
    o.angles[i] -= turns;
  }
  return o;
}

ScanGeometry scan_of(const Orbit& o) { return ScanGeometry::from_orbit(o, detector).or_throw(); }

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return 1e300;
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

void compare(const Orbit& a, const Orbit& b) {
  QCOMPARE(a.beam, b.beam);
  for (const auto list : {&Orbit::angles, &Orbit::shift_u, &Orbit::shift_v, &Orbit::roll, &Orbit::magnification})
    QVERIFY2(largest_difference(a.*list, b.*list) < tolerance,
             qPrintable(QString::number(largest_difference(a.*list, b.*list))));
  for (const auto number :
       {&Orbit::source_to_axis, &Orbit::axis_to_detector, &Orbit::source_shift_u, &Orbit::source_shift_v, &Orbit::axis,
        &Orbit::tilt, &Orbit::lamino, &Orbit::yaw, &Orbit::pitch})
    QVERIFY2(std::abs(a.*number - b.*number) < tolerance, qPrintable(QString::number(a.*number - b.*number)));
}

// The same vectors by way of the orbit.
void verify_there_and_back(const ScanGeometry& g) {
  const auto o = g.orbit();
  QVERIFY(o.has_value());
  const double off = largest_difference(ScanGeometry::from_orbit(*o, g.detector()).or_throw().vectors(), g.vectors());
  QVERIFY2(off < tolerance, qPrintable(QString::number(off)));
}

}  // namespace

class OrbitsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void an_orbit_comes_back_data() {
    QTest::addColumn<bool>("cone");
    QTest::newRow("parallel") << false;
    QTest::newRow("cone") << true;
  }
  void an_orbit_comes_back() {
    QFETCH(bool, cone);
    for (uint64_t seed = 1; seed <= 50; ++seed) {
      const Orbit o = as_given(some_orbit(cone ? Beam::cone : Beam::parallel, seed));
      const auto read = scan_of(o).orbit();
      QVERIFY(read.has_value());
      QVERIFY(!read->is_nominal());
      compare(*read, o);
      // Each deviation by itself, the others absent.
      for (int alone = 0; alone < 4; ++alone) {
        Orbit one = o;
        if (alone != 0) one.pitch = 0;
        if (alone != 1) one.roll.clear();
        if (alone != 2) one.magnification.clear();
        if (alone != 3) one.yaw = 0;
        const auto again = scan_of(one).orbit();
        QVERIFY(again.has_value());
        compare(*again, one);
      }
    }
  }
  // Also where several orbits are the same scan.
  void a_scan_comes_back() {
    for (const Beam beam : {Beam::parallel, Beam::cone})
      for (uint64_t seed = 1; seed <= 50; ++seed) {
        const ScanGeometry g = scan_of(some_orbit(beam, seed));
        verify_there_and_back(g);
        verify_there_and_back(g.crop({{1, 5}, {3, 15}, {5, 30}}));
        verify_there_and_back(g.binned(3, 4));
        const std::vector<int64_t> few = {5, 2};
        verify_there_and_back(g.select(few));
      }
  }
  void a_yaw_in_a_cone_beam_is_a_shift_of_the_source() {
    Orbit o = some_orbit(Beam::cone, 3);
    o.source_shift_u = o.tilt = o.pitch = 0;
    o.roll.clear();
    o.magnification.clear();
    o.yaw = 0.1;
    const auto read = scan_of(o).orbit();
    QVERIFY(read && read->is_nominal());
    QVERIFY(std::abs(read->source_to_axis - o.source_to_axis * std::cos(0.1)) < tolerance);
    QVERIFY(std::abs(read->source_shift_u + o.source_to_axis * std::sin(0.1)) < tolerance);
    QVERIFY(std::abs(read->axis_to_detector - o.axis_to_detector * std::cos(0.1)) < tolerance);
  }
  void rolls_share_the_tilt_and_magnifications_stay() {
    Orbit o = as_given(some_orbit(Beam::cone, 4));
    o.roll.assign(views, 0.05);
    o.magnification.assign(views, 1.1);
    const auto read = scan_of(o).orbit();
    QVERIFY(read && read->roll.empty());
    QVERIFY(std::abs(read->tilt - o.tilt - 0.05) < tolerance);
    QVERIFY(largest_difference(read->magnification, o.magnification) < tolerance);
  }
  void what_deviates_is_not_plain() {
    Orbit o;
    o.angles = equidistant_angles(views, pi);
    QVERIFY(scan_of(o).is_plain_circular() && scan_of(o).orbit()->is_nominal());
    for (int kind = 0; kind < 4; ++kind) {
      Orbit other = o;
      if (kind == 0) other.yaw = 1e-6;
      if (kind == 1) other.pitch = 1e-6;
      if (kind == 2) other.roll = {1e-6, -1e-6, 0, 0, 0, 0, 0};
      if (kind == 3) other.magnification.assign(views, 1 + 1e-6);
      QVERIFY(scan_of(other).is_circular());
      QVERIFY(!scan_of(other).is_plain_circular());
      QVERIFY(!scan_of(other).orbit()->is_nominal());
    }
  }
  // Rolls about half a turn: atan2 has its cut there.
  void an_inverted_detector() {
    Orbit o = as_given(some_orbit(Beam::parallel, 5));
    o.tilt = pi - 0.01;
    const ScanGeometry g = scan_of(o);
    verify_there_and_back(g);
    const auto read = g.orbit();
    for (const double roll : read->roll) QVERIFY(std::abs(roll) < 0.5);
  }
  void pixels_of_another_shape_and_other_paths_are_no_orbit() {
    const ScanGeometry g = scan_of(some_orbit(Beam::cone, 6));
    std::vector<double> vectors = g.vectors();
    for (std::size_t k = 9; k < 12; ++k) vectors[k] *= 1.001;  // v of view 0
    QVERIFY(!ScanGeometry::from_vectors(Beam::cone, detector, vectors).or_throw().orbit());
    vectors = g.vectors();
    vectors[12] += 0.01;  // the source of view 1
    QVERIFY(!ScanGeometry::from_vectors(Beam::cone, detector, vectors).or_throw().orbit());
  }
  void lists_are_checked() {
    for (const auto list : {&Orbit::shift_u, &Orbit::shift_v, &Orbit::roll, &Orbit::magnification}) {
      Orbit o = some_orbit(Beam::cone, 8);
      (o.*list).pop_back();
      const auto made = ScanGeometry::from_orbit(o, detector);
      QVERIFY(!made.ok() && made.error().kind == ErrorKind::invalid && !made.error().where.empty());
    }
    Orbit o = some_orbit(Beam::cone, 8);
    o.magnification[2] = 0;
    QCOMPARE(ScanGeometry::from_orbit(o, detector).error().where, std::string("magnification"));
  }
};

TL_TEST_CASE(OrbitsTest)

}  // namespace tl::orbits_test

#include "orbits.moc"
