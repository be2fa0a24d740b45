// core/nodes/segment/region_growing.cpp: regions of similar value around labelled voxels.
#include "gpu/segmentation/region_growing.h"

#include <ATen/ATen.h>

#include <cmath>

#include "core/nodes/segment/segment_node.h"

namespace tl::segment_region_growing_node {

struct Params {
  std::optional<double> tolerance;
  ops::Connectivity neighbours = ops::Connectivity::faces;
  std::string classes;
};

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  return info_of_classes(volume_of(in).grid, p.classes, labels_of(in, "seeds").table);
}

Result<Regions> needs(const Params&, const Infos& in, const Region&) { return inputs_on(volume_of(in).grid, in); }

int64_t workspace(const Params&, const Infos& in, const Region&, int64_t) {
  return bytes_of_whole(volume_of(in).grid, 24);
}

// Three standard deviations of the values at the seeds, about the mean for each number.
Result<double> tolerance_from(const at::Tensor& volume, const at::Tensor& seeds) {
  const at::Tensor there = (seeds > 0).logical_and(volume.isfinite());
  const at::Tensor values = volume.masked_select(there).to(at::kDouble),
                   // Not the numbers themselves, of which the largest may be 2^31.
      index = std::get<1>(at::_unique(seeds.masked_select(there).to(at::kLong), true, true));
  const at::Tensor count = at::bincount(index).to(at::kDouble).clamp_min(1);
  const at::Tensor mean = at::bincount(index, values) / count;
  const double deviation =
      index.numel() > 0 ? std::sqrt((values - mean.index_select(0, index)).square().mean().item<double>()) : 0;
  if (deviation > 0) return 3 * deviation;
  return invalid("the values at the seeds of each number are equal: they do not show how far a region may reach",
                 "tolerance", "Give a tolerance, or more seeds");
}

Result<at::Tensor> grown(const Params& p, NodeRun& r) {
  const at::Tensor volume = r.in<Volume>("volume").data.detach().contiguous();
  const at::Tensor seeds = r.in<Labels>("seeds").data.to(at::kInt).contiguous();
  ops::RegionGrowingSpec spec;
  spec.connectivity = p.neighbours;
  spec.cancel = r.cancel();
  if (p.tolerance) {
    spec.tolerance = *p.tolerance;
  } else {
    TL_TRY(spec.tolerance, tolerance_from(volume, seeds));
    r.message(LogLevel::info,
              "regions reach values within " + std::to_string(spec.tolerance) + " of their seeds' mean");
  }
  return ops::region_growing(volume, seeds, spec);
}

Result<void> run(const Params& p, NodeRun& r) {
  const VolumeGrid& whole = r.info<VolumeInfo>("volume").grid;
  return put_labels_of_whole(r, whole, [&] { return grown(p, r); });
}

void describe(NodeBuilder<Params>& n) {
  n.id("segment.region_growing", 1).title("Region growing").category("Segmentation").partition(Partition::custom);
  n.not_differentiable("labels are integers");
  n.summary("Region growing: regions of similar value grow from labelled voxels over their neighbours.");
  n.description(
      "A region consists of the connected voxels whose values lie within the tolerance of the mean of its seeds; where "
      "regions meet, a voxel belongs to the one whose seed is fewer steps away. Seeds are placed in the volume by "
      "their position in mm, and keep their number. The whole volume has to fit into memory.");
  n.cite("R. Adams, L. Bischof, Seeded region growing, IEEE Trans. Pattern Anal. Mach. Intell. 16, 641 (1994)");
  n.synonyms({"seeds", "flood fill", "magic wand", "connected threshold", "segmentation", "wand"});
  n.example({{"tolerance", "0.004"}});
  n.input<Volume>("volume", "Any volume.");
  n.input<Labels>("seeds", "Labelled voxels; voxels with 0 are added to a region or stay 0.");
  n.output<Labels>("labels", "The number of the region of each voxel, 0 where none grew.");
  n.param("tolerance", "Tolerance", &Params::tolerance)
      .range(0, 1e30)
      .automatic("three standard deviations of the values at the seeds")
      .help("Largest difference between a value and the mean of the seeds, in the unit of the volume.");
  n.advanced_param("neighbours", "Neighbours", &Params::neighbours, neighbour_choices())
      .help("Over which neighbours regions grow: those that share a face, at least an edge, or at least a corner.");
  declare_classes(n, &Params::classes);
  n.infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::segment_region_growing_node

TL_NODE(segment_region_growing)
