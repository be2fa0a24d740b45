// core/nodes/segment/geodesic_contour.cpp: a border that is drawn to the edges of a volume.
#include "gpu/segmentation/geodesic_contour.h"

#include <ATen/ATen.h>

#include "core/nodes/segment/level_set_node.h"
#include "gpu/segmentation/level_set.h"

namespace tl::segment_geodesic_contour_node {

struct Params : LevelSetParams {
  double balloon = 0;
  std::optional<double> threshold;
  double alpha = 100, sigma = 5;
};

int64_t workspace(const Params&, const Infos& in, const Region&, int64_t) {
  return bytes_of_whole(volume_of(in).grid, 48);  // 32 bytes per voxel of the edge map, the contour and its percentile
}

Result<at::Tensor> contour(const Params& p, NodeRun& r) {
  const at::Tensor volume = r.in<Volume>("volume").data.detach().contiguous();
  TL_TRY(const at::Tensor edges, ops::edge_map(volume, {p.alpha, p.sigma, r.cancel()}));
  const at::Tensor start =
      r.has_in("start") ? mask_of(r.in<Labels>("start")) : ops::ball_level_set(volume.sizes().vec());
  ops::GeodesicContourSpec spec{
      .steps = p.steps, .smoothing = p.smoothing, .balloon = p.balloon, .threshold = p.threshold, .cancel = r.cancel()};
  TL_TRY(const at::Tensor mask, ops::geodesic_contour(edges, start, spec));
  return mask.to(at::kInt);
}

Result<void> run(const Params& p, NodeRun& r) {
  const VolumeGrid& whole = r.info<VolumeInfo>("volume").grid;
  return put_labels_of_whole(r, whole, [&] { return contour(p, r); });
}

void describe(NodeBuilder<Params>& n) {
  n.id("segment.geodesic_contour", 1).title("Contour along edges");
  n.summary("Morphological geodesic active contour: a smooth border that is drawn to the edges of a volume.");
  n.description(
      "The border begins around given labels, or as a ball in the middle, and moves towards nearby edges. Where there "
      "are none, the balloon makes it grow (above 0) or shrink (below 0). It finds an object whose inside and outside "
      "have the same values, as long as there is an edge around it. The whole volume has to fit into memory.");
  n.cite("V. Caselles, R. Kimmel, G. Sapiro, Geodesic active contours, Int. J. Comput. Vis. 22, 61 (1997)");
  n.synonyms({"active contour", "level set", "snake", "GAC", "balloon", "segmentation", "edges"});
  n.example({{"steps", "20"}, {"smoothing", "2"}, {"balloon", "1"}, {"sigma", "2"}, {"alpha", "1e6"}});
  declare_level_set(n, "a ball", "1 inside of the border, else 0.");
  n.param("balloon", "Balloon", &Params::balloon)
      .range(-100, 100)
      .help("Where there is no edge, the border grows for values above 0, and shrinks for values below 0.");
  n.advanced_param("threshold", "Edge threshold", &Params::threshold)
      .range(0, 1)
      .automatic("exceeded by 60 % of the edge map")
      .help(
          "The balloon works where the edge map, which is 1 without edges, exceeds this over the balloon's strength.");
  n.param("alpha", "Edge strength", &Params::alpha)
      .range(0, 1e30)
      .help("The larger, the weaker may an edge be: the edge map is 1 / sqrt(1 + alpha |gradient|).");
  n.param("sigma", "Edge width", &Params::sigma)
      .range(0.1, 100, Unit::px)
      .help("Standard deviation of the Gaussian that smooths the volume before its gradient is taken.");
  declare_classes(n, &Params::classes);
  n.workspace(workspace).run(run);
}

}  // namespace tl::segment_geodesic_contour_node

TL_NODE(segment_geodesic_contour)
