// Applies a network to images that may be too large for its maps to fit into memory.
#pragma once

#include "core/net/forward.h"
#include "core/net/tiles.h"

namespace tl::net {

// An image or a box of it, [channel, (z,) y, x], with its position: along each axis the range of pixels of the whole
// that it covers, and the length of the whole (none: the image is infinite, nothing is mirrored).
struct Picture {
  at::Tensor data;
  std::vector<Range> covered;
  std::vector<std::optional<int64_t>> length;
};

// Probabilities [class, (z,) y, x] of the requested pixels, tile by tile: equal to those of the whole image at once.
// The pixels that the tiles read (range_read_by()) must be covered. Throws like forward().
at::Tensor apply(const Network& network, const Footprint& footprint, const Picture& picture,
                 const std::vector<Range>& wanted, const CancelToken& cancel = {});

// Peak memory of apply() [bytes], in addition to its input and its result.
double apply_bytes(const Network& network, const Footprint& footprint, const std::vector<Range>& wanted,
                   const std::vector<std::optional<int64_t>>& length);

}  // namespace tl::net
