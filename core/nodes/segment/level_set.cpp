// core/nodes/segment/level_set.cpp: a border that grows from labels to the edges of a volume.
#include <ATen/ATen.h>

#include "core/itk/filters.h"
#include "core/nodes/segment/segment_node.h"
#include "core/nodes/whole_volume.h"

namespace tl::segment_level_set_node {

struct Params {
  int64_t steps = 200;
  double sigma = 1, edge = 0.1, propagation = 1, curvature = 0.5, advection = 1, settled = 1e-3;
  std::string classes;
};

Result<void> check(const Params&, const Infos& in) { return check_four_voxels(volume_of(in).grid); }

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  return info_of_classes(volume_of(in).grid, p.classes);
}

Result<at::Tensor> contour(const Params& p, NodeRun& r) {
  const at::Tensor volume = r.in<Volume>("volume").data.detach().to(at::kCPU, at::kFloat).contiguous();
  const at::Tensor start = mask_of(r.in<Labels>("start")).to(at::kByte).contiguous();
  const int64_t inside = start.sum().item<int64_t>();
  if (inside == 0 || inside == start.numel())
    return invalid(inside == 0 ? "no voxel is labelled" : "every voxel is labelled", "start",
                   "Label a part of the object by any number but 0");
  at::Tensor level = at::empty(volume.sizes(), at::kFloat);
  const insight::GeodesicLevelSet spec{
      start.const_data_ptr<uint8_t>(), p.steps, p.sigma, p.edge, p.propagation, p.curvature, p.advection, p.settled};
  TL_TRY(insight::geodesic_level_set({volume.const_data_ptr<float>(), r.info<VolumeInfo>("volume").grid}, spec,
                                     level.mutable_data_ptr<float>(), itk_call(r)));
  return level.lt(0).to(at::kInt);
}

Result<void> run(const Params& p, NodeRun& r) {
  return put_labels_of_whole(r, r.info<VolumeInfo>("volume").grid, [&] { return contour(p, r); });
}

Result<Regions> needs(const Params&, const Infos& in, const Region&) {
  return Regions(inputs_on(volume_of(in).grid, in));
}

// Speed, its derivatives along three axes, distances, and the lists of the border.
int64_t workspace(const Params&, const Infos& in, const Region&, int64_t) { return 60 * volume_of(in).grid.count(); }

void describe(NodeBuilder<Params>& n) {
  n.id("segment.level_set", 1).title("Level set").category("Segmentation").partition(Partition::custom);
  n.not_differentiable("labels are integers");
  n.summary("Geodesic level set: the border of given labels grows, smoothly, until it meets the edges of the volume.");
  n.description(
      "The border moves outwards (propagation), is smoothed by its curvature, and is drawn to edges (advection); it "
      "slows down where the gradient rises, to half its speed at the edge strength. Unlike the contour along edges, "
      "which works on masks, its border lies between voxels and each of the three terms has a weight. The whole volume "
      "has to fit into memory.");
  n.cite("V. Caselles, R. Kimmel, G. Sapiro, Geodesic active contours, Int. J. Comput. Vis. 22, 61 (1997)");
  n.synonyms({"active contour", "snake", "geodesic active contour", "curvature", "segmentation", "ITK", "ITK-SNAP"});
  n.example({{"steps", "20"}});
  n.input<Volume>("volume", "Any volume without NaN.");
  n.input<Labels>("start", "Initial border: around all numbers but 0.");
  n.output<Labels>("labels", "1 inside of the border, else 0.");
  n.param("steps", "Steps", &Params::steps).range(1, 100000).help("Largest number of steps.");
  n.param("edge", "Edge strength", &Params::edge)
      .range(1e-30, 1e30)
      .help("The gradient at which the border has half its speed, in the unit of the volume per voxel.");
  n.param("sigma", "Edge width", &Params::sigma)
      .range(0.1, 100, Unit::px)
      .help("Standard deviation of the Gaussian that smooths the volume before its gradient is taken.");
  n.param("propagation", "Propagation", &Params::propagation)
      .range(-1000, 1000)
      .help("Above 0 the border grows, below 0 it shrinks.");
  n.param("curvature", "Curvature", &Params::curvature).range(0, 1000).help("Weight of the smoothing of the border.");
  n.param("advection", "Advection", &Params::advection)
      .range(0, 1000)
      .help("Weight of the attraction of the border to edges.");
  n.advanced_param("settled", "Settled", &Params::settled)
      .range(0, 1, Unit::px)
      .help("It ends when a step moves the border by less than this on average.");
  declare_classes(n, &Params::classes);
  n.check(check).infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::segment_level_set_node

TL_NODE(segment_level_set)
