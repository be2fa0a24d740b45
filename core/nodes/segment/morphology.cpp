// core/nodes/segment/morphology.cpp: erosion, dilation, opening and closing of labelled voxels.
#include "gpu/segmentation/morphology.h"

#include <ATen/ATen.h>

#include "core/nodes/filter/filter_node.h"
#include "core/nodes/segment/segment_node.h"

namespace tl::segment_morphology_node {

enum class Operation { erode, dilate, open, close };
enum class Element { ball, box };

struct Params {
  Operation operation = Operation::open;
  Element element = Element::ball;
  double radius = 1;
  FilterSpan span = FilterSpan::volume;
};

ops::MorphologySpec spec_of(const Params& p, const VolumeGrid& whole, const VolumeGrid& part) {
  ops::MorphologySpec spec;
  spec.element = p.element == Element::ball ? ops::StructuringElement::ball : ops::StructuringElement::box;
  spec.radius = p.radius;
  spec.voxel = voxel_size_in(whole, part);
  return spec;
}

Neighbourhood needed_neighbourhood(const Params& p, const VolumeGrid& whole, const VolumeGrid& wanted) {
  ops::Reach reach = ops::morphology_reach(spec_of(p, whole, wanted));
  const int64_t times = p.operation == Operation::open || p.operation == Operation::close ? 2 : 1;
  reach = {p.span == FilterSpan::volume ? times * reach.z : 0, times * reach.y, times * reach.x};
  return neighbourhood(whole, wanted, reach);
}

Result<Regions> needs(const Params& p, const Infos& in, const Region& wanted) {
  return Regions{{"labels", needed_neighbourhood(p, labels_of(in).grid, std::get<VolumeGrid>(wanted)).grid}};
}

// Distances of balls need up to 12 bytes per voxel in addition to masks and numbers.
int64_t workspace(const Params& p, const Infos& in, const Region& wanted, int64_t) {
  return 16 * needed_neighbourhood(p, labels_of(in).grid, std::get<VolumeGrid>(wanted)).grid.count();
}

Result<at::Tensor> changed(Operation operation, const at::Tensor& mask, const ops::MorphologySpec& spec) {
  switch (operation) {
    case Operation::erode: return ops::erosion(mask, spec);
    case Operation::dilate: return ops::dilation(mask, spec);
    case Operation::open: return ops::opening(mask, spec);
    case Operation::close: break;
  }
  return ops::closing(mask, spec);
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Labels>("labels");
  const VolumeGrid& whole = r.info<LabelsInfo>("labels").grid;
  const auto& wanted = std::get<VolumeGrid>(r.region);
  const Neighbourhood part = needed_neighbourhood(p, whole, wanted);
  ops::MorphologySpec spec = spec_of(p, whole, wanted);
  spec.cancel = r.cancel();
  at::Tensor mask = mask_of(in);
  if (p.span == FilterSpan::volume) {
    TL_TRY(mask, changed(p.operation, mask, spec));
  } else {
    for (int64_t z = 0; z < mask.size(0); ++z) {
      TL_TRY(const at::Tensor slice, changed(p.operation, mask.select(0, z), spec));
      mask.select(0, z).copy_(slice);
    }
  }
  const at::Tensor inside = mask.narrow(0, part.z.begin, part.z.size())
                                .narrow(1, part.y.begin, part.y.size())
                                .narrow(2, part.x.begin, part.x.size());
  return r.done("labels", labels_of_mask(inside, wanted));
}

void describe(NodeBuilder<Params>& n) {
  n.id("segment.morphology", 1).title("Morphology").category("Segmentation").partition(Partition::custom);
  n.not_differentiable("labels are integers");
  n.summary("Erodes, dilates, opens or closes labelled voxels by a ball or a box.");
  n.description(
      "All numbers but 0 count as labelled; the result has the number 1. Opening removes specks and thin bridges that "
      "the element does not fit into, closing fills gaps and small holes of that size; both keep the size of larger "
      "objects. Voxels beyond the borders of the volume neither erode nor dilate. Time does not depend on the radius.");
  n.cite("J. Serra, Image Analysis and Mathematical Morphology, Academic Press (1982)");
  n.synonyms({"erosion", "dilation", "opening", "closing", "erode", "dilate", "structuring element", "despeckle"});
  n.example({{"radius", "2 px"}});
  n.input<Labels>("labels", "Labels; all numbers but 0 are one mask.");
  n.output<Labels>("labels", "1 where the changed mask is, else 0.");
  n.param("operation", "Operation", &Params::operation,
          {{Operation::erode, "erode", "Erode"},
           {Operation::dilate, "dilate", "Dilate"},
           {Operation::open, "open", "Open"},
           {Operation::close, "close", "Close"}})
      .help("Erode removes voxels near the background, dilate adds voxels near the mask; open and close do both.");
  n.param("element", "Element", &Params::element, {{Element::ball, "ball", "Ball"}, {Element::box, "box", "Box"}})
      .help("The shape of the neighbourhood; in single slices a disc or a square.");
  n.param("radius", "Radius", &Params::radius)
      .range(0, 1000, Unit::px)
      .help("Radius of the element, in voxels along x; half of the edge of a box.");
  n.param("span", "Neighbours", &Params::span,
          {{FilterSpan::volume, "volume", "In the volume"}, {FilterSpan::slices, "slices", "In each slice"}})
      .help("Whether neighbours in the slices above and below are used.");
  n.infos([](const Params&, const Infos& in, const Findings*) -> Result<Infos> { return without_table(in); });
  n.needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::segment_morphology_node

TL_NODE(segment_morphology)
