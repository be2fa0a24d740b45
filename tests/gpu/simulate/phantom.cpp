// Phantoms: closed-form chords, masses, invariances of projections, and the named tables.
#include "gpu/simulate/phantom.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cmath>
#include <limits>

#include "core/base/larger.h"
#include "core/base/units.h"
#include "gpu/simulate/phantom_library.h"
#include "tests/support/test_case.h"

namespace tl::phantom_test {

using namespace tl::ops;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
const PhantomSampling exact{at::kDouble, 1, {}};

double difference(const at::Tensor& a, const at::Tensor& b) { return (a - b).abs().max().item<double>(); }

Orbit cone_orbit(std::vector<double> angles, double source_to_axis, double axis_to_detector) {
  Orbit o;
  o.beam = Beam::cone;
  o.angles = std::move(angles);
  o.source_to_axis = source_to_axis;
  o.axis_to_detector = axis_to_detector;
  return o;
}

// A few bodies without any symmetry.
Phantom crooked() {
  Phantom p =
      turned({{{Solid::ellipsoid, {3, -5, 1}, {9, 4, 6}, 0.7}, {Solid::box, {-6, 2, -2}, {3, 5, 2}, -0.2}}}, 0.4);
  p.parts.push_back({Solid::ellipsoid, {1, 7, 4}, {2, 3, 2.5}, 1.1});
  return p;
}

}  // namespace

class PhantomTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Ellipse at (x0, y0) rotated by psi: p(s) = 2 v a b sqrt(r2 - d^2) / r2, r2 = a^2 cos^2 + b^2 sin^2 of (t - psi).
  void ellipse_matches_its_closed_form() {
    const double a = 30, b = 12, x0 = 7.3, y0 = -4.1, psi = 0.6, v = 0.02;
    const Phantom p = shifted(turned({{{Solid::ellipsoid, {}, {a, b, infinite}, v}}}, psi), {x0, y0, 0});
    const std::vector<double> angles = {0, 0.3, pi / 2, 2.1, -1.2};
    const auto g = ScanGeometry::parallel(angles, {2, 101, 0.9, 0.9}, 3.3).or_throw();
    const at::Tensor got = phantom_projections(p, g, exact);
    for (int64_t i = 0; i < 5; ++i)
      for (int64_t col = 0; col < 101; ++col) {
        const double t = angles[static_cast<std::size_t>(i)];
        const double s = (static_cast<double>(col) - 50 - 3.3) * 0.9 - x0 * std::cos(t) - y0 * std::sin(t);
        const double r2 = std::pow(a * std::cos(t - psi), 2) + std::pow(b * std::sin(t - psi), 2);
        const double want = r2 > s * s ? 2 * v * a * b * std::sqrt(r2 - s * s) / r2 : 0;
        QVERIFY(std::abs(got[i][1][col].item<double>() - want) < 1e-12);
      }
  }

  // A ball projected in any geometry: 2 v sqrt(r^2 - d^2) with d the distance of the ray from its centre.
  void ball_in_a_cone_beam() {
    const Vec3 centre{11, -6, 9};
    const double r = 21;
    Orbit o = cone_orbit({0.2, 1.9, 4}, 300, 200);
    o.source_shift_u = 12;
    o.source_shift_v = -7;
    o.tilt = 0.03;
    const auto g = ScanGeometry::from_orbit(o, {40, 60, 2.5, 2.5}).or_throw();
    const at::Tensor got = phantom_projections({{{Solid::ellipsoid, centre, {r, r, r}, 0.5}}}, g, exact);
    double worst = 0;
    for (int64_t i = 0; i < 3; ++i)
      for (int64_t row = 0; row < 40; ++row)
        for (int64_t col = 0; col < 60; ++col) {
          const View& w = g.view(i);
          const Vec3 pixel =
              w.detector + (static_cast<double>(col) - 29.5) * w.u - (static_cast<double>(row) - 19.5) * w.v;
          const Vec3 d = (1 / norm(pixel - w.beam)) * (pixel - w.beam);
          const double distance = norm(cross(centre - w.beam, d));
          const double want = distance < r ? std::sqrt(r * r - distance * distance) : 0;
          worst = larger_or_nan(worst, std::abs(got[i][row][col].item<double>() - want));
        }
    QVERIFY2(worst < 1e-11, std::to_string(worst).c_str());
  }

  // A box: with the direction (-sin t, cos t) the chord through the middle is the slab length of the nearer pair.
  void box_matches_slabs() {
    const double hx = 10, hy = 4, v = 0.3;
    const Phantom p{{{Solid::box, {0, 0, 0}, {hx, hy, 5}, v}}};
    std::vector<double> angles = {0, 0.1, 0.7, pi / 2, 2.5};
    const auto g = ScanGeometry::parallel(angles, {13, 1, 1, 1}).or_throw();
    const at::Tensor got = phantom_projections(p, g, exact);
    for (int64_t i = 0; i < 5; ++i) {
      const double s = std::abs(std::sin(angles[static_cast<std::size_t>(i)]));
      const double c = std::abs(std::cos(angles[static_cast<std::size_t>(i)]));
      QVERIFY(std::abs(got[i][6][0].item<double>() - v * std::min(2 * hx / s, 2 * hy / c)) < 1e-12);
      QCOMPARE(got[i][0][0].item<double>(), 0.0);  // row 0 is at z = 6, above the box
    }
  }

  // Rays that start at the source: a body behind it is not projected, one around it only in front.
  void nothing_behind_the_source() {
    const auto g = ScanGeometry::cone({0}, {1, 1, 1, 1}, 100, 50).or_throw();
    for (const Solid solid : {Solid::ellipsoid, Solid::box}) {
      const auto projected = [&](double y) {
        return phantom_projections({{{solid, {0, y, 0}, {4, 4, 4}, 1}}}, g, exact).item<double>();
      };
      QCOMPARE(projected(-150), 0.0);
      QCOMPARE(projected(-100), 4.0);
      QCOMPARE(projected(0), 8.0);
    }
  }

  void mass_of_volumes() {
    const double ball = 4.0 / 3 * pi * 9 * 4 * 6;
    const Phantom p = shifted(turned({{{Solid::ellipsoid, {}, {9, 4, 6}, 0.7}}}, 0.4), {0.31, 0.17, -0.23});
    const auto grid = VolumeGrid::cubic(32, 32, 32, 0.75);
    const double mass = phantom_volume(p, grid, {at::kDouble, 4, {}}).sum().item<double>() * grid.voxel_volume();
    // 3 samples per mm on 600 mm^2 of surface: random sampling error far below 1e-3.
    QVERIFY2(std::abs(mass / (0.7 * ball) - 1) < 1e-3, std::to_string(mass / (0.7 * ball) - 1).c_str());
    // A box whose faces lie on voxel faces is exact.
    const Phantom box{{{Solid::box, {}, {3, 4, 5}, 2}}};
    const at::Tensor v = phantom_volume(box, VolumeGrid::cubic(12, 12, 12, 1), {at::kDouble, 1, {}});
    QCOMPARE(v.sum().item<double>(), 2 * 6 * 8 * 10.0);
    // An edge through the middle of a voxel halves it.
    const at::Tensor half = phantom_volume(box, VolumeGrid::cubic(1, 1, 9, 1), {at::kDouble, 2, {}});
    QCOMPARE(half[0][0][1].item<double>(), 1.0);
    QCOMPARE(half[0][0][0].item<double>(), 0.0);
  }

  // The shortcut for voxels away from surfaces changes nothing: compare with the mean of a finer grid.
  void voxel_means_are_means_of_samples() {
    const auto grid = VolumeGrid::cubic(10, 16, 16, 1.7, {0.4, -0.3, 0.1});
    const at::Tensor coarse = phantom_volume(crooked(), grid, {at::kDouble, 3, {}});
    VolumeGrid fine = VolumeGrid::cubic(30, 48, 48, 1.7 / 3, {0.4, -0.3, 0.1});
    const at::Tensor mean =
        phantom_volume(crooked(), fine, exact).reshape({10, 3, 16, 3, 16, 3}).mean(at::IntArrayRef{1, 3, 5});
    QVERIFY(difference(coarse, mean) < 1e-12);
  }

  // An oblique grid over a rotated object is the straight grid over the object.
  void oblique_grids() {
    const double t = 0.7;
    VolumeGrid grid = VolumeGrid::cubic(6, 20, 20, 1.3);
    const at::Tensor straight = phantom_volume(crooked(), grid, {at::kDouble, 2, {}});
    grid.step_x = {1.3 * std::cos(t), 1.3 * std::sin(t), 0};
    grid.step_y = {-1.3 * std::sin(t), 1.3 * std::cos(t), 0};
    const at::Tensor oblique = phantom_volume(turned(crooked(), t), grid, {at::kDouble, 2, {}});
    // Samples that fall on a surface to rounding may differ: none does here.
    QVERIFY(difference(straight, oblique) < 1e-12);
  }

  void turning_the_object_turns_the_views() {
    const DetectorShape d{16, 40, 1, 1};
    for (const Beam beam : {Beam::parallel, Beam::cone}) {
      Orbit o = cone_orbit({0.1, 0.9, 2.2}, 90, 60);
      o.beam = beam;
      o.axis = 1.25;
      const at::Tensor a = phantom_projections(crooked(), ScanGeometry::from_orbit(o, d).or_throw(), exact);
      for (double& t : o.angles) t += 0.55;
      const at::Tensor b =
          phantom_projections(turned(crooked(), 0.55), ScanGeometry::from_orbit(o, d).or_throw(), exact);
      QVERIFY(a.max().item<double>() > 1);
      QVERIFY(difference(a, b) < 1e-11);
    }
  }

  // Moving the object is moving everything else in the opposite direction; in z by a row: the same image one row up.
  void shifting_the_object_shifts_the_scan() {
    const DetectorShape d{24, 40, 1, 1};
    const auto g = ScanGeometry::cone({0.4, 1.7}, d, 120, 80, 0.5).or_throw();
    std::vector<View> views;
    const Vec3 move{2.5, -1.25, 3};
    for (int64_t i = 0; i < g.views(); ++i) {
      View w = g.view(i);
      w.beam = w.beam + move;
      w.detector = w.detector + move;
      views.push_back(w);
    }
    const auto moved = ScanGeometry::from_views(Beam::cone, d, views).or_throw();
    QVERIFY(difference(phantom_projections(crooked(), g, exact),
                       phantom_projections(shifted(crooked(), move), moved, exact)) < 1e-11);
    const auto flat = ScanGeometry::parallel({0.4, 1.7}, d).or_throw();
    const at::Tensor a = phantom_projections(crooked(), flat, exact);
    const at::Tensor up = phantom_projections(shifted(crooked(), {0, 0, 1}), flat, exact);
    QVERIFY(difference(a.slice(1, 1, 24), up.slice(1, 0, 23)) < 1e-12);
  }

  // A source that goes away makes a parallel beam: the difference falls with 1 / distance.
  void parallel_is_the_limit_of_cone() {
    const DetectorShape d{9, 31, 1, 1};
    const Phantom p{{{Solid::ellipsoid, {2, 1, 0}, {9, 7, 8}, 1}}};
    const std::vector<double> angles = {0.3, 2};
    const at::Tensor want = phantom_projections(p, ScanGeometry::parallel(angles, d).or_throw(), exact);
    const auto far = [&](double distance) {
      const auto g = ScanGeometry::cone(angles, d, distance, 0).or_throw();
      return (phantom_projections(p, g, exact) - want).abs().mean().item<double>();
    };
    QVERIFY(far(1e7) < 1e-5);
    QVERIFY(std::abs(far(1e6) / far(1e7) - 10) < 1);
  }

  void pixels_average_their_rays() {
    const auto fine = ScanGeometry::parallel({0.3, 1.1}, {12, 60, 0.5, 0.5}, 2).or_throw();
    const at::Tensor mean =
        phantom_projections(crooked(), fine, exact).reshape({2, 4, 3, 20, 3}).mean(at::IntArrayRef{2, 4});
    const at::Tensor got = phantom_projections(crooked(), fine.binned(3, 3), {at::kDouble, 3, {}});
    QVERIFY(difference(mean, got) < 1e-12);
  }

  void float_is_rounded_double_and_threads_do_not_matter() {
    const auto g = ScanGeometry::cone({0.3, 1.1}, {20, 30, 1, 1}, 100, 50).or_throw();
    const at::Tensor wide = phantom_projections(crooked(), g, exact), narrow = phantom_projections(crooked(), g);
    QVERIFY(at::equal(wide.to(at::kFloat), narrow));
    const int threads = at::get_num_threads();
    at::set_num_threads(1);
    const at::Tensor one = phantom_projections(crooked(), g);
    at::set_num_threads(threads);
    QVERIFY(at::equal(one, narrow));
  }

  void crop_is_a_part_of_the_whole() {
    const auto g = ScanGeometry::cone({0.3, 1.1, 2}, {20, 30, 1, 1}, 100, 50, 1.5).or_throw();
    const at::Tensor part = phantom_projections(crooked(), g.crop({{1, 3}, {5, 11}, {8, 25}}), exact);
    QVERIFY(difference(part, phantom_projections(crooked(), g, exact).slice(0, 1, 3).slice(1, 5, 11).slice(2, 8, 25)) <
            1e-12);
  }

  void shepp_logan_values() {
    const auto value = [](const Phantom& p, Vec3 at) {
      return phantom_volume(p, VolumeGrid::cubic(1, 1, 1, 1e-6, at), exact).item<double>();
    };
    const Phantom toft = shepp_logan_2d(100), old = shepp_logan_2d(100, Contrast::original);
    QVERIFY(std::abs(value(toft, {0, 90, 55}) - 1) < 1e-12);    // skull, at any z
    QVERIFY(std::abs(value(toft, {0, 35, 0}) - 0.3) < 1e-12);   // upper ellipse
    QVERIFY(std::abs(value(toft, {22, 0, 0})) < 1e-12);         // right ventricle is empty
    QVERIFY(std::abs(value(toft, {0, -80, 0}) - 0.2) < 1e-12);  // tissue
    QVERIFY(std::abs(value(old, {0, -80, 0}) - 1.02) < 1e-12);
    const Phantom head = shepp_logan_3d(100);
    QVERIFY(std::abs(value(head, {68, 0, 0}) - 2) < 1e-12);
    QVERIFY(std::abs(value(head, {0, 91, 0}) - 2) < 1e-12);
    QVERIFY(std::abs(value(head, {0, 0, 89}) - 2) < 1e-12);  // 0.90 along the rotation axis
    QCOMPARE(value(head, {0, 0, 91}), 0.0);
    QVERIFY(std::abs(value(head, {0, 35, 25}) - 1.04) < 1e-12);
    QVERIFY(std::abs(value(head, {0, 10, -62.5}) - 1.0) < 1e-12);
    // The right ventricle (rotated by 72 degrees) leans outwards at the top, as in the flat head (108, 18 = 90 - 72).
    QVERIFY(std::abs(value(head, {22 - 7.7, -23.8, 25}) - 1.0) < 1e-12);
    QVERIFY(std::abs(value(head, {22 + 7.7, -23.8, 25}) - 1.02) < 1e-12);
    // Width 1 projected in a fan: 0.271 for an image of 512^2 voxels, whose grazing rays along the skull are blurred.
    const auto fan =
        ScanGeometry::cone(equidistant_angles(360, 2 * pi), {1, 512, 1.5 / 512, 1.5 / 512}, 3, 0).or_throw();
    const double top = phantom_projections(shepp_logan_2d(0.5), fan, exact).max().item<double>();
    QVERIFY2(std::abs(top - 0.271) < 0.01, std::to_string(top).c_str());
  }

  void other_named_phantoms() {
    const Phantom a = random_ellipses(50, 12, 7), b = random_ellipses(50, 12, 7), c = random_ellipses(50, 12, 8);
    const auto g = ScanGeometry::parallel(equidistant_angles(6, pi), {1, 120, 1, 1}).or_throw();
    const at::Tensor pa = phantom_projections(a, g), pc = phantom_projections(c, g);
    QVERIFY(at::equal(pa, phantom_projections(b, g)));
    QVERIFY(!at::equal(pa, pc));
    // Nothing outside the circle of 50 mm.
    QCOMPARE(pa.slice(2, 0, 9).abs().max().item<float>(), 0.0f);
    QCOMPARE(pa.slice(2, 111, 120).abs().max().item<float>(), 0.0f);
    const double wall =
        phantom_projections(hollow_box(20, 3, 0.5), ScanGeometry::parallel({0}, {1, 1, 1, 1}).or_throw(), exact)
            .item<double>();
    QVERIFY(std::abs(wall - 2 * 3 * 0.5) < 1e-12);
  }

  // Fine structure, whole inside its sphere, nowhere negative: no body crosses the surface of another.
  void geode_is_sound() {
    const double radius = 40;
    const Phantom p = geode(radius, 1);
    QVERIFY2(p.parts.size() > 200, std::to_string(p.parts.size()).c_str());
    const auto grid = VolumeGrid::cubic(80, 96, 96, 0.9);
    const at::Tensor v = phantom_volume(p, grid, {at::kDouble, 1, {}});
    const double least = v.min().item<double>(), largest = v.max().item<double>();
    QVERIFY2(least > -1e-12, std::to_string(least).c_str());
    QVERIFY2(largest > 1 && largest < 1.5, std::to_string(largest).c_str());
    const at::Tensor axis = (at::arange(96, at::kDouble) - 47.5) * 0.9,
                     height = (at::arange(80, at::kDouble) - 39.5) * 0.9;
    const at::Tensor beyond =
        axis.square().view({1, 1, 96}) + axis.square().view({1, 96, 1}) + height.square().view({80, 1, 1}) >
        radius * radius;
    QCOMPARE(v.masked_select(beyond).abs().max().item<double>(), 0.0);
    // Not a body of rotation about the axis, whose sinogram would look like the stripes of a detector.
    const at::Tensor middle = v[40];
    QVERIFY((middle - middle.flip(1)).abs().mean().item<double>() > 0.05);
    QVERIFY(at::equal(v, phantom_volume(geode(radius, 1), grid, {at::kDouble, 1, {}})));
    QVERIFY(!at::equal(v, phantom_volume(geode(radius, 2), grid, {at::kDouble, 1, {}})));
    QVERIFY_EXCEPTION_THROWN(geode(0, 1), Failure);
  }

  // Its projections are line integrals of the sampled volume, and their sum its mass, up to the sampling: surfaces
  // are right to a voxel.
  void geode_projects_its_volume() {
    const Phantom p = geode(40, 3);
    const double step = 0.5;
    const auto grid = VolumeGrid::cubic(160, 192, 192, step);
    const at::Tensor v = phantom_volume(p, grid, {at::kDouble, 1, {}});
    const auto g = ScanGeometry::parallel({0, pi / 2}, {160, 192, step, step}).or_throw();
    const at::Tensor views = phantom_projections(p, g, exact).flip(1);  // row 0 is the top
    const at::Tensor along_y = v.sum(1) * step, along_x = v.sum(2) * step;
    double mass = 0;
    for (const Primitive& b : p.parts)
      mass += b.value * b.half.x * b.half.y * b.half.z * (b.solid == Solid::box ? 8 : 4 * pi / 3);
    QVERIFY(std::abs(v.sum().item<double>() * step * step * step / mass - 1) < 2e-3);
    for (const int64_t view : {0, 1}) {
      const at::Tensor want = view == 0 ? along_y : along_x;
      const double rms = std::min((views[view] - want).square().mean().item<double>(),
                                  (views[view] - want.flip(1)).square().mean().item<double>());
      QVERIFY2(std::sqrt(rms) < 0.01 * want.max().item<double>(), std::to_string(std::sqrt(rms)).c_str());
      QVERIFY(std::abs(views[view].sum().item<double>() * step * step / mass - 1) < 2e-3);
    }
  }

  // Bodies that a ray misses are left out: the sum over bodies, each projected alone, is the same.
  void the_whole_is_the_sum_of_its_bodies() {
    Phantom p = crooked();
    p.parts.push_back({Solid::ellipsoid, {-9, 8, 0}, {1.5, 2, infinite}, 0.4});
    p.parts.push_back({Solid::box, {4, -11, -6}, {2, 0.2, 3}, 0.9});
    Orbit tilted = cone_orbit({0.1, 1.3, 4}, 25, 30);
    tilted.tilt = 0.2;
    tilted.source_shift_v = 3;
    const DetectorShape d{22, 45, 1.7, 1.3};
    for (const int64_t rays : {1, 3})
      for (const auto& g :
           {ScanGeometry::from_orbit(tilted, d).or_throw(), ScanGeometry::parallel({0.1, 1.3, 4}, d, 2.2).or_throw()}) {
        at::Tensor sum = at::zeros({3, 22, 45}, at::kDouble);
        for (const Primitive& b : p.parts) {
          // A body of value 0 around everything keeps the other one from being left out.
          Phantom alone{{{Solid::ellipsoid, {}, {infinite, infinite, infinite}, 0}, b}};
          alone.parts.erase(alone.parts.begin());
          sum += phantom_projections(alone, g, {at::kDouble, rays, {}});
        }
        QVERIFY(difference(sum, phantom_projections(p, g, {at::kDouble, rays, {}})) < 1e-11);
      }
  }

  void bad_phantoms_are_refused() {
    const auto g = ScanGeometry::parallel({0}, {1, 3, 1, 1}).or_throw();
    QVERIFY_EXCEPTION_THROWN(phantom_projections({{{Solid::box, {}, {1, 0, 1}, 1}}}, g), Failure);
    QVERIFY_EXCEPTION_THROWN(phantom_projections(disc(1), g, {at::kInt, 1, {}}), Failure);
    QVERIFY_EXCEPTION_THROWN(phantom_projections(disc(1), g, {at::kFloat, 0, {}}), Failure);
    QVERIFY_EXCEPTION_THROWN(phantom_volume(disc(1), {0, 1, 1, {}}), Failure);
    QVERIFY_EXCEPTION_THROWN(disc(-1), Failure);
    PhantomSampling stopped;
    stopped.cancel.cancel();
    QVERIFY_EXCEPTION_THROWN(phantom_projections(disc(1), g, stopped), Failure);
  }
};

TL_TEST_CASE(PhantomTest)

}  // namespace tl::phantom_test

#include "phantom.moc"
