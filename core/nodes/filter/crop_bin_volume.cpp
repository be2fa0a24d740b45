// core/nodes/filter/crop_bin_volume.cpp: crop a volume and bin its voxels.
#include <ATen/ATen.h>

#include "core/node/node_builder.h"
#include "gpu/correction/crop_bin.h"

namespace tl::filter_crop_bin_volume_node {

struct Params {
  int64_t first_x = 0, first_y = 0, first_z = 0;
  std::optional<int64_t> last_x, last_y, last_z;
  int64_t bin = 1;
};

Result<VolumeGrid> kept(const Params& p, const VolumeGrid& whole) {
  const auto axis = [](int64_t first, std::optional<int64_t> last, int64_t length, const char* name) -> Result<Range> {
    const int64_t end = last.value_or(length - 1) + 1;
    if (end > length || first >= end)
      return invalid(std::to_string(first) + " to " + std::to_string(end - 1) + " is not within 0 to " +
                         std::to_string(length - 1),
                     name, "First and last count from 0; both belong to what is kept");
    return Range{first, end};
  };
  TL_TRY(Range z, axis(p.first_z, p.last_z, whole.nz, "first_z"));
  TL_TRY(Range y, axis(p.first_y, p.last_y, whole.ny, "first_y"));
  TL_TRY(Range x, axis(p.first_x, p.last_x, whole.nx, "first_x"));
  return whole.sub(z, y, x);
}

// Voxels that are joined along z, y, x: not more than there are.
ops::BinFactors factors(const Params& p, const VolumeGrid& part) {
  return {std::min(p.bin, part.nz), std::min(p.bin, part.ny), std::min(p.bin, part.nx)};
}

Result<void> check(const Params& p, const Infos& in) {
  TL_TRY(VolumeGrid part, kept(p, volume_of(in).grid));
  return part.validate();
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  VolumeInfo info = volume_of(in);
  TL_TRY(VolumeGrid part, kept(p, info.grid));
  info.grid = part.binned(p.bin);
  return Infos{{"volume", info}};
}

// The same points in finer voxels. Where the wanted voxels are those of the output, the finer ones are the input's to
// the bit, which is how stored volumes recognise them.
Result<Regions> needs(const Params& p, const Infos& in, const Region& wanted) {
  TL_TRY(VolumeGrid part, kept(p, volume_of(in).grid));
  const VolumeGrid binned = part.binned(p.bin);
  const ops::BinFactors f = factors(p, part);
  VolumeGrid fine = std::get<VolumeGrid>(wanted);
  const auto refine = [](int64_t& n, Vec3& step, const Vec3& coarse, const Vec3& original, int64_t factor) {
    n *= factor;
    step = step == coarse ? original : (1.0 / static_cast<double>(factor)) * step;
  };
  refine(fine.nz, fine.step_z, binned.step_z, part.step_z, f.views);
  refine(fine.ny, fine.step_y, binned.step_y, part.step_y, f.rows);
  refine(fine.nx, fine.step_x, binned.step_x, part.step_x, f.cols);
  return Regions{{"volume", fine}};
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Volume>("volume");
  TL_TRY(VolumeGrid part, kept(p, r.info<VolumeInfo>("volume").grid));
  TL_TRY(at::Tensor data, ops::bin(in.data, factors(p, part)));
  return r.done("volume", Volume{data.contiguous(), std::get<VolumeGrid>(r.region), in.unit});
}

void describe(NodeBuilder<Params>& n) {
  n.id("filter.crop_bin_volume", 1).title("Crop and bin volume").category("Filter").partition(Partition::custom);
  n.summary("Crops a volume and bins voxels by averaging.");
  n.description(
      "Voxels keep their position in space. Only the part that is kept is reconstructed. An incomplete last bin is "
      "dropped.");
  n.synonyms({"region of interest", "ROI", "rebin", "downsample", "scale", "crop", "binning"});
  n.input<Volume>("volume", "Any volume.");
  n.output<Volume>("volume", "The part that is kept.");
  n.param("first_x", "First x", &Params::first_x).at_least(0).help("First voxel kept along x.");
  n.param("last_x", "Last x", &Params::last_x).at_least(0).automatic("the last voxel").help("Last voxel kept along x.");
  n.param("first_y", "First y", &Params::first_y)
      .at_least(0)
      .help("First voxel kept along y, the direction up in a slice.");
  n.param("last_y", "Last y", &Params::last_y).at_least(0).automatic("the last voxel").help("Last voxel kept along y.");
  n.param("first_z", "First slice", &Params::first_z).at_least(0).help("First slice kept.");
  n.param("last_z", "Last slice", &Params::last_z).at_least(0).automatic("the last slice").help("Last slice kept.");
  n.param("bin", "Bin", &Params::bin).range(1, 64).help("Number of voxels along each axis averaged into one.");
  n.where_input_is();
  n.check(check).infos(infos).needs(needs).run(run);
}

}  // namespace tl::filter_crop_bin_volume_node

TL_NODE(filter_crop_bin_volume)
