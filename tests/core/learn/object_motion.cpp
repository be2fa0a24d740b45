// Directions of unknowns that do what a motion of the whole object does: with it, a moved object gives the same views.
#include "core/learn/verdict/object_motion.h"

#include <ATen/ATen.h>

#include <cmath>
#include <set>

#include "core/base/random.h"
#include "core/learn/verdict/geometry_check.h"
#include "gpu/alignment/views/view_motion.h"
#include "gpu/simulate/phantom.h"
#include "tests/support/given_scan.h"
#include "tests/support/learn/scans.h"
#include "tests/support/test_case.h"

namespace tl::object_motion_test {

using namespace tl::test;
using Names = std::vector<std::string>;
using Params = std::map<std::string, ParamValue>;

namespace {

constexpr DetectorShape detector{28, 32, 1, 1};

Orbit orbit(Beam beam) {
  Orbit o;
  o.beam = beam;
  o.angles = equidistant_angles(10, 2 * pi, 0.2);
  if (beam == Beam::cone) o.source_to_axis = 100, o.axis_to_detector = 80;
  return o;
}

// Spheres that stay in view.
ops::Phantom spheres(const ScanGeometry& g) {
  ops::Phantom body;
  const double unit = 1 / g.magnification();
  for (const Vec3 centre : {Vec3{4, -2, 3}, Vec3{-5, 1, -4}, Vec3{1, 5, 1}})
    body.parts.push_back(
        {ops::Solid::ellipsoid, unit * centre, {3.5 * unit, 3.5 * unit, 3.5 * unit}, 0.1 * g.magnification()});
  return body;
}

// Shows the scan of such spheres, whose stated geometry is the true one.
Graph graph_of(const Orbit& o, const Params& params) {
  Projections scan;
  scan.geometry = ScanGeometry::from_orbit(o, detector).or_throw();
  scan.data = ops::phantom_projections(spheres(scan.geometry), scan.geometry, {at::kDouble, 2, {}}).to(at::kFloat);
  scan.kind = PixelKind::absorption;
  given_scan = scan;
  Graph g;
  g.nodes["scan"] = {"test.given", 1, {}};
  g.nodes["geometry"] = {"geometry.set", 1, params};
  g.nodes["loss"] = {"objective.epipolar", 1, {}};
  g.links = {{"scan", "projections", "geometry", "projections"}, {"geometry", "projections", "loss", "projections"}};
  return g;
}

learn::Settings settings_of(const Names& targets) {
  learn::Settings s;
  for (const std::string& name : targets) s.targets.push_back(target("geometry", name));
  s.objective = {"loss", "loss"};
  s.survey = learn::Survey::none;
  return s;
}

at::Tensor views_of(const ops::Phantom& body, const ScanGeometry& g) {
  return ops::phantom_projections(body, g, {at::kDouble, 3, {}});
}

// Does an object that makes this motion give the views of the scan whose unknowns lie along its direction?
void verify_same_views(const learn::Problem& problem, const learn::ObjectMotion& motion) {
  const auto kind = static_cast<std::size_t>(
      std::find(ops::object_motion_names.begin(), ops::object_motion_names.end(), motion.name) -
      ops::object_motion_names.begin());
  const learn::Vector still(problem.size(), 0.0);
  const auto along = [&](double amount) {
    learn::Vector z = still;
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += amount * motion.direction[i];
    return problem.geometry_at(z).value();
  };
  const ScanGeometry here = along(0);
  const ops::Phantom body = spheres(here);
  constexpr double amount = 0.01;
  ops::Phantom moved = body;
  for (ops::Primitive& part : moved.parts) {
    part.centre = ops::moved_points({part.centre}, kind, amount, here).front();
    if (motion.name != "a change of size") continue;
    part.half = (1 + amount) * part.half;
    part.value /= 1 + amount;
  }
  // How far along: by points, which the images of the body's parts follow.
  const std::vector<Vec3> points = ops::points_of_object(here);
  double product = 0, square = 0;
  constexpr double step = 1e-3;
  for (int64_t view = 0; view < here.views(); ++view) {
    const auto rest = ops::image_positions(here, view, points);
    const auto by_unknowns = ops::image_positions(along(step), view, points);
    const auto by_motion = ops::image_positions(here, view, ops::moved_points(points, kind, step, here));
    for (std::size_t i = 0; i < rest.size(); ++i) {
      product += (by_unknowns[i] - rest[i]) * (by_motion[i] - rest[i]);
      square += (by_unknowns[i] - rest[i]) * (by_unknowns[i] - rest[i]);
    }
  }
  const at::Tensor before = views_of(body, here), shown = views_of(moved, here),
                   equal = views_of(body, along(amount * product / square));
  const double change = (shown - before).norm().item<double>(), apart = (shown - equal).norm().item<double>();
  constexpr double second_order = 0.03;  // of the change, by rays through single points of pixels
  QVERIFY2(change > 0 && apart < second_order * change,
           (motion.name + ": " + std::to_string(apart) + " of " + std::to_string(change)).c_str());
}

}  // namespace

class ObjectMotionTest : public QObject {
  Q_OBJECT

