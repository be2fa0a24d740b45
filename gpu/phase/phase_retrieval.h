// Single-distance phase retrieval beyond transport of intensity: Farago's filter, contrast transfer function.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/correction/view_filter.h"

namespace tl::ops {

// Both functions take transmission I / I0 [view, row, col], float32 or float64, delta_over_beta (0-dim, > 0) and
// `wave_area` (0-dim): lambda z [mm^2] with the effective distance z = z1 z2 / (z1 + z2) and the pixel sizes of the
// sample plane, or lambda z times the square of the magnification with those of the detector. chi = pi wave_area (fu^2
// + fv^2), f in cycles per mm. Differentiable with respect to all three tensors. A NaN affects its whole view. Errors:
// invalid for shapes and types, pixels <= 0, a regularisation below 0.

struct FaragoSpec {
  double pixel_u = 1, pixel_v = 1;  // [mm]
  double regularisation = 1e-4;     // r below; 0 gives the plain quotient, which is unbounded at the zeros of D
  ImageExtension extension = ImageExtension::edge;
  CancelToken cancel;
};

// Filtered transmission of a homogeneous object; -ln of it is mu T. The filter 1 / D with D = cos chi + (delta/beta)
// sin chi, Farago et al., "Phase retrieval in propagation-based X-ray imaging beyond the limits of transport of
// intensity and contrast transfer function approaches", Opt. Express 32 (2024), equals Paganin's for small chi and is
// accurate for finer details. D has zeros from chi = pi - atan(beta/delta) on; the filter used is (1 + r) D / (D^2 +
// r), which is 1 at zero frequency and never larger than (1 + r) / (2 sqrt r).
Result<at::Tensor> farago(const at::Tensor& transmission, const at::Tensor& delta_over_beta,
                          const at::Tensor& wave_area, const FaragoSpec& spec);

struct CtfSpec {
  double pixel_u = 1, pixel_v = 1;  // [mm]
  double low_limit = 0;             // regularisation below the cut-off; nabu uses 1e-5
  double high_limit = 0.2;          // regularisation above the cut-off
  ImageExtension extension = ImageExtension::edge;
  CancelToken cancel;
};

// Phase k delta T [rad, positive for matter] of a weakly absorbing homogeneous object:
//   F[phase] = F[1 - I / I0] s / (2 s^2 + limit),  s = sin chi + (beta/delta) cos chi,
// Cloetens et al., Appl. Phys. Lett. 75, 2912 (1999), with the regularisation of Yu et al., "Evaluation of phase
// retrieval approaches in magnified X-ray phase nano computerized tomography applied to bone tissue", Opt. Express 26,
// 11110 (2018), eq. 8: limit changes from low_limit to high_limit at the first maximum of the contrast, 1 / sqrt(2
// wave_area), at most half a cycle per pixel, within some hundredths of a cycle per pixel (error function). With
// low_limit = 0 low frequencies keep their amplitude, since the absorption transfers them. With 1e-5 the mean is scaled
// by 2 (beta/delta)^2 over that plus 1e-5: it loses a third for delta/beta = 300, all but a twentieth for 2000. mu T is
// twice the phase over delta/beta.
Result<at::Tensor> contrast_transfer(const at::Tensor& transmission, const at::Tensor& delta_over_beta,
                                     const at::Tensor& wave_area, const CtfSpec& spec);

}  // namespace tl::ops
