// Simulates photon counting and electronic noise: Poisson and Gaussian numbers for every pixel.
#include "gpu/simulate/poisson.h"

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/error.h"
#include "gpu/device/cpu_variant.h"
#include "gpu/device/parallel_for.h"
#include "gpu/simulate/poisson_math.h"

namespace tl::ops {
namespace {

void check(const at::Tensor& t, const NoiseFrame& f) {
  const ScanRegion& r = f.region;
  TL_CHECK(t.dim() == 3 && t.device().is_cpu(), "noise is for [view, row, col] tensors on the CPU");
  TL_CHECK(t.scalar_type() == at::kFloat || t.scalar_type() == at::kDouble, "noise is for float32 and float64");
  TL_CHECK(t.size(0) == r.views.size() && t.size(1) == r.rows.size() && t.size(2) == r.cols.size(),
           "the region of the noise is not that of the tensor");
  TL_CHECK(r.views.begin >= 0 && (Range{0, f.rows}.contains(r.rows)) && (Range{0, f.cols}.contains(r.cols)),
           "the region of the noise lies outside the detector");
}

// Calls line(view, row, stream of its first pixel) for every line of the frame.
template <class Line>
void per_line(const NoiseFrame& f, const Line& line) {
  const int64_t rows = f.region.rows.size();
  ops::parallel_for(0, f.region.views.size() * rows, 16, [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) {
      const int64_t view = f.region.views.begin + n / rows, row = f.region.rows.begin + n % rows;
      line(n / rows, n % rows, static_cast<uint64_t>((view * f.rows + row) * f.cols + f.region.cols.begin));
    }
  });
}

// Each series uses a separate part of a pixel's stream.
uint64_t first_of(NoiseSeries series) { return uint64_t{static_cast<uint32_t>(series)} << 32; }

// First trials for neighbouring pixels; `unsure` if the trial gives no number, or if rounding would decide (some
// variants fuse products and sums).
constexpr double unsure = -1;
__attribute__((always_inline)) inline void try_first(const double* means, const Philox& random, uint64_t first,
                                                     int64_t count, double* numbers) {
  for (int64_t n = 0; n < count; ++n) {
    const Philox own{random.seed, random.stream + static_cast<uint64_t>(n)};
    const PoissonTrial trial(means[n], uniform_pair(own, first));
    numbers[n] = (means[n] >= PoissonTrial::min_mean) & trial.clearly_sure() ? trial.number : unsure;
  }
}
__attribute__((flatten)) TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma,prefer-vector-width=512") void try_avx512(
    const double* means, const Philox& random, uint64_t first, int64_t count, double* numbers) {
  try_first(means, random, first, count, numbers);
}
__attribute__((flatten)) TL_TARGET("avx2,fma") void try_avx2(const double* means, const Philox& random, uint64_t first,
                                                             int64_t count, double* numbers) {
  try_first(means, random, first, count, numbers);
}
__attribute__((flatten)) void try_plain(const double* means, const Philox& random, uint64_t first, int64_t count,
                                        double* numbers) {
  try_first(means, random, first, count, numbers);
}

// Vectorized first trials, then single pixels that need more trials; the numbers do not depend on that division. The
// means may be those of one view for all views.
template <class In, class Out>
void draw_counts(const at::Tensor& means, at::Tensor& out, const NoiseFrame& f) {
  constexpr int64_t together = 64;
  const CpuVariant variant = best_cpu_variant();
  const auto try_some = variant == CpuVariant::avx512 ? try_avx512 : variant == CpuVariant::avx2 ? try_avx2 : try_plain;
  const int64_t rows = f.region.rows.size(), cols = f.region.cols.size(), stride = means.stride(0);
  const auto* all_means = means.const_data_ptr<In>();
  auto* all_counts = out.mutable_data_ptr<Out>();
  const uint64_t first = first_of(f.series);
  per_line(f, [&](int64_t view, int64_t row, uint64_t stream) {
    double mean[together], number[together];
    for (int64_t col = 0; col < cols; col += together) {
      const int64_t count = std::min(together, cols - col);
      std::copy_n(all_means + view * stride + row * cols + col, count, mean);
      const Philox random{f.seed, stream + static_cast<uint64_t>(col)};
      try_some(mean, random, first, count, number);
      Out* counts = all_counts + (view * rows + row) * cols + col;
      for (int64_t n = 0; n < count; ++n) {
        if (number[n] == unsure && !std::isnan(mean[n]))
          number[n] = poisson_number(mean[n], {f.seed, random.stream + static_cast<uint64_t>(n)}, first);
        counts[n] = static_cast<Out>(std::isnan(mean[n]) ? mean[n] : number[n]);
      }
    }
  });
}

template <class T>
void add_normal(const T* in, T* out, double sigma, const NoiseFrame& f) {
  const int64_t rows = f.region.rows.size(), cols = f.region.cols.size();
  const uint64_t first = first_of(f.series);
  per_line(f, [&](int64_t view, int64_t row, uint64_t stream) {
    const int64_t line = (view * rows + row) * cols;
    for (int64_t col = 0; col < cols; ++col) {
      const Philox random{f.seed, stream + static_cast<uint64_t>(col)};
      out[line + col] = static_cast<T>(static_cast<double>(in[line + col]) + sigma * random.normal(first));
    }
  });
}

}  // namespace

at::Tensor poisson_counts(const at::Tensor& means, const NoiseFrame& frame, std::optional<at::ScalarType> type) {
  check(means, frame);
  // Expanded views (stride 0) are neither copied nor checked repeatedly.
  const bool same = means.stride(0) == 0 && means.size(0) > 0;
  const at::Tensor different = (same ? means.narrow(0, 0, 1) : means).contiguous();
  if (different.lt(0).any().item<bool>() || different.isinf().any().item<bool>())
    throw Failure(invalid("photon counts need means that are neither negative nor infinite", "noise"));
  const at::Tensor in = same ? different.expand_as(means) : different;
  at::Tensor out = at::empty(means.sizes(), means.options().dtype(type.value_or(means.scalar_type())));
  AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "poisson_counts", [&] {
    if (out.scalar_type() == at::kFloat)
      draw_counts<scalar_t, float>(in, out, frame);
    else
      draw_counts<scalar_t, double>(in, out, frame);
  });
  return out;
}

at::Tensor add_gaussian_noise(const at::Tensor& values, double sigma, const NoiseFrame& frame) {
  if (!(sigma >= 0) || !std::isfinite(sigma))
    throw Failure(invalid("the noise level must be zero or positive, not " + std::to_string(sigma), "noise"));
  check(values, frame);
  const at::Tensor in = values.contiguous();
  at::Tensor out = at::empty_like(in);
  AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "add_gaussian_noise", [&] {
    add_normal(in.const_data_ptr<scalar_t>(), out.mutable_data_ptr<scalar_t>(), sigma, frame);
  });
  return out;
}

}  // namespace tl::ops
