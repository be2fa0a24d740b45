// Tiles: which pixels of an image a network needs, so that the result for a part equals that of the whole image.
#pragma once

#include <optional>

#include "core/base/cancel.h"
#include "core/base/region.h"
#include "core/net/footprint.h"
#include "core/net/network.h"

namespace tl::net {

// Along one axis: input pixels [first, first + count), mirrored beyond the image with the edge repeated, and the number
// of output pixels before the requested ones.
struct AxisTile {
  int64_t first = 0, count = 0, skip = 0;
};

// `length` of the image; none: the image is infinite. For networks with an output of their input's size, the network
// itself adds its border at the edges of the image, after mirroring it up to a multiple of the alignment; for others,
// the whole border is mirrored.
AxisTile tile_for(const Footprint& footprint, std::optional<int64_t> length, Range wanted);

// The part of the image that a tile reads.
Range range_read_by(const AxisTile& tile, std::optional<int64_t> length);

// The wanted part of an axis in tiles: the fewest of equal length up to `longest`.
std::vector<Range> cut(Range wanted, int64_t longest);

// The longest tile for which few pixels are computed more than once, and the maps stay small.
int64_t default_tile_length(const Footprint& footprint, int64_t dims);

}  // namespace tl::net
