// Detects the end of a scan in a stream: at another shape, type or geometry, at new darks, or when the sender starts
// over.
#include <algorithm>

#include "core/stream/intake.h"

namespace tl::stream {

bool Intake::takes(const Frame& frame) const {
  const std::lock_guard lock(mutex_);
  return !like_ || (frame.rows == like_->rows && frame.cols == like_->cols && frame.type == like_->type);
}

std::optional<std::string> Intake::leaves(const Message& message) const {
  const auto* frame = std::get_if<Frame>(&message);
  if (frame != nullptr && !takes(*frame)) return "another shape or type";
  const std::lock_guard lock(mutex_);
  if (counts_.taken() == 0) return std::nullopt;
  if (const auto* geometry = std::get_if<StreamGeometry>(&message)) {
    if (!geometry_ || *geometry == *geometry_) return std::nullopt;
    return "another geometry";
  }
  if (const auto* settings = std::get_if<ScanSettings>(&message)) {
    // A client announces each scan in this way. An announcement without further frames only repeats the last one.
    if (counts_.views == 0 || settings->darks + settings->flats == 0) return std::nullopt;
    return "the sender announces a scan";
  }
  if (frame != nullptr && frame->kind == FrameKind::dark && is_new_dark(*frame)) return "new darks";
  return std::nullopt;
}

// Darks after views belong to the scan if it has none so far, if they follow such darks without a view between them, if
// they were overtaken, or if they are copies.
bool Intake::is_new_dark(const Frame& frame) const {
  if (counts_.darks == 0 || counts_.views == 0) return false;
  const int64_t views_since = counts_.views - views_at_last_dark_;
  if (!frame.number) return views_since > 0;  // without numbers, frames are in the order of arrival
  const int64_t number = *frame.number;
  const FrameNumbers numbers = ring_->numbers();
  if (numbers.has(FrameKind::dark, number)) {
    // A number that occurs again: another dark differs in its noise, a copy is equal.
    const std::vector<FramePtr> first = ring_->frames(FrameKind::dark, number, number);
    return !first.empty() && first.front()->pixels != frame.pixels;
  }
  if (numbers.numbering() == Numbering::through_all_kinds)
    return number > numbers.lowest_of_kind(FrameKind::view).value_or(number) &&
           !numbers.continues_a_series(FrameKind::dark, number);
  constexpr int64_t overtaken = 8;  // number of views that may arrive between darks of one series
  return number >= settings_.darks && views_since > overtaken &&
         number > numbers.highest(FrameKind::dark).value_or(number);
}

}  // namespace tl::stream
