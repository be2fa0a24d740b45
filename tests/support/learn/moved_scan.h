// Scans with moving views: a body of ellipsoids, its true geometry, the stated one, and the found changes.
#pragma once

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/run/executor.h"
#include "core/values/values.h"
#include "gpu/alignment/views/view_change.h"
#include "gpu/alignment/views/view_motion.h"
#include "gpu/simulate/phantom.h"
#include "gpu/simulate/poisson.h"
#include "tests/support/given_scan.h"

namespace tl::test {

struct MovedScan {
  int64_t views = 180, rows = 96, cols = 128;
  double photons = 1e4;
  bool leaves = false;  // the object leaves rows and columns
  double cone = 0;      // half cone angle of the detector's width [rad]; 0: parallel
  double lamino = 0;    // [rad]
  uint64_t seed = 1;
  int64_t rays = 2;
};

// Numbers of one purpose.
class MovedScanDraw {
 public:
  MovedScanDraw(uint64_t seed, uint64_t purpose) : numbers_{seed, purpose} {}
  double uniform(double low, double high) { return low + (high - low) * numbers_.uniform(next_++); }
  double normal() { return numbers_.normal(next_++); }

 private:
  Philox numbers_;
  uint64_t next_ = 0;
};

inline ops::Phantom moved_body(const MovedScan& s) {
  MovedScanDraw draw(s.seed, 1);
  const double across = 0.5 * static_cast<double>(s.cols) * (s.leaves ? 0.87 : 0.75);
  const double along = 0.5 * static_cast<double>(s.rows) * (s.leaves ? 1.7 : 0.75);
  ops::Phantom body;
  const double scale = 60 / across;  // the same absorption for any size
  body.parts.push_back({ops::Solid::ellipsoid, {}, {across, 0.87 * across, along}, 0.013 * scale});
  for (int i = 0; i < 25; ++i) {
    const double r = 0.62 * across * std::sqrt(draw.uniform(0, 1)), t = draw.uniform(0, 2 * pi);
    const Vec3 centre{r * std::cos(t), r * std::sin(t), draw.uniform(-0.6, 0.6) * along};
    const double half = across / 48;
    body.parts.push_back({ops::Solid::ellipsoid,
                          centre,
                          {half * draw.uniform(3, 9), half * draw.uniform(3, 9), half * draw.uniform(3, 9)},
                          scale * draw.uniform(-0.009, 0.02)});
  }
  return body;
}

inline ScanGeometry stated_geometry(const MovedScan& s) {
  const DetectorShape detector{s.rows, s.cols, 1, 1};
  if (s.cone > 0) {
    const double distance = 0.5 * static_cast<double>(s.cols) / std::tan(s.cone);
    return ScanGeometry::cone(equidistant_angles(s.views, 2 * pi), detector, 0.5 * distance, 0.5 * distance).or_throw();
  }
  if (s.lamino != 0)
    return ScanGeometry::laminography(equidistant_angles(s.views, 2 * pi), detector, s.lamino).or_throw();
  return ScanGeometry::parallel(equidistant_angles(s.views, pi), detector).or_throw();
}

// Absorption with the true changes, and a geometry without them.
inline Projections moved_scan(const MovedScan& s, const ops::ViewChanges& truth) {
  ops::Phantom body = moved_body(s);
  const ScanGeometry stated = stated_geometry(s);
  if (s.cone > 0) {  // voxels at the axis are smaller
    for (ops::Primitive& part : body.parts) {
      part.centre = (1 / stated.magnification()) * part.centre;
      part.half = (1 / stated.magnification()) * part.half;
      part.value *= stated.magnification();
    }
  }
  ops::PhantomSampling sampling;
  sampling.per_axis = s.rays;
  Projections out;
  out.geometry = stated;
  out.kind = PixelKind::absorption;
  out.data = ops::phantom_projections(body, ops::changed(stated, truth).or_throw(), sampling);
  if (s.photons > 0) {
    const ops::NoiseFrame frame{s.seed, ops::NoiseSeries::projections, stated.full(), s.rows, s.cols};
    const at::Tensor counts = ops::poisson_counts(s.photons * at::exp(-out.data), frame);
    out.data = -at::log(counts.clamp_min(0.5) / s.photons);
  }
  return out;
}

inline ops::ViewChanges random_shifts(const MovedScan& s, double reach) {
  MovedScanDraw draw(s.seed, 2);
  ops::ViewChanges all = ops::no_changes({ops::ViewChange::shift_u, ops::ViewChange::shift_v}, s.views);
  for (double& x : all.values) x = draw.uniform(-reach, reach);
  return all;
}

// A random walk and one jump, of all views from `jump` on.
inline ops::ViewChanges random_walk(const MovedScan& s, double step, double height, int64_t& jump) {
  MovedScanDraw draw(s.seed, 3);
  ops::ViewChanges all = ops::no_changes({ops::ViewChange::shift_u, ops::ViewChange::shift_v}, s.views);
  jump = static_cast<int64_t>(draw.uniform(0.2, 0.8) * static_cast<double>(s.views));
  const std::size_t along = draw.uniform(0, 1) < 0.5 ? 0 : 1;
  double now[2] = {0, 0};
  for (int64_t i = 0; i < s.views; ++i)
    for (std::size_t k = 0; k < 2; ++k) {
      now[k] += step * draw.normal() + (i == jump && k == along ? height : 0);
      all.values[static_cast<std::size_t>(2 * i) + k] = now[k];
    }
  return all;
}

// Rms errors of one list without components equivalent to a motion of the object, and the table's sigma.
struct ChangeError {
  double error = 0, sigma = 0;
};

inline const std::vector<double>& table_column(const Table& table, const std::string& name) {
  for (const Table::Column& c : table.columns)
    if (c.name == name) return c.values;
  throw Failure(invalid("no column " + name));
}

inline ChangeError change_error(const Table& table, const ops::ViewChanges& truth, ops::ViewChange kind,
                                const ScanGeometry& geometry) {
  const std::string name(ops::to_string(kind));
  ops::ViewChanges difference = ops::no_changes({kind}, geometry.views());
  const std::vector<double>& found = table_column(table, name);
  const std::size_t k = truth.find(kind);
  for (std::size_t i = 0; i < found.size(); ++i)
    difference.values[i] = found[i] - (k < truth.kinds.size() ? truth.at(i, k) : 0);
  ops::remove_motions(difference, ops::object_motions(geometry, {kind}), geometry.detector());
  const auto rms = [](const std::vector<double>& values) {
    double sum = 0;
    for (const double x : values) sum += x * x;
    return std::sqrt(sum / static_cast<double>(values.size()));
  };
  return {rms(difference.values), rms(table_column(table, name + "_sigma"))};
}

inline Graph aligned_graph(const std::map<std::string, ParamValue>& params = {}) {
  Graph g;
  g.nodes["scan"] = {"test.given", 1, {}};
  g.nodes["align"] = {"align.reprojection", 1, params};
  g.links = {{"scan", "projections", "align", "projections"}};
  return g;
}

}  // namespace tl::test
