// Keeps the last frames before a trigger.
#include "core/stream/record_gate.h"

#include <algorithm>
#include <utility>

namespace tl::stream {

RecordGate::RecordGate(Recorder& recorder, std::optional<double> before, int64_t max_bytes)
    : recorder_(recorder), before_(before.value_or(0)), max_bytes_(max_bytes), is_open_(!before), begun_(!before) {}

bool RecordGate::add(FramePtr frame) {
  {
    const std::lock_guard lock(mutex_);
    const bool is_view = frame->kind == FrameKind::view;
    if (!begun_ && !is_view) {
      references_.push_back(std::move(frame));
      return true;
    }
    if (!is_open_) {
      const double newest = frame->arrival_time;
      bytes_ += static_cast<int64_t>(frame->pixels.size());
      views_.push_back(std::move(frame));
      drop_before(newest - before_);
      while (bytes_ > max_bytes_ && views_.size() > 1) {
        short_ = true;
        drop_oldest();
      }
      return true;
    }
    if (!begun_) begin_at(*frame->number);
    if (is_view && first_ && *frame->number < *first_) return true;  // from before the record
  }
  return recorder_.add(std::move(frame));
}

void RecordGate::drop_oldest() {
  const Frame& view = *views_.front();
  bytes_ -= static_cast<int64_t>(view.pixels.size());
  last_dropped_ = std::max(last_dropped_.value_or(*view.number), *view.number);
  views_.pop_front();
}

void RecordGate::drop_before(double time) {
  while (!views_.empty() && views_.front()->arrival_time < time) drop_oldest();
}

void RecordGate::begin_at(int64_t view) {
  // Views that this one may have overtaken have their rows.
  const int64_t next = last_dropped_.value_or(view) + 1;
  first_ = next <= view && view - next < RecordRows::room_before ? next : view;
  begun_ = true;
  recorder_.begin_at(*first_);
  for (std::vector<FramePtr> frames = std::exchange(references_, {}); FramePtr& frame : frames)
    (void)recorder_.add(std::move(frame));
}

void RecordGate::open(double now) {
  // The lock is kept while the frames go to the recorder: those that arrive meanwhile come behind them.
  const std::lock_guard lock(mutex_);
  if (is_open_) return;
  is_open_ = true;
  drop_before(now - before_);
  if (views_.empty()) return;
  int64_t first = *views_.front()->number;
  for (const FramePtr& view : views_) first = std::min(first, *view->number);
  last_dropped_.reset();
  begin_at(first);
  for (std::deque<FramePtr> frames = std::exchange(views_, {}); FramePtr& frame : frames)
    (void)recorder_.add(std::move(frame));
  bytes_ = 0;
}

bool RecordGate::was_short() const {
  const std::lock_guard lock(mutex_);
  return short_;
}

}  // namespace tl::stream
