// core/nodes/segment/crop_labels.cpp: keeps a part of labels, with larger voxels if wanted.
#include <ATen/ATen.h>

#include "core/nodes/segment/segment_node.h"
#include "core/nodes/volume_part.h"

namespace tl::segment_crop_labels_node {

struct Params : VolumePart {};

Result<void> check(const Params& p, const Infos& in) {
  TL_TRY(const VolumeGrid part, kept_part(p, labels_of(in).grid));
  return part.validate();
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  LabelsInfo info = labels_of(in);
  TL_TRY(const VolumeGrid part, kept_part(p, info.grid));
  info.grid = part.binned(p.bin);
  info.labelled.reset();  // slices are counted otherwise now
  return Infos{{"labels", info}};
}

Result<Regions> needs(const Params& p, const Infos& in, const Region& wanted) {
  TL_TRY(const VolumeGrid fine, finer_region(p, labels_of(in).grid, std::get<VolumeGrid>(wanted)));
  return Regions{{"labels", fine}};
}

Result<void> run(const Params&, NodeRun& r) {
  // The input has a whole block for each voxel.
  const at::Tensor& finer = r.in<Labels>("labels").data;
  const auto& wanted = std::get<VolumeGrid>(r.region);
  const auto at_centre = [](const at::Tensor& blocks, int64_t dim, int64_t count) {
    const int64_t factor = blocks.size(dim) / count;
    return blocks.slice(dim, factor / 2, std::nullopt, factor);
  };
  at::Tensor kept = at_centre(finer, 0, wanted.nz);
  kept = at_centre(at_centre(kept, 1, wanted.ny), 2, wanted.nx);
  r.out("labels", Labels{kept.contiguous(), wanted});
  return ok();
}

void describe(NodeBuilder<Params>& n) {
  n.id("segment.crop_labels", 1).title("Crop labels").category("Segmentation").partition(Partition::custom);
  n.not_differentiable("labels are integers");
  n.summary("Crops labels; with binning, each block of voxels gets the label of its central voxel.");
  n.description(
      "Voxels keep their position in space, on the grid of Crop and bin volume with the same numbers, so that labels "
      "and volume share a grid. Numbers are never averaged: a larger voxel has the number of the voxel at its centre.");
  n.synonyms({"region of interest", "ROI", "downsample", "crop", "binning", "subvolume"});
  n.role(NodeRole::crop_labels);
  n.input<Labels>("labels", "Labels: classes or objects.");
  n.output<Labels>("labels", "The part that is kept, with the same numbers.");
  declare_volume_part(n);
  n.param("bin", "Bin", &Params::bin)
      .range(1, 64)
      .help(
          "Number of voxels along each axis, of which the central one is kept; if it is even, the one after the "
          "centre.");
  n.check(check).infos(infos).needs(needs).run(run);
}

}  // namespace tl::segment_crop_labels_node

TL_NODE(segment_crop_labels)
