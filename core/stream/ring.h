// Ring: the last frames of a stream, sorted by number, within a limit of memory.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "core/stream/frames/frame_numbers.h"

namespace tl::stream {

// late: accepted, but `late_after` or more frames before the newest one, so that no open window contains it. duplicate:
// the first one is kept. implausible: its number is damaged.
enum class Arrival : uint8_t { taken, late, duplicate, implausible };

struct RingCounts {
  int64_t taken = 0, late = 0, duplicates = 0, bytes = 0;  // bytes: kept now
};

// All functions may be called from any thread.
class Ring {
 public:
  Ring(int64_t max_bytes, int64_t late_after, Numbering numbering = Numbering::through_all_kinds);

  // The frame must have a number. When memory is short, the lowest views are dropped first; flats and darks only when
  // no view but the newest is left.
  Arrival add(FramePtr frame);
  // The frames of a kind from `first` to `last`, sorted by number, without missing or dropped ones.
  [[nodiscard]] std::vector<FramePtr> frames(FrameKind kind, int64_t first, int64_t last) const;
  // Numbers of all frames that arrived, including dropped ones.
  [[nodiscard]] FrameNumbers numbers() const;
  [[nodiscard]] RingCounts counts() const;

 private:
  void drop_beyond_limit();

  mutable std::mutex mutex_;
  const int64_t max_bytes_, late_after_;
  FrameNumbers numbers_;
  std::map<std::pair<FrameKind, int64_t>, FramePtr> frames_;  // views come first
  RingCounts counts_;
};

}  // namespace tl::stream
