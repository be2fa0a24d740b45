// core/nodes/filter/rotate_volume.cpp: rotate a volume about its centre.
#include <cmath>

#include "core/node/node_builder.h"

namespace tl::filter_rotate_volume_node {

struct Params {
  Angle about_x, about_y, about_z;
};

// The original direction of a vector of the rotated volume: undoes the rotations, that about x first since it was
// applied last.
Vec3 undone(const Params& p, Vec3 v) {
  const auto back = [](double angle, double& a, double& b) {
    const double c = std::cos(angle), s = std::sin(angle), old = a;
    a = c * old + s * b;
    b = c * b - s * old;
  };
  back(p.about_x.value, v.y, v.z);
  back(p.about_y.value, v.z, v.x);
  back(p.about_z.value, v.x, v.y);
  return v;
}

Result<Regions> needs(const Params& p, const Infos& in, const Region& wanted) {
  const Vec3 centre = volume_of(in).grid.centre;
  VolumeGrid g = std::get<VolumeGrid>(wanted);
  g.centre = centre + undone(p, g.centre - centre);
  g.step_x = undone(p, g.step_x);
  g.step_y = undone(p, g.step_y);
  g.step_z = undone(p, g.step_z);
  return Regions{{"volume", g}};
}

Result<void> run(const Params&, NodeRun& r) {
  const auto& in = r.in<Volume>("volume");
  return r.done("volume", Volume{in.data, std::get<VolumeGrid>(r.region), in.unit});
}

void describe(NodeBuilder<Params>& n) {
  n.id("filter.rotate_volume", 1).title("Rotate volume").category("Filter").partition(Partition::custom);
  n.summary("Rotates a volume about its centre, without interpolation.");
  n.description(
      "Use it to align slices with a layer, a wall or a crack. The object rotates about z first, then about y, then "
      "about x, each by the right-hand rule; the box stays, and what leaves it is lost. Nothing is interpolated: the "
      "node before it reconstructs the rotated voxels themselves. Put filters after this node, so that they work on "
      "the rotated voxels.");
  n.synonyms({"turn", "align", "orient", "reslice", "tilt", "rotation"});
  n.input<Volume>("volume", "A reconstruction.");
  n.output<Volume>("volume", "The rotated volume.");
  n.param("about_z", "About z", &Params::about_z)
      .range(-360, 360, Unit::deg)
      .help("Angle about the rotation axis of the scan, in the plane of the slices.");
  n.param("about_y", "About y", &Params::about_y)
      .range(-360, 360, Unit::deg)
      .help("Angle about y, after that about z.");
  n.param("about_x", "About x", &Params::about_x).range(-360, 360, Unit::deg).help("Angle about x, after the others.");
  n.where_input_is();
  n.needs(needs).run(run);
}

}  // namespace tl::filter_rotate_volume_node

TL_NODE(filter_rotate_volume)
