// Scans of random ellipsoids, cone beam or laminography, whose stated geometry is wrong, and what learning by pairs of
// views finds.
#pragma once

#include <cmath>

#include "core/base/orbit_math.h"
#include "core/base/random.h"
#include "core/base/units.h"
#include "core/learn/learner/learner.h"
#include "gpu/simulate/phantom.h"
#include "gpu/verify/axis_scans.h"
#include "tests/support/given_scan.h"
#include "tests/support/learn/moved_scan.h"
#include "tests/support/learn/scans.h"

namespace tl::test {

struct EpipolarTrial {
  double half_angle = 14;  // of the cone [deg]
  int64_t views = 180, pixels = 128;
  double photons = 1e4;
  enum class Object { ellipsoids, ball } object = Object::ellipsoids;
  uint64_t seed = 1;
  // True values minus those stated in the scan.
  double axis = 3, tilt = 0.5 * pi / 180, yaw = pi / 180, distance = 0.02;  // [px], [rad], [rad], share

  [[nodiscard]] double source_to_detector() const {  // stated distance [mm]; pixels of 0.2 mm
    return 0.1 * static_cast<double>(pixels) / std::tan(half_angle * pi / 180);
  }
};

inline ops::Phantom random_ellipsoids(const EpipolarTrial& t) {
  const double radius = 0.42 * t.source_to_detector() * std::sin(t.half_angle * pi / 180);
  ops::Phantom phantom;
  if (t.object == EpipolarTrial::Object::ball) {
    phantom.parts = {{ops::Solid::ellipsoid, {}, {0.6 * radius, 0.6 * radius, 0.6 * radius}, 1 / radius}};
    return phantom;
  }
  const Philox random{t.seed, 0x49};
  uint64_t draw = 0;
  const auto between = [&](double a, double b) { return radius * (a + (b - a) * random.uniform(draw++)); };
  for (int n = 0; n < 9; ++n) {
    ops::Primitive p;
    p.centre = {between(-0.5, 0.5), between(-0.5, 0.5), between(-0.5, 0.5)};
    p.half = {between(0.08, 0.3), between(0.08, 0.3), between(0.08, 0.3)};
    p.value = between(0.5, 2) / (radius * radius);
    phantom.parts.push_back(p);
  }
  return phantom;
}

// Sets given_scan, and returns the pipeline that learns from it.
inline Graph epipolar_graph(const EpipolarTrial& t) {
  const DetectorShape detector{t.pixels, t.pixels, 0.2, 0.2};
  const double stated = t.source_to_detector(), source_to_axis = 0.5 * stated;
  std::vector<double> vectors;
  const std::vector<double> angles = equidistant_angles(t.views, 2 * pi);
  for (const double angle : angles) {
    const OrbitTerms<double> terms{
        angle, source_to_axis, stated * (1 + t.distance) - source_to_axis, 0, 0, t.axis, 0, 0, t.tilt, 0, t.yaw, 0, 0,
        1};
    const auto view = orbit_view(terms, Beam::cone, detector.pitch_u, detector.pitch_v);
    vectors.insert(vectors.end(), view.begin(), view.end());
  }
  const auto truth = ScanGeometry::from_vectors(Beam::cone, detector, vectors).or_throw();
  Projections scan;
  scan.data = ops::with_photon_noise(ops::phantom_projections(random_ellipsoids(t), truth, {at::kDouble, 2, {}}),
                                     t.photons, t.seed)
                  .to(at::kFloat);
  scan.geometry = ScanGeometry::cone(angles, detector, source_to_axis, stated - source_to_axis).or_throw();
  scan.kind = PixelKind::absorption;
  given_scan = scan;
  Graph g;
  g.nodes["scan"] = {"test.given", 1, {}};
  g.nodes["geometry"] = {"geometry.set",
                         1,
                         {{"axis", Number{0, Unit::px}},
                          {"tilt", Number{0, Unit::deg}},
                          {"yaw", Number{0, Unit::deg}},
                          {"source_to_detector", Number{stated, Unit::mm}}}};
  g.nodes["epipolar"] = {"objective.epipolar", 1, {}};
  g.links = {{"scan", "projections", "geometry", "projections"},
             {"geometry", "projections", "epipolar", "projections"}};
  return g;
}

inline learn::Settings epipolar_settings() {
  learn::Settings s;
  for (const char* name : {"axis", "tilt", "yaw", "source_to_detector"}) s.targets.push_back(target("geometry", name));
  s.objective = {"epipolar", "loss"};
  s.survey = learn::Survey::none;
  return s;
}

// A parallel beam whose axis leans along the beam by more than the scan states; the object leaves top and bottom.
struct LaminographyTrial {
  int64_t views = 180, rows = 96, cols = 128;
  double photons = 1e4;
  uint64_t seed = 1;
  double stated = 30 * pi / 180;
  // True values minus those stated in the scan.
  double axis = 1, tilt = 0.2 * pi / 180, lean = 0.5 * pi / 180;  // [px], [rad]
};

inline Graph laminography_graph(const LaminographyTrial& t) {
  MovedScan moved;
  moved.views = t.views;
  moved.rows = t.rows;
  moved.cols = t.cols;
  moved.seed = t.seed;
  Orbit orbit;
  orbit.angles = equidistant_angles(t.views, 2 * pi);
  orbit.lamino = t.stated;
  const DetectorShape detector{t.rows, t.cols, 1, 1};
  Projections scan;
  scan.geometry = ScanGeometry::from_orbit(orbit, detector).or_throw();
  orbit.axis = t.axis;
  orbit.tilt = t.tilt;
  orbit.lamino += t.lean;
  const auto truth = ScanGeometry::from_orbit(orbit, detector).or_throw();
  scan.data = ops::with_photon_noise(ops::phantom_projections(moved_body(moved), truth, {at::kDouble, 2, {}}),
                                     t.photons, t.seed)
                  .to(at::kFloat);
  scan.kind = PixelKind::absorption;
  given_scan = scan;
  Graph g;
  g.nodes["scan"] = {"test.given", 1, {}};
  g.nodes["geometry"] = {
      "geometry.set",
      1,
      {{"axis", Number{0, Unit::px}}, {"tilt", Number{0, Unit::deg}}, {"lamino", Number{t.stated, Unit::rad}}}};
  g.nodes["epipolar"] = {"objective.epipolar", 1, {}};
  g.links = {{"scan", "projections", "geometry", "projections"},
             {"geometry", "projections", "epipolar", "projections"}};
  return g;
}

inline learn::Settings laminography_settings() {
  learn::Settings s = epipolar_settings();
  s.targets = {target("geometry", "axis"), target("geometry", "tilt"), target("geometry", "lamino")};
  return s;
}

}  // namespace tl::test
