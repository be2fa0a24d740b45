// Keeps views in ascending order, and moves them to the front of the memory when its end is reached.
#include "core/live/windows/view_ring.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace tl {

void ViewRing::add(std::span<const int64_t> rows, const at::Tensor& views) {
  const int64_t count = std::ssize(rows);
  TL_CHECK(count > 0 && views.dim() == 3 && views.size(0) == count, "each view has a row");
  if (positions_.empty()) {
    buffer_ = views.contiguous();
    end_ = 0;
  } else {
    if (end_ + count > buffer_.size(0)) arrange(count, views);
    buffer_.narrow(0, end_, count).copy_(views);
  }
  for (const int64_t row : rows) positions_[row] = end_++;
}

at::Tensor ViewRing::window(std::span<const int64_t> rows) {
  // A view that arrived late is stored after later ones.
  if (!are_in_order(rows)) arrange(0, buffer_);
  const int64_t count = std::ssize(rows), first = positions_.at(rows.front());
  if (are_in_order(rows)) return buffer_.narrow(0, first, count);
  std::vector<at::Tensor> views;
  for (const int64_t row : rows) views.push_back(buffer_.select(0, positions_.at(row)));
  return at::stack(views);
}

bool ViewRing::are_in_order(std::span<const int64_t> rows) const {
  const int64_t first = positions_.at(rows.front());
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (positions_.at(rows[i]) != first + static_cast<int64_t>(i)) return false;
  return true;
}

// Moves the views to the front, sorted by row of the record, with room for `more` views after them and half of the
// total in addition, so that most windows move nothing.
void ViewRing::arrange(int64_t more, const at::Tensor& like) {
  const int64_t kept = std::ssize(positions_), needed = kept + more;
  const bool ascending = std::is_sorted(positions_.begin(), positions_.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
  const int64_t places = needed + needed / 2;
  // In place, each view moves to a position that no later view still occupies. Memory to which a tensor refers is not
  // changed.
  const bool in_place = buffer_.defined() && ascending && buffer_.storage().use_count() == 1 &&
                        places <= buffer_.size(0) && buffer_.size(0) <= 3 * needed;
  const at::Tensor from = buffer_;
  if (!in_place) buffer_ = at::empty({places, like.size(1), like.size(2)}, like.options());
  end_ = 0;
  for (auto& [row, position] : positions_) {
    const int64_t before = std::exchange(position, end_++);
    if (!in_place || before != position) buffer_.select(0, position).copy_(from.select(0, before));
  }
}

}  // namespace tl
