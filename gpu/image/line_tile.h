// Buffer of rows of a slice with their neighbourhood and mirrored borders, so that filters read contiguous lines.
#pragma once

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/region.h"
#include "gpu/image/mirrored_index.h"

namespace tl::ops {

// Radius of a neighbourhood along each axis, in voxels; z = 0 filters every slice separately.
struct Reach {
  int64_t z = 0, y = 0, x = 0;
  [[nodiscard]] int64_t count() const { return (2 * z + 1) * (2 * y + 1) * (2 * x + 1); }
  friend bool operator==(const Reach&, const Reach&) = default;
};

inline constexpr int64_t largest_reach = 1024;

// Errors: invalid unless `volume` is a float tensor [z, y, x] and the reach 0 to largest_reach; unavailable on a
// device without kernels.
Result<void> check_neighbourhood_filter(const at::Tensor& volume, const Reach& reach, const std::string& where);

struct VolumeShape {
  int64_t nz = 1, ny = 1, nx = 1;
};

// Rows per tile: few enough for L2, enough to share their neighbours.
inline constexpr int64_t rows_per_tile = 16;

// Each tile is used by one thread. T is the type of the lines; it may differ from that of the volume.
template <class T>
class LineTile {
 public:
  LineTile(VolumeShape shape, Reach reach)
      : shape_(shape),
        reach_(reach),
        stride_(shape.nx + 2 * reach.x + overshoot),
        rows_(rows_per_tile + 2 * reach.y),
        lines_(static_cast<std::size_t>((2 * reach.z + 1) * rows_ * stride_), T{}) {}

  // Loads the rows (at most rows_per_tile) of slice z and their neighbours, applying `map` to each value.
  template <class In, class Map>
  void load(const In* volume, int64_t z, Range rows, const Map& map) {
    first_row_ = rows.begin - reach_.y;
    for (int64_t k = -reach_.z; k <= reach_.z; ++k) {
      const int64_t slice = mirrored_index(z + k, shape_.nz);
      for (int64_t y = first_row_; y < rows.end + reach_.y; ++y) {
        const In* from = volume + (slice * shape_.ny + mirrored_index(y, shape_.ny)) * shape_.nx;
        T* to = lines_.data() + offset(k, y);
        for (int64_t x = 0; x < shape_.nx; ++x) to[x] = map(from[x]);
        for (int64_t x = 1; x <= reach_.x; ++x) {
          to[-x] = to[mirrored_index(-x, shape_.nx)];
          to[shape_.nx - 1 + x] = to[mirrored_index(shape_.nx - 1 + x, shape_.nx)];
        }
      }
    }
  }
  // The line at slice z + dz and row y, which may be outside the volume. Valid from -reach.x to nx + reach.x; a further
  // `overshoot` elements are readable but undefined.
  [[nodiscard]] const T* line(int64_t dz, int64_t y) const { return lines_.data() + offset(dz, y); }

  static constexpr int64_t overshoot = 16;

 private:
  [[nodiscard]] int64_t offset(int64_t dz, int64_t y) const {
    return ((dz + reach_.z) * rows_ + y - first_row_) * stride_ + reach_.x;
  }
  VolumeShape shape_;
  Reach reach_;
  int64_t stride_, rows_, first_row_ = 0;
  std::vector<T> lines_;
};

// Number of tiles of a volume; tiles are numbered slice by slice.
inline int64_t tiles_of(VolumeShape shape) { return shape.nz * ((shape.ny + rows_per_tile - 1) / rows_per_tile); }
struct Tile {
  int64_t z;
  Range rows;
};
inline Tile tile_number(VolumeShape shape, int64_t number) {
  const int64_t per_slice = (shape.ny + rows_per_tile - 1) / rows_per_tile;
  const int64_t first = number % per_slice * rows_per_tile;
  return {number / per_slice, {first, std::min(first + rows_per_tile, shape.ny)}};
}

}  // namespace tl::ops
