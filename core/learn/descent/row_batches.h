// Batches of detector rows for training; held-out rows are excluded.
#pragma once

#include <vector>

#include "core/base/region.h"
#include "core/learn/learning_types.h"

namespace tl::learn {

// Bands whose number of rows is the share of all rows in the settings; every epoch uses each band once, in a new random
// order.
class RowBatches {
 public:
  RowBatches(int64_t rows, const Settings& settings);
  // Invalid if the held-out rows are not among the rows, or no others are left.
  [[nodiscard]] Result<void> check() const;
  [[nodiscard]] int64_t epoch() const { return static_cast<int64_t>(bands_.size()); }  // in iterations
  [[nodiscard]] Range at(int64_t iteration) const;
  [[nodiscard]] std::vector<Range> held_out() const;  // the held-out rows, in bands of at most that size

 private:
  int64_t rows_, size_;
  HeldOut out_;
  uint64_t seed_;
  std::vector<Range> bands_;
};

}  // namespace tl::learn
