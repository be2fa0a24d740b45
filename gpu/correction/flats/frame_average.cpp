// Averages frames: the mean or the median of each pixel over flats or darks.
#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/region.h"
#include "gpu/correction/flats/flat_field.h"
#include "gpu/device/parallel_for.h"

namespace tl::ops {
namespace {

constexpr int64_t at_once = 4096;  // pixels

double median(std::vector<double>& values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const std::size_t n = values.size();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(n / 2);
  std::nth_element(values.begin(), middle, values.end());
  return n % 2 == 1 ? *middle : 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

template <class T>
void medians(const T* frames, int64_t count, int64_t pixels, Range which, double* out) {
  std::vector<double> values;
  for (int64_t p = which.begin; p < which.end; ++p) {
    values.clear();
    for (int64_t f = 0; f < count; ++f)
      if (std::abs(frames[f * pixels + p]) <= largest_value)
        values.push_back(static_cast<double>(frames[f * pixels + p]));
    out[p] = median(values);
  }
}

template <class T>
void means(const T* frames, int64_t count, int64_t pixels, Range which, double* out) {
  std::array<double, at_once> known;  // number of frames with a usable value, per pixel
  for (int64_t first = which.begin; first < which.end; first += at_once) {
    const int64_t n = std::min(at_once, which.end - first);
    double* sum = out + first;
    std::fill_n(sum, n, 0.0);
    std::fill_n(known.begin(), n, 0.0);
    for (int64_t f = 0; f < count; ++f) {
      const T* frame = frames + f * pixels + first;
      for (int64_t i = 0; i < n; ++i) {
        const bool number = std::abs(frame[i]) <= static_cast<T>(largest_value);
        sum[i] += number ? static_cast<double>(frame[i]) : 0.0;
        known[static_cast<std::size_t>(i)] += number ? 1.0 : 0.0;
      }
    }
    for (int64_t i = 0; i < n; ++i) sum[i] /= known[static_cast<std::size_t>(i)];  // NaN if there are none
  }
}

template <class T>
void average_into(const T* frames, int64_t count, int64_t pixels, FrameAverage kind, double* out) {
  ops::parallel_for(0, pixels, at_once, [&](int64_t first, int64_t last) {
    (kind == FrameAverage::mean ? means<T> : medians<T>)(frames, count, pixels, {first, last}, out);
  });
}

}  // namespace

at::Tensor average_frames(const at::Tensor& frames, FrameAverage average) {
  TL_CHECK(frames.dim() == 3, "frames are [n, row, col]");
  const at::Tensor plain =
      frames.detach().cpu().to(frames.scalar_type() == at::kFloat ? at::kFloat : at::kDouble).contiguous();
  at::Tensor out = at::empty({frames.size(1), frames.size(2)}, at::kDouble);
  auto* target = out.mutable_data_ptr<double>();
  if (plain.scalar_type() == at::kFloat)
    average_into(plain.const_data_ptr<float>(), frames.size(0), out.numel(), average, target);
  else
    average_into(plain.const_data_ptr<double>(), frames.size(0), out.numel(), average, target);
  return out;
}

}  // namespace tl::ops
