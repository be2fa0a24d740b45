// Propagation-based phase contrast: the intensity behind a homogeneous object of known thickness at a distance.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/correction/view_filter.h"
#include "gpu/phase/paganin.h"

namespace tl::ops {

// With a = exp(-mu T), mu = 4 pi beta / lambda, chi = pi lambda z f^2:
// transport: I/I0 = a - z (delta / mu) laplacian(a), the transport of intensity, Paganin et al., J. Microsc. 206, 33
//   (2002), eq. 7, with the Laplacian of the same form, in Fourier space, as Paganin's filter: its exact inverse.
// two_pixel: the same with differences of neighbours two pixels apart, taken twice (the second derivative over two
//   pixels), one-sided at the edges, as in R. Schoonhoven, "On the optimization of imaging pipelines" (2024), chapter
//   3. It ignores structure with a period of two pixels, and Paganin's filter is not its inverse.
// fresnel: |F^-1[ exp(-i chi) F[ exp(-(mu/2 + 2 pi i delta / lambda) T) ] ]|^2, valid at any distance.
enum class PropagationModel { transport, two_pixel, fresnel };

struct PropagationSpec {
  double pixel_u = 1, pixel_v = 1;  // [mm]
  PropagationModel model = PropagationModel::transport;
  PaganinForm form = PaganinForm::continuous;  // of the Laplacian of `transport`
  ImageExtension extension = ImageExtension::edge;
  CancelToken cancel;  // checked between views
};

// Parameters of the refractive index 1 - delta + i beta, and of the beam; 0-dim floating-point tensors.
struct PropagationBeam {
  at::Tensor delta, beta;
  at::Tensor wavelength;  // [mm]
  // lambda z with the effective distance and the pixel sizes of the sample plane, or times the square of the
  // magnification with those of the detector [mm^2].
  at::Tensor wave_area;
};

// From the thickness [mm] of an object [view, row, col], float32 or float64, computes I / I0 of the same shape.
// Differentiable with respect to the thickness and all four tensors. Composed of torch operations: it runs on the
// device of the thickness. A NaN affects its whole view. At distance 0 all models give exp(-mu T). Intensities below 0,
// where `transport` and `two_pixel` are not valid, are not changed. Errors: invalid for shapes and types, pixel sizes
// <= 0, delta < 0, beta <= 0, a wavelength <= 0, a distance < 0.
Result<at::Tensor> propagate(const at::Tensor& thickness, const PropagationBeam& beam, const PropagationSpec& spec);

}  // namespace tl::ops
