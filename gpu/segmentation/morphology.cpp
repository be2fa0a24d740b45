// Morphology of masks: a ball contains the voxels whose squared distance is at most the squared radius; a box is one
// pass forward and one backward along each axis.
#include "gpu/segmentation/morphology.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/segmentation/distance.h"

namespace tl::ops {
namespace {

constexpr double radius_rounding = 1e-9;  // relative: a radius of three voxels of edge 0.1 includes the third
constexpr int64_t dilation_operations = 4;
constexpr int64_t max_reach = int64_t{1} << 31;

// The number of voxels with this edge within the radius, at most `most`.
int64_t reach_along(const MorphologySpec& spec, double edge, int64_t most) {
  return static_cast<int64_t>(std::min(spec.radius / edge * (1 + radius_rounding), static_cast<double>(most)));
}

// Along x: true if there is a true value at most `half` voxels away, in place.
void dilate_rows(bool* data, const Lattice& l, int64_t half, const CancelToken& cancel) {
  ops::parallel_for(0, l.rows(), grain(l.nx * dilation_operations), [&](int64_t first, int64_t last) {
    cancel.check();
    std::vector<uint8_t> out(static_cast<std::size_t>(l.nx));
    for (int64_t r = first; r < last; ++r) {
      bool* row = data + r * l.nx;
      int64_t since = half + 1;
      for (int64_t x = 0; x < l.nx; ++x) {
        since = row[x] ? 0 : since + 1;
        out[static_cast<std::size_t>(x)] = since <= half ? 1 : 0;
      }
      since = half + 1;
      for (int64_t x = l.nx; x-- > 0;) {
        since = row[x] ? 0 : since + 1;
        row[x] = since <= half || out[static_cast<std::size_t>(x)] != 0;
      }
    }
  });
}

// Along an axis of `count` rows that are `stride` apart, for all columns of a row at once; the first rows are those at
// start(i), i < starts.
template <class Start>
void dilate_columns(bool* data, int64_t starts, const Start& start, int64_t count, int64_t stride, int64_t nx,
                    int64_t half, const CancelToken& cancel) {
  if (count < 2) return;
  ops::parallel_for(0, starts, grain(count * nx * dilation_operations), [&](int64_t first, int64_t last) {
    std::vector<int32_t> since(static_cast<std::size_t>(nx));
    std::vector<uint8_t> forward(static_cast<std::size_t>(count * nx));
    const auto limit = static_cast<int32_t>(std::min(half, count));
    for (int64_t i = first; i < last; ++i) {
      cancel.check();
      bool* rows = data + start(i);
      std::fill(since.begin(), since.end(), limit + 1);
      for (int64_t q = 0; q < count; ++q)
        for (int64_t x = 0; x < nx; ++x) {
          int32_t& s = since[static_cast<std::size_t>(x)];
          s = rows[q * stride + x] ? 0 : s + 1;
          forward[static_cast<std::size_t>(q * nx + x)] = s <= limit ? 1 : 0;
        }
      std::fill(since.begin(), since.end(), limit + 1);
      for (int64_t q = count; q-- > 0;)
        for (int64_t x = 0; x < nx; ++x) {
          int32_t& s = since[static_cast<std::size_t>(x)];
          s = rows[q * stride + x] ? 0 : s + 1;
          rows[q * stride + x] = s <= limit || forward[static_cast<std::size_t>(q * nx + x)] != 0;
        }
    }
  });
}

at::Tensor dilate_box(const at::Tensor& mask, const Lattice& l, const MorphologySpec& spec) {
  at::Tensor out = mask.clone(at::MemoryFormat::Contiguous);
  bool* data = out.mutable_data_ptr<bool>();
  const int64_t plane = l.ny * l.nx;
  dilate_rows(data, l, reach_along(spec, spec.voxel.x, l.nx), spec.cancel);
  dilate_columns(
      data, l.nz, [=](int64_t z) { return z * plane; }, l.ny, l.nx, l.nx, reach_along(spec, spec.voxel.y, l.ny),
      spec.cancel);
  dilate_columns(
      data, l.ny, [=](int64_t y) { return y * l.nx; }, l.nz, plane, l.nx, reach_along(spec, spec.voxel.z, l.nz),
      spec.cancel);
  return out;
}

// Dilates the mask, or its background.
Result<at::Tensor> grown(const at::Tensor& mask, DistanceTo grows, const MorphologySpec& spec,
                         const std::string& where) {
  TL_TRY(const Lattice l, check_mask(mask, where));
  TL_TRY(check_voxel_size(spec.voxel, where));
  if (!(spec.radius >= 0) || !std::isfinite(spec.radius))
    return invalid("the radius must be 0 or above", where, "Choose a few voxels");
  if (spec.element == StructuringElement::box)
    return dilate_box(grows == DistanceTo::mask ? mask : mask.logical_not(), l, spec);
  TL_TRY(const SquaredDistances squares, squared_distances(mask, grows, {spec.voxel, spec.cancel}, where));
  const double radius = spec.radius / squares.unit * (1 + radius_rounding);
  return squares.values.le(radius * radius);
}

}  // namespace

Reach morphology_reach(const MorphologySpec& spec) {
  return {reach_along(spec, spec.voxel.z, max_reach), reach_along(spec, spec.voxel.y, max_reach),
          reach_along(spec, spec.voxel.x, max_reach)};
}

Result<at::Tensor> dilation(const at::Tensor& mask, const MorphologySpec& spec) {
  return grown(mask, DistanceTo::mask, spec, "dilation");
}

Result<at::Tensor> erosion(const at::Tensor& mask, const MorphologySpec& spec) {
  TL_TRY(at::Tensor background, grown(mask, DistanceTo::background, spec, "erosion"));
  return background.logical_not_();
}

Result<at::Tensor> opening(const at::Tensor& mask, const MorphologySpec& spec) {
  TL_TRY(const at::Tensor eroded, erosion(mask, spec));
  return dilation(eroded, spec);
}

Result<at::Tensor> closing(const at::Tensor& mask, const MorphologySpec& spec) {
  TL_TRY(const at::Tensor dilated, dilation(mask, spec));
  return erosion(dilated, spec);
}

}  // namespace tl::ops
