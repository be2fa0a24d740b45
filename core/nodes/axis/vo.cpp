// core/nodes/axis/vo.cpp: rotation axis by Vo's method.
#include "gpu/axis/vo.h"

#include "core/nodes/axis/axis_node.h"

namespace tl::axis_vo_node {

struct Params : AxisNodeParams {
  double ratio = 0.5;
  int64_t drop = 20;
};

Result<Findings> measure(const Params& p, NodeRun& r) {
  ops::VoParams v{.search = axis_search(p, r), .ratio = p.ratio, .drop = p.drop};
  return measure_axis(p, r, [&](const at::Tensor& rows) { return ops::axis_vo(rows, gantry_angles(r), v); });
}

void describe(NodeBuilder<Params>& n) {
  n.id("axis.vo", 1).title("Axis by Vo's method");
  n.remedy("axis");
  n.summary(
      "Finds the rotation axis (centre of rotation) of a half turn by Vo's method: the Fourier metric of the "
      "sinogram.");
  n.description(
      "The sinogram of the half turn is stacked with its mirror image about each candidate; away from the axis the "
      "stack has energy outside a double wedge of its Fourier transform. Robust for noisy and cluttered scans, to "
      "about a quarter of a pixel. A full turn is used as two half turns. The uncertainty comes from interleaved "
      "subsets of the views.");
  n.cite("Vo, Drakopoulos, Atwood, Reinhard, Optics Express 22 (2014) 19078");
  n.synonyms({"centre of rotation", "COR", "find center", "alignment", "find_center_vo", "Fourier wedge",
              "center of rotation"});
  describe_axis_node(n, "mean spectral amplitude outside the wedge, relative");
  n.advanced_param("ratio", "Object size", &Params::ratio)
      .range(0.05, 2)
      .help("Size of the object as a share of the detector width; sets the slope of the wedge.");
  n.advanced_param("drop", "Dropped modes", &Params::drop)
      .range(0, 1000)
      .help("Angular modes around zero that are left out of the score.");
  declare_finder(n, measure);
}

}  // namespace tl::axis_vo_node

TL_NODE(axis_vo)
