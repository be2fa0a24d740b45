// Shifts the rows of views by the shifts in the geometry.
#include "core/values/view_shifts.h"

#include <ATen/ATen.h>

#include "gpu/correction/fourier_shift.h"

namespace tl {

at::Tensor unshifted_rows(const Projections& in) {
  const auto orbit = in.geometry.orbit();
  if (!orbit || orbit->shift_u.empty()) return in.data;
  const at::Tensor back = at::tensor(orbit->shift_u, at::kDouble).neg();
  return ops::fourier_shift(in.data, back, {ops::ShiftAlong::cols, ops::LineExtension::edge}).or_throw();
}

}  // namespace tl
