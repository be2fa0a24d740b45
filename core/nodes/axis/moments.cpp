// core/nodes/axis/moments.cpp: rotation axis from the centres of mass of the views.
#include "gpu/axis/moments.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/nodes/axis/axis_node.h"

namespace tl::axis_moments_node {

struct Params : AxisNodeParams {
  double mass_tolerance = 0.05;
};

Result<Findings> measure(const Params& p, NodeRun& r) {
  ops::MomentParams m;
  m.search = axis_search(p, r);
  m.mass_tolerance = p.mass_tolerance;
  double residual = 0;  // of the worst height
  Findings f = measure_axis(p, r, [&](const at::Tensor& rows) {
    ops::MomentResult moments = ops::axis_moments(rows, gantry_angles(r), m);
    residual = std::max(residual, moments.residual);
    return std::move(moments.found);
  });
  f.values["residual"] = Scalar{at::scalar_tensor(residual, at::kDouble), Unit::px};
  return f;
}

void describe(NodeBuilder<Params>& n) {
  n.id("axis.moments", 1).title("Axis by moments");
  n.remedy("axis");
  n.summary(
      "Finds the rotation axis (centre of rotation) from the centre of mass of every view, which moves on a sinusoid.");
  n.description(
      "The whole object must be inside the field of view in all views, and the background 0; then any angles suffice, "
      "also less than half a turn. A mass that changes from view to view is reported as ambiguous. The residual shows "
      "how well the stage and the angles agree.");
  n.cite("Helgason, The Radon Transform (1980); Ludwig, Comm. Pure Appl. Math. 19 (1966) 49");
  n.synonyms({"centre of rotation", "COR", "centre of mass", "sinogram", "Helgason-Ludwig", "find center", "sinusoid",
              "center of rotation", "center of mass"});
  describe_axis_node(n, "rms residual in px with the axis fixed there");
  n.output<Scalar>("residual", "Rms distance of the centres of mass from the sinusoid, in pixels.");
  n.advanced_param("mass_tolerance", "Mass tolerance", &Params::mass_tolerance)
      .range(0.01, 100, Unit::percent)
      .help("Rms change of the mass from view to view above which the result is not trusted.");
  declare_finder(n, measure);
}

}  // namespace tl::axis_moments_node

TL_NODE(axis_moments)
