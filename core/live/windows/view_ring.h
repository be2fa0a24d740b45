// ViewRing: a node's output for the last views of a stream, in one block of memory of which windows are parts.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <span>

namespace tl {

// One thread at a time.
class ViewRing {
 public:
  // Adds at least one view [view, row, col], for rows of the record that the ring does not have. An empty ring takes
  // over their memory, which must not be written to afterwards; otherwise they are copied.
  void add(std::span<const int64_t> rows, const at::Tensor& views);
  // Drops the views before this row of the record.
  void drop_before(int64_t row) { positions_.erase(positions_.begin(), positions_.lower_bound(row)); }
  // Views of the ring [view, row, col] by ascending row of the record, at least one. They share the memory of the ring
  // if none is missing between them; that memory is not written to while a tensor refers to it.
  at::Tensor window(std::span<const int64_t> rows);

 private:
  [[nodiscard]] bool are_in_order(std::span<const int64_t> rows) const;
  void arrange(int64_t more, const at::Tensor& like);

  at::Tensor buffer_;                     // [position, row, col]
  int64_t end_ = 0;                       // number of positions in use, including those of dropped views
  std::map<int64_t, int64_t> positions_;  // by row of the record
};

}  // namespace tl
