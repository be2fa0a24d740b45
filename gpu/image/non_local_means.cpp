// Denoises slices or the volume by non-local means, shift by shift on tiles of rows. The bodies are always inlined into
// functions with a target attribute, which selects AVX-512, AVX2 or plain code.
#include "gpu/image/non_local_means.h"

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

constexpr int64_t operations_per_value = 40;  // rough value, for the work per thread

// Workspace of one thread for a tile. `squares` contains, for rows from patch.y above the tile to patch.y below, the
// squared differences at one shift, summed over the patch along z; then, in place, along y.
template <class T>
struct Work {
  Work(VolumeShape shape, const NonLocalMeansSpec& spec)
      : lines(shape, {spec.search.z + spec.patch.z, spec.search.y + spec.patch.y, spec.search.x + spec.patch.x}),
        width(shape.nx + 2 * spec.patch.x),
        squares(static_cast<std::size_t>((rows_per_tile + 2 * spec.patch.y) * width)),
        column(static_cast<std::size_t>(width)),
        sum(static_cast<std::size_t>(rows_per_tile * shape.nx)),
        weight(sum.size()) {}

  LineTile<T> lines;
  int64_t width;
  std::vector<T> squares, column, sum, weight;
};

template <class T>
struct Settings {
  VolumeShape shape;
  Reach search, patch;
  T share, expected, inverse;  // 1 / voxels of a patch, 2 noise^2, -1 / h^2
};

struct Shift {
  int64_t z, y, x;
};

template <class T>
__attribute__((always_inline)) inline void square_differences(Work<T>& w, const Settings<T>& s, Range rows,
                                                              Shift shift) {
  for (int64_t y = rows.begin - s.patch.y; y < rows.end + s.patch.y; ++y) {
    T* __restrict__ to = w.squares.data() + (y - rows.begin + s.patch.y) * w.width;
    for (int64_t k = -s.patch.z; k <= s.patch.z; ++k) {
      const T* a = w.lines.line(k, y) - s.patch.x;
      const T* b = w.lines.line(k + shift.z, y + shift.y) + shift.x - s.patch.x;
      if (k == -s.patch.z) {
        for (int64_t x = 0; x < w.width; ++x) to[x] = (a[x] - b[x]) * (a[x] - b[x]);
      } else {
        for (int64_t x = 0; x < w.width; ++x) to[x] += (a[x] - b[x]) * (a[x] - b[x]);
      }
    }
  }
}

template <class T>
__attribute__((always_inline)) inline void add_shifted_patches(Work<T>& w, const Settings<T>& s, Range rows,
                                                               Shift shift) {
  square_differences(w, s, rows, shift);
  const T share = s.share, expected = s.expected, inverse = s.inverse;
  for (int64_t y = rows.begin; y < rows.end; ++y) {
    const T* above = w.squares.data() + (y - rows.begin) * w.width;
    T* __restrict__ column = w.column.data();
    for (int64_t x = 0; x < w.width; ++x) column[x] = above[x];
    for (int64_t j = 1; j <= 2 * s.patch.y; ++j) {
      const T* row = above + j * w.width;
      for (int64_t x = 0; x < w.width; ++x) column[x] += row[x];
    }
    const T *centre = w.lines.line(0, y), *shifted = w.lines.line(shift.z, y + shift.y) + shift.x;
    T* __restrict__ sum = w.sum.data() + (y - rows.begin) * s.shape.nx;
    T* __restrict__ weight = w.weight.data() + (y - rows.begin) * s.shape.nx;
    T* __restrict__ patch = w.squares.data() + (y - rows.begin) * w.width;  // reuses the memory of this row
    for (int64_t x = 0; x < s.shape.nx; ++x) patch[x] = column[x];
    for (int64_t i = 1; i <= 2 * s.patch.x; ++i)
      for (int64_t x = 0; x < s.shape.nx; ++x) patch[x] += column[x + i];
    for (int64_t x = 0; x < s.shape.nx; ++x) {
      const T like = patch_weight(patch[x], share, expected, inverse);
      sum[x] += like * (shifted[x] - centre[x]);
      weight[x] += like;
    }
  }
}
template <class T>
void filter_tile(Work<T>& w, const Settings<T>& s, const Tile& tile, CpuVariant variant, T* out) {
  const auto add = Variants<add_shifted_patches<T>>::of(variant);
  std::fill(w.sum.begin(), w.sum.end(), T{0});
  std::fill(w.weight.begin(), w.weight.end(), T{0});
  for (int64_t k = -s.search.z; k <= s.search.z; ++k)
    for (int64_t j = -s.search.y; j <= s.search.y; ++j)
      for (int64_t i = -s.search.x; i <= s.search.x; ++i) add(w, s, tile.rows, {k, j, i});
  for (int64_t y = tile.rows.begin; y < tile.rows.end; ++y) {
    const T* centre = w.lines.line(0, y);
    T* row = out + (tile.z * s.shape.ny + y) * s.shape.nx;
    const T *sum = w.sum.data() + (y - tile.rows.begin) * s.shape.nx,
            *weight = w.weight.data() + (y - tile.rows.begin) * s.shape.nx;
    for (int64_t x = 0; x < s.shape.nx; ++x) row[x] = centre[x] + sum[x] / weight[x];
  }
}

