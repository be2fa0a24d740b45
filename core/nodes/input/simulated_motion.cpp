// Moves source and detector against the motion of the body.
#include "core/nodes/input/simulated_motion.h"

#include <vector>

namespace tl {
namespace {

Vec3 displacement_at(const MotionParams& p, double share) {
  const double s = share - 0.5;
  return {s * p.drift_x.value, s * p.drift_y.value, s * p.drift_z.value};
}

Vec3 moved_back(Vec3 point, Vec3 by) { return {point.x - by.x, point.y - by.y, point.z - by.z}; }

}  // namespace

Result<ScanGeometry> seen_from_body(const MotionParams& p, const ScanGeometry& scan) {
  if (!body_moves(p)) return scan;
  std::vector<View> views;
  for (int64_t i = 0; i < scan.views(); ++i) {
    const double share = scan.views() > 1 ? static_cast<double>(i) / static_cast<double>(scan.views() - 1) : 0.5;
    const Vec3 by = displacement_at(p, share);
    View view = scan.view(i);
    view.detector = moved_back(view.detector, by);
    if (!scan.is_parallel()) view.beam = moved_back(view.beam, by);  // the source; else a direction
    views.push_back(view);
  }
  return ScanGeometry::from_views(scan.beam(), scan.detector(), std::move(views));
}

VolumeGrid grid_in_body(const MotionParams& p, VolumeGrid grid) {
  if (body_moves(p)) grid.centre = moved_back(grid.centre, displacement_at(p, p.truth_at));
  return grid;
}

}  // namespace tl
