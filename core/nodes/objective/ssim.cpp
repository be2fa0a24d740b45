// core/nodes/objective/ssim.cpp: objective: structural similarity to a volume.
#include "core/nodes/objective/objective_node.h"
#include "gpu/objective/compare.h"

namespace tl::objective_ssim_node {

struct Params {
  int64_t radius = 5;
};

Result<void> check(const Params& p, const Infos& in) {
  TL_TRY(require_same_grid(in, "volume", "reference"));
  const VolumeGrid& grid = volume_of(in).grid;
  if (std::min(grid.nx, grid.ny) < 2 * p.radius + 1)
    return invalid("the slices are smaller than one window of " + std::to_string(2 * p.radius + 1) + " voxels",
                   "radius", "Choose a smaller radius");
  return ok();
}

Result<void> run(const Params& p, NodeRun& r) {
  return put_loss(r,
                  ops::structural_dissimilarity(r.in<Volume>("volume").data, r.in<Volume>("reference").data, p.radius));
}

void describe(NodeBuilder<Params>& n) {
  n.id("objective.ssim", 1).title("Structural similarity").partition(Partition::whole).on_gpu();
  n.summary("Scores a volume by its structural similarity (SSIM) to a reference volume.");
  n.description(
      "1 minus the mean structural similarity: local means, contrasts and correlations are compared in every slice, in "
      "windows of Gaussian weight. It is closer to visual similarity than the squared error.");
  n.cite(
      "Z. Wang, A. C. Bovik, H. R. Sheikh, E. P. Simoncelli, Image quality assessment: from error visibility to "
      "structural similarity, IEEE Trans. Image Processing 13 (2004) 600");
  n.synonyms({"objective", "loss", "SSIM", "similarity", "image quality"});
  n.input<Volume>("volume", "Volume that is scored.");
  n.input<Volume>("reference", "Reference volume on the same grid.");
  describe_loss(n, "1 minus the mean similarity: 0 = equal; smaller is better.");
  n.advanced_param("radius", "Radius of the windows", &Params::radius)
      .range(1, 32, Unit::px)
      .help("Windows are 2 radius + 1 voxels wide; their weight falls with a standard deviation of 1.5 voxels.");
  n.check(check).run(run);
}

}  // namespace tl::objective_ssim_node

TL_NODE(objective_ssim)