template <class T>
Settings<T> settings_for(VolumeShape shape, const NonLocalMeansSpec& spec) {
  return {shape,
          spec.search,
          spec.patch,
          static_cast<T>(1.0 / static_cast<double>(spec.patch.count())),
          static_cast<T>(2 * spec.noise * spec.noise),
          static_cast<T>(-1 / (spec.strength * spec.strength))};
}

template <class T>
at::Tensor run_on_device(const at::Tensor& volume, const NonLocalMeansSpec& spec) {
  spec.cancel.check();
  const at::Tensor plain = volume.detach().contiguous();
  const VolumeShape shape{plain.size(0), plain.size(1), plain.size(2)};
  at::Tensor result = at::empty_like(plain);
  const Settings<T> s = settings_for<T>(shape, spec);
  launch(plain.device(),
         SimilarVoxel<T>{{plain.const_data_ptr<T>(), shape.nz, shape.ny, shape.nx},
                         s.search.z,
                         s.search.y,
                         s.search.x,
                         s.patch.z,
                         s.patch.y,
                         s.patch.x,
                         s.share,
                         s.expected,
                         s.inverse,
                         result.mutable_data_ptr<T>()},
         plain.numel());
  return result;
}

template <class T>
at::Tensor run(const at::Tensor& volume, const NonLocalMeansSpec& spec) {
  const VolumeShape shape{volume.size(0), volume.size(1), volume.size(2)};
  const at::Tensor plain = volume.detach().contiguous();
  at::Tensor result = at::empty_like(plain);
  T* out = result.mutable_data_ptr<T>();
  const T* data = plain.const_data_ptr<T>();
  const Settings<T> settings = settings_for<T>(shape, spec);
  ops::parallel_for(0, tiles_of(shape), grain(rows_per_tile * shape.nx * spec.search.count() * operations_per_value),
                    [&](int64_t first, int64_t last) {
                      Work<T> work(shape, spec);
                      for (int64_t number = first; number < last; ++number) {
                        spec.cancel.check();
                        const Tile tile = tile_number(shape, number);
                        work.lines.load(data, tile.z, tile.rows, [](T v) { return v; });
                        filter_tile(work, settings, tile, spec.variant, out);
                      }
                    });
  return result;
}

}  // namespace

Result<at::Tensor> non_local_means(const at::Tensor& volume, const NonLocalMeansSpec& spec) {
  const std::string where = "non-local means";
  TL_TRY(check_neighbourhood_filter(volume, spec.search, where));
  TL_TRY(check_neighbourhood_filter(volume, spec.patch, where));
  if (!(spec.strength > 0) || !std::isfinite(spec.strength))
    return invalid("the strength must be positive", where, "Choose about the noise of the volume");
  if (!(spec.noise >= 0) || !std::isfinite(spec.noise)) return invalid("the noise must not be negative", where);
  if (volume.numel() == 0) return volume;
  if (runs_functors(volume, where))
    return volume.scalar_type() == at::kFloat ? run_on_device<float>(volume, spec)
                                              : run_on_device<double>(volume, spec);
  return volume.scalar_type() == at::kFloat ? run<float>(volume, spec) : run<double>(volume, spec);
}

}  // namespace tl::ops
