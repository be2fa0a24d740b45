// core/nodes/objective/moments.cpp: objective: consistency of the views' masses and centres of mass.
#include "gpu/objective/moments.h"

#include <ATen/ATen.h>

#include "core/nodes/filtered_views.h"
#include "core/nodes/objective/objective_node.h"

namespace tl::objective_moments_node {

struct Params {
  double mass = 1, across = 1, along = 1;
};

Result<void> check(const Params& p, const Infos& in) {
  const auto& scan = scan_of(in);
  TL_TRY(require_line_integrals(scan));
  const auto orbit = scan.geometry.orbit();
  if (!scan.geometry.is_parallel() || !orbit || orbit->lamino != 0)
    return invalid("the moments of views are consistent only in a parallel beam across the rotation axis",
                   "projections", "For other beams use the reprojection error");
  // Centres of mass are compared in the object's frame, in which a roll is known; masses are sums of pixels.
  if (orbit->yaw != 0 || orbit->pitch != 0 || !orbit->magnification.empty())
    return invalid("this objective needs views of one magnification, on a detector across the beam", "projections",
                   "Use the reprojection error");
  if (scan.geometry.views() < 4) return invalid("fewer than 4 views", "projections", "Use more of the scan");
  if (p.mass == 0 && p.across == 0 && p.along == 0) return invalid("all weights are 0", "mass", "Give one of them");
  return ok();
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  const at::Tensor vectors = view_vectors_of(in);
  const ops::MomentWeights weights{p.mass, p.across, p.along};
  const DetectorShape& detector = in.geometry.detector();
  if (r.wants(doubt_across) || r.wants(doubt_along)) {
    const ops::MomentErrors errors = ops::moment_error_estimate(in.data, vectors, detector, weights);
    put_doubt(r, errors.across, errors.along);
  }
  return put_loss(r, ops::moment_consistency(in.data, vectors, detector, weights));
}

void describe(NodeBuilder<Params>& n) {
  n.id("objective.moments", 1).title("Consistency of moments").partition(Partition::whole);
  n.summary("Helgason-Ludwig consistency: scores axis and shifts of the views by their mass and centre of mass.");
  n.description(
      "In a parallel beam every view of an object has the same mass, and its centre of mass moves on a sinusoid across "
      "the rotation axis and stands still along it. The score is how much the views deviate from that. It needs no "
      "reconstruction, is a quadratic function of the shifts of the views, and finds all of them at once; it does not "
      "depend on shifts that only move the object: a circle of shifts across the axis, and a common shift along it. "
      "The object must be inside the field of view in every view, and the background must be 0.");
  n.cite("D. Ludwig, The Radon transform on Euclidean space, Comm. Pure Appl. Math. 19 (1966) 49");
  n.cite(
      "S. Basu, Y. Bresler, Uniqueness of tomography with unknown view angles, IEEE Trans. Image Processing 9 (2000) "
      "1094");
  n.synonyms({"objective", "loss", "data consistency", "Helgason-Ludwig", "centre of mass", "jitter", "alignment",
              "shifts", "center of mass"});
  n.input<Projections>("projections", "Absorption in a parallel beam.");
  describe_loss(n, "Weighted sum of the three deviations; smaller is better.");
  describe_doubt(n);
  n.advanced_param("mass", "Weight of the masses", &Params::mass)
      .range(0, 1e12)
      .help("Weight of the relative variance of the masses.");
  n.advanced_param("across", "Weight across the axis", &Params::across)
      .range(0, 1e12)
      .help("Weight of the mean square deviation of the centres from a sinusoid, in square pixels.");
  n.advanced_param("along", "Weight along the axis", &Params::along)
      .range(0, 1e12)
      .help("Weight of the variance of the centres' height, in square pixels; 0 where the object leaves the rows.");
  n.check(check).run(run);
}

}  // namespace tl::objective_moments_node

TL_NODE(objective_moments)
