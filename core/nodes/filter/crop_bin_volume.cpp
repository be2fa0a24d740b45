// core/nodes/filter/crop_bin_volume.cpp: crop a volume and bin its voxels.
#include <ATen/ATen.h>

#include "core/nodes/volume_part.h"
#include "gpu/correction/crop_bin.h"

namespace tl::filter_crop_bin_volume_node {

struct Params : VolumePart {};

Result<void> check(const Params& p, const Infos& in) {
  TL_TRY(const VolumeGrid part, kept_part(p, volume_of(in).grid));
  return part.validate();
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  VolumeInfo info = volume_of(in);
  TL_TRY(const VolumeGrid part, kept_part(p, info.grid));
  info.grid = part.binned(p.bin);
  return Infos{{"volume", info}};
}

Result<Regions> needs(const Params& p, const Infos& in, const Region& wanted) {
  TL_TRY(const VolumeGrid fine, finer_region(p, volume_of(in).grid, std::get<VolumeGrid>(wanted)));
  return Regions{{"volume", fine}};
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Volume>("volume");
  TL_TRY(const VolumeGrid part, kept_part(p, r.info<VolumeInfo>("volume").grid));
  const JoinedVoxels joined = joined_voxels(p, part);
  TL_TRY(const at::Tensor data, ops::bin(in.data, {joined.z, joined.y, joined.x}));
  return r.done("volume", Volume{data.contiguous(), std::get<VolumeGrid>(r.region), in.unit});
}

void describe(NodeBuilder<Params>& n) {
  n.id("filter.crop_bin_volume", 1).title("Crop and bin volume").category("Filter").partition(Partition::custom);
  n.summary("Crops a volume and bins voxels by averaging.");
  n.description(
      "Voxels keep their position in space. Only the part that is kept is reconstructed. An incomplete last bin is "
      "dropped.");
  n.synonyms({"region of interest", "ROI", "rebin", "downsample", "scale", "crop", "binning"});
  n.role(NodeRole::crop_volume);
  n.input<Volume>("volume", "Any volume.");
  n.output<Volume>("volume", "The part that is kept.");
  declare_volume_part(n);
  n.param("bin", "Bin", &Params::bin).range(1, 64).help("Number of voxels along each axis averaged into one.");
  n.where_input_is();
  n.check(check).infos(infos).needs(needs).run(run);
}

}  // namespace tl::filter_crop_bin_volume_node

TL_NODE(filter_crop_bin_volume)
