// core/nodes/phase/farago.cpp: phase retrieval of a homogeneous object beyond the transport of intensity.
#include <ATen/ATen.h>

#include "core/nodes/phase/phase_node.h"
#include "gpu/phase/phase_retrieval.h"

namespace tl::phase_farago_node {

struct Params : PhaseParams {
  double regularisation = 1e-4;
};

Result<void> run(const Params& p, NodeRun& r) {
  TL_TRY(PhaseSetting s, phase_setting(p, r.info<ProjectionsInfo>("projections")));
  ops::FaragoSpec spec{
      .pixel_u = s.pixel_u, .pixel_v = s.pixel_v, .regularisation = p.regularisation, .cancel = r.cancel()};
  TL_TRY(at::Tensor t, ops::farago(r.in<Projections>("projections").data, s.delta_over_beta, s.wave_area, spec));
  return put_transmission(p, s, t, r);
}

void describe(NodeBuilder<Params>& n) {
  n.id("phase.farago", 1).title("Farago");
  n.summary("Phase retrieval of a homogeneous object, valid also where Paganin's filter blurs fine details.");
  n.description(
      "Applies the filter 1 / (cos chi + (delta/beta) sin chi) of the transmission with chi = pi lambda z f^2, then "
      "-ln. For small chi it is Paganin's filter; for fine pixels or long distances it follows the oscillating "
      "contrast. Where the contrast vanishes nothing was measured: the regularisation bounds the filter there. Do not "
      "apply another logarithm after it.");
  n.cite(
      "T. Farago et al., Phase retrieval in propagation-based X-ray imaging beyond the limits of transport of "
      "intensity and contrast transfer function approaches, Opt. Express 32 (2024)");
  n.synonyms({"phase retrieval", "CTF", "quasi-particle", "propagation", "phase contrast", "single distance",
              "homogeneous object"});
  describe_phase_node(n);
  n.advanced_param("regularisation", "Regularisation", &Params::regularisation)
      .range(1e-8, 1)
      .help("Upper limit of the filter is one over twice the square root of this; larger is smoother.");
  n.run(run);
}

}  // namespace tl::phase_farago_node

TL_NODE(phase_farago)
