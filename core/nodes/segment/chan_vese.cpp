// core/nodes/segment/chan_vese.cpp: two regions of different mean value, with a smooth border.
#include "gpu/segmentation/chan_vese.h"

#include <ATen/ATen.h>

#include "core/nodes/segment/segment_node.h"
#include "gpu/segmentation/level_set.h"

namespace tl {
namespace segment_chan_vese_node {

struct Params {
  int64_t steps = 100, smoothing = 1;
  double inside = 1, outside = 1;
  std::string classes;
};

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  return info_of_classes(volume_of(in).grid, p.classes);
}

Result<Regions> needs(const Params&, const Infos& in, const Region&) {
  Regions all;
  for (const auto& [port, info] : in) all[port] = volume_of(in).grid;
  return all;
}

int64_t workspace(const Params&, const Infos& in, const Region&, int64_t) {
  return bytes_of_whole(volume_of(in).grid, 16);
}

Result<at::Tensor> contour(const Params& p, NodeRun& r) {
  const at::Tensor volume = r.in<Volume>("volume").data.detach().contiguous();
  at::Tensor start;
  if (r.has_in("start")) {
    start = mask_of(r.in<Labels>("start"));
  } else {
    TL_TRY(start, ops::checkerboard_level_set(volume.sizes().vec()));
  }
  TL_TRY(const at::Tensor mask, ops::chan_vese(volume, start, {p.steps, p.smoothing, p.inside, p.outside, r.cancel()}));
  return mask.to(at::kInt);
}

Result<void> run(const Params& p, NodeRun& r) {
  const VolumeGrid& whole = r.info<VolumeInfo>("volume").grid;
  const at::Tensor numbers = of_whole(r, 4 * whole.count(), [&] { return contour(p, r); });
  const auto& wanted = std::get<VolumeGrid>(r.region);
  r.out("labels", Labels{labels_at(numbers, whole, wanted), wanted});
  return ok();
}

void describe(NodeBuilder<Params>& n) {
  n.id("segment.chan_vese", 1).title("Contour by means").category("Segmentation").partition(Partition::custom);
  n.not_differentiable("labels are integers");
  n.summary("Morphological Chan-Vese: two regions of different mean value, with a smooth border, without edges.");
  n.description(
      "Each step moves the border to where the value is as far from the mean inside as from that outside, then "
      "smooths it. Unlike a threshold it ignores noise and specks; unlike a contour along edges it needs none. It "
      "begins with a fine checkerboard, or with labels at hand; which of the two regions gets the number 1 depends on "
      "the beginning. The whole volume has to fit into memory.");
  n.cite("T. F. Chan, L. A. Vese, Active contours without edges, IEEE Trans. Image Process. 10, 266 (2001)");
  n.cite(
      "P. Marquez-Neila, L. Baumela, L. Alvarez, A morphological approach to curvature-based evolution of curves and "
      "surfaces, IEEE Trans. Pattern Anal. Mach. Intell. 36, 2 (2014)");
  n.synonyms({"active contour", "level set", "snake", "ACWE", "segmentation", "Mumford-Shah"});
  n.example({{"steps", "20"}});
  n.input<Volume>("volume", "Any volume without NaN.");
  n.input<Labels>("start", "Where the border begins: around all numbers but 0; without it: a checkerboard.", false);
  n.output<Labels>("labels", "1 in one of the regions, 0 in the other.");
  n.param("steps", &Params::steps).title("Steps").range(0, 100000).help("How often the border is moved.");
  n.param("smoothing", &Params::smoothing)
      .title("Smoothing")
      .range(0, 100)
      .help("Steps of smoothing after each: 1 to 4 are usual.");
  n.param("inside", &Params::inside)
      .title("Weight inside")
      .range(0, 1e9)
      .advanced()
      .help("How much values inside must agree with their mean (lambda 1).");
  n.param("outside", &Params::outside)
      .title("Weight outside")
      .range(0, 1e9)
      .advanced()
      .help("How much values outside must agree with their mean (lambda 2).");
  declare_classes(n, &Params::classes);
  n.infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace segment_chan_vese_node

TL_NODE(segment_chan_vese)

}  // namespace tl
