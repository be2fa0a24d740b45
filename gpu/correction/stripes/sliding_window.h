// The values of a window that moves over a list, kept sorted; NaN comes last.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace tl::ops {

class SlidingWindow {
 public:
  [[nodiscard]] bool empty() const { return sorted_.empty(); }
  // The element in the middle, the upper one of two.
  [[nodiscard]] double median() const { return sorted_[sorted_.size() / 2]; }

  void add(double value) { sorted_.insert(sorted_.begin() + place_of(value), value); }
  void remove(double value) { sorted_.erase(sorted_.begin() + place_of(value)); }
  // remove(goes), add(comes).
  void replace(double goes, double comes) {
    std::ptrdiff_t gap = place_of(goes);
    const std::ptrdiff_t to = place_of(comes);
    const auto x = sorted_.begin();
    if (to > gap) {
      std::move(x + gap + 1, x + to, x + gap);
      gap = to - 1;
    } else {
      std::move_backward(x + to, x + gap, x + gap + 1);
      gap = to;
    }
    x[gap] = comes;
  }

 private:
  // Number of values before this one. The search has no branches, because its direction cannot be predicted.
  [[nodiscard]] std::ptrdiff_t place_of(double value) const {
    const bool all_numbers = std::isnan(value);
    const double* x = sorted_.data();
    for (std::size_t left = sorted_.size(); left > 0;) {
      const std::size_t half = (left + 1) / 2;
      const bool before = x[half - 1] < value || (all_numbers && !std::isnan(x[half - 1]));
      x += before ? half : 0;
      left = before ? left - half : half - 1;
    }
    return x - sorted_.data();
  }

  std::vector<double> sorted_;
};

}  // namespace tl::ops
