// core/nodes/segment/chan_vese.cpp: two regions of different mean value, with a smooth border.
#include "gpu/segmentation/chan_vese.h"

#include <ATen/ATen.h>

#include "core/nodes/segment/level_set_node.h"
#include "gpu/segmentation/level_set.h"

namespace tl::segment_chan_vese_node {

struct Params : LevelSetParams {
  double inside = 1, outside = 1;
};

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
  return put_labels_of_whole(r, whole, [&] { return contour(p, r); });
}

void describe(NodeBuilder<Params>& n) {
  n.id("segment.chan_vese", 1).title("Contour by means");
  n.summary("Morphological Chan-Vese: two regions of different mean value, with a smooth border, without edges.");
  n.description(
      "Each step moves the border to where the value is as far from the mean inside as from that outside, then "
      "smooths it. Unlike a threshold it ignores noise and specks; unlike a contour along edges it needs none. It "
      "begins with a fine checkerboard, or with labels at hand; which of the two regions gets the number 1 depends on "
      "the beginning. The whole volume has to fit into memory.");
  n.cite("T. F. Chan, L. A. Vese, Active contours without edges, IEEE Trans. Image Process. 10, 266 (2001)");
  n.synonyms({"active contour", "level set", "snake", "ACWE", "segmentation", "Mumford-Shah"});
  n.example({{"steps", "20"}});
  declare_level_set(n, "a checkerboard", "1 in one of the regions, 0 in the other.");
  n.advanced_param("inside", "Weight inside", &Params::inside)
      .range(0, 1e9)
      .help("Weight of the deviation of values inside from their mean (lambda 1).");
  n.advanced_param("outside", "Weight outside", &Params::outside)
      .range(0, 1e9)
      .help("Weight of the difference between values outside and their mean (lambda 2).");
  declare_classes(n, &Params::classes);
  n.workspace(workspace).run(run);
}

}  // namespace tl::segment_chan_vese_node

TL_NODE(segment_chan_vese)
