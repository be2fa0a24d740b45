// Filters slices or the volume by a median: tiles of rows are distributed over threads, windows are processed by the
// kernels.
#include "gpu/image/median_filter.h"

#include <ATen/ATen.h>

#include <vector>

#include "gpu/device/grain.h"
#include "gpu/device/launch.h"
#include "gpu/device/parallel_for.h"
#include "gpu/image/median_kernels.h"
#include "gpu/image/neighbourhood_math.h"
#include "gpu/operator/forward_mode.h"
#include "gpu/operator/operator_checks.h"

namespace tl::ops {
namespace {

constexpr int64_t operations_per_value = 8;  // rough value, for the work per thread

// Calls emit(index, the median's key, the window's lines, x) for every voxel.
template <class T, class Emit>
void walk(const T* data, VolumeShape shape, const MedianSpec& spec, const Emit& emit) {
  using Key = decltype(ordered(T{}));
  const Reach& reach = spec.reach;
  const int64_t tiles = tiles_of(shape);
  ops::parallel_for(0, tiles, grain(rows_per_tile * shape.nx * reach.count() * operations_per_value),
                    [&](int64_t first, int64_t last) {
                      LineTile<Key> lines(shape, reach);
                      std::vector<const Key*> window(static_cast<std::size_t>(reach.count()));
                      std::vector<Key> medians(static_cast<std::size_t>(shape.nx + LineTile<Key>::overshoot));
                      for (int64_t number = first; number < last; ++number) {
                        spec.cancel.check();
                        const Tile tile = tile_number(shape, number);
                        lines.load(data, tile.z, tile.rows, [](T v) { return ordered(v); });
                        for (int64_t y = tile.rows.begin; y < tile.rows.end; ++y) {
                          std::size_t next = 0;
                          for (int64_t k = -reach.z; k <= reach.z; ++k)
                            for (int64_t j = -reach.y; j <= reach.y; ++j)
                              for (int64_t i = -reach.x; i <= reach.x; ++i) window[next++] = lines.line(k, y + j) + i;
                          median_of_lines(window.data(), reach.count(), shape.nx, medians.data(), spec.variant);
                          emit(tile.z, y, medians, window);
                        }
                      }
                    });
}

template <class T>
at::Tensor values(const at::Tensor& x, VolumeShape shape, const MedianSpec& spec) {
  at::Tensor out = at::empty_like(x);
  T* target = out.mutable_data_ptr<T>();
  walk(x.const_data_ptr<T>(), shape, spec, [&](int64_t z, int64_t y, const auto& medians, const auto&) {
    T* row = target + (z * shape.ny + y) * shape.nx;
    for (int64_t i = 0; i < shape.nx; ++i) row[i] = float_of_key(medians[static_cast<std::size_t>(i)]);
  });
  return out;
}

// Flat index of the voxel whose value is the result, for autograd.
template <class T>
at::Tensor sources(const at::Tensor& x, VolumeShape shape, const MedianSpec& spec) {
  at::Tensor out = at::empty(x.sizes(), x.options().dtype(at::kLong));
  auto* target = out.mutable_data_ptr<int64_t>();
  const Reach& reach = spec.reach;
  walk(x.const_data_ptr<T>(), shape, spec, [&](int64_t z, int64_t y, const auto& medians, const auto& window) {
    for (int64_t i = 0; i < shape.nx; ++i) {
      int64_t place = 0;
      while (window[static_cast<std::size_t>(place)][i] != medians[static_cast<std::size_t>(i)]) ++place;
      const int64_t dx = place % (2 * reach.x + 1) - reach.x, rest = place / (2 * reach.x + 1);
      const int64_t dy = rest % (2 * reach.y + 1) - reach.y, dz = rest / (2 * reach.y + 1) - reach.z;
      target[(z * shape.ny + y) * shape.nx + i] =
          (mirrored_index(z + dz, shape.nz) * shape.ny + mirrored_index(y + dy, shape.ny)) * shape.nx +
          mirrored_index(i + dx, shape.nx);
    }
  });
  return out;
}

template <class T>
at::Tensor sources_on_device(const at::Tensor& x, VolumeShape shape, const MedianSpec& spec) {
  spec.cancel.check();
  at::Tensor out = at::empty(x.sizes(), x.options().dtype(at::kLong));
  launch(x.device(),
         MedianSource<T>{x.const_data_ptr<T>(), shape.nz, shape.ny, shape.nx, spec.reach.z, spec.reach.y, spec.reach.x,
                         out.mutable_data_ptr<int64_t>()},
         x.numel());
  return out;
}

template <class T>
at::Tensor run(const at::Tensor& volume, const MedianSpec& spec) {
  const VolumeShape shape{volume.size(0), volume.size(1), volume.size(2)};
  const at::Tensor plain = volume.detach().contiguous();
  const bool device = runs_functors(volume, "median filter");
  if (!device && !is_differentiated(volume)) return values<T>(plain, shape, spec);
  const at::Tensor from = device ? sources_on_device<T>(plain, shape, spec) : sources<T>(plain, shape, spec);
  return volume.contiguous().view(-1).index_select(0, from.view(-1)).view(volume.sizes());
}

}  // namespace

Result<at::Tensor> median_filter(const at::Tensor& volume, const MedianSpec& spec) {
  const std::string where = "median filter";
  TL_TRY(check_neighbourhood_filter(volume, spec.reach, where));
  if (volume.numel() == 0) return volume;
  return volume.scalar_type() == at::kFloat ? run<float>(volume, spec) : run<double>(volume, spec);
}

}  // namespace tl::ops
