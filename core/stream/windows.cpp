// Divides a stream into overlapping windows.
#include "core/stream/windows.h"

#include <algorithm>
#include <utility>

namespace tl::stream {

void Windows::add(FramePtr frame, Numbering numbering, bool linear) {
  const std::lock_guard lock(mutex_);
  linear_ = linear;
  if (!placed_) placed_.emplace(numbering);
  const std::optional<int64_t> row = placed_->add(frame->kind, *frame->number);
  if (!row) return;
  highest_ = std::max(highest_, *row);
  has_flats_ = has_flats_ || frame->kind == FrameKind::flat;
  if (frame->kind == FrameKind::view) {
    if (frame->has_beam) view_rows_.insert(std::lower_bound(view_rows_.begin(), view_rows_.end(), *row), *row);
    if (begin_ && *row < *begin_) return;  // too late for all following windows
    ++kept_views_;
  }
  frames_.emplace(*row, std::move(frame));
  limit();
}

void Windows::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
}

// Lost frames count as views: their kind is unknown.
bool Windows::is_view(int64_t row) const {
  const auto found = frames_.find(row);
  return found == frames_.end() || found->second->kind == FrameKind::view;
}

std::optional<int64_t> Windows::last_of(int64_t row, int64_t views) const {
  for (; row <= highest_; ++row)
    if (is_view(row) && --views == 0) return row;
  return std::nullopt;
}

bool Windows::is_settled(int64_t first, int64_t last) const {
  if (ended_ || highest_ >= last + patience) return true;
  for (int64_t row = first; row <= last; ++row)
    if (frames_.count(row) == 0) return false;
  return true;
}

bool Windows::has_flat_after(int64_t row) const {
  return std::any_of(frames_.upper_bound(row), frames_.end(),
                     [](const auto& placed) { return placed.second->kind == FrameKind::flat; });
}

Window Windows::window_of(int64_t first, int64_t last) const {
  Window window;
  window.index = index_;
  window.linear = linear_;
  const auto views_before = [&](int64_t row) {
    return std::lower_bound(view_rows_.begin(), view_rows_.end(), row) - view_rows_.begin();
  };
  for (const auto& [row, frame] : frames_) {
    if (frame->kind == FrameKind::dark) window.darks.push_back(frame);
    if (frame->kind == FrameKind::flat && row < last)
      window.flats.push_back({frame, static_cast<double>(views_before(row)) - 0.5});
    if (frame->kind != FrameKind::view || !frame->has_beam || row < first || row > last) continue;
    window.views.push_back({frame, row, views_before(row)});
    window.newest = std::max(window.newest, frame->arrival_time);
  }
  for (int64_t row = first; row <= last; ++row) window.lost += frames_.count(row) == 0 ? 1 : 0;
  return window;
}

void Windows::hop() {
  const std::optional<int64_t> last = last_of(*begin_, choice_.hop);
  begin_ = (last ? *last : highest_) + 1;
  ++index_;
  for (auto at = frames_.begin(); at != frames_.end() && at->first < *begin_;) {
    if (at->second->kind == FrameKind::view) {
      --kept_views_;
      at = frames_.erase(at);
    } else {
      ++at;
    }
  }
}

// Frames that belong to no window must not fill the memory.
void Windows::limit() {
  while (kept_views_ > 4 * (choice_.length + patience)) {
    if (!begin_) begin_ = first_view();
    hop();
    ++skipped_;
  }
}

std::optional<int64_t> Windows::first_view() const {
  for (const auto& [row, frame] : frames_)
    if (frame->kind == FrameKind::view) return row;
  return std::nullopt;
}

std::optional<Window> Windows::next(NeedsFlats needs) {
  while (true) {
    const std::optional<int64_t> first = begin_ ? begin_ : first_view();
    const std::optional<int64_t> last = first ? last_of(*first, choice_.length) : std::nullopt;
    if (!last || !is_settled(*first, *last)) return std::nullopt;
    Window window = window_of(*first, *last);
    const bool lacks_flats = needs == NeedsFlats::yes && window.flats.empty() && !window.linear;
    waits_ = lacks_flats && !has_flat_after(*last);
    if (waits_) return std::nullopt;
    begin_ = first;
    hop();
    if (lacks_flats) {
      ++skipped_;
      continue;
    }
    const auto views = std::ssize(window.views);
    const bool all_have_beam = views == choice_.length - window.lost;
    if (all_have_beam && views >= 2) return window;
    ++skipped_;
  }
}

std::optional<Window> Windows::take_next(NeedsFlats needs) {
  const std::lock_guard lock(mutex_);
  return next(needs);
}

std::optional<Window> Windows::take_newest(NeedsFlats needs) {
  const std::lock_guard lock(mutex_);
  std::optional<Window> newest = next(needs);
  while (newest) {
    std::optional<Window> later = next(needs);
    if (!later) break;
    newest = std::move(later);
    ++skipped_;
  }
  return newest;
}

int64_t Windows::skipped() const {
  const std::lock_guard lock(mutex_);
  return skipped_;
}

bool Windows::has_flats() const {
  const std::lock_guard lock(mutex_);
  return has_flats_;
}

bool Windows::waits_for_flats() const {
  const std::lock_guard lock(mutex_);
  return waits_;
}

}  // namespace tl::stream
