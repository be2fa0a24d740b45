// Keeps the last frames before a trigger.
#include "core/stream/record_gate.h"

#include <algorithm>
#include <utility>

namespace tl::stream {

RecordGate::RecordGate(Recorder& recorder, std::optional<double> before, int64_t max_bytes)
    : recorder_(recorder), before_(before.value_or(0)), max_bytes_(max_bytes), is_open_(!before) {}

bool RecordGate::add(FramePtr frame) {
  {
    const std::lock_guard lock(mutex_);
    if (!is_open_) {
      if (frame->kind != FrameKind::view) {
        references_.push_back(std::move(frame));
        return true;
      }
      const double newest = frame->arrival_time;
      bytes_ += static_cast<int64_t>(frame->pixels.size());
      views_.push_back(std::move(frame));
      drop_before(newest - before_);
      while (bytes_ > max_bytes_ && views_.size() > 1) {
        short_ = true;
        bytes_ -= static_cast<int64_t>(views_.front()->pixels.size());
        views_.pop_front();
      }
      return true;
    }
    if (frame->kind == FrameKind::view && first_ && *frame->number < *first_) return true;  // from before the record
  }
  return recorder_.add(std::move(frame));
}

void RecordGate::drop_before(double time) {
  while (!views_.empty() && views_.front()->arrival_time < time) {
    bytes_ -= static_cast<int64_t>(views_.front()->pixels.size());
    views_.pop_front();
  }
}

void RecordGate::open(double now) {
  // The lock is kept while the frames go to the recorder: those that arrive meanwhile come behind them.
  const std::lock_guard lock(mutex_);
  if (is_open_) return;
  is_open_ = true;
  drop_before(now - before_);
  for (const FramePtr& view : views_) first_ = std::min(first_.value_or(*view->number), *view->number);
  if (first_) recorder_.begin_at(*first_);
  for (std::vector<FramePtr> frames = std::exchange(references_, {}); FramePtr& frame : frames)
    (void)recorder_.add(std::move(frame));
  for (std::deque<FramePtr> frames = std::exchange(views_, {}); FramePtr& frame : frames)
    (void)recorder_.add(std::move(frame));
  bytes_ = 0;
}

bool RecordGate::was_short() const {
  const std::lock_guard lock(mutex_);
  return short_;
}

}  // namespace tl::stream
