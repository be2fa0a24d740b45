// core/nodes/correct/beam_hardening.cpp: polynomial beam-hardening correction of absorption.
#include <ATen/ATen.h>

#include "core/node/node_builder.h"
#include "gpu/correction/grey_values.h"

namespace tl::correct_beam_hardening_node {

struct Params {
  Learnable<double> linear{1, {}}, quadratic, cubic, quartic;
};

Result<void> check(const Params&, const Infos& in) {
  const auto& scan = scan_of(in);
  if (scan.kind != PixelKind::absorption)
    return invalid("beam hardening is corrected in absorption, this is " + std::string(to_string(scan.kind)),
                   "projections", "Put the flat-field node before this node");
  return ok();
}

int64_t workspace(const Params&, const Infos&, const Region& wanted, int64_t element_size) {
  return region_bytes(wanted, element_size);  // the sum, and the next power of the values
}

Result<void> run(const Params& p, NodeRun& r) {
  Projections out = r.in<Projections>("projections");
  const at::Tensor coefficients =
      at::stack({tensor_of(p.linear), tensor_of(p.quadratic), tensor_of(p.cubic), tensor_of(p.quartic)});
  TL_TRY(out.data, ops::polynomial_absorption(out.data, coefficients));
  return r.done("projections", std::move(out));
}

void describe(NodeBuilder<Params>& n) {
  n.id("correct.beam_hardening", 1).title("Beam hardening").category("Correction").partition(Partition::pointwise);
  n.summary("Beam-hardening correction: a polynomial of the absorption of a polychromatic beam.");
  n.description(
      "The absorption p becomes linear p + quadratic p^2 + cubic p^3 + quartic p^4. Use it against cupping in objects "
      "of one material, with coefficients from a step wedge of this material, or learned. The default changes "
      "nothing.");
  n.cite("G. T. Herman, Correction for beam hardening in computed tomography, Phys. Med. Biol. 24, 81 (1979)");
  n.example({{"linear", "0.9"}, {"quadratic", "0.3"}, {"cubic", "-0.1"}});
  n.synonyms({"cupping", "polynomial", "linearisation", "water correction"});
  n.input<Projections>("projections", "Absorption.");
  n.output<Projections>("projections", "Corrected absorption.");
  n.param("linear", "Linear", &Params::linear).range(-1e3, 1e3).learnable().help("Factor of p.");
  n.param("quadratic", "Quadratic", &Params::quadratic).range(-1e3, 1e3).learnable().help("Factor of p^2.");
  n.param("cubic", "Cubic", &Params::cubic).range(-1e3, 1e3).learnable().help("Factor of p^3.");
  n.advanced_param("quartic", "Quartic", &Params::quartic).range(-1e3, 1e3).learnable().help("Factor of p^4.");
  n.on_gpu();
  n.check(check).workspace(workspace).run(run);
}

}  // namespace tl::correct_beam_hardening_node

TL_NODE(correct_beam_hardening)
