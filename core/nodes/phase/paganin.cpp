// core/nodes/phase/paganin.cpp: single-distance phase retrieval of a homogeneous object.
#include "gpu/phase/paganin.h"

#include <ATen/ATen.h>

#include "core/nodes/phase/phase_node.h"

namespace tl::phase_paganin_node {

struct Params : PhaseParams {
  ops::PaganinForm form = ops::PaganinForm::continuous;
};

Result<void> run(const Params& p, NodeRun& r) {
  TL_TRY(PhaseSetting s, phase_setting(p, r.info<ProjectionsInfo>("projections")));
  warn_of_fine_details(s, r);
  ops::PaganinSpec spec;
  spec.plane.pixel_u = s.pixel_u;
  spec.plane.pixel_v = s.pixel_v;
  spec.form = p.form;
  spec.cancel = r.cancel();
  TL_TRY(at::Tensor t, ops::paganin(r.in<Projections>("projections").data, s.delta_over_beta, s.wave_area, spec));
  return put_transmission(p, s, t, r);
}

void describe(NodeBuilder<Params>& n) {
  n.id("phase.paganin", 1).title("Paganin");
  n.summary("Paganin phase retrieval: absorption or thickness of a homogeneous object from one propagation distance.");
  n.description(
      "Applies the low-pass filter 1 / (1 + z (delta/beta) lambda k^2 / (4 pi)), k in radians per length on the sample "
      "plane, with the effective distance and pixel of a cone beam, then -ln. The result is absorption mu T, or the "
      "thickness T in mm. Only the ratio delta/beta matters for the filter. Do not take another logarithm after it.");
  n.cite("D. Paganin, S. C. Mayo, T. E. Gureyev, P. R. Miller, S. W. Wilkins, J. Microsc. 206, 33 (2002)");
  n.cite(
      "D. M. Paganin et al., Boosting spatial resolution by incorporating periodic boundary conditions into "
      "single-distance hard-x-ray phase retrieval, J. Phys. D (2020)");
  n.synonyms({"phase retrieval", "TIE", "propagation", "transport of intensity", "phase contrast", "single distance",
              "homogeneous object"});
  describe_phase_node(n);
  n.advanced_param("form", "Form", &Params::form,
                   {{ops::PaganinForm::continuous, "continuous", "Paganin 2002"},
                    {ops::PaganinForm::generalised, "generalised", "Generalised (2020)"}})
      .help("The generalised form keeps more detail at the pixel size.");
  n.run(run);
}

}  // namespace tl::phase_paganin_node

TL_NODE(phase_paganin)
