// Computes the grey-value maps of all tiles of a slice, then maps its voxels, row by row.
#include "gpu/image/clahe.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/image/mirrored_index.h"
#include "gpu/operator/operator_checks.h"

namespace tl::ops {
namespace {

constexpr int64_t updates_of_voxel = 20;  // rough value, for the work per thread

// Clips entries at the limit and raises all others by the same number, so that the sum is unchanged. `sorted` only
// provides memory.
void clip_histogram_at(std::vector<double>& counts, double limit, std::vector<double>& sorted) {
  double excess = 0;
  for (double& c : counts) {
    excess += std::max(c - limit, 0.0);
    c = std::min(c, limit);
  }
  if (excess == 0) return;
  // From the fullest bin downward: bins at the limit are not raised, the rest is distributed over the others.
  sorted = counts;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double rise = 0;
  for (std::size_t full = 0; full < sorted.size(); ++full) {
    rise = excess / static_cast<double>(sorted.size() - full);
    if (sorted[full] + rise <= limit) break;
    excess -= limit - sorted[full];
  }
  for (double& c : counts) c = std::min(c + rise, limit);
}

// Converts the grey values of a slice to positions among bins, and divides it into tiles.
template <class T>
class Equalised {
 public:
  Equalised(const ClaheSpec& spec, int64_t ny, int64_t nx)
      : spec_(spec),
        ny_(ny),
        nx_(nx),
        tiles_y_((ny + spec.tile_y - 1) / spec.tile_y),
        tiles_x_((nx + spec.tile_x - 1) / spec.tile_x),
        knots_(static_cast<std::size_t>(spec.bins) + 1),
        maps_(static_cast<std::size_t>(tiles_y_ * tiles_x_) * knots_) {}

  void slice(const T* in, T* out) {
    ops::parallel_for(0, tiles_y_ * tiles_x_, grain(spec_.tile_y * spec_.tile_x * updates_of_voxel),
                      [&](int64_t first, int64_t last) {
                        std::vector<double> counts, sorted;
                        for (int64_t tile = first; tile < last; ++tile) {
                          spec_.cancel.check();
                          find_map(in, tile, counts, sorted);
                        }
                      });
    ops::parallel_for(0, ny_, grain(nx_ * updates_of_voxel), [&](int64_t first, int64_t last) {
      for (int64_t y = first; y < last; ++y) {
        spec_.cancel.check();
        row(in + y * nx_, y, out + y * nx_);
      }
    });
  }

