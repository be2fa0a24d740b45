// core/nodes/segment/random_walker.cpp: labels all voxels from a few that are labelled.
#include "gpu/segmentation/random_walker.h"

#include <ATen/ATen.h>

#include "core/nodes/segment/segment_node.h"

namespace tl::segment_random_walker_node {

struct Params {
  double beta = 130;
  double tolerance = 1e-5;
  std::string classes;
};

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  return info_of_classes(volume_of(in).grid, p.classes, labels_of(in, "seeds").table);
}

Result<Regions> needs(const Params&, const Infos& in, const Region&) { return inputs_on(volume_of(in).grid, in); }

int64_t workspace(const Params&, const Infos& in, const Region&, int64_t) {
  return bytes_of_whole(volume_of(in).grid, 72);  // 60 bytes per voxel for the operator, the rest for seeds and result
}

Result<at::Tensor> walked(const Params& p, NodeRun& r, const VolumeGrid& whole) {
  ops::RandomWalkerSpec spec{
      .beta = p.beta, .voxel = voxel_size_in(whole, whole), .tolerance = p.tolerance, .cancel = r.cancel()};
  TL_TRY(const ops::RandomWalk walk, ops::random_walker(r.in<Volume>("volume").data.detach().contiguous(),
                                                        r.in<Labels>("seeds").data.to(at::kInt).contiguous(), spec));
  if (walk.residual > p.tolerance)
    r.message(LogLevel::warning, "the probabilities are exact to " + std::to_string(walk.residual) +
                                     " only: the largest number of steps was reached");
  return walk.labels.clamp_min(0);
}

Result<void> run(const Params& p, NodeRun& r) {
  const VolumeGrid& whole = r.info<VolumeInfo>("volume").grid;
  return put_labels_of_whole(r, whole, [&] { return walked(p, r, whole); });
}

void describe(NodeBuilder<Params>& n) {
  n.id("segment.random_walker", 1).title("Random walker").category("Segmentation").partition(Partition::custom);
  n.not_differentiable("labels are integers");
  n.summary("Random walker: labels all voxels from a few labelled ones, with borders at edges of the volume.");
  n.description(
      "A voxel gets the number whose seeds a random walk from it reaches first; steps between different values are "
      "rare. A few strokes in each class are enough, also where edges are weak or noisy. The seeds are laid over the "
      "volume by their position in mm. Voxels from which no seed can be reached get 0. The whole volume has to fit "
      "into memory, about 70 bytes per voxel.");
  n.cite("L. Grady, Random walks for image segmentation, IEEE Trans. Pattern Anal. Mach. Intell. 28, 1768 (2006)");
  n.synonyms({"seeds", "strokes", "scribbles", "interactive", "segmentation", "graph", "diffusion"});
  n.input<Volume>("volume", "Any volume without NaN.");
  n.input<Labels>("seeds", "Labelled voxels, at least two numbers; 0 is to be decided.");
  n.output<Labels>("labels", "The number of the seeds that each voxel belongs to.");
  n.param("beta", "Contrast", &Params::beta)
      .range(0, 1e9)
      .help("Beta: the larger, the harder is a step between different values; in variances of the volume.");
  n.advanced_param("tolerance", "Tolerance", &Params::tolerance)
      .range(1e-12, 0.1)
      .help("Relative residual at which the probabilities are exact enough.");
  declare_classes(n, &Params::classes);
  n.infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::segment_random_walker_node

TL_NODE(segment_random_walker)
