// core/nodes/correct/ring_removal.cpp: ring artefacts removed from the slices of a volume.
#include "gpu/correction/stripes/ring_removal.h"

#include <ATen/ATen.h>

#include <cmath>

#include "core/base/grid_box.h"
#include "core/node/node_builder.h"

namespace tl::correct_ring_removal_node {

struct Params {
  std::optional<int64_t> size;
  double arcs = 2;
  std::optional<double> limit;
  std::optional<Length> radius;
};

// Voxels near the axis x = y = 0.
ops::RingRemovalSpec spec_of(const Params& p, const VolumeGrid& g) {
  ops::RingRemovalSpec s;
  s.centre_col = 0.5 * static_cast<double>(g.nx - 1) - g.centre.x / g.step_x.x;
  s.centre_row = 0.5 * static_cast<double>(g.ny - 1) - g.centre.y / g.step_y.y;
  s.radius = p.radius ? p.radius->value / g.step_x.x : 0;
  s.size = p.size.value_or(std::min<int64_t>(15, std::max<int64_t>(3, g.nx / 8))) | 1;
  s.arcs = p.arcs;
  s.limit = p.limit;
  return s;
}

Result<void> check(const Params& p, const Infos& in) {
  const VolumeGrid& g = volume_of(in).grid;
  if (!g.is_axis_aligned() || std::abs(g.step_x.x - g.step_y.y) > 1e-9 * g.step_x.x)
    return invalid("rings are round in horizontal slices of square voxels only", "volume", "Reconstruct such a volume");
  const ops::RingRemovalSpec s = spec_of(p, g);
  if (s.centre_col < 0 || s.centre_row < 0 || s.centre_col > static_cast<double>(g.nx - 1) ||
      s.centre_row > static_cast<double>(g.ny - 1))
    return invalid("the rotation axis lies outside of the volume", "volume",
                   "Reconstruct slices that contain the axis");
  return ok();
}

Result<GridBox> wanted_box(const Infos& in, const Region& wanted) {
  const auto part = box_in(volume_of(in).grid, std::get<VolumeGrid>(wanted));
  if (!part)
    return invalid("ring removal needs whole slices and cannot compute an oblique plane", "volume",
                   "Look at a slice along the axes, or switch ring removal off");
  return *part;
}

Result<Regions> needs(const Params&, const Infos& in, const Region& wanted) {
  TL_TRY(GridBox part, wanted_box(in, wanted));
  return Regions{{"volume", volume_of(in).grid.slab(part.z)}};
}

int64_t workspace(const Params&, const Infos& in, const Region& wanted, int64_t element_size) {
  // The cleaned slices, and maps and polar images of one slice: about 20 numbers of 8 bytes per voxel of a slice.
  const VolumeGrid& g = volume_of(in).grid;
  return (std::get<VolumeGrid>(wanted).nz * element_size + 160) * g.ny * g.nx;
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Volume>("volume");
  TL_TRY(GridBox part, wanted_box(r.infos, r.region));
  ops::RingRemovalSpec spec = spec_of(p, r.info<VolumeInfo>("volume").grid);
  spec.cancel = r.cancel();
  TL_TRY(at::Tensor clean, ops::remove_rings(in.data, spec));
  const at::Tensor cut = clean.narrow(1, part.y.begin, part.y.size()).narrow(2, part.x.begin, part.x.size());
  return r.done("volume", Volume{cut.contiguous(), std::get<VolumeGrid>(r.region), in.unit});
}

void describe(NodeBuilder<Params>& n) {
  n.id("correct.ring_removal", 1).title("Ring removal").category("Correction").partition(Partition::custom);
  n.remedy("rings");
  n.summary("Removes ring artefacts from reconstructed slices, in polar coordinates about the rotation axis.");
  n.description(
      "Subtracts structures that differ from their neighbours along the radius and hardly change along the circle. "
      "Only the rings are interpolated; the slice keeps its sharpness. Round parts of the object about the axis that "
      "are finer than the width are damaged too. Use it for volumes whose projections are not available; with "
      "projections, stripe removal is the better choice.");
  n.cite(
      "J. Sijbers, A. Postnov, Reduction of ring artefacts in high resolution micro-CT reconstructions, Phys. Med. "
      "Biol. 49, N247 (2004)");
  n.synonyms({"remove_ring", "polar", "artefacts", "post-processing", "ring artefact", "ring artifact", "rings"});
  n.input<Volume>("volume", "Slices across the rotation axis x = y = 0.");
  n.output<Volume>("volume", "The same without rings.");
  n.param("size", "Width", &Params::size)
      .range(1, 1001)
      .automatic("15 voxels, less in small volumes")
      .help("Window of the median along the radius, in voxels: more than twice the widest ring; made odd.");
  n.param("arcs", "Arcs", &Params::arcs)
      .range(0, 1000)
      .help("How fast a ring may change with the angle, in cycles per turn; 0 = whole rings only.");
  n.param("limit", "Limit", &Params::limit)
      .range(1e-12, 1e12)
      .automatic("three standard deviations")
      .help("Larger deviations, in the unit of the volume, belong to the object and are clipped to this limit.");
  n.param("radius", "Radius", &Params::radius)
      .range(1e-6, 1e6, Unit::mm)
      .automatic("up to the nearest edge")
      .help("Rings farther from the axis than this are not removed.");
  n.check(check).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::correct_ring_removal_node

TL_NODE(correct_ring_removal)
