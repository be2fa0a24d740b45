// Compares the voxels of two volumes, some slices at a time.
#include "core/io/voxel_difference.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace tl::io {
namespace {

constexpr int64_t voxels_of_a_part = int64_t{1} << 24;

std::string size_text(const VolumeGrid& g) {
  return std::to_string(g.nx) + " x " + std::to_string(g.ny) + " x " + std::to_string(g.nz);
}

class Comparison {
 public:
  void add(const at::Tensor& first, const at::Tensor& second, int64_t first_slice) {
    const at::Tensor a = first.to(at::kDouble), b = second.to(at::kDouble);
    const at::Tensor numbers = at::isfinite(a);
    if (numbers.any().item<bool>()) {
      const at::Tensor finite = a.masked_select(numbers);
      low_ = std::min(low_, finite.min().item<double>());
      high_ = std::max(high_, finite.max().item<double>());
    }
    const at::Tensor same = a.eq(b).logical_or(at::isnan(a).logical_and(at::isnan(b)));
    sum_.voxels += a.numel();
    const int64_t others = a.numel() - same.sum().item<int64_t>();
    sum_.differing += others;
    if (others == 0) return;
    const at::Tensor apart = (b - a).abs().masked_fill(same, 0);
    const at::Tensor known = at::isfinite(apart);
    unknown_ += known.logical_not().sum().item<int64_t>();
    squares_ += apart.masked_fill(known.logical_not(), 0).square().sum().item<double>();
    const at::Tensor ranked = apart.masked_fill(known.logical_not(), std::numeric_limits<double>::infinity());
    const auto at = ranked.argmax().item<int64_t>();
    const auto largest = ranked.flatten()[at].item<double>();
    if (largest <= sum_.largest) return;
    sum_.largest = largest;
    const int64_t row = a.size(2), page = a.size(1) * row;
    sum_.largest_at = {first_slice + at / page, at % page / row, at % row};
  }
  VoxelDifference result() {
    if (low_ <= high_) {
      sum_.low = low_;
      sum_.high = high_;
    }
    sum_.rms = std::sqrt(squares_ / static_cast<double>(std::max<int64_t>(sum_.voxels - unknown_, 1)));
    return sum_;
  }

 private:
  VoxelDifference sum_;
  double squares_ = 0;
  int64_t unknown_ = 0;  // number of voxels that are a number in one volume only
  double low_ = std::numeric_limits<double>::infinity(), high_ = -low_;
};

}  // namespace

Result<VoxelDifference> compare_voxels(VolumeReader& first, VolumeReader& second, const CancelToken& cancel) {
  const VolumeGrid &a = first.info().grid, &b = second.info().grid;
  if (a.nx != b.nx || a.ny != b.ny || a.nz != b.nz)
    return invalid("the volumes have " + size_text(a) + " and " + size_text(b) + " voxels",
                   second.info().path.string());
  const int64_t slices = std::clamp<int64_t>(voxels_of_a_part / std::max<int64_t>(1, a.nx * a.ny), 1, a.nz);
  Comparison all;
  for (int64_t z = 0; z < a.nz; z += slices) {
    cancel.check();
    const GridBox box{{z, std::min(a.nz, z + slices)}, {0, a.ny}, {0, a.nx}};
    TL_TRY(const at::Tensor left, first.read(box, cancel));
    TL_TRY(const at::Tensor right, second.read(box, cancel));
    all.add(left, right, z);
  }
  return all.result();
}

}  // namespace tl::io
