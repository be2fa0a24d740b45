// Applies a network to images that may be larger than what its maps leave memory for.
#pragma once

#include "core/net/forward.h"
#include "core/net/tiles.h"

namespace tl::net {

// An image or a box of one, [channel, (z,) y, x], with its position: along each axis the pixels of the whole that it
// covers, and the length of the whole (none: the image is endless, nothing is mirrored).
struct Picture {
  at::Tensor data;
  std::vector<Range> covered;
  std::vector<std::optional<int64_t>> length;
};

// Probabilities [class, (z,) y, x] of the wanted pixels, tile by tile: the same as of the whole image at once. What
// the tiles read (range_read_by()) must be covered. Throws as forward().
at::Tensor apply(const Network& network, const Footprint& footprint, const Picture& picture,
                 const std::vector<Range>& wanted, const CancelToken& cancel = {});

// Bytes at a time of apply(), in addition to its input and its result.
double apply_bytes(const Network& network, const Footprint& footprint, const std::vector<Range>& wanted,
                   const std::vector<std::optional<int64_t>>& length);

}  // namespace tl::net
