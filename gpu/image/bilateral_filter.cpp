// Smooths slices or the volume by a bilateral filter: each line of voxels is combined with one shifted line at a time.
// The body is always inlined into functions with a target attribute, which selects AVX-512, AVX2 or plain code.
#include "gpu/image/bilateral_filter.h"

#include <ATen/ATen.h>

#include <cmath>
#include <vector>

#include "gpu/device/choose_variant.h"
#include "gpu/device/grain.h"
#include "gpu/device/launch.h"
#include "gpu/device/parallel_for.h"
#include "gpu/image/similarity_math.h"

namespace tl::ops {
namespace {

constexpr int64_t operations_per_value = 20;  // rough value, for the work per thread

// sum += w (v - centre), weight += w; differences from the centre keep precision if all values are large.
template <class T>
struct Line {
  const T *centre, *shifted;
  T near, inverse;  // near: weight by distance; inverse: -1 / (2 sigma_value^2)
  int64_t count;
  T *sum, *weight;
};

template <class T>
__attribute__((always_inline)) inline void add_shifted_line(const Line<T>& l) {
  const T *centre = l.centre, *shifted = l.shifted;
  T* __restrict__ sum = l.sum, * __restrict__ weight = l.weight;
  const T near = l.near, inverse = l.inverse;
  for (int64_t x = 0; x < l.count; ++x) {
    const T d = shifted[x] - centre[x];
    const T w = bilateral_weight(near, d, inverse);
    sum[x] += w * d;
    weight[x] += w;
  }
}
// Weight of the distance to voxel offset (k, j, i).
double nearness(const BilateralSpec& spec, int64_t k, int64_t j, int64_t i) {
  const auto distance2 = static_cast<double>(k * k + j * j + i * i);
  return std::exp(-0.5 * distance2 / (spec.sigma_distance * spec.sigma_distance));
}
template <class T>
T inverse_of(const BilateralSpec& spec) {
  return static_cast<T>(-0.5 / (spec.sigma_value * spec.sigma_value));
}

template <class T>
void filter_tile(const LineTile<T>& lines, const Tile& tile, VolumeShape shape, const BilateralSpec& spec,
                 std::vector<T>& sum, std::vector<T>& weight, T* out) {
  const Reach& reach = spec.reach;
  const auto add = Variants<add_shifted_line<T>>::of(spec.variant);
  for (int64_t y = tile.rows.begin; y < tile.rows.end; ++y) {
    std::fill(sum.begin(), sum.end(), T{0});
    std::fill(weight.begin(), weight.end(), T{0});
    Line<T> line{lines.line(0, y), nullptr, 0, inverse_of<T>(spec), shape.nx, sum.data(), weight.data()};
    for (int64_t k = -reach.z; k <= reach.z; ++k)
      for (int64_t j = -reach.y; j <= reach.y; ++j)
        for (int64_t i = -reach.x; i <= reach.x; ++i) {
          line.shifted = lines.line(k, y + j) + i;
          line.near = static_cast<T>(nearness(spec, k, j, i));
          add(line);
        }
    T* row = out + (tile.z * shape.ny + y) * shape.nx;
    for (int64_t x = 0; x < shape.nx; ++x)
      row[x] = line.centre[x] + sum[static_cast<std::size_t>(x)] / weight[static_cast<std::size_t>(x)];
  }
}

template <class T>
at::Tensor run(const at::Tensor& volume, const BilateralSpec& spec) {
  const VolumeShape shape{volume.size(0), volume.size(1), volume.size(2)};
  const at::Tensor plain = volume.detach().contiguous();
  at::Tensor result = at::empty_like(plain);
  T* out = result.mutable_data_ptr<T>();
  const T* data = plain.const_data_ptr<T>();
  ops::parallel_for(0, tiles_of(shape), grain(rows_per_tile * shape.nx * spec.reach.count() * operations_per_value),
                    [&](int64_t first, int64_t last) {
                      LineTile<T> lines(shape, spec.reach);
                      std::vector<T> sum(static_cast<std::size_t>(shape.nx)), weight(sum.size());
                      for (int64_t number = first; number < last; ++number) {
                        spec.cancel.check();
                        const Tile tile = tile_number(shape, number);
                        lines.load(data, tile.z, tile.rows, [](T v) { return v; });
                        filter_tile(lines, tile, shape, spec, sum, weight, out);
                      }
                    });
  return result;
}

template <class T>
at::Tensor run_on_device(const at::Tensor& volume, const BilateralSpec& spec) {
  spec.cancel.check();
  const at::Tensor plain = volume.detach().contiguous();
  at::Tensor result = at::empty_like(plain);
  const Reach& reach = spec.reach;
  std::vector<double> near;
  for (int64_t k = -reach.z; k <= reach.z; ++k)
    for (int64_t j = -reach.y; j <= reach.y; ++j)
      for (int64_t i = -reach.x; i <= reach.x; ++i) near.push_back(nearness(spec, k, j, i));
  const at::Tensor table = at::tensor(at::ArrayRef<double>(near), at::kDouble).to(plain.options());
  launch(plain.device(),
         BilateralVoxel<T>{{plain.const_data_ptr<T>(), plain.size(0), plain.size(1), plain.size(2)},
                           reach.z,
                           reach.y,
                           reach.x,
                           table.const_data_ptr<T>(),
                           inverse_of<T>(spec),
                           result.mutable_data_ptr<T>()},
         plain.numel());
  return result;
}

}  // namespace

Result<at::Tensor> bilateral_filter(const at::Tensor& volume, const BilateralSpec& spec) {
  const std::string where = "bilateral filter";
  TL_TRY(check_neighbourhood_filter(volume, spec.reach, where));
  if (!(spec.sigma_distance > 0) || !std::isfinite(spec.sigma_distance))
    return invalid("the width in space must be positive", where, "Choose about one voxel");
  if (!(spec.sigma_value > 0) || !std::isfinite(spec.sigma_value))
    return invalid("the width in value must be positive", where, "Choose two to three times the noise");
  if (volume.numel() == 0) return volume;
  if (runs_functors(volume, where))
    return volume.scalar_type() == at::kFloat ? run_on_device<float>(volume, spec)
                                              : run_on_device<double>(volume, spec);
  return volume.scalar_type() == at::kFloat ? run<float>(volume, spec) : run<double>(volume, spec);
}

}  // namespace tl::ops
