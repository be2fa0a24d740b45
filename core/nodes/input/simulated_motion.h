// The motion of the body in a simulated scan.
#pragma once

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
// Source and detector as a body at rest would see them in place of one that moves: exact, for any body.
Result<ScanGeometry> seen_from_body(const MotionParams& p, const ScanGeometry& scan);
// Where the voxels of a grid lie in the body at the moment of the truth.
VolumeGrid grid_in_body(const MotionParams& p, VolumeGrid grid);

// P derives from MotionParams.
template <class P>
void describe_motion(NodeBuilder<P>& n) {
  const auto drift = [&n](const char* name, Length MotionParams::*member, const char* title, const char* help) {
    n.param(name, static_cast<Length P::*>(member)).title(title).unit(Unit::um).range(-1e9, 1e9).advanced().help(help);
  };
  drift("drift_x", &MotionParams::drift_x, "Drift along x",
        "How far the body moves along x from the first view to the last.");
  drift("drift_y", &MotionParams::drift_y, "Drift along y",
        "How far the body moves along y from the first view to the last.");
  drift("drift_z", &MotionParams::drift_z, "Drift along z",
        "How far the body moves along the rotation axis from the first view to the last.");
  n.param("truth_at", static_cast<double P::*>(&MotionParams::truth_at))
      .title("Truth at")
      .range(0, 1)
      .advanced()
      .help("The moment of the output truth of a body that moves: 0 is the first view, 1 the last.");
}

}  // namespace tl
