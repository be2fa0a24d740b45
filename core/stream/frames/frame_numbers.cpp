// Stores the numbers of frames as ranges, and detects how a sender counts.
#include "core/stream/frames/frame_numbers.h"

#include <algorithm>
#include <iterator>

namespace tl::stream {

bool IntegerSet::has(int64_t number) const {
  const auto after = ranges_.upper_bound(number);
  return after != ranges_.begin() && number < std::prev(after)->second;
}

bool IntegerSet::add(int64_t number) {
  if (has(number)) return false;
  int64_t end = number + 1;
  const auto after = ranges_.lower_bound(number);
  if (after != ranges_.end() && after->first == end) {
    end = after->second;
    ranges_.erase(after);
  }
  const auto next = ranges_.lower_bound(number);
  if (next != ranges_.begin() && std::prev(next)->second == number) {
    std::prev(next)->second = end;
  } else {
    ranges_.emplace(number, end);
  }
  return true;
}

std::optional<int64_t> IntegerSet::below(int64_t number) const {
  const auto after = ranges_.lower_bound(number);
  if (after == ranges_.begin()) return std::nullopt;
  return std::min(number, std::prev(after)->second) - 1;
}

std::optional<int64_t> IntegerSet::above(int64_t number) const {
  if (has(number + 1)) return number + 1;
  const auto after = ranges_.upper_bound(number);
  return after == ranges_.end() ? std::nullopt : std::optional(after->first);
}

std::vector<int64_t> IntegerSet::absent(int64_t begin, int64_t end) const {
  std::vector<int64_t> all;
  for (const auto& [first, last] : ranges_) {
    for (; begin < std::min(first, end); ++begin) all.push_back(begin);
    begin = std::max(begin, last);
  }
  for (; begin < end; ++begin) all.push_back(begin);
  return all;
}

const IntegerSet& FrameNumbers::compared_with(FrameKind kind) const {
  return numbering_ == Numbering::per_kind ? of_kind_[static_cast<std::size_t>(kind)] : all_;
}

FrameNumbers::Added FrameNumbers::add(FrameKind kind, int64_t number) {
  IntegerSet& own = of_kind_[static_cast<std::size_t>(kind)];
  if (own.has(number)) return Added::duplicate;
  if (number < 0 || number > max_frame_number) return Added::implausible;
  const IntegerSet& others = compared_with(kind);
  if (!others.empty() && number > std::max(others.highest(), expected_) + max_jump) return Added::implausible;
  if (numbering_ == Numbering::through_all_kinds && all_.has(number)) numbering_ = Numbering::per_kind;
  own.add(number);
  all_.add(number);
  return Added::taken;
}

bool FrameNumbers::has(FrameKind kind, int64_t number) const {
  return of_kind_[static_cast<std::size_t>(kind)].has(number);
}

std::optional<int64_t> FrameNumbers::lowest_of_kind(FrameKind kind) const {
  const IntegerSet& own = of_kind_[static_cast<std::size_t>(kind)];
  return own.empty() ? std::nullopt : std::optional(own.lowest());
}

bool FrameNumbers::continues_a_series(FrameKind kind, int64_t number) const {
  const IntegerSet &own = of_kind_[static_cast<std::size_t>(kind)],
                   &views = of_kind_[static_cast<std::size_t>(FrameKind::view)];
  const auto before = own.below(number), after = own.above(number), view_before = views.below(number),
             view_after = views.above(number);
  return (before && (!view_before || *view_before < *before)) || (after && (!view_after || *after < *view_after));
}

std::optional<int64_t> FrameNumbers::highest(FrameKind kind) const {
  const IntegerSet& set = compared_with(kind);
  return set.empty() ? std::nullopt : std::optional(set.highest());
}

std::optional<int64_t> FrameNumbers::lowest(FrameKind kind) const {
  const IntegerSet& set = compared_with(kind);
  return set.empty() ? std::nullopt : std::optional(set.lowest());
}

std::vector<int64_t> FrameNumbers::missing(FrameKind kind) const {
  const IntegerSet& set = compared_with(kind);
  return set.empty() ? std::vector<int64_t>() : set.absent(set.lowest(), set.highest());
}

std::vector<int64_t> FrameNumbers::missing_in(int64_t begin, int64_t end) const {
  return compared_with(FrameKind::view).absent(begin, end);
}

}  // namespace tl::stream
