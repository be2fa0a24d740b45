// Crops projections, and bins their pixels or views; composed of torch operations.
#include "gpu/correction/crop_bin.h"

#include <ATen/ATen.h>

#include <array>
#include <string>

namespace tl::ops {
namespace {
constexpr std::array<const char*, 3> axes = {"views", "rows", "columns"};
}

Result<at::Tensor> crop(const at::Tensor& projections, const ScanRegion& region) {
  if (!projections.defined() || projections.dim() != 3)
    return invalid("the projections are not a tensor [view, row, col]", "crop");
  const std::array<Range, 3> ranges = {region.views, region.rows, region.cols};
  at::Tensor part = projections;
  for (std::size_t i = 0; i < 3; ++i) {
    const Range r = ranges[i];
    const int64_t dim = static_cast<int64_t>(i), size = projections.size(dim);
    if (r.empty() || !Range{0, size}.contains(r))
      return invalid("cannot take " + std::string(axes[i]) + " " + std::to_string(r.begin) + " to " +
                         std::to_string(r.end - 1) + " of " + std::to_string(size),
                     "crop");
    part = part.narrow(dim, r.begin, r.size());
  }
  return part.clone(at::MemoryFormat::Contiguous);
}

Result<at::Tensor> bin(const at::Tensor& projections, const BinFactors& factors) {
  if (!projections.defined() || projections.dim() != 3 || !projections.is_floating_point())
    return invalid("the projections are not a float tensor [view, row, col]", "bin");
  const std::array<int64_t, 3> by = {factors.views, factors.rows, factors.cols};
  std::vector<int64_t> blocks;
  at::Tensor whole = projections;
  for (std::size_t i = 0; i < 3; ++i) {
    const int64_t dim = static_cast<int64_t>(i), size = projections.size(dim);
    if (by[i] < 1 || by[i] > size)
      return invalid("cannot join " + std::to_string(by[i]) + " of " + std::to_string(size) + " " + axes[i], "bin",
                     "Choose a factor from 1 to that number");
    whole = whole.narrow(dim, 0, size / by[i] * by[i]);
    blocks.push_back(size / by[i]);
    blocks.push_back(by[i]);
  }
  if (by == std::array<int64_t, 3>{1, 1, 1}) return projections;
  return whole.reshape(blocks).mean(at::IntArrayRef({1, 3, 5}));
}

}  // namespace tl::ops
