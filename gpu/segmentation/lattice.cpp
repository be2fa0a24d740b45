// Checks masks, labels and volumes of the segmentation operators, and lists the neighbours of a voxel.
#include "gpu/segmentation/lattice.h"

#include <ATen/ATen.h>

#include <cmath>

#include "gpu/operator/operator_checks.h"
#include "gpu/operator/reduce.h"

namespace tl::ops {
namespace {

Result<Lattice> lattice_of(const at::Tensor& x, const std::string& where) {
  if (!x.defined()) return invalid("there are no voxels", where);
  if (!x.device().is_cpu()) return unavailable("there is no kernel for " + x.device().str(), where, "Use the CPU");
  if (x.dim() != 2 && x.dim() != 3)
    return invalid("the shape is " + shape_text(x.sizes().vec()), where, "A slice [y, x] or a volume [z, y, x] fits");
  if (x.numel() == 0) return invalid("there are no voxels", where);
  return x.dim() == 2 ? Lattice{1, x.size(0), x.size(1)} : Lattice{x.size(0), x.size(1), x.size(2)};
}

Error wrong_type(const at::Tensor& x, const std::string& wanted, const std::string& where) {
  return invalid(std::string("numbers of type ") + at::toString(x.scalar_type()) + " cannot be used", where,
                 "Use " + wanted);
}

Result<void> no_nan_in(const Extrema& range, int64_t count, const std::string& where) {
  if (range.nans == 0) return ok();
  return invalid(std::to_string(range.nans) + " of " + std::to_string(count) + " voxels are NaN", where,
                 "Replace them first, for example with filter.circular_mask or filter.median");
}

}  // namespace

std::vector<LatticeStep> neighbours_of(const Lattice& lattice, Connectivity connectivity) {
  std::vector<LatticeStep> steps;
  const int64_t most = static_cast<int64_t>(connectivity), reach_z = lattice.one_slice() ? 0 : 1;
  for (int64_t distance2 = 1; distance2 <= most; ++distance2)
    for (int64_t z = -reach_z; z <= reach_z; ++z)
      for (int64_t y = -1; y <= 1; ++y)
        for (int64_t x = -1; x <= 1; ++x)
          if (z * z + y * y + x * x == distance2) steps.push_back({z, y, x});
  return steps;
}

Result<Lattice> check_mask(const at::Tensor& mask, const std::string& where) {
  if (mask.defined() && mask.scalar_type() != at::kBool) return wrong_type(mask, "a mask (bool)", where);
  return lattice_of(mask, where);
}

Result<Lattice> check_labels(const at::Tensor& labels, const std::string& where) {
  if (labels.defined() && labels.scalar_type() != at::kBool && labels.scalar_type() != at::kByte &&
      labels.scalar_type() != at::kInt)
    return wrong_type(labels, "a mask (bool) or labels (uint8, int32)", where);
  return lattice_of(labels, where);
}

Result<Lattice> check_volume(const at::Tensor& volume, const std::string& where) {
  if (volume.defined() && volume.scalar_type() != at::kFloat && volume.scalar_type() != at::kDouble)
    return wrong_type(volume, "float32 or float64", where);
  return lattice_of(volume, where);
}

Result<void> check_same_shape(const at::Tensor& a, const at::Tensor& b, const std::string& what,
                              const std::string& where) {
  if (a.sizes() == b.sizes()) return ok();
  return invalid("the shape " + shape_text(b.sizes().vec()) + " of " + what + " differs from " +
                     shape_text(a.sizes().vec()) + " of the voxels",
                 where, "Both must be on the same grid");
}

Result<void> check_voxel_size(const VoxelSize& voxel, const std::string& where) {
  for (const double edge : {voxel.z, voxel.y, voxel.x})
    if (!(edge > 0) || !std::isfinite(edge)) return invalid("the edges of a voxel must be positive", where);
  return ok();
}

Result<void> check_no_nan(const at::Tensor& volume, const std::string& where) {
  return no_nan_in(extrema(volume.contiguous()), volume.numel(), where);
}

Result<void> check_finite(const at::Tensor& volume, const std::string& where) {
  const Extrema range = extrema(volume.contiguous());
  TL_TRY(no_nan_in(range, volume.numel(), where));
  if (std::isfinite(range.min) && std::isfinite(range.max)) return ok();
  return invalid("there are infinite values", where, "Clamp the volume first");
}

}  // namespace tl::ops
