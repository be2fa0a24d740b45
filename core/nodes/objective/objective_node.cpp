// Implements what the objective nodes share: the loss as an output, and the axis as a differentiable number.
#include "core/nodes/objective/objective_node.h"

#include <ATen/ATen.h>

#include <array>
#include <cmath>

#include "gpu/correction/scan_noise.h"
#include "gpu/operator/reduce.h"

namespace tl {
namespace {

constexpr int64_t bands = 6;
constexpr std::array bands_of_volume = {"slices", "rows", "columns"};

// Shares [axis, band].
Table table_of(const at::Tensor& shares, const std::array<const char*, 3>& names) {
  Table table;
  const double* share = shares.const_data_ptr<double>();
  for (const char* name : names) {
    table.columns.push_back({name, Unit::none, {share, share + bands}});
    share += bands;
  }
  return table;
}

double noise_level(const at::Tensor& x) { return ops::independent_noise_level(x, at::ones_like(x)); }

double mean_square(const at::Tensor& x) { return total_of_squares(x.contiguous()) / static_cast<double>(x.numel()); }

struct Misfit {
  double unexplained = 0, explained = 1;
};

// `off` is the residual. unexplained: by how much differences exceed their noise: mean square over the square of the
// level of independent noise, minus 1. 0 where that cannot be measured (fewer than 8 columns, no difference at all).
// The level is at most that of the reference: a model can be far noisier than what it describes, and is wrong then all
// the same. Where the reference shows none (most pixels empty), that of the differences counts. explained: 1 minus the
// rest over the contrast of the reference beyond its noise; below 0 where the mean of the reference would describe it
// better, 0 where there is no contrast to predict.
Misfit misfit_of(const at::Tensor& off, const at::Tensor& reference, ops::ErrorScale scale) {
  const double of_differences = noise_level(off);
  if (!(of_differences > 0)) return {};
  double contrast = mean_square(reference - reference.mean()), square_of_unit = 1;
  if (scale == ops::ErrorScale::relative) square_of_unit = mean_square(reference);
  if (scale == ops::ErrorScale::scaled) square_of_unit = contrast;
  const double of_reference = noise_level(reference) / std::sqrt(square_of_unit);
  contrast /= square_of_unit;
  const double level = of_reference > 0 ? std::min(of_differences, of_reference) : of_differences;
  const double noise = level * level, rest = std::max(0.0, mean_square(off) - noise), beyond = contrast - noise;
  return {rest / noise, rest == 0 ? 1 : beyond > 0 ? 1 - rest / beyond : 0};
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
  return r.done("loss", Scalar{value.to(at::kDouble), unit});
}

void put_doubt(NodeRun& r, double square_across, double square_along) {
  r.out(doubt_across, Scalar{at::scalar_tensor(square_across, at::kDouble), Unit::none});
  r.out(doubt_along, Scalar{at::scalar_tensor(square_along, at::kDouble), Unit::none});
}

void put_misfit(NodeRun& r, const at::Tensor& x, const at::Tensor& reference, ops::ErrorScale scale) {
  if (r.wants(error_by_band))
    r.out(error_by_band,
          table_of(ops::squared_error_by_band(x.cpu(), reference.cpu(), scale, bands), {"views", "rows", "columns"}));
  if (!r.wants(unexplained) && !r.wants(explained)) return;
  const Misfit misfit =
      misfit_of(ops::residual(x.detach().cpu(), reference.detach().cpu(), scale), reference.detach().cpu(), scale);
  r.out(unexplained, Scalar{at::scalar_tensor(misfit.unexplained, at::kDouble), Unit::none});
  r.out(explained, Scalar{at::scalar_tensor(misfit.explained, at::kDouble), Unit::none});
}

void put_entropy_by_band(NodeRun& r, const at::Tensor& x, const at::Tensor& target, ops::ScoreMeaning meaning) {
  if (!r.wants(error_by_band)) return;
  r.out(error_by_band, table_of(ops::cross_entropy_by_band(x.cpu(), target.cpu(), meaning, bands), bands_of_volume));
}

void put_error_by_band(NodeRun& r, const at::Tensor& shares_of_voxels) {
  r.out(error_by_band, table_of(ops::sums_by_band(shares_of_voxels, bands), bands_of_volume));
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