 private:
  // 0 to the number of bins.
  [[nodiscard]] double position(T value) const {
    const double share = (static_cast<double>(value) - spec_.low) / (spec_.high - spec_.low);
    return std::clamp(share, 0.0, 1.0) * static_cast<double>(spec_.bins);
  }
  [[nodiscard]] std::size_t bin_of(double position) const {
    return static_cast<std::size_t>(std::min(static_cast<int64_t>(position), spec_.bins - 1));
  }
  // The fractions of a tile's voxels below the edges of the bins.
  void find_map(const T* in, int64_t tile, std::vector<double>& counts, std::vector<double>& sorted) {
    counts.assign(static_cast<std::size_t>(spec_.bins), 0);
    const int64_t first_y = tile / tiles_x_ * spec_.tile_y, first_x = tile % tiles_x_ * spec_.tile_x;
    double all = 0;
    for (int64_t y = first_y; y < first_y + spec_.tile_y; ++y) {
      const T* const line = in + mirrored_index(y, ny_) * nx_;
      for (int64_t x = first_x; x < first_x + spec_.tile_x; ++x) {
        const T value = line[mirrored_index(x, nx_)];
        if (!std::isfinite(value)) continue;
        counts[bin_of(position(value))] += 1;
        all += 1;
      }
    }
    // Equal counts map values onto themselves; so does a tile without any.
    const double least = all / static_cast<double>(spec_.bins);
    if (all > 0) clip_histogram_at(counts, std::max(spec_.clip_limit * all, least), sorted);
    double* const map = maps_.data() + static_cast<std::size_t>(tile) * knots_;
    double below = 0;
    map[0] = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      below += all > 0 ? counts[i] / all : 1 / static_cast<double>(spec_.bins);
      map[i + 1] = below;
    }
  }
  struct Between {
    int64_t first, second;
    double weight;  // of the second
  };
  // The tiles whose centres are on both sides of a voxel.
  static Between neighbouring_tiles(int64_t voxel, int64_t edge, int64_t tiles) {
    const double at = (static_cast<double>(voxel) - 0.5 * static_cast<double>(edge - 1)) / static_cast<double>(edge);
    const double before = std::floor(at);
    const auto first = static_cast<int64_t>(before);
    return {std::clamp<int64_t>(first, 0, tiles - 1), std::clamp<int64_t>(first + 1, 0, tiles - 1), at - before};
  }
  void row(const T* in, int64_t y, T* out) const {
    const Between down = neighbouring_tiles(y, spec_.tile_y, tiles_y_);
    for (int64_t x = 0; x < nx_; ++x) {
      if (!std::isfinite(in[x])) {
        out[x] = in[x];
        continue;
      }
      const Between across = neighbouring_tiles(x, spec_.tile_x, tiles_x_);
      const double at = position(in[x]);
      const std::size_t bin = bin_of(at);
      const double within = at - static_cast<double>(bin);
      const auto mapped = [&](int64_t tile_y, int64_t tile_x) {
        const double* const map = maps_.data() + static_cast<std::size_t>(tile_y * tiles_x_ + tile_x) * knots_ + bin;
        return map[0] + within * (map[1] - map[0]);
      };
      const double upper =
          (1 - across.weight) * mapped(down.first, across.first) + across.weight * mapped(down.first, across.second);
      const double lower =
          (1 - across.weight) * mapped(down.second, across.first) + across.weight * mapped(down.second, across.second);
      const double share = (1 - down.weight) * upper + down.weight * lower;
      out[x] = static_cast<T>(spec_.low + share * (spec_.high - spec_.low));
    }
  }

  const ClaheSpec& spec_;
  int64_t ny_, nx_, tiles_y_, tiles_x_;
  std::size_t knots_;
  std::vector<double> maps_;  // [tile y, tile x, edge of a bin]
};

template <class T>
at::Tensor equalised(const at::Tensor& slices, const ClaheSpec& spec) {
  const at::Tensor in = slices.contiguous();
  at::Tensor out = at::empty_like(in);
  const int64_t ny = in.size(1), nx = in.size(2);
  Equalised<T> of_slice(spec, ny, nx);
  for (int64_t z = 0; z < in.size(0); ++z)
    of_slice.slice(in.const_data_ptr<T>() + z * ny * nx, out.mutable_data_ptr<T>() + z * ny * nx);
  return out;
}

}  // namespace

Result<at::Tensor> clahe(const at::Tensor& slices, const ClaheSpec& spec) {
  const std::string where = "clahe";
  if (!slices.device().is_cpu())
    return unavailable("there is no kernel for " + slices.device().str(), where, "Use the CPU");
  if (slices.dim() != 3 || slices.numel() == 0)
    return invalid("the shape is " + shape_text(slices.sizes().vec()), where, "Slices [z, y, x] fit");
  if (slices.scalar_type() != at::kFloat && slices.scalar_type() != at::kDouble)
    return invalid(std::string("numbers of type ") + at::toString(slices.scalar_type()) + " cannot be used", where,
                   "Use float32 or float64");
  if (spec.tile_y < 1 || spec.tile_x < 1 || spec.bins < 2) return invalid("tiles and bins are too few or small", where);
  if (!(spec.clip_limit >= 0)) return invalid("the clip limit is negative", where);
  if (!std::isfinite(spec.low) || !std::isfinite(spec.high) || !(spec.low < spec.high))
    return invalid("the range of grey values is empty", where, "The lower end must be below the upper one");
  return slices.scalar_type() == at::kFloat ? equalised<float>(slices, spec) : equalised<double>(slices, spec);
}

}  // namespace tl::ops
