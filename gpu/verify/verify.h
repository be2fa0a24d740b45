// Laws and accuracy checks as plain functions: tests assert their table, "tomoloom verify" and tl_verify show it to
// users.
#pragma once

#include <string>
#include <vector>

#include "core/base/cancel.h"

namespace tl {

struct CheckRow {
  std::string id;        // acceptance case and check: "C9 dot", "C9 entries", "C10", "C1", ...
  std::string op;        // operator
  std::string geometry;  // scan and grid
  std::string dtype;     // "float32", "float64"
  double value = 0;      // what was found; meets the check when <= bound
  double bound = 0;
  bool passed = false;
  std::string reason = {};  // of a bound that needs one, in a sentence
};
using CheckTable = std::vector<CheckRow>;

// small: seconds, for the test suite. full: more seeds and sizes.
enum class VerifySize { small, full };

// C9: <Ax, y> = <x, A* y> for zero-mean Gaussian x and y with sums in double, and 100 matrix entries read through A and
// through A*, for every operator, geometry and type.
CheckTable verify_operators(VerifySize size, const CancelToken& cancel = {});
// C10: gradients to rotation axis, tilt, shifts and distances through autograd, against central differences in float64,
// and in float32 against float64.
CheckTable verify_gradients(VerifySize size, const CancelToken& cancel = {});
// Shift, turn and scale of scan and volume together: the same numbers, or the known power of the scale.
CheckTable verify_invariance();
// C1, C2 and their like: reconstructions of objects whose projections are known in closed form.
CheckTable verify_analytic(VerifySize size);
// Gridrec: C1, and against FBP with the same filter.
CheckTable verify_gridrec();
// Iterative solvers: answers by hand, the same bits after a resume, objectives that never grow where the method
// promises it, total variation against its exact answer and its duality gap, values that do not depend on sizes.
CheckTable verify_solvers(VerifySize size, const CancelToken& cancel = {});
// Stripe removal: every kind of stripe falls, other columns stay, constants keep their bits.
CheckTable verify_stripes();
// The variants for processors with and without AVX2 and AVX-512 give the same numbers.
CheckTable verify_variants();
// B1, B2, B4, B5: RTK's Shepp-Logan cases, within a stated margin of what itk-rtk leaves.
CheckTable verify_shepp_logan();
// C5, C11, C14 and known axes with and without noise: the finders of the rotation axis.
CheckTable verify_axis(VerifySize size, const CancelToken& cancel = {});
// The parts that it is made of, in this order: tests run them side by side.
enum class AxisPart {
  block,
  known_by_views,
  known_by_entropy,
  known_by_entropy_noise,
  known_by_negativity,
  known_by_negativity_noise,
  known_by_overlap,
  refusals,
  ambiguity
};
CheckTable verify_axis(AxisPart part, VerifySize size, const CancelToken& cancel = {});
// C6: the filters of phase retrieval on plane waves. C7: the same retrieval in other packages' parameters.
CheckTable verify_phase();
// Every operator and front door that has functors, where `device` says: "functors" (on the host, as a card would run
// them) or "cuda:N". Parity with the processor: the worst difference over the range of the processor's answer; the dot
// test of C9 there; gradients to the geometry; what has no kernel must say so on a card. Throws Failure{unavailable}
// for a card that is not there.
CheckTable verify_device(const std::string& device, const CancelToken& cancel = {});
// All of them, on the processor, and verify_device() on every card. Throws Failure{cancelled} soon after the token says
// so.
CheckTable verify_all(VerifySize size, const CancelToken& cancel = {});

bool all_passed(const CheckTable& table);
// Aligned columns, one line per check, failures marked, a summary line at the end.
std::string to_text(const CheckTable& table);

}  // namespace tl
