// core/nodes/axis/phase_correlation.cpp: rotation axis from opposite views.
#include "gpu/axis/phase_correlation.h"

#include "core/nodes/axis/axis_node.h"

namespace tl::axis_phase_correlation_node {

struct Params : AxisNodeParams {
  int64_t pairs = 24;
  double cutoff = 0.1;
};

Result<Findings> measure(const Params& p, NodeRun& r) {
  ops::PhaseCorrelationParams c{.search = axis_search(p, r), .pairs = p.pairs, .cutoff = p.cutoff};
  return measure_axis(p, r,
                      [&](const at::Tensor& rows) { return ops::axis_phase_correlation(rows, gantry_angles(r), c); });
}

void describe(NodeBuilder<Params>& n) {
  n.id("axis.phase_correlation", 1).title("Axis by phase correlation");
  n.remedy("axis");
  n.summary("Finds the rotation axis (centre of rotation) by phase correlation of views half a turn apart.");
  n.description(
      "Correlates each view with the mirror image of the opposite one by the phase of their cross spectrum. Pairs that "
      "miss the half turn by a few steps are corrected, so a scan that ends one step before 180 degrees suffices.");
  n.cite("Kuglin, Hines, Proc. IEEE Conf. Cybernetics and Society (1975) 163");
  n.synonyms({"centre of rotation", "COR", "find center", "0 and 180 degrees", "registration", "center of rotation"});
  describe_axis_node(n, "minus the mean correlation");
  n.advanced_param("pairs", "Pairs", &Params::pairs)
      .range(1, 1000)
      .help("Largest number of pairs of opposite views; those nearest to half a turn apart are used.");
  n.advanced_param("cutoff", "Low pass", &Params::cutoff)
      .range(0.005, 0.5)
      .help("Width of the Gaussian low pass on the correlation, in cycles per pixel.");
  declare_finder(n, measure);
}

}  // namespace tl::axis_phase_correlation_node

TL_NODE(axis_phase_correlation)
