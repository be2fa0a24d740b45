// Reads the voxels around the points of a grid, part by part, and samples them.
#include "core/nodes/input/sample_volume.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/values/index_bounds.h"

namespace tl {
namespace {

// The voxels around the points of a grid; empty ranges if all points lie outside.
GridBox voxels_around(const VolumeGrid& whole, const VolumeGrid& wanted) {
  const IndexBounds bounds = bounds_in(whole, wanted);
  const auto range = [](double low, double high, int64_t n) {
    const double last = static_cast<double>(n);
    const auto begin = static_cast<int64_t>(std::clamp(std::floor(low), 0.0, last));
    const auto end = static_cast<int64_t>(std::clamp(std::floor(high) + 2, 0.0, last));
    return Range{begin, std::max(begin, end)};
  };
  return {range(bounds.low.k, bounds.high.k, whole.nz), range(bounds.low.j, bounds.high.j, whole.ny),
          range(bounds.low.i, bounds.high.i, whole.nx)};
}

}  // namespace

Result<void> sample_volume(io::VolumeReader& reader, const VolumeGrid& whole, const VolumeGrid& wanted,
                           const at::Tensor& out, SampleVoxels sample, const CancelToken& cancel) {
  constexpr int64_t wasteful = 64, small = 4096;  // voxels read per point; points
  const GridBox box = voxels_around(whole, wanted);
  const int64_t read = box.z.size() * box.y.size() * box.x.size(), points = wanted.count();
  if (read == 0) return ok();
  cancel.check();
  if (points > 1 &&
      (read > max_voxels_read || points > max_points_sampled || (read > wasteful * points && points > small))) {
    const std::array<int64_t, 3> sizes = {wanted.nz, wanted.ny, wanted.nx};
    const auto axis = std::max_element(sizes.begin(), sizes.end()) - sizes.begin();
    const auto half = [&](int64_t begin, int64_t end) -> Result<void> {
      std::array<Range, 3> part = {Range{0, wanted.nz}, Range{0, wanted.ny}, Range{0, wanted.nx}};
      part[static_cast<std::size_t>(axis)] = {begin, end};
      return sample_volume(reader, whole, wanted.sub(part[0], part[1], part[2]), out.narrow(axis, begin, end - begin),
                           sample, cancel);
    };
    const int64_t n = sizes[static_cast<std::size_t>(axis)];
    TL_TRY(half(0, n / 2));
    return half(n / 2, n);
  }
  TL_TRY(const at::Tensor voxels, reader.read(box, cancel));
  out.copy_(sample(voxels, whole.sub(box.z, box.y, box.x), wanted));
  return ok();
}

namespace {

template <class T>
at::Tensor nearest(const at::Tensor& voxels, const VolumeGrid& from, const VolumeGrid& to) {
  const at::Tensor plain = voxels.to(at::kCPU, c10::CppTypeToScalarType<T>::value).contiguous();
  at::Tensor out = at::zeros({to.nz, to.ny, to.nx}, plain.options());
  const T* const values = plain.const_data_ptr<T>();
  T* point = out.data_ptr<T>();
  // Points halfway between voxels, as in a binned grid, must not be assigned to either side by rounding.
  constexpr double same_point = 1e-6;  // of a voxel
  const auto nearest_index = [](double index) { return std::floor(index + 0.5 - same_point); };
  const auto inside = [](double index, int64_t n) { return index >= 0 && index < static_cast<double>(n); };
  for (int64_t k = 0; k < to.nz; ++k)
    for (int64_t j = 0; j < to.ny; ++j)
      for (int64_t i = 0; i < to.nx; ++i, ++point) {
        const GridPoint at =
            fractional_index(from, to.position(static_cast<double>(k), static_cast<double>(j), static_cast<double>(i)));
        const double z = nearest_index(at.k), y = nearest_index(at.j), x = nearest_index(at.i);
        if (inside(z, from.nz) && inside(y, from.ny) && inside(x, from.nx))
          *point =
              values[(static_cast<int64_t>(z) * from.ny + static_cast<int64_t>(y)) * from.nx + static_cast<int64_t>(x)];
      }
  return out;
}

}  // namespace

at::Tensor nearest_voxels(const at::Tensor& voxels, const VolumeGrid& from, const VolumeGrid& to) {
  return nearest<float>(voxels, from, to);
}
at::Tensor nearest_labels(const at::Tensor& numbers, const VolumeGrid& from, const VolumeGrid& to) {
  return nearest<int32_t>(numbers, from, to);
}

}  // namespace tl
