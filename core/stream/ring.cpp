// Sorts frames that arrive in any order, and forgets the oldest.
#include "core/stream/ring.h"

#include "core/base/error.h"

namespace tl::stream {

namespace {
int64_t bytes_of(const Frame& frame) { return static_cast<int64_t>(frame.pixels.size() + sizeof(Frame)); }
}  // namespace

Ring::Ring(int64_t max_bytes, int64_t late_after, Numbering numbering)
    : max_bytes_(max_bytes), late_after_(late_after), numbers_(numbering) {}

Arrival Ring::add(FramePtr frame) {
  TL_CHECK(frame && frame->number, "a frame in the ring has a number");
  const std::lock_guard lock(mutex_);
  const int64_t number = *frame->number;
  const FrameKind kind = frame->kind;
  const auto newest = numbers_.highest(kind);
  switch (numbers_.add(kind, number)) {
    case FrameNumbers::Added::duplicate: ++counts_.duplicates; return Arrival::duplicate;
    case FrameNumbers::Added::implausible: return Arrival::implausible;
    case FrameNumbers::Added::taken: break;
  }
  ++counts_.taken;
  // `newest` is in the earlier numbering: the frame that reveals another numbering is not late.
  const auto now = numbers_.highest(kind);
  const bool late = newest && now == newest && number <= *newest - late_after_;
  if (late) ++counts_.late;
  counts_.bytes += bytes_of(*frame);
  frames_.emplace(std::pair(kind, number), std::move(frame));
  drop_beyond_limit();
  return late ? Arrival::late : Arrival::taken;
}

void Ring::drop_beyond_limit() {
  while (counts_.bytes > max_bytes_ && frames_.size() > 1) {
    auto oldest = frames_.begin();
    // The newest view is kept: flats alone are useless.
    const auto second = std::next(oldest);
    if (oldest->first.first == FrameKind::view && second->first.first != FrameKind::view) oldest = second;
    counts_.bytes -= bytes_of(*oldest->second);
    frames_.erase(oldest);
  }
}

std::vector<FramePtr> Ring::frames(FrameKind kind, int64_t first, int64_t last) const {
  const std::lock_guard lock(mutex_);
  std::vector<FramePtr> found;
  for (auto at = frames_.lower_bound({kind, first}); at != frames_.end() && at->first <= std::pair(kind, last); ++at)
    found.push_back(at->second);
  return found;
}

FrameNumbers Ring::numbers() const {
  const std::lock_guard lock(mutex_);
  return numbers_;
}

RingCounts Ring::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace tl::stream
