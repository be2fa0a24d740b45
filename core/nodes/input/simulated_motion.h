// The motion of the body in a simulated scan.
#pragma once

#include <utility>
#include <vector>

#include "core/base/geometry.h"
#include "core/base/grid.h"
#include "core/node/node_builder.h"

namespace tl {

// The body moves evenly from the first view to the last, and is at the middle of the field half-way.
struct MotionParams {
  Length drift_x{0}, drift_y{0}, drift_z{0};
  double truth_at = 0.5;  // share of the scan
};

inline bool body_moves(const MotionParams& p) {
  return p.drift_x.value != 0 || p.drift_y.value != 0 || p.drift_z.value != 0;
}
// Displacement of the body at a fraction of the scan.
inline Vec3 displacement_at(const MotionParams& p, double share) {
  const double s = share - 0.5;
  return {s * p.drift_x.value, s * p.drift_y.value, s * p.drift_z.value};
}

// The geometry as seen from the moving body: moving source and detector instead of the body is exact, for any body.
inline Result<ScanGeometry> seen_from_body(const MotionParams& p, const ScanGeometry& scan) {
  if (!body_moves(p)) return scan;
  std::vector<View> views;
  for (int64_t i = 0; i < scan.views(); ++i) {
    const double share = scan.views() > 1 ? static_cast<double>(i) / static_cast<double>(scan.views() - 1) : 0.5;
    View view = scan.view(i);
    view.detector = view.detector - displacement_at(p, share);
    if (!scan.is_parallel()) view.beam = view.beam - displacement_at(p, share);  // the source; else a direction
    views.push_back(view);
  }
  return ScanGeometry::from_views(scan.beam(), scan.detector(), std::move(views));
}

// The voxels of a grid in the coordinates of the body, at the time of the truth.
inline VolumeGrid grid_in_body(const MotionParams& p, VolumeGrid grid) {
  if (body_moves(p)) grid.centre = grid.centre - displacement_at(p, p.truth_at);
  return grid;
}

// P derives from MotionParams.
template <class P>
void describe_motion(NodeBuilder<P>& n) {
  const auto drift = [&n](const char* name, Length MotionParams::*member, const char* title, const char* help) {
    n.advanced_param(name, title, static_cast<Length P::*>(member)).range(-1e9, 1e9, Unit::um).help(help);
  };
  drift("drift_x", &MotionParams::drift_x, "Drift along x",
        "How far the body moves along x from the first view to the last.");
  drift("drift_y", &MotionParams::drift_y, "Drift along y",
        "How far the body moves along y from the first view to the last.");
  drift("drift_z", &MotionParams::drift_z, "Drift along z",
        "How far the body moves along the rotation axis from the first view to the last.");
  n.advanced_param("truth_at", "Truth at", static_cast<double P::*>(&MotionParams::truth_at))
      .range(0, 1)
      .help("The moment of the output truth of a body that moves: 0 is the first view, 1 the last.");
}

}  // namespace tl
