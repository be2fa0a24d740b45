// What the nodes that score a scan or a volume share: one number that learning makes as small as it can.
#pragma once

#include <algorithm>

#include "core/node/node_builder.h"
#include "gpu/objective/compare.h"

namespace tl {

// Every objective has this output; smaller is better.
template <class P>
void describe_loss(NodeBuilder<P>& n, const std::string& help) {
  n.category("Learning");
  n.template output<Scalar>("loss", help);
}

// An output of objectives that are a mean of squares, pixel by pixel or voxel by voxel: what is squared. Learning takes
// curvature from its slopes (Gauss-Newton).
inline constexpr const char* residual = "residual";

// An output of objectives that compare smoothed data: the loss with twice the width. What its optimum is displaced by
// shows what smoothing and finite pixels do; learning adds a share of it to uncertainties.
inline constexpr const char* wider_loss = "wider_loss";

// Objectives that assume something about the data say how large an error other data make, across the rotation axis
// and along it; learning widens its uncertainties by that.
inline constexpr const char *doubt_across = "doubt_across", *doubt_along = "doubt_along";
template <class P>
void describe_doubt(NodeBuilder<P>& n) {
  const std::string where =
      " where the data do not meet the assumptions of this objective: a mean square displacement, "
      "in square pixels; learning subtracts the share of noise.";
  n.template output<Scalar>(doubt_across, "Possible systematic error across the rotation axis" + where);
  n.template output<Scalar>(doubt_along, "Possible systematic error along the rotation axis" + where);
}
void put_doubt(NodeRun& r, double square_across, double square_along);

// Objectives that compare scans pixel by pixel say where they differ: bands of views, rows or columns whose errors want
// other values, and errors beyond noise, show a model that does not describe the data. Learning widens its
// uncertainties by that, or does not call them resolved.
inline constexpr const char *error_by_band = "error_by_band", *unexplained = "unexplained", *explained = "explained";
template <class P>
void describe_misfit(NodeBuilder<P>& n) {
  n.template output<Table>(error_by_band, "Shares of the loss of bands of views, of rows and of columns.");
  n.template output<Scalar>(unexplained, "Mean square of the difference over that of its noise, minus 1.");
  n.template output<Scalar>(explained, "Share of the measured contrast that the model predicts, noise left out.");
}
// Those that compare volumes say it of bands of slices, rows and columns.
template <class P>
void describe_bands_of_volume(NodeBuilder<P>& n) {
  n.template output<Table>(error_by_band, "Shares of the loss of bands of slices, of rows and of columns.");
}
// Put where they are asked for, which is not where gradients are computed.
void put_entropy_by_band(NodeRun& r, const at::Tensor& x, const at::Tensor& target, ops::ScoreMeaning meaning);
void put_error_by_band(NodeRun& r, const at::Tensor& shares_of_voxels);  // [z, y, x], which add up to the loss
void put_misfit(NodeRun& r, const at::Tensor& x, const at::Tensor& reference, ops::ErrorScale scale);

// P has a member `scale`.
template <class P>
void describe_error_scale(NodeBuilder<P>& n) {
  n.param("scale", "Scale", &P::scale,
          {{ops::ErrorScale::absolute, "absolute", "Absolute"},
           {ops::ErrorScale::relative, "relative", "Relative"},
           {ops::ErrorScale::scaled, "scaled", "Scaled"}})
      .help(
          "Mean square of the difference; or this divided by the mean square of the reference data; or, scaled, after "
          "both got the same mean and the same spread, so that only the pattern counts: 2 (1 - correlation).");
}

// Two volumes that are compared voxel by voxel.
Result<void> require_same_grid(const Infos& in, const std::string& port, const std::string& other);

// value: 0-dim, any float type.
Result<void> put_loss(NodeRun& r, const at::Tensor& value, Unit unit = Unit::none);

// The view vectors [view, 12], those that are being learned or plain ones.
at::Tensor view_vectors_of(const Projections& scan);

// Position of the rotation axis across the beam, in px from the detector's centre: the mean over the views, 0-dim
// float64, differentiable where the geometry is being learned. Parallel beam.
at::Tensor rotation_axis_of(const Projections& scan);

}  // namespace tl
