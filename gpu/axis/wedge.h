// Rotation axis by Fourier-wedge consistency: the smooth objective that gradients use too.
#pragma once

#include "gpu/axis/axis_result.h"

namespace tl::ops {

struct WedgeParams {
  AxisSearch search;
  // Radius of a circle about the axis that encloses the object, as a share of half the detector's width. Too small a
  // circle biases the result; 1 is safe for every object that stays inside the field.
  double radius = 1;
};

// A half turn, completed by its own mirror image about the right axis, is the sinogram of an object of radius r: its
// 2D Fourier transform vanishes (nearly) where the angular frequency |m| exceeds 2 pi r |f| (Natterer, "The mathematics
// of computerized tomography", 1986). The score is the energy found there, as a share of what an arbitrary axis leaves:
// 0 = consistent, 1 = unrelated. As a function of the axis it is a trigonometric sum with coefficients G(f), so one
// pair of FFTs serves all candidates and Newton's method has exact derivatives. The uncertainty is the sandwich
// sqrt(sum (dg/dp)^2 sigma_p^2) / |second derivative|, through the background that was taken off. sigma_p is the noise
// between neighbours, spread as that of counted photons (sigma_p^2 grows as exp(p)), or more where more energy remains
// than it explains; the noise of flats, which all views share, comes on top. So does, once for all rows, what edges
// sharper than a pixel may do: frequencies beyond Nyquist's fold back and pull the axis towards whole and half pixels.
AxisResult axis_wedge(const at::Tensor& projections, const std::vector<double>& angles, const WedgeParams& params = {});

// The score of equidistant views over half a turn [row, view, col] for an axis [px from the detector centre, float64]:
// 0-dim for all rows, or one per row. Differentiable with respect to both, any number of times.
at::Tensor wedge_objective(const at::Tensor& half_turn, const at::Tensor& axis, double radius = 1);

// The same of a scan as it comes, absorption [view, row, col] with gantry angles [rad]: repaired, sorted, without its
// background, a full turn as two half turns. Rows that show nothing do not count; 1 where all are empty. `counted`, one
// per row: which of them do, where that is known better (of rows whose noise is not white); empty = looked for here.
at::Tensor wedge_consistency(const at::Tensor& projections, const std::vector<double>& angles, const at::Tensor& axis,
                             double radius = 1, const std::vector<bool>& counted = {});

// Per row of [view, row, col]: is anything there but noise? The noise must be white.
std::vector<bool> rows_with_contrast(const at::Tensor& projections, const std::vector<double>& angles);

}  // namespace tl::ops
