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
// B1, B2, B4, B5: RTK's Shepp-Logan cases, within a stated margin of what itk-rtk leaves.
CheckTable verify_shepp_logan();
// C5, C11, C14: the finders of the rotation axis.
CheckTable verify_axis();
// C6: the Paganin filter on plane waves.
CheckTable verify_phase();
// All of them. Throws Failure{cancelled} soon after the token says so.
CheckTable verify_all(VerifySize size, const CancelToken& cancel = {});

bool all_passed(const CheckTable& table);
// Aligned columns, one line per check, failures marked, a summary line at the end.
std::string to_text(const CheckTable& table);

}  // namespace tl
