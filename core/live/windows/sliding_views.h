// SlidingViews: views that a node has made, in one tensor of which each window is a part, so that no window is copied.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace tl {

// Views are named by their row in the record. What joined() has returned is never changed: views that follow are
// written behind it, or into other memory.
class SlidingViews {
 public:
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] bool has(int64_t row) const;
  // `made` is [view, row, col] of these rows of the record, of the same shape and type each time. It may be kept.
  void add(const std::vector<int64_t>& rows, const at::Tensor& made);
  void drop_before(int64_t row);
  // [view, row, col] of these rows, ascending and each of them there; contiguous. Others are dropped where views did
  // not arrive in order.
  at::Tensor joined(const std::vector<int64_t>& rows);

 private:
  void make_room(int64_t more);
  at::Tensor memory_;          // [place, row, col]
  std::vector<int64_t> rows_;  // of the record, by place; those before begin_ are dropped
  int64_t begin_ = 0;
};

}  // namespace tl
