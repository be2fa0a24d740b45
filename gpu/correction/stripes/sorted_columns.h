// Columns of a sinogram sorted by value, and medians across equal ranks: shared by Vo's stripe methods.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "gpu/correction/sinograms.h"
#include "gpu/correction/stripes/sorting_math.h"
#include "gpu/device/parallel_for.h"
#include "gpu/image/mirrored_index.h"

namespace tl::ops {

template <class T>
struct RankedSample {
  T value;
  int32_t view;
};

// One entry of the median window: a value and its column.
template <class T>
struct WindowEntry {
  T value;
  int64_t col;
  bool operator<(const WindowEntry& o) const {
    return before(value, o.value) || (!before(o.value, value) && col < o.col);
  }
};

// Running median: chosen[c] is the column with the median of the `size` values around c. The window is kept sorted
// while it moves.
template <class T, class Value>
void running_median(const Value& value, int64_t cols, int64_t size, std::vector<WindowEntry<T>>& window,
                    int64_t* chosen) {
  const int64_t half = size / 2;
  const auto entry = [&](int64_t c) {
    const int64_t inside = mirrored_index(c, cols);
    return WindowEntry<T>{value(inside), inside};
  };
  window.clear();
  for (int64_t c = -half; c <= half; ++c) window.push_back(entry(c));
  std::sort(window.begin(), window.end());
  for (int64_t c = 0; c < cols; ++c) {
    chosen[c] = window[static_cast<std::size_t>(half)].col;
    window.erase(std::lower_bound(window.begin(), window.end(), entry(c - half)));
    const WindowEntry<T> next = entry(c + half + 1);
    window.insert(std::upper_bound(window.begin(), window.end(), next), next);
  }
}

// Determines the new value of each pixel of a sinogram [view, col] when equal ranks of neighbouring columns are
// smoothed.
template <class T>
class SortedColumns {
 public:
  SortedColumns(int64_t views, int64_t cols)
      : views_(views), cols_(cols), sorted_(static_cast<std::size_t>(views * cols)) {}

  // Sorts each column; equal values are ordered by view, so that the result is unique.
  void sort(const T* data, int64_t stride) {
    ops::parallel_for(0, cols_, 16, [&](int64_t first, int64_t last) {
      // View by view, so that neighbouring columns are read together.
      for (int64_t v = 0; v < views_; ++v)
        for (int64_t c = first; c < last; ++c) sorted_[at(c, v)] = {data[v * stride + c], static_cast<int32_t>(v)};
      for (int64_t c = first; c < last; ++c)
        std::sort(sorted_.begin() + c * views_, sorted_.begin() + (c + 1) * views_,
                  [](const RankedSample<T>& a, const RankedSample<T>& b) {
                    return before(a.value, b.value) || (!before(b.value, a.value) && a.view < b.view);
                  });
    });
  }
  // Calls emit(rank, view, col, source view, source col) for every pixel: pixel (view, col) has this rank in its column
  // and gets the median of that rank over `size` (odd) columns around it, which is the value of the source pixel.
  template <class Emit>
  void smooth(int64_t size, const Emit& emit) const {
    ops::parallel_for(0, views_, 16, [&](int64_t first, int64_t last) {
      std::vector<int64_t> chosen(static_cast<std::size_t>(cols_));
      std::vector<WindowEntry<T>> window;
      for (int64_t rank = first; rank < last; ++rank) {
        running_median<T>([&](int64_t c) { return sorted_[at(c, rank)].value; }, cols_, size, window, chosen.data());
        for (int64_t c = 0; c < cols_; ++c) {
          const int64_t from = chosen[static_cast<std::size_t>(c)];
          emit(rank, static_cast<int64_t>(sorted_[at(c, rank)].view), c,
               static_cast<int64_t>(sorted_[at(from, rank)].view), from);
        }
      }
    });
  }

  // The view whose value has this rank in its column.
  [[nodiscard]] int64_t view_of(int64_t col, int64_t rank) const { return sorted_[at(col, rank)].view; }

 private:
  [[nodiscard]] std::size_t at(int64_t col, int64_t rank) const {
    return static_cast<std::size_t>(col * views_ + rank);
  }
  int64_t views_, cols_;
  std::vector<RankedSample<T>> sorted_;  // [col, rank]
};

}  // namespace tl::ops
