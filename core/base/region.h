// Range and ScanRegion: index ranges, and boxes of a scan.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tl {

// Half-open index range [begin, end).
struct Range {
  int64_t begin = 0;
  int64_t end = 0;

  [[nodiscard]] int64_t size() const { return end - begin; }
  [[nodiscard]] bool empty() const { return end <= begin; }
  [[nodiscard]] bool contains(Range other) const { return begin <= other.begin && other.end <= end; }
  [[nodiscard]] Range clamp(Range limits) const {
    return {std::clamp(begin, limits.begin, limits.end), std::clamp(end, limits.begin, limits.end)};
  }
  [[nodiscard]] Range grown(int64_t halo, Range limits) const { return Range{begin - halo, end + halo}.clamp(limits); }
  friend bool operator==(const Range&, const Range&) = default;
};

// Whether a consumer needs flats and darks together with the views. With `left_out` a source may still supply them.
enum class WithReferences { wanted, left_out };

// A box of a scan, in indices of the whole scan (views, rows, columns).
struct ScanRegion {
  Range views, rows, cols;
  WithReferences references = WithReferences::wanted;
  [[nodiscard]] int64_t count() const { return views.size() * rows.size() * cols.size(); }
  [[nodiscard]] bool contains(const ScanRegion& o) const {
    return views.contains(o.views) && rows.contains(o.rows) && cols.contains(o.cols) &&
           (references == WithReferences::wanted || o.references == WithReferences::left_out);
  }
  friend bool operator==(const ScanRegion&, const ScanRegion&) = default;
};

}  // namespace tl