  static void verify_motions(const Orbit& o, const Params& params, const Names& targets, const Names& expected) {
    const Graph graph = graph_of(o, params);
    Executor executor(registry_with_given(), {});
    learn::Problem problem =
        learn::Problem::make(executor, registry_with_given(), graph, settings_of(targets)).or_throw();
    const auto motions = learn::object_motions(problem, learn::Vector(problem.size(), 0.0)).or_throw();
    Names names;
    for (const learn::ObjectMotion& m : motions) {
      names.push_back(m.name);
      verify_same_views(problem, m);
    }
    std::string text;
    for (const std::string& name : names) text += name + "; ";
    QVERIFY2(names == expected, text.c_str());
    QCOMPARE(learn::orthonormal_directions(motions).size(), motions.size());
  }

 private Q_SLOTS:
  void shifts_of_a_parallel_beam() {
    verify_motions(orbit(Beam::parallel), {}, {"shift_u", "shift_v"},
                   {"a shift along x", "a shift along y", "a shift along z"});
  }
  void shifts_of_views_that_roll() {
    Orbit o = orbit(Beam::parallel);
    const Philox random{3, 1};
    for (std::size_t i = 0; i < o.angles.size(); ++i) o.roll.push_back(0.02 * random.normal(i));
    verify_motions(o, {}, {"shift_u", "shift_v"}, {"a shift along x", "a shift along y", "a shift along z"});
  }
  void angles_and_magnifications() {
    verify_motions(orbit(Beam::parallel), {}, {"angle", "magnification"}, {"a rotation about z", "a change of size"});
    verify_motions(orbit(Beam::cone), {}, {"angle"}, {"a rotation about z"});
  }
  void the_size_in_a_cone_beam() {
    const Params known = {{"source_to_detector", Number{180, Unit::mm}}};
    verify_motions(orbit(Beam::cone), known, {"axis", "source_to_axis"}, {"a change of size"});
    verify_motions(orbit(Beam::cone), {}, {"source_to_axis", "axis_to_detector"}, {"a change of size"});
  }
  // In a cone beam shifted views show a shifted object larger or smaller: shifts alone are no such motion.
  void what_views_show() {
    verify_motions(orbit(Beam::cone), {}, {"shift_u", "shift_v"}, {});
    verify_motions(orbit(Beam::cone), {}, {"axis", "tilt", "yaw", "source_to_detector"}, {});
    verify_motions(orbit(Beam::parallel), {}, {"axis", "tilt"}, {});
  }
  // Opposite views of a scan whose views roll are not compared: nothing is said of its axis and tilt.
  void geometry_checks_leave_rolled_views_alone() {
    for (const Beam beam : {Beam::parallel, Beam::cone}) {
      Orbit o = orbit(beam);
      o.angles = equidistant_angles(40, 2 * pi);
      for (std::size_t i = 0; i < o.angles.size(); ++i) o.roll.push_back(i % 2 == 0 ? 0.05 : -0.05);
      graph_of(o, {});
      QVERIFY(!given_scan.geometry.orbit()->is_nominal());
      constexpr double wrong = 4;  // [px]
      QCOMPARE(learn::axis_displacement(given_scan, wrong), 0.0);
      QVERIFY(!learn::axis_confirmation_limit(given_scan, 0).has_value());
      QCOMPARE(learn::tilt_displacement(given_scan, wrong, 0.02), 0.0);
      QVERIFY(learn::axis_lean_warning(given_scan, wrong, 0.02).empty());
      QVERIFY(!learn::object_leaves_rows(given_scan));
    }
  }
};

TL_TEST_CASE(ObjectMotionTest)

}  // namespace tl::object_motion_test

#include "object_motion.moc"
