// Laws and accuracy checks as functions that return a table: tests assert it, "tomoloom verify" and tl_verify print it.
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
  double value = 0;      // measured value; passes if <= bound
  double bound = 0;
  bool passed = false;
  std::string reason = {};  // explanation of the bound, if it needs one
};
using CheckTable = std::vector<CheckRow>;

// small: seconds, for the test suite. full: more seeds and sizes.
enum class VerifySize { small, full };

// C9: <Ax, y> = <x, A* y> for zero-mean Gaussian x and y with sums in double, and 100 matrix entries computed through A
// and through A*, for every operator, geometry and type.
CheckTable verify_operators(VerifySize size, const CancelToken& cancel = {});
// C10: gradients with respect to rotation axis, tilt, shifts and distances by autograd, against central differences in
// float64, and in float32 against float64.
CheckTable verify_gradients(VerifySize size, const CancelToken& cancel = {});
// Shifting, rotating and scaling scan and volume together: equal numbers, or numbers scaled by a known power.
CheckTable verify_invariance();
// C1, C2 and similar: reconstructions of objects with closed-form projections.
CheckTable verify_analytic(VerifySize size);
// Gridrec: C1, and comparison with FBP with the same filter.
CheckTable verify_gridrec();
// Fourier reconstruction of Gaussian balls from many directions, the shell correlation of volumes with known noise, and
// the shifts of frames of known motion (FlexAlign's fixture).
CheckTable verify_fourier(const CancelToken& cancel = {});
// Iterative solvers: known results, bit-identical resuming, monotone objectives where the method guarantees them, total
// variation against its exact result and by its duality gap, values independent of voxel and pixel sizes.
CheckTable verify_solvers(VerifySize size, const CancelToken& cancel = {});
// Stripe removal: every kind of stripe is reduced, other columns are unchanged, constants are bit-identical.
CheckTable verify_stripes();
// The variants for CPUs with and without AVX2 and AVX-512 agree.
CheckTable verify_variants();
// B1, B2, B4, B5: RTK's Shepp-Logan cases, within a stated margin of itk-rtk's errors.
CheckTable verify_shepp_logan();
// C5, C11, C14 and known axes with and without noise: the finders of the rotation axis.
CheckTable verify_axis(VerifySize size, const CancelToken& cancel = {});
// The parts of verify_axis(), in this order: tests run them in parallel.
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
// C6: phase retrieval filters on plane waves. C7: the same retrieval in other packages' parameters.
CheckTable verify_phase();
// Thresholds, watersheds and random walks with known results; porosity, bubbles, volumes and thickness of phantoms.
CheckTable verify_segmentation(VerifySize size, const CancelToken& cancel = {});
// Every operator with functors, on `device`: "functors" (functors on the host, as a GPU would run them) or "cuda:N".
// Checks agreement with the CPU (largest difference relative to the range of the CPU's result), the dot test of C9,
// gradients with respect to the geometry, and that operators without a kernel report this on a GPU. Throws
// Failure{unavailable} for a GPU that does not exist.
CheckTable verify_device(const std::string& device, const CancelToken& cancel = {});
// All checks on the CPU, and verify_device() on every GPU. Throws Failure{cancelled} soon after cancellation.
CheckTable verify_all(VerifySize size, const CancelToken& cancel = {});

bool all_passed(const CheckTable& table);
// Text with aligned columns: one line per check, failures marked, a summary line at the end.
std::string to_text(const CheckTable& table);

}  // namespace tl
