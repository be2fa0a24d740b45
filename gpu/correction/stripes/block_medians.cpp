// Sums views and sorts blocks with neighbouring columns as lanes; each loop exists for several instruction sets.
#include "gpu/correction/stripes/block_medians.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "gpu/device/cpu_variant.h"

namespace tl::ops {
namespace {

constexpr int64_t lanes = 16;
constexpr float of_median = 1.2533F;  // standard error of a median relative to that of a mean
constexpr float to_sigma = 1.4826F;   // median of absolute deviations -> standard deviation

__attribute__((always_inline)) inline void add_view_body(const ViewLine& l) {
  const float *a = l.x[0], *b = l.x[1], *c = l.x[2], *d = l.x[3], *e = l.x[4];
  const auto [u, v, w] = l.second_weights;
  const auto [p, q, r, s, t] = l.fourth_weights;
  float* __restrict__ mean = l.mean, * __restrict__ second = l.second, * __restrict__ second_sum = l.second_sum, * __restrict__ fourth_sum = l.fourth_sum, * __restrict__ step_sum = l.step_sum, * __restrict__ least = l.least;
  for (int64_t i = 0; i < l.cols; ++i) {
    // The value itself is subtracted first: differences of large values keep their digits.
    const float x = c[i], before = b[i] - x, after = d[i] - x;
    const float two = u * before + w * after;
    mean[i] += x;
    second[i] = two;
    second_sum[i] += __builtin_fabsf(two);
    fourth_sum[i] += __builtin_fabsf(p * (a[i] - x) + q * before + s * after + t * (e[i] - x));
    const float change = __builtin_fabsf(before);
    const float counted = change > 0 ? change : std::numeric_limits<float>::infinity();
    least[i] = counted < least[i] ? counted : least[i];
  }
  for (int64_t i = 0; i + 1 < l.cols; ++i) step_sum[i] += __builtin_fabsf(second[i + 1] - second[i]);
  (void)v;
  (void)r;
}

// Batcher's odd-even merge sort of n rows of lanes.
__attribute__((always_inline)) inline void sort_body(float* x, int64_t n) {
  for (int64_t p = 1; p < n; p *= 2)
    for (int64_t k = p; k >= 1; k /= 2)
      for (int64_t j = k % p; j + k < n; j += 2 * k)
        for (int64_t i = j; i < std::min(j + k, n - k); ++i) {
          if (((i ^ (i + k)) & -(2 * p)) != 0) continue;  // in different parts of 2 p rows
          // By way of copies, which overlap nothing: so the compiler makes vectors of them.
          float low[lanes], high[lanes], least[lanes], most[lanes];
          std::memcpy(low, x + i * lanes, sizeof low);
          std::memcpy(high, x + (i + k) * lanes, sizeof high);
          for (int64_t c = 0; c < lanes; ++c) {
            least[c] = low[c] < high[c] ? low[c] : high[c];
            most[c] = low[c] < high[c] ? high[c] : low[c];
          }
          std::memcpy(x + i * lanes, least, sizeof least);
          std::memcpy(x + (i + k) * lanes, most, sizeof most);
        }
}

// error: of the median of these rows of lanes; scratch: as many rows.
__attribute__((always_inline)) inline void error_body(const float* x, float* scratch, int64_t n, float* error) {
  std::memcpy(scratch, x, static_cast<std::size_t>(n * lanes) * sizeof(float));
  sort_body(scratch, n);
  float median[lanes], crossings[lanes];
  for (int64_t c = 0; c < lanes; ++c) {
    median[c] = scratch[n / 2 * lanes + c];
    crossings[c] = 0;
  }
  for (int64_t b = 0; b < n; ++b)
    for (int64_t c = 0; c < lanes; ++c) {
      const float here = x[b * lanes + c];
      scratch[b * lanes + c] = __builtin_fabsf(here - median[c]);
      if (b > 0) crossings[c] += (x[(b - 1) * lanes + c] > median[c]) != (here > median[c]) ? 1.0F : 0.0F;
    }
  sort_body(scratch, n);
  for (int64_t c = 0; c < lanes; ++c) {
    const float independent = std::min(static_cast<float>(n), 2 * crossings[c] + 1);
    error[c] = of_median * to_sigma * scratch[n / 2 * lanes + c] / __builtin_sqrtf(independent);
  }
}

TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma") void add_view_avx512(const ViewLine& l) { add_view_body(l); }
TL_TARGET("avx2,fma") void add_view_avx2(const ViewLine& l) { add_view_body(l); }
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma") void sort_avx512(float* x, int64_t n) { sort_body(x, n); }
TL_TARGET("avx2,fma") void sort_avx2(float* x, int64_t n) { sort_body(x, n); }
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
void error_avx512(const float* x, float* scratch, int64_t n, float* error) { error_body(x, scratch, n, error); }
TL_TARGET("avx2,fma")
void error_avx2(const float* x, float* scratch, int64_t n, float* error) { error_body(x, scratch, n, error); }

CpuVariant stripe_variant() {
  static const CpuVariant variant = best_cpu_variant();
  return variant;
}

void sort_lanes(float* x, int64_t n) {
  const CpuVariant variant = stripe_variant();
  if (variant == CpuVariant::avx512) return sort_avx512(x, n);
  if (variant == CpuVariant::avx2) return sort_avx2(x, n);
  sort_body(x, n);
}

void median_error(const float* x, float* scratch, int64_t n, float* error) {
  const CpuVariant variant = stripe_variant();
  if (variant == CpuVariant::avx512) return error_avx512(x, scratch, n, error);
  if (variant == CpuVariant::avx2) return error_avx2(x, scratch, n, error);
  error_body(x, scratch, n, error);
}

}  // namespace

void add_view(const ViewLine& line) {
  const CpuVariant variant = stripe_variant();
  if (variant == CpuVariant::avx512) return add_view_avx512(line);
  if (variant == CpuVariant::avx2) return add_view_avx2(line);
  add_view_body(line);
}

void scale(float* values, int64_t count, float factor) {
  for (int64_t i = 0; i < count; ++i) values[i] *= factor;
}

std::vector<float> BlockMedians::of(const std::vector<float>& values) const {
  std::vector<float> tile(static_cast<std::size_t>(blocks_ * lanes)), out(static_cast<std::size_t>(cols_));
  for (int64_t first = 0; first < cols_; first += lanes) {
    const int64_t count = std::min(lanes, cols_ - first);
    for (int64_t b = 0; b < blocks_; ++b)
      std::copy_n(values.begin() + b * cols_ + first, count, tile.begin() + b * lanes);
    sort_lanes(tile.data(), blocks_);
    std::copy_n(tile.begin() + blocks_ / 2 * lanes, count, out.begin() + first);
  }
  return out;
}

StepMedians BlockMedians::of_steps(const std::vector<float>& means, int64_t begin, int64_t end) const {
  const int64_t n = end - begin;
  const auto width = static_cast<std::size_t>(cols_);
  StepMedians out{std::vector<float>(width, 0), std::vector<float>(width, 0), std::vector<float>(width, 0)};
  std::vector<float> step(static_cast<std::size_t>(n * lanes), 0), bend(step), scratch(step);
  std::array<float, lanes> error{};
  for (int64_t first = 0; first + 1 < cols_; first += lanes) {
    const int64_t count = std::min(lanes, cols_ - 1 - first);
    for (int64_t b = 0; b < n; ++b) {
      const float* x = means.data() + (begin + b) * cols_;
      for (int64_t c = 0; c < count; ++c) {
        const int64_t k = first + c, before = k > 0 ? k - 1 : k, after = k + 2 < cols_ ? k + 2 : k + 1;
        step[static_cast<std::size_t>(b * lanes + c)] = x[k + 1] - x[k];
        bend[static_cast<std::size_t>(b * lanes + c)] = 1.5F * (x[k + 1] - x[k]) - 0.5F * (x[after] - x[before]);
      }
    }
    median_error(bend.data(), scratch.data(), n, error.data());
    scratch = step;
    sort_lanes(scratch.data(), n);
    const float* middle = scratch.data() + n / 2 * lanes;
    std::copy_n(middle, count, out.step.begin() + first);
    std::copy_n(error.begin(), count, out.error.begin() + first);
    if (n < blocks_) continue;
    for (int64_t b = 0; b < n; ++b)
      for (int64_t c = 0; c < lanes; ++c) {
        float& value = step[static_cast<std::size_t>(b * lanes + c)];
        value = std::abs(value - middle[c]);
      }
    sort_lanes(step.data(), n);
    std::copy_n(step.begin() + n / 2 * lanes, count, out.spread.begin() + first);
  }
  return out;
}

}  // namespace tl::ops
