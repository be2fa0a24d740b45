// Tiles: which pixels of an image a network needs, so that the wanted ones come out as from the whole image.
#pragma once

#include <optional>

#include "core/base/cancel.h"
#include "core/base/region.h"
#include "core/net/footprint.h"
#include "core/net/network.h"

namespace tl::net {

// Along one axis: input pixels [first, first + count), which beyond the image are mirrored with the edge repeated,
// and how many of the output's pixels come before the wanted ones.
struct AxisTile {
  int64_t first = 0, count = 0, skip = 0;
};

// `length` of the image; without it the image is endless. Networks with an output of their input's size add
// the border that they were made with at the edges of the image, behind which it is mirrored up to a multiple of the
// alignment; others get all of their border mirrored.
AxisTile tile_for(const Footprint& footprint, std::optional<int64_t> length, Range wanted);

// The part of the image that a tile reads.
Range range_read_by(const AxisTile& tile, std::optional<int64_t> length);

// The wanted part of an axis in tiles: the fewest of equal length up to `longest`.
std::vector<Range> cut(Range wanted, int64_t longest);

// The longest tile that keeps the pixels computed more than once few, and the maps small.
int64_t default_tile_length(const Footprint& footprint, int64_t dims);

}  // namespace tl::net
