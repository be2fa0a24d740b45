// Appends views behind those of the window before, and moves them to other memory when it is full.
#include "core/live/windows/sliding_views.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/base/error.h"

namespace tl {

bool SlidingViews::has(int64_t row) const { return std::find(rows_.begin() + begin_, rows_.end(), row) != rows_.end(); }

void SlidingViews::add(const std::vector<int64_t>& rows, const at::Tensor& made) {
  TL_CHECK(std::ssize(rows) == made.size(0), "a row of the record for each view");
  if (rows_.empty()) {
    memory_ = made.contiguous();
    rows_ = rows;
    return;
  }
  const int64_t more = made.size(0);
  if (std::ssize(rows_) + more > memory_.size(0)) make_room(more);
  memory_.narrow(0, std::ssize(rows_), more).copy_(made);
  rows_.insert(rows_.end(), rows.begin(), rows.end());
}

// Half as much again as is in use: the views of a window are then copied once in some windows.
void SlidingViews::make_room(int64_t more) {
  const int64_t used = std::ssize(rows_) - begin_;
  at::Tensor larger =
      at::empty({used + std::max(more, (used + 1) / 2), memory_.size(1), memory_.size(2)}, memory_.options());
  larger.narrow(0, 0, used).copy_(memory_.narrow(0, begin_, used));
  memory_ = std::move(larger);
  rows_.erase(rows_.begin(), rows_.begin() + begin_);
  begin_ = 0;
}

void SlidingViews::drop_before(int64_t row) {
  while (begin_ < std::ssize(rows_) && rows_[static_cast<std::size_t>(begin_)] < row) ++begin_;
  if (begin_ == std::ssize(rows_)) *this = {};
}

at::Tensor SlidingViews::joined(const std::vector<int64_t>& rows) {
  const auto begin = rows_.begin() + begin_;
  const auto count = std::ssize(rows);
  if (rows_.end() - begin >= count && std::equal(rows.begin(), rows.end(), begin))
    return memory_.narrow(0, begin_, count);
  std::vector<int64_t> places;
  for (const int64_t row : rows) {
    const auto found = std::find(begin, rows_.end(), row);
    TL_CHECK(found != rows_.end(), "a view of a window that no block has made");
    places.push_back(found - rows_.begin());
  }
  memory_ = memory_.index_select(0, at::tensor(places, at::kLong));
  rows_ = rows;
  begin_ = 0;
  return memory_;
}

}  // namespace tl
