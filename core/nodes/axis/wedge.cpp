// core/nodes/axis/wedge.cpp: rotation axis by Fourier-wedge consistency.
#include "gpu/axis/wedge.h"

#include "core/nodes/axis/axis_node.h"

namespace tl::axis_wedge_node {

struct Params : AxisNodeParams {
  double radius = 1;
};

Result<Findings> measure(const Params& p, NodeRun& r) {
  ops::WedgeParams w;
  w.search = axis_search(p, r);
  w.radius = p.radius;
  return measure_axis(p, r, [&](const at::Tensor& rows) { return ops::axis_wedge(rows, gantry_angles(r), w); });
}

void describe(NodeBuilder<Params>& n) {
  n.id("axis.wedge", 1).title("Axis by wedge consistency");
  n.remedy("axis");
  n.summary(
      "Finds the rotation axis (centre of rotation) of a half turn to a hundredth of a pixel by Fourier-wedge "
      "consistency.");
  n.description(
      "The half turn and its mirror image about the right axis are the sinogram of one object, whose Fourier transform "
      "vanishes outside a wedge. The score is the energy found there: 0 is consistent, 1 unrelated. It is minimised "
      "with exact derivatives; the uncertainty includes noise, the scatter of the rows and the effect of edges sharper "
      "than a pixel. The circle given by the radius must enclose the object.");
  n.cite("Natterer, The Mathematics of Computerized Tomography, Wiley (1986), chapter III");
  n.synonyms(
      {"centre of rotation", "COR", "find center", "alignment", "Fourier wedge", "bow tie", "center of rotation"});
  describe_axis_node(n, "energy outside the wedge, relative");
  n.advanced_param("radius", "Object radius", &Params::radius)
      .range(0.05, 4)
      .help("Circle about the axis that encloses the object, as a share of half the detector width.");
  declare_finder(n, measure);
}

}  // namespace tl::axis_wedge_node

TL_NODE(axis_wedge)
