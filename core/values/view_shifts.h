// Undoes the shifts of views along the rows, for methods that need the axis at the same column of all views.
#pragma once

#include "core/values/values.h"

namespace tl {

// The data [view, row, col] with the rows of each view moved back by the shift that the geometry gives it, relative to
// the geometry's axis (gpu/correction/fourier_shift.h). The data themselves if no view is shifted along the rows, or
// the scan is not circular. Shifts along the columns stay.
at::Tensor unshifted_rows(const Projections& in);

}  // namespace tl
