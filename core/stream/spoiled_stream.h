// SpoiledStream: simulates a bad connection: lost, doubled and reordered frames; the same seed gives the same stream.
#pragma once

#include <cstdint>
#include <vector>

#include "core/stream/wires/wire.h"

namespace tl::stream {

struct Faults {
  double drop = 0, duplicate = 0, corrupt = 0;  // fractions of the frames
  int64_t reorder = 0;                          // a frame arrives up to so many frames late
  uint64_t seed = 1;
};

// One message: its frame, and whether it is damaged so that every receiver refuses it.
struct SentFrame {
  int64_t frame = 0;
  bool corrupt = false;
};

struct SpoiledStream {
  std::vector<SentFrame> order;
  std::vector<int64_t> dropped, duplicated, corrupted;  // frames, ascending
  int64_t reordered = 0;                                // number of frames sent after a later frame
};
SpoiledStream spoil(int64_t frames, const Faults& faults);

// The message damaged: truncated, or with a wrong header. `random` selects the kind of damage.
OwnedParts corrupted(OwnedParts parts, uint64_t random);

// The order in which a stage that makes `turns` turns records the views of a scan: turn after turn; forward and back;
// or by the golden ratio, so that consecutive views are spread over the turn.
enum class ViewOrder : uint8_t { turn, sweep, golden };
std::vector<int64_t> view_order(int64_t views, int64_t turns, ViewOrder order);

}  // namespace tl::stream
