// Assigns frames to rows of a record while they arrive.
#include "core/stream/record_rows.h"

#include <algorithm>
#include <iterator>

namespace tl::stream {

// The number of the first row of views, if the first view to arrive has this number.
int64_t RecordRows::first_of(int64_t number) const {
  if (first_view_) return *first_view_;
  return number <= room_before ? 0 : number - room_before;
}

std::optional<int64_t> RecordRows::row_by_number(FrameKind kind, int64_t number) {
  if (numbers_.numbering() == Numbering::through_all_kinds) {
    if (first_view_ && number < *first_view_) return rows_;  // flats and darks before the views
    if (!begin_) begin_ = first_of(number) - rows_;
    return number - *begin_;
  }
  if (kind != FrameKind::view) return rows_;
  // The first view comes after all existing rows: the flats were taken before it.
  const auto before = view_offsets_.upper_bound(number);
  if (before == view_offsets_.begin()) {
    if (!view_offsets_.empty()) return std::nullopt;
    const int64_t first = first_of(number), offset = rows_ - first;
    view_offsets_.emplace(first, offset);
    if (number < first) return std::nullopt;
    return number + offset;
  }
  return number + std::prev(before)->second;
}

std::optional<int64_t> RecordRows::add(FrameKind kind, int64_t number) {
  const bool is_early = first_view_ && number < *first_view_;
  if (is_early && kind == FrameKind::view) return std::nullopt;
  const Numbering was = numbers_.numbering();
  // Flats that arrive after views of the same numbers are numbered separately: views with these numbers did not arrive
  // in this record, so that a repeated number would not show it.
  if (is_early && begin_) numbers_.count_each_kind();
  const std::optional<int64_t> highest = numbers_.highest(kind);
  if (numbers_.add(kind, number) != FrameNumbers::Added::taken) return std::nullopt;
  const bool changed = numbers_.numbering() != was;
  if (numbers_.numbering() == Numbering::per_kind && begin_ && view_offsets_.empty() && changed) {
    // Earlier views have their rows by number; later ones are appended after all rows.
    const std::optional<int64_t> last_view = last_view_;
    if (last_view) {
      view_offsets_.emplace(*begin_, -*begin_);
      if (rows_ > *last_view + 1 - *begin_) view_offsets_.emplace(*last_view + 1, rows_ - (*last_view + 1));
    }
  } else if (numbers_.numbering() == Numbering::per_kind && kind == FrameKind::view && highest && number > *highest &&
             !view_offsets_.empty() && rows_ > *highest + 1 + view_offsets_.rbegin()->second) {
    view_offsets_.emplace(*highest + 1, rows_ - (*highest + 1));
  }
  const std::optional<int64_t> row = row_by_number(kind, number);
  if (!row || *row < 0) return std::nullopt;
  if (kind == FrameKind::view) last_view_ = std::max(last_view_.value_or(number), number);
  rows_ = std::max(rows_, *row + 1);
  return row;
}

}  // namespace tl::stream
