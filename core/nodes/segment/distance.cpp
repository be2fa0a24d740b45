// core/nodes/segment/distance.cpp: distances of labelled voxels from the background.
#include "gpu/segmentation/distance.h"

#include <ATen/ATen.h>

#include "core/nodes/segment/segment_node.h"

namespace tl::segment_distance_node {

struct Params {};

// Up to 12 bytes for voxels that are not cubes, mask and result.
int64_t workspace(const Params&, const Infos& in, const Region&, int64_t) {
  return bytes_of_whole(labels_of(in).grid, 20);
}

Result<Infos> infos(const Params&, const Infos& in, const Findings*) {
  VolumeInfo info;
  info.grid = labels_of(in).grid;
  info.unit = Unit::mm;
  return Infos{{"volume", info}};
}

Result<Regions> needs(const Params&, const Infos& in, const Region&) {
  return Regions{{"labels", full_region(in.at("labels"))}};
}

Result<void> run(const Params&, NodeRun& r) {
  const VolumeGrid& whole = r.info<LabelsInfo>("labels").grid;
  const at::Tensor distances = of_whole(r, 4 * whole.count(), [&]() -> Result<at::Tensor> {
    const at::Tensor mask = mask_of(r.in<Labels>("labels"));
    if (mask.all().item<bool>())
      return invalid("every voxel is labelled: there is no background to be far from", "labels",
                     "Label the objects only, for example by a threshold");
    return ops::distance_to_background(mask,
                                       {{norm(whole.step_z), norm(whole.step_y), norm(whole.step_x)}, r.cancel()});
  });
  const auto& wanted = std::get<VolumeGrid>(r.region);
  return r.done("volume", Volume{values_at(distances, whole, wanted).to(r.dtype), wanted, Unit::mm});
}

void describe(NodeBuilder<Params>& n) {
  n.id("segment.distance", 1).title("Distance map").category("Segmentation");
  n.not_differentiable("labels are integers");
  n.summary("Distance transform: how far each labelled voxel is from the nearest background.");
  n.description(
      "Exact Euclidean distances between the centres of voxels, in mm, also of voxels that are not cubes; 0 in the "
      "background. All numbers but 0 are one mask; what lies beyond the borders of the volume is not background. The "
      "whole volume has to fit into memory.");
  n.cite("P. Felzenszwalb, D. Huttenlocher, Distance transforms of sampled functions, Theory Comput. 8, 415 (2012)");
  n.synonyms({"distance transform", "Euclidean distance", "EDT", "thickness", "depth"});
  n.input<Labels>("labels", "Labels: 0 is the background.");
  n.output<Volume>("volume", "The distances [mm].");
  n.infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::segment_distance_node

TL_NODE(segment_distance)
