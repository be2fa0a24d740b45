// ScanGeometry: the coordinate frame, orbits and back, limits between geometries, crops and bins, and what is refused.
#include "core/base/geometry.h"

#include <cmath>
#include <limits>

#include "core/base/axis_frames.h"
#include "core/base/random.h"
#include "core/base/units.h"
#include "tests/support/test_case.h"

namespace tl::geometry_test {

namespace {

const DetectorShape detector{21, 32, 0.05, 0.04};

bool near(Vec3 a, Vec3 b, double tolerance = 1e-12) { return norm(a - b) <= tolerance; }
bool near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance; }

// Points that the scans below see: within 0.4 mm of the origin.
std::vector<Vec3> points() {
  std::vector<Vec3> list = {{0, 0, 0}};
  const Philox random{5, 0};
  for (uint64_t i = 0; i < 20; ++i)
    list.push_back({0.8 * random.uniform(3 * i) - 0.4, 0.8 * random.uniform(3 * i + 1) - 0.4,
                    0.8 * random.uniform(3 * i + 2) - 0.4});
  return list;
}

Orbit orbit_like(Beam beam) {
  Orbit o;
  o.beam = beam;
  o.angles = equidistant_angles(12, 2 * pi, 0.3);
  o.axis_to_detector = 70;
  o.axis = -3.25;
  o.tilt = 0.02;
  if (beam == Beam::cone) {
    o.source_to_axis = 30;
    o.source_shift_u = 0.01;
    o.source_shift_v = -0.02;
  }
  return o;
}

void compare(const Orbit& a, const Orbit& b, double tolerance) {
  QCOMPARE(a.beam, b.beam);
  const auto same = [&](double x, double y) { QVERIFY2(near(x, y, tolerance), qPrintable(QString::number(x - y))); };
  const auto same_list = [&](const std::vector<double>& x, const std::vector<double>& y) {
    QCOMPARE(x.size(), y.size());
    for (std::size_t i = 0; i < x.size(); ++i) same(x[i], y[i]);
  };
  same_list(a.angles, b.angles);
  same_list(a.shift_u, b.shift_u);
  same_list(a.shift_v, b.shift_v);
  same(a.source_to_axis, b.source_to_axis);
  same(a.axis_to_detector, b.axis_to_detector);
  same(a.source_shift_u, b.source_shift_u);
  same(a.source_shift_v, b.source_shift_v);
  same(a.axis, b.axis);
  same(a.tilt, b.tilt);
  same(a.lamino, b.lamino);
}

}  // namespace

class GeometryTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // The frames of other packages: known positions, and there and back again.
  void axis_frames() {
    QCOMPARE(tomopy_center(0, 256), 127.5);
    QCOMPARE(nabu_axis_position(4.25, 255), 131.25);
    QCOMPARE(axis_of_tomopy(128, 256), 0.5);  // TomoPy's default, cols / 2
    QCOMPARE(astra_postalignment(3.5), -3.5);
    // ASTRA's vectors: the detector's centre is moved by factor u from the ray through the origin.
    const View v = ScanGeometry::parallel({0.3}, {1, 10, 0.5, 1}, 3.5).or_throw().view(0);
    QVERIFY(std::abs(dot(v.detector, v.u) / dot(v.u, v.u) - astra_postalignment(3.5)) < 1e-12);
    for (const double axis : {-20.3, 0.0, 0.5, 13.37})
      for (const int64_t cols : {1, 255, 2560}) {
        QVERIFY(std::abs(axis_of_tomopy(tomopy_center(axis, cols), cols) - axis) < 1e-12);
        QVERIFY(std::abs(axis_of_nabu(nabu_axis_position(axis, cols), cols) - axis) < 1e-12);
        QCOMPARE(axis_of_astra(astra_postalignment(axis)), axis);
      }
  }
  // The frame of core/base/geometry.h, in numbers.
  void frame_facts() {
    const double t = 0.7;
    const View c = ScanGeometry::cone({t}, detector, 30, 70).value().view(0);
    QVERIFY(near(c.beam, 30 * Vec3{std::sin(t), -std::cos(t), 0}));
    QVERIFY(near(c.detector, 70 * Vec3{-std::sin(t), std::cos(t), 0}));
    QVERIFY(near(c.u, 0.05 * Vec3{std::cos(t), std::sin(t), 0}));
    QVERIFY(near(c.v, {0, 0, 0.04}));
    const View p = ScanGeometry::parallel({t}, detector).value().view(0);
    QVERIFY(near(p.beam, {-std::sin(t), std::cos(t), 0}));  // direction of travel
    QVERIFY(near(p.u, c.u));
    QVERIFY(near(p.v, c.v));
  }
  void higher_points_hit_lower_row_numbers() {
    for (const ScanGeometry& g :
         {ScanGeometry::parallel({0.2}, detector).value(), ScanGeometry::cone({0.2}, detector, 30, 70).value()}) {
      const auto middle = g.project(0, {0, 0, 0}), higher = g.project(0, {0, 0, 0.1});
      QVERIFY(near(middle.row, 10, 1e-9) && near(middle.col, 15.5, 1e-9));
      QVERIFY(near(middle.row - higher.row, 0.1 / 0.04 * g.magnification(), 1e-9));
    }
  }
  void the_axis_projects_onto_its_column() {
    for (const ScanGeometry& g : {ScanGeometry::parallel({0, 1, 2}, detector, 3).value(),
                                  ScanGeometry::cone({0, 1, 2}, detector, 30, 70, 3).value(),
                                  ScanGeometry::laminography({0, 1, 2}, detector, 0.5, 3).value()})
      for (int64_t i = 0; i < 3; ++i)
        for (const double z : {-0.3, 0.0, 0.3}) QVERIFY(near(g.project(i, {0, 0, z}).col, 15.5 + 3, 1e-9));
    QCOMPARE(column_from_axis(3, 32), 18.5);
    QCOMPARE(axis_from_column(295.9, 640), 295.9 - 319.5);
  }
  void a_tilted_axis_leans_towards_positive_u() {
    Orbit o = orbit_like(Beam::parallel);
    o.tilt = 0.02;
    const ScanGeometry g = ScanGeometry::from_orbit(o, detector).value();
    for (int64_t i = 0; i < g.views(); ++i) {
      const auto low = g.project(i, {0, 0, -0.3}), high = g.project(i, {0, 0, 0.3});
      const double du = (high.col - low.col) * 0.05, dv = (low.row - high.row) * 0.04;
      QVERIFY(near(std::atan2(du, dv), 0.02, 1e-12));
    }
  }
  // Laminography by hand: at t = 0 the beam climbs by the angle, so a point ahead appears lower on the detector.
  void laminography_by_hand() {
    const double l = 0.5;
    const ScanGeometry g = ScanGeometry::laminography({0}, detector, l).value();
    QVERIFY(near(g.view(0).beam, {0, std::cos(l), std::sin(l)}));
    QVERIFY(near(g.view(0).v, 0.04 * Vec3{0, -std::sin(l), std::cos(l)}));
    QVERIFY(near(g.project(0, {0, 0.2, 0}).row, 10 + 0.2 * std::sin(l) / 0.04, 1e-9));
    QCOMPARE(g.project(0, {0, 0.2, 0}).depth, 0.2 * std::cos(l));
  }
  void shifts_move_the_image() {
    Orbit o = orbit_like(Beam::cone);
    o.shift_u.assign(12, 0);
    o.shift_v.assign(12, 0);
    const ScanGeometry still = ScanGeometry::from_orbit(o, detector).value();
    o.shift_u[4] = 1.5;
    o.shift_v[4] = 0.5;
    const ScanGeometry moved = ScanGeometry::from_orbit(o, detector).value();
    for (const Vec3& p : points()) {
      QVERIFY(near(moved.project(4, p).col - still.project(4, p).col, 1.5, 1e-9));
      QVERIFY(near(moved.project(4, p).row - still.project(4, p).row, -0.5, 1e-9));  // v is up, rows run down
    }
  }

  void orbits_read_back_data() {
    QTest::addColumn<int>("kind");
    int kind = 0;
    for (const char* name :
         {"parallel", "cone", "laminography", "cone shifted", "parallel reversed", "cone, 1 um pixels"})
      QTest::newRow(name) << kind++;
  }
  void orbits_read_back() {
    QFETCH(int, kind);
    Orbit o = orbit_like(kind == 1 || kind == 3 || kind == 5 ? Beam::cone : Beam::parallel);
    DetectorShape d = detector;
    if (kind == 2) o.lamino = 0.6;
    if (kind == 3) {
      for (int i = 0; i < 12; ++i) {
        o.shift_u.push_back(i % 2 == 0 ? 1e-4 : -1e-4);  // zero mean: the mean belongs to the axis
        o.shift_v.push_back(0.1 * i);
      }
    }
    if (kind == 4)
      for (double& a : o.angles) a = 1 - 40 * a;  // many turns, backwards, steps beyond half a turn
    if (kind == 5) {
      d.pitch_u = d.pitch_v = 1e-3;
      o.source_to_axis = 1000;
      o.axis_to_detector = 500;
      o.axis = 5e-5;
    }
    const ScanGeometry g = ScanGeometry::from_orbit(o, d).value();
    const auto read = g.orbit();
    QVERIFY(read);
    if (kind == 4) {
      QCOMPARE(read->angles.size(), o.angles.size());
      for (std::size_t i = 0; i < o.angles.size(); ++i) {
        QVERIFY(near(std::remainder(read->angles[i] - o.angles[i], 2 * pi), 0, 1e-9));
        if (i > 0) QVERIFY(std::abs(read->angles[i] - read->angles[i - 1]) <= pi + 1e-9);
      }
      o.angles = read->angles;
    }
    // 1e-9 of the numbers; a pixel of 1 um at 1 m leaves 1e-7 px.
    compare(*read, o, kind == 5 ? 1e-6 : 1e-9);
    QVERIFY(g.is_circular());
  }
  void angles_unwrap() {
    const auto angles = equidistant_angles(200, 4 * pi, 3.0);  // two turns across the cut of atan2
    const auto o = ScanGeometry::parallel(angles, detector).value().orbit();
    QVERIFY(o);
    for (std::size_t i = 0; i < angles.size(); ++i) QVERIFY(near(o->angles[i], angles[i], 1e-9));
  }
  void the_range_includes_one_step() {
    QVERIFY(near(ScanGeometry::parallel(equidistant_angles(180, pi), detector).value().angular_range(), pi, 1e-9));
    QVERIFY(near(ScanGeometry::cone(equidistant_angles(90, -2 * pi), detector, 3, 4).value().angular_range(), 2 * pi,
                 1e-9));
    QCOMPARE(ScanGeometry::parallel({0.5}, detector).value().angular_range(), 0.0);
  }
  void equidistant_angles_leave_the_end_out() {
    QCOMPARE(equidistant_angles(4, 2 * pi, 1), (std::vector<double>{1, 1 + pi / 2, 1 + pi, 1 + 1.5 * pi}));
    QVERIFY(equidistant_angles(0, pi).empty());
  }

  void what_is_plain_circular() {
    QVERIFY(ScanGeometry::parallel({0, 1}, detector, 4).value().is_plain_circular());
    QVERIFY(ScanGeometry::cone({0, 1}, detector, 3, 4, 4).value().is_plain_circular());
    QVERIFY(!ScanGeometry::laminography({0, 1}, detector, 0.1).value().is_plain_circular());
    QVERIFY(!ScanGeometry::from_orbit(orbit_like(Beam::cone), detector).value().is_plain_circular());  // tilted
    Orbit o = orbit_like(Beam::parallel);
    o.tilt = 0;
    QVERIFY(ScanGeometry::from_orbit(o, detector).value().is_plain_circular());
    o.shift_v.assign(12, 2);
    QVERIFY(ScanGeometry::from_orbit(o, detector).value().is_plain_circular());
    o.shift_v[3] = 2.01;
    QVERIFY(!ScanGeometry::from_orbit(o, detector).value().is_plain_circular());
  }
  void a_jittered_or_helical_scan_is_not_an_orbit_or_is_reported() {
    const ScanGeometry g = ScanGeometry::cone({0, 1, 2}, detector, 30, 70).value();
    std::vector<double> vectors = g.vectors();
    QVERIFY(ScanGeometry::from_vectors(Beam::cone, detector, vectors).value() == g);
    vectors[12] += 0.01;  // the source of view 1
    const ScanGeometry jittered = ScanGeometry::from_vectors(Beam::cone, detector, vectors).value();
    QVERIFY(!jittered.orbit());
    QVERIFY(!jittered.is_circular());
    QCOMPARE(jittered.angular_range(), 0.0);
    std::vector<View> helix;
    for (int64_t i = 0; i < 3; ++i) {
      View v = g.view(i);
      const Vec3 up{0, 0, 0.1 * static_cast<double>(i)};
      v.beam = v.beam + up;
      v.detector = v.detector + up;
      helix.push_back(v);
    }
    QVERIFY(!ScanGeometry::from_views(Beam::cone, detector, helix).value().is_circular());
  }

  // Source at 1e9 mm: the magnification is 1 + 70/1e9, which moves points 10 px off the centre by 7e-7 px.
  void parallel_is_the_limit_of_cone() {
    Orbit o = orbit_like(Beam::cone);
    o.source_to_axis = 1e9;
    o.source_shift_u = o.source_shift_v = 0;
    Orbit flat = o;
    flat.beam = Beam::parallel;
    const ScanGeometry far = ScanGeometry::from_orbit(o, detector).value();
    const ScanGeometry parallel = ScanGeometry::from_orbit(flat, detector).value();
    for (int64_t i = 0; i < far.views(); ++i)
      for (const Vec3& p : points()) {
        const auto a = far.project(i, p), b = parallel.project(i, p);
        QVERIFY2(near(a.col, b.col, 2e-6) && near(a.row, b.row, 2e-6), qPrintable(QString::number(a.col - b.col)));
      }
    QVERIFY(near(far.magnification(), 1, 1e-6));
    QCOMPARE(parallel.magnification(), 1.0);
  }
  void magnification_is_a_ratio_of_distances() {
    QVERIFY(near(ScanGeometry::cone({0.4}, detector, 30, 70, 5).value().magnification(), 100.0 / 30, 1e-12));
    const auto hit = ScanGeometry::cone({0}, detector, 30, 70).value().project(0, {0.3, 0, 0});
    QVERIFY(near(hit.col, 15.5 + 0.3 * 100 / 30 / 0.05, 1e-9));
    QVERIFY(near(hit.depth, 30, 1e-12));
  }

  void crops_selections_and_bins_keep_the_projection() {
    for (const Beam beam : {Beam::parallel, Beam::cone}) {
      const ScanGeometry g = ScanGeometry::from_orbit(orbit_like(beam), detector).value();
      const ScanGeometry c = g.crop({{2, 9}, {3, 15}, {5, 30}});
      const std::vector<int64_t> wanted = {7, 1};
      const ScanGeometry s = g.select(wanted);
      const ScanGeometry b = g.binned(3, 4);
      QCOMPARE(c.views(), int64_t{7});
      QVERIFY(c.detector() == (DetectorShape{12, 25, 0.05, 0.04}));
      QVERIFY(b.detector().rows == 7 && b.detector().cols == 8);
      QVERIFY(near(b.detector().pitch_u, 0.2, 1e-15) && near(b.detector().pitch_v, 0.12, 1e-15));
      for (const Vec3& p : points()) {
        const auto full = g.project(7, p), cropped = c.project(5, p), selected = s.project(0, p),
                   binned = b.project(7, p);
        QVERIFY(near(cropped.col, full.col - 5, 1e-9) && near(cropped.row, full.row - 3, 1e-9));
        QVERIFY(near(selected.col, full.col, 0) && near(selected.row, full.row, 0));
        // Pixel i of the bin covers pixels 4 i ... 4 i + 3, with its centre at 4 i + 1.5.
        QVERIFY(near(4 * binned.col + 1.5, full.col, 1e-9) && near(3 * binned.row + 1, full.row, 1e-9));
        QVERIFY(near(cropped.depth, full.depth, 1e-12));
      }
    }
  }
  void a_bin_drops_what_is_left_over() {
    const ScanGeometry g = ScanGeometry::parallel({0}, {10, 11, 1, 1}, 0).value();
    const ScanGeometry b = g.binned(4, 4);
    QVERIFY(b.detector().rows == 2 && b.detector().cols == 2);
    QVERIFY(near(4 * b.project(0, {1, 0, 2}).col + 1.5, g.project(0, {1, 0, 2}).col, 1e-12));
    QVERIFY(near(4 * b.project(0, {1, 0, 2}).row + 1.5, g.project(0, {1, 0, 2}).row, 1e-12));
  }
  void a_crop_outside_is_our_bug() {
    const ScanGeometry g = ScanGeometry::parallel({0, 1}, detector).value();
    QVERIFY_THROWS_EXCEPTION(Failure, (void)g.crop({{0, 3}, {0, 21}, {0, 32}}));
    QVERIFY_THROWS_EXCEPTION(Failure, (void)g.crop({{0, 2}, {5, 5}, {0, 32}}));
    QVERIFY(g.crop(g.full()) == g);
  }

  void what_is_not_a_scan_is_refused() {
    constexpr double inf = std::numeric_limits<double>::infinity();
    const auto refused = [](const Result<ScanGeometry>& r) { return !r.ok() && r.error().kind == ErrorKind::invalid; };
    QVERIFY(refused(ScanGeometry::parallel({}, detector)));
    QVERIFY(refused(ScanGeometry::parallel({0}, {0, 10, 1, 1})));
    QVERIFY(refused(ScanGeometry::parallel({0}, {10, -1, 1, 1})));
    QVERIFY(refused(ScanGeometry::parallel({0}, {10, 10, 0, 1})));
    QVERIFY(refused(ScanGeometry::parallel({0}, {10, 10, 1, inf})));
    QVERIFY(refused(ScanGeometry::parallel({0, std::nan("")}, detector)));
    QVERIFY(refused(ScanGeometry::parallel({0}, detector, inf)));
    QVERIFY(refused(ScanGeometry::cone({0}, detector, 0, 10)));
    QVERIFY(refused(ScanGeometry::cone({0}, detector, -1, 10)));
    QVERIFY(refused(ScanGeometry::cone({0}, detector, 10, -10)));
    QVERIFY(refused(ScanGeometry::cone({0}, detector, std::nan(""), 10)));
    QVERIFY(refused(ScanGeometry::from_vectors(Beam::cone, detector, std::vector<double>(13))));
    QVERIFY(refused(ScanGeometry::from_vectors(Beam::cone, detector, std::vector<double>(12))));
    Orbit o = orbit_like(Beam::cone);
    o.lamino = 0.1;
    QVERIFY(refused(ScanGeometry::from_orbit(o, detector)));
    o.lamino = 0;
    o.shift_u = {1, 2};
    QVERIFY(refused(ScanGeometry::from_orbit(o, detector)));
  }
  void a_parallel_direction_of_any_length_is_accepted() {
    std::vector<double> vectors = ScanGeometry::parallel({0.4}, detector).value().vectors();
    for (std::size_t i = 0; i < 3; ++i) vectors[i] *= 7;
    const ScanGeometry g = ScanGeometry::from_vectors(Beam::parallel, detector, vectors).value();
    QVERIFY(near(norm(g.view(0).beam), 1, 1e-15));
    QVERIFY(g.is_circular());
  }
};

TL_TEST_CASE(GeometryTest)

}  // namespace tl::geometry_test

#include "geometry.moc"
