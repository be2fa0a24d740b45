// Single-distance phase retrieval of a homogeneous object (Paganin), as a filter of the transmission.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/correction/view_filter.h"

namespace tl::ops {

// continuous: 1 / (1 + a (kx^2 + ky^2)), Paganin et al., J. Microsc. 206, 33 (2002), eq. 12.
// generalised: with the discrete Laplacian, 1 / (1 + 2 a [(1 - cos kx Wx) / Wx^2 + (1 - cos ky Wy) / Wy^2]), Paganin et
//   al., J. Phys. D 53 (2020); for square pixels, with kappa = cos kx W + cos ky W: 1 / (1 - (2 a / W^2)(kappa - 2)).
// k in rad/mm on the sample plane, a in mm^2.
enum class PaganinForm { continuous, generalised };

// k^2 of the form's Laplacian along one direction [1 / mm^2], at frequencies in cycles per pixel.
at::Tensor negative_laplacian(const at::Tensor& cycles_per_pixel, double pixel, PaganinForm form);

// Distance and pixel sizes of the equivalent parallel beam (Fresnel scaling theorem).
struct PropagationPlane {
  double distance = 0;              // [mm] z1 z2 / (z1 + z2)
  double pixel_u = 1, pixel_v = 1;  // [mm] detector pixel / magnification
};
// source_to_sample <= 0 means a parallel beam (z1 = infinity). All in mm.
PropagationPlane propagation_plane(double source_to_sample, double sample_to_detector, double pitch_u, double pitch_v);

// X-ray wavelength [mm] at an energy [keV].
double wavelength(double energy);

// z lambda / (4 pi) [mm^2]; times delta/beta it is the `a` above (equal to z delta / mu).
double paganin_area(double energy, double distance);

// The dimensionless strength of the filter, a / pixel^2 = z (delta/beta) lambda / (4 pi pixel^2).
double paganin_strength(double energy, double delta_over_beta, double distance, double pixel);

// pi lambda z f^2 at the Nyquist frequency of the smaller pixel side. Above 1 the transport-of-intensity approximation
// of the filter is not valid up to the pixel size: callers warn.
double paganin_chi_nyquist(double energy, const PropagationPlane& plane);

struct PaganinSpec {
  double energy = 0;  // [keV]
  PropagationPlane plane;
  PaganinForm form = PaganinForm::continuous;
  ImageExtension extension = ImageExtension::edge;
  CancelToken cancel;  // checked between views
};

// Filters transmission I / I0 [view, row, col] (float32 or float64) per view; the result is the filtered transmission,
// and -ln of it is mu T (divide by mu = 4 pi beta / lambda for the thickness). delta_over_beta: 0-dim floating-point
// tensor or a number; differentiable with respect to both tensors. The mean of a periodic image is unchanged.
// delta/beta = 0 is the identity. A NaN affects its whole view. Errors: invalid for shapes and types, energy <= 0,
// distance < 0, pixels <= 0, a negative or non-finite delta/beta.
Result<at::Tensor> paganin(const at::Tensor& transmission, const at::Tensor& delta_over_beta, const PaganinSpec& spec);
Result<at::Tensor> paganin(const at::Tensor& transmission, double delta_over_beta, const PaganinSpec& spec);
// Filter with lambda z as a 0-dim tensor instead of energy and distance, also differentiable: [mm^2] with the pixel
// sizes of the sample plane, or times the square of the magnification with those of the detector.
Result<at::Tensor> paganin(const at::Tensor& transmission, const at::Tensor& delta_over_beta,
                           const at::Tensor& wave_area, const PaganinSpec& spec);

}  // namespace tl::ops
