// The mean or the median of reference frames per pixel.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "gpu/ops/flat_field.h"

namespace tl::ops {
namespace {

double average(std::vector<double>& values, FrameAverage kind) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const std::size_t n = values.size();
  if (kind == FrameAverage::mean) return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(n);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(n / 2);
  std::nth_element(values.begin(), middle, values.end());
  return n % 2 == 1 ? *middle : 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

template <class T>
void average_into(const T* frames, int64_t count, int64_t pixels, FrameAverage kind, double* out) {
  at::parallel_for(0, pixels, 4096, [&](int64_t first, int64_t last) {
    std::vector<double> values;
    for (int64_t p = first; p < last; ++p) {
      values.clear();
      for (int64_t f = 0; f < count; ++f)
        if (std::isfinite(frames[f * pixels + p])) values.push_back(static_cast<double>(frames[f * pixels + p]));
      out[p] = average(values, kind);
    }
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
