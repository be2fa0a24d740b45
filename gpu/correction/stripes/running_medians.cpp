// Moves sorted windows over several lists by comparisons of all values, without branches: the position of the next
// value differs between lists and cannot be predicted.
#include "gpu/correction/stripes/running_medians.h"

#include <algorithm>
#include <limits>

#include "gpu/device/aligned_vector.h"
#include "gpu/device/choose_variant.h"
#include "gpu/device/vector_lanes.h"
#include "gpu/image/mirrored_index.h"

namespace tl::ops {
namespace {

constexpr int64_t lists_together = 8;
constexpr double beyond = std::numeric_limits<double>::infinity();

struct MovingWindows {
  int64_t count, size;
  const double* values;  // [count + size, list]: from half a window before the first one on
  double* sorted;        // [size + 1, list]; the last row is infinity
  double* out;           // [count, list]
};

// In each of several lists, sorted in ascending order and interleaved in rows, replaces one value `goes` by `comes`.
template <int Bytes>
__attribute__((always_inline)) inline void replace_in_rows(double* rows, int64_t size, const double* goes,
                                                           const double* comes) {
  using V = typename VectorOf<double, Bytes>::type;
  const auto row = [rows](int64_t k) __attribute__((always_inline))->V& {
    return *reinterpret_cast<V*>(rows + k * lists_together);
  };
  const V gone = *reinterpret_cast<const V*>(goes), added = *reinterpret_cast<const V*>(comes);
  V before = V{} - beyond, here = row(0);
  for (int64_t k = 0; k < size; ++k) {
    const V next = row(k + 1);
    const V left = here < gone ? here : next;     // row k of the values that remain
    const V least = added < left ? added : left;  // the larger of the new value and a remaining one
    row(k) = least < before ? before : least;     // the previous row and the smaller of this row and the new value
    before = left;
    here = next;
  }
}

template <int Bytes>
__attribute__((always_inline)) inline void medians_of_windows(const MovingWindows& w) {
  using V = typename VectorOf<double, Bytes>::type;
  for (int64_t lane = 0; lane < lists_together; lane += width_of<double, Bytes>) {
    double* rows = w.sorted + lane;
    const double* values = w.values + lane;
    const double* infinite = w.sorted + w.size * lists_together + lane;
    for (int64_t k = 0; k < w.size; ++k) replace_in_rows<Bytes>(rows, w.size, infinite, values + k * lists_together);
    for (int64_t i = 0; i < w.count; ++i) {
      *reinterpret_cast<V*>(w.out + i * lists_together + lane) =
          *reinterpret_cast<const V*>(rows + w.size / 2 * lists_together);
      replace_in_rows<Bytes>(rows, w.size, values + i * lists_together, values + (i + w.size) * lists_together);
    }
  }
}

void medians(const MovingWindows& w) {
  static const CpuVariant variant = best_cpu_variant();
  Variants<medians_of_windows<64>, medians_of_windows<32>, medians_of_windows<16>>::of(variant)(w);
}

}  // namespace

std::vector<std::vector<double>> running_medians(const std::vector<std::vector<double>>& lists, int64_t size) {
  std::vector<std::vector<double>> out;
  const auto memory = [](int64_t rows, double value) {
    AlignedVector<double> made;
    made.assign(static_cast<std::size_t>(rows * lists_together), value);
    return made;
  };
  for (std::size_t first = 0; first < lists.size(); first += lists_together) {
    const std::size_t count = std::min<std::size_t>(lists_together, lists.size() - first);
    int64_t n = 0;
    for (std::size_t l = 0; l < count; ++l) n = std::max<int64_t>(n, std::ssize(lists[first + l]));
    AlignedVector<double> values = memory(n + size, 0), done = memory(n, 0), sorted = memory(size + 1, beyond);
    for (std::size_t l = 0; l < count; ++l) {
      const std::vector<double>& list = lists[first + l];
      for (int64_t i = 0; i < n + size && !list.empty(); ++i)
        values[static_cast<std::size_t>(i * lists_together) + l] =
            list[static_cast<std::size_t>(mirrored_index(i - size / 2, std::ssize(list)))];
    }
    medians({n, size, values.data(), sorted.data(), done.data()});
    for (std::size_t l = 0; l < count; ++l) {
      std::vector<double>& medians_of_list = out.emplace_back(lists[first + l].size());
      for (std::size_t i = 0; i < medians_of_list.size(); ++i) medians_of_list[i] = done[i * lists_together + l];
    }
  }
  return out;
}

}  // namespace tl::ops
