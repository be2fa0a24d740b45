// Implements what the objective nodes share: the loss as an output, and the axis as a differentiable number.
#include "core/nodes/objective/objective_node.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "gpu/correction/scan_noise.h"
#include "gpu/operator/forward_mode.h"
#include "gpu/operator/reduce.h"

namespace tl {
namespace {

constexpr int64_t bands_of_misfit = 6;

// By how much differences exceed their noise: mean square over the square of the level of independent noise, minus 1. 0
// where that cannot be told (fewer than 8 columns, no difference at all).
double share_beyond_noise(const at::Tensor& off) {
  const double level = ops::independent_noise_level(off, at::ones_like(off));
  if (!(level > 0)) return 0;
  return std::max(0.0, total_of_squares(off) / static_cast<double>(off.numel()) / (level * level) - 1);
}

}  // namespace

Result<void> require_same_grid(const Infos& in, const std::string& port, const std::string& other) {
  const VolumeGrid &a = std::get<VolumeInfo>(in.at(port)).grid, &b = std::get<VolumeInfo>(in.at(other)).grid;
  if (a.nz == b.nz && a.ny == b.ny && a.nx == b.nx) return ok();
  const auto size = [](const VolumeGrid& g) {
    return std::to_string(g.nx) + " x " + std::to_string(g.ny) + " x " + std::to_string(g.nz);
  };
  return invalid(size(a) + " voxels are compared with " + size(b), other, "Compare volumes on the same grid");
}

Result<void> put_loss(NodeRun& r, const at::Tensor& value, Unit unit) {
  TL_CHECK(value.dim() == 0, "a loss is one number");
  r.out("loss", Scalar{value.to(at::kDouble), unit});
  return ok();
}

void put_doubt(NodeRun& r, double square_across, double square_along) {
  r.out(doubt_across, Scalar{at::scalar_tensor(square_across, at::kDouble), Unit::none});
  r.out(doubt_along, Scalar{at::scalar_tensor(square_along, at::kDouble), Unit::none});
}

void put_misfit(NodeRun& r, const at::Tensor& x, const at::Tensor& reference, ops::ErrorScale scale) {
  if (is_differentiated(x) || is_differentiated(reference)) return;
  const at::Tensor shares = ops::squared_error_by_band(x.cpu(), reference.cpu(), scale, bands_of_misfit);
  Table table;
  for (const auto& [axis, name] : {std::pair(0, "views"), std::pair(1, "rows"), std::pair(2, "columns")}) {
    const double* first = shares.const_data_ptr<double>() + axis * bands_of_misfit;
    table.columns.push_back({name, Unit::none, {first, first + bands_of_misfit}});
  }
  r.out(error_by_band, std::move(table));
  const double beyond = share_beyond_noise(ops::compared_difference(x.cpu(), reference.cpu(), scale));
  r.out(unexplained, Scalar{at::scalar_tensor(beyond, at::kDouble), Unit::none});
}

at::Tensor view_vectors_of(const Projections& scan) {
  if (scan.vectors.defined()) return scan.vectors;
  return at::tensor(scan.geometry.vectors(), at::kDouble).view({scan.geometry.views(), 12});
}

// The axis passes through the origin: it is as far to one side of the detector's centre as the centre is to the other.
at::Tensor rotation_axis_of(const Projections& scan) {
  const at::Tensor vectors = view_vectors_of(scan);
  const auto number = [&](int64_t part, int64_t axis) { return vectors.select(1, 3 * part + axis); };
  const at::Tensor length = (number(0, 0).square() + number(0, 1).square()).sqrt();
  const at::Tensor centre = (number(1, 0) * number(0, 1) - number(1, 1) * number(0, 0)) / length;
  return -centre.mean() / scan.geometry.detector().pitch_u;
}

}  // namespace tl
