// core/nodes/filter/resample_volume.cpp: a volume on voxels of another size.
#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/node/node_builder.h"
#include "gpu/correction/crop_bin.h"

namespace tl::filter_resample_volume_node {

struct Params {
  std::optional<Length> voxel_size;
};

// Relative rounding up to which a size counts as a multiple of another.
constexpr double rounding = 1e-9;

struct Axis {
  int64_t count;   // voxels of the new size
  int64_t factor;  // number of input voxels along the edge that are averaged to one output voxel
};

Axis axis_of(int64_t count, double step, double voxel) {
  const double ratio = voxel / step, length = static_cast<double>(count) / ratio;
  return {std::max<int64_t>(1, static_cast<int64_t>(std::floor(length * (1 + rounding)))),
          std::max<int64_t>(1, static_cast<int64_t>(std::ceil(ratio * (1 - rounding))))};
}

double voxel_size(const Params& p, const VolumeGrid& g) {
  return p.voxel_size ? p.voxel_size->value : std::min({norm(g.step_x), norm(g.step_y), norm(g.step_z)});
}

// Along z, y, x.
std::array<Axis, 3> axes_of(const Params& p, const VolumeGrid& g) {
  const double voxel = voxel_size(p, g);
  return {axis_of(g.nz, norm(g.step_z), voxel), axis_of(g.ny, norm(g.step_y), voxel),
          axis_of(g.nx, norm(g.step_x), voxel)};
}

ops::BinFactors factors(const std::array<Axis, 3>& axes) { return {axes[0].factor, axes[1].factor, axes[2].factor}; }

// Numbers of voxels are 64-bit: too many are refused before anything is computed from their number.
Result<void> check(const Params& p, const Infos& in) {
  const VolumeGrid& g = volume_of(in).grid;
  constexpr double most = 1e12;
  const double voxels = static_cast<double>(g.count()) * g.voxel_volume() / std::pow(voxel_size(p, g), 3);
  if (voxels > most)
    return invalid("the volume would have more than 1e12 voxels of this size", "voxel_size",
                   "Its voxels are now " + std::to_string(1e3 * norm(g.step_x)) + " um wide");
  return ok();
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  VolumeInfo info = volume_of(in);
  VolumeGrid& g = info.grid;
  const auto axes = axes_of(p, g);
  const double voxel = voxel_size(p, g);
  const auto resized = [voxel](int64_t& n, Vec3& step, const Axis& axis) {
    n = axis.count;
    step = (voxel / norm(step)) * step;
  };
  resized(g.nz, g.step_z, axes[0]);
  resized(g.ny, g.step_y, axes[1]);
  resized(g.nx, g.step_x, axes[2]);
  return Infos{{"volume", info}};
}

Result<Regions> needs(const Params& p, const Infos& in, const Region& wanted) {
  const auto axes = axes_of(p, volume_of(in).grid);
  VolumeGrid fine = std::get<VolumeGrid>(wanted);
  const auto refine = [](int64_t& n, Vec3& step, const Axis& axis) {
    n *= axis.factor;
    step = (1.0 / static_cast<double>(axis.factor)) * step;
  };
  refine(fine.nz, fine.step_z, axes[0]);
  refine(fine.ny, fine.step_y, axes[1]);
  refine(fine.nx, fine.step_x, axes[2]);
  return Regions{{"volume", fine}};
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Volume>("volume");
  TL_TRY(at::Tensor data, ops::bin(in.data, factors(axes_of(p, r.info<VolumeInfo>("volume").grid))));
  return r.done("volume", Volume{data.contiguous(), std::get<VolumeGrid>(r.region), in.unit});
}

void describe(NodeBuilder<Params>& n) {
  n.id("filter.resample_volume", 1).title("Resample volume").category("Filter").partition(Partition::custom);
  n.summary("A volume on cubic voxels of another size, such as those that a network was trained with.");
  n.description(
      "The node before it gives the new voxels itself: a reconstruction reconstructs them, a stored volume is "
      "interpolated, and keeps its values up to the outer edges of its voxels. A larger voxel is the mean over its "
      "extent, so that nothing is aliased; smaller voxels contain no more detail than before. The middle of the volume "
      "keeps its position; the rest that does not fill a voxel is dropped, half at either end.");
  n.synonyms({"resize", "rescale", "zoom", "upsample", "downsample", "isotropic", "voxel size", "interpolate"});
  n.input<Volume>("volume", "Any volume.");
  n.output<Volume>("volume", "The same volume on other voxels.");
  n.param("voxel_size", "Voxel size", &Params::voxel_size)
      .range(1e-3, 1e7, Unit::um)
      .automatic("the finest of the three edges of the voxels")
      .help("Edge of the new voxels, along all three axes.");
  n.where_input_is();
  n.check(check).infos(infos).needs(needs).run(run);
}

}  // namespace tl::filter_resample_volume_node

TL_NODE(filter_resample_volume)
