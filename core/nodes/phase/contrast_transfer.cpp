// core/nodes/phase/contrast_transfer.cpp: phase retrieval of weakly absorbing objects by the contrast transfer
// function.
#include <ATen/ATen.h>

#include "core/nodes/phase/phase_node.h"
#include "gpu/phase/phase_retrieval.h"

namespace tl::phase_contrast_transfer_node {

struct Params : PhaseParams {
  double low_limit = 0, high_limit = 0.2;
};

Result<void> check(const Params& p, const Infos& in) {
  TL_TRY(check_phase_node(p, in));
  if (p.delta_over_beta.value && !(*p.delta_over_beta.value > 0))
    return invalid("delta/beta must be positive", "delta_over_beta");
  return ok();
}

Result<void> run(const Params& p, NodeRun& r) {
  TL_TRY(PhaseSetting s, phase_setting(p, r.info<ProjectionsInfo>("projections")));
  ops::CtfSpec spec{.pixel_u = s.pixel_u,
                    .pixel_v = s.pixel_v,
                    .low_limit = p.low_limit,
                    .high_limit = p.high_limit,
                    .cancel = r.cancel()};
  TL_TRY(at::Tensor phase,
         ops::contrast_transfer(r.in<Projections>("projections").data, s.delta_over_beta, s.wave_area, spec));
  const at::Tensor absorption = phase * (2 / s.delta_over_beta).to(phase.scalar_type());
  return put_absorption(p, s, absorption, r);
}

void describe(NodeBuilder<Params>& n) {
  n.id("phase.contrast_transfer", 1).title("Contrast transfer function");
  n.summary("CTF phase retrieval of a weakly absorbing object from one propagation distance; for long distances.");
  n.description(
      "Divides the contrast 1 - I/I0 by its transfer function sin chi + (beta/delta) cos chi, chi = pi lambda z f^2, "
      "regularised where that vanishes. The method is linear: it holds while the object absorbs little and its phase "
      "changes slowly; otherwise use Farago's or Paganin's filter. The result is mu T = 2 (beta/delta) phase.");
  n.cite("P. Cloetens et al., Appl. Phys. Lett. 75, 2912 (1999)");
  n.cite(
      "B. Yu et al., Evaluation of phase retrieval approaches in magnified X-ray phase nano computerized tomography "
      "applied to bone tissue, Opt. Express 26, 11110 (2018)");
  n.synonyms({"phase retrieval", "CTF", "holotomography", "propagation", "contrast transfer function", "phase contrast",
              "single distance"});
  describe_phase_node(n);
  n.advanced_param("low_limit", "Low regularisation", &Params::low_limit)
      .range(0, 10)
      .help(
          "Regularisation at frequencies below the first maximum of the transfer function. 0 keeps the absorption "
          "exact; 1e-5, as in nabu, lowers the absorption.");
  n.advanced_param("high_limit", "High regularisation", &Params::high_limit)
      .range(1e-6, 10)
      .help("Regularisation beyond the first maximum of the transfer function, which has zeros; larger is smoother.");
  n.check(check).run(run);
}

}  // namespace tl::phase_contrast_transfer_node

TL_NODE(phase_contrast_transfer)
