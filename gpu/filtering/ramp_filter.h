// Ramp filter of filtered back-projection along the detector columns.
#pragma once

#include <cstdint>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/filtering/ramp_window.h"
#include "gpu/operator/linear_operator.h"

namespace tl::ops {

// Continuation of rows beyond the detector. zero: zeros. edge: the outermost pixel repeated. smooth: the mean of the
// four outermost pixels, falling to zero like a squared cosine over a quarter of the detector's width (for an object
// wider than the detector; after B. Ohnesorge et al., Med. Phys. 27, 39 (2000)).
enum class RowExtension { zero, edge, smooth };

// spatial: the transform of Ram and Lakshminarayanan's finite kernel, which keeps the mean of a slice. sampled: |f| at
// the frequencies of the padded row, 0 at f = 0, as in other programs (TomoPy's gridrec); slices lose part of their
// mean, less with more padding.
enum class RampKernel { spatial, sampled };

struct RampFilterSpec {
  int64_t views = 1, rows = 1, cols = 1;
  double pitch =
      1;  // [mm] between columns; in a cone beam on the virtual detector through the axis (pitch / magnification)
  RampWindow window = RampWindow::ram_lak;
  double cutoff =
      1;  // fraction of the Nyquist frequency, in (0, 1]; the window ends there and higher frequencies are set to zero
  RowExtension extension = RowExtension::zero;
  CancelToken cancel;  // checked between chunks of rows
  RampKernel kernel = RampKernel::spatial;
};

// [view, row, col] -> [view, row, col], each row separately; line integrals (dimensionless) become 1/mm. The kernel is
// Ram and Lakshminarayanan's spatial one, h[0] = 1/4, h[odd j] = -1/(pi j)^2, h[even j] = 0, divided by the pitch and
// transformed by FFT, so that its mean value is that of the finite kernel and not zero (Kak and Slaney, "Principles of
// Computerized Tomographic Imaging", eq. 3.61), unless RampKernel::sampled is chosen; window and cutoff act in
// frequency. Rows are padded to at least twice their length. With `zero` the operator is self-adjoint; with `edge` and
// `smooth` adjoint() is the exact transpose. The sum over views times the view weights (view_weights.h),
// back-projected, gives the object in 1/mm. float32 and float64; the frequency response is computed in double. A NaN
// affects its whole row. Errors: invalid (sizes, pitch, cutoff); unavailable (a tensor on another device).
Result<OperatorPtr> make_ramp_filter(const RampFilterSpec& spec);

// The frequency response for an FFT of `length` (even, at least 2): length/2 + 1 real values in 1/mm.
std::vector<double> ramp_response(int64_t length, double pitch, RampWindow window, double cutoff,
                                  RampKernel kernel = RampKernel::spatial);

}  // namespace tl::ops
