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

// Objectives that hold for some data only say how far others lead astray; learning widens its uncertainties by that.
template <class P>
void describe_doubt(NodeBuilder<P>& n) {
  n.template output<Scalar>("doubt",
                            "How far what is found may be displaced because the data are not what is assumed here: a "
                            "mean square, in square pixels; what noise adds to it is taken out by learning.");
}
void give_doubt(NodeRun& r, double square);

// P has a member `scale`.
template <class P>
void describe_error_scale(NodeBuilder<P>& n) {
  n.param("scale", &P::scale, {{"absolute", "Absolute"}, {"relative", "Relative"}})
      .title("Scale")
      .help("The mean square of the difference as it is, or as a share of the mean square of what it should be.");
}

// Two volumes that are compared voxel by voxel.
Result<void> same_grid(const Infos& in, const std::string& port, const std::string& other);

// value: 0-dim, any float type.
Result<void> give_loss(NodeRun& r, const at::Tensor& value, Unit unit = Unit::none);

// The view vectors [view, 12], those that are being learned or plain ones.
at::Tensor vectors_of(const Projections& scan);

// Where the rotation axis stands across the beam, in px from the detector's centre: the mean over the views, 0-dim
// float64, differentiable where the geometry is being learned. Parallel beam.
at::Tensor axis_of(const Projections& scan);

}  // namespace tl
