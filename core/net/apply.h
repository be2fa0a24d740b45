// Applies a network to pictures that may be larger than what its maps leave memory for.
#pragma once

#include "core/net/forward.h"
#include "core/net/tiles.h"

namespace tl::net {

// A picture or a box of one, [channel, (z,) y, x], with what it is of: along each axis the pixels of the whole that it
// covers, and the length of the whole (none: there is picture everywhere, nothing is mirrored).
struct Picture {
  at::Tensor data;
  std::vector<Range> covered;
  std::vector<std::optional<int64_t>> length;
};

// Probabilities [class, (z,) y, x] of the wanted pixels, tile by tile: the same as of the whole picture at once. What
// the tiles read (read_by()) must be covered. Throws as forward().
at::Tensor apply(const Network& network, const Footprint& footprint, const Picture& picture,
                 const std::vector<Range>& wanted, const CancelToken& cancel = {});

// Bytes at a time of apply(), besides its input and its result.
double apply_bytes(const Network& network, const Footprint& footprint, const std::vector<Range>& wanted,
                   const std::vector<std::optional<int64_t>>& length);

}  // namespace tl::net
