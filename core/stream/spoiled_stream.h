// SpoiledStream: what a bad connection does to a stream, by a seed: the same seed, the same stream.
#pragma once

#include <cstdint>
#include <vector>

#include "core/stream/wires/wire.h"

namespace tl::stream {

struct Faults {
  double drop = 0, duplicate = 0, corrupt = 0;  // fractions of the frames
  int64_t reorder = 0;                          // a frame comes up to so many frames late
  uint64_t seed = 1;
};

// One message: which frame, and whether it is damaged so that no receiver takes it.
struct SentFrame {
  int64_t frame = 0;
  bool corrupt = false;
};

struct SpoiledStream {
  std::vector<SentFrame> order;
  std::vector<int64_t> dropped, duplicated, corrupted;  // frames, ascending
  int64_t reordered = 0;                                // frames that come after one that follows them
};
SpoiledStream spoil(int64_t frames, const Faults& faults);

// The same message, damaged: cut short, or with a wrong header. `random` chooses.
OwnedParts corrupted(OwnedParts parts, uint64_t random);

// The order in which a stage that turns `turns` times takes the views of a scan: turn after turn; forward and back; or
// by the golden ratio, so that any stretch of views is spread over the turn.
enum class ViewOrder : uint8_t { turn, sweep, golden };
std::vector<int64_t> view_order(int64_t views, int64_t turns, ViewOrder order);

}  // namespace tl::stream
