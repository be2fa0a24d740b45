// Rounds to the network's alignment and mirrors.
#include "core/net/tiles.h"

#include <algorithm>

#include "gpu/image/mirrored_index.h"

namespace tl::net {
namespace {

int64_t rounded_down(int64_t i, int64_t step) { return (i >= 0 ? i / step : -((-i + step - 1) / step)) * step; }
int64_t rounded_up(int64_t i, int64_t step) { return -rounded_down(-i, step); }

}  // namespace

AxisTile tile_for(const Footprint& f, std::optional<int64_t> length, Range wanted) {
  if (f.same) {
    int64_t first = rounded_down(wanted.begin - f.before, f.alignment),
            last = rounded_up(wanted.end + f.after, f.alignment);
    if (length) {
      first = std::max<int64_t>(first, 0);
      last = std::min(last, rounded_up(*length, f.alignment));
    }
    return {first, last - first, wanted.begin - first};
  }
  const int64_t first = rounded_down(wanted.begin, f.alignment);
  const int64_t output =
      f.min_output + rounded_up(std::max<int64_t>(wanted.end - first - f.min_output, 0), f.alignment);
  return {first - f.before, output + f.before + f.after, wanted.begin - first};
}

Range range_read_by(const AxisTile& tile, std::optional<int64_t> length) {
  if (!length) return {tile.first, tile.first + tile.count};
  Range read{*length, 0};
  // If a tile is longer than the image, all of the image is read.
  const int64_t count = std::min(tile.count, 4 * *length + 4);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t at = ops::mirrored_index(tile.first + i, *length);
    read.begin = std::min(read.begin, at);
    read.end = std::max(read.end, at + 1);
  }
  return read;
}

std::vector<Range> cut(Range wanted, int64_t longest) {
  const int64_t parts = std::max<int64_t>((wanted.size() + longest - 1) / longest, 1);
  std::vector<Range> all;
  for (int64_t k = 0; k < parts; ++k)
    all.push_back({wanted.begin + wanted.size() * k / parts, wanted.begin + wanted.size() * (k + 1) / parts});
  return all;
}

int64_t default_tile_length(const Footprint& f, int64_t dims) {
  return dims == 2 ? std::max<int64_t>(384, 2 * f.reach()) : std::max<int64_t>(64, f.reach());
}

}  // namespace tl::net
