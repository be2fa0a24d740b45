// Rotation axis by Fourier-wedge consistency: a smooth objective, also used for gradients.
#pragma once

#include "gpu/axis/axis_result.h"

namespace tl::ops {

struct WedgeParams {
  AxisSearch search;
  // Radius of a circle about the axis that encloses the object, as a fraction of half the detector's width. A circle
  // that is too small biases the result; 1 is safe for every object inside the field.
  double radius = 1;
};

// Half a turn, completed by its own mirror image about the right axis, is the sinogram of an object of radius r: its 2D
// Fourier transform (nearly) vanishes where the angular frequency |m| exceeds 2 pi r |f| (Natterer, "The mathematics of
// computerized tomography", 1986). The score is the energy there, relative to that for an arbitrary axis: 0 =
// consistent, 1 = unrelated. As a function of the axis it is a trigonometric sum with coefficients G(f), so that one
// pair of FFTs serves all candidates and Newton's method has exact derivatives. The uncertainty is the sandwich
// sqrt(sum (dg/dp)^2 sigma_p^2) / |second derivative|, propagated through the background subtraction. sigma_p is
// estimated from neighbouring pixels and distributed like that of counted photons (sigma_p^2 grows as exp(p)); it is
// increased if more energy remains than it explains. The noise of flats, which is common to all views, is added; and,
// once for all rows, the effect of edges sharper than a pixel: frequencies beyond Nyquist's are aliased and pull the
// axis towards whole and half pixels.
AxisResult axis_wedge(const at::Tensor& projections, const std::vector<double>& angles, const WedgeParams& params = {});

// The score of equidistant views over half a turn [row, view, col] for an axis [px from the detector centre, float64]:
// 0-dim for all rows, or one per row. Differentiable with respect to both, any number of times.
at::Tensor wedge_objective(const at::Tensor& half_turn, const at::Tensor& axis, double radius = 1);

// The score of an unprepared scan, absorption [view, row, col] with gantry angles [rad], which is repaired, sorted,
// freed of its background, and split into half turns. Rows without signal are ignored; 1 if all are empty.
// `counted`: per row, whether it counts, if the caller determines it (rows whose noise is not white); empty =
// determined here.
at::Tensor wedge_consistency(const at::Tensor& projections, const std::vector<double>& angles, const at::Tensor& axis,
                             double radius = 1, const std::vector<bool>& counted = {});

// Whether each row of [view, row, col] has a signal above the noise, which must be white.
std::vector<bool> rows_with_contrast(const at::Tensor& projections, const std::vector<double>& angles);

}  // namespace tl::ops
