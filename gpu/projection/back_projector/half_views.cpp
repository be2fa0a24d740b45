// Conversion of views to half precision, with the CPU's instruction for it if there is one.
#include "gpu/projection/back_projector/half_views.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gpu/device/cpu_variant.h"
#include "gpu/device/grain.h"
#include "gpu/device/half.h"
#include "gpu/operator/operator_checks.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tl::ops {
namespace {

constexpr int64_t block = int64_t{1} << 16;
constexpr uint32_t infinite = 0x7f800000u;
constexpr int top = 15;  // after scaling, all values are below 2^top

// The largest magnitude among the finite values.
float peak_of(const float* values, int64_t count) {
  std::vector<uint32_t> peaks(static_cast<std::size_t>((count + block - 1) / block));
  at::parallel_for(0, static_cast<int64_t>(peaks.size()), grain(block), [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      uint32_t peak = 0;
      for (int64_t n = b * block; n < std::min(count, (b + 1) * block); ++n) {
        const uint32_t bits = float_bits(values[n]) & 0x7fffffffu;  // magnitudes are ordered like their bits
        peak = std::max(peak, bits < infinite ? bits : 0u);
      }
      peaks[static_cast<std::size_t>(b)] = peak;
    }
  });
  return peaks.empty() ? 0.0f : float_of(*std::max_element(peaks.begin(), peaks.end()));
}

void convert(const float* from, float factor, int64_t count, Half* to) {
  for (int64_t n = 0; n < count; ++n) to[n] = to_half(from[n] * factor);
}
#if defined(__x86_64__)
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
void convert_avx512(const float* from, float factor, int64_t count, Half* to) {
  const __m512 times = _mm512_set1_ps(factor);
  int64_t n = 0;
  for (; n + 16 <= count; n += 16)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + n),
                        _mm512_cvtps_ph(_mm512_mul_ps(_mm512_loadu_ps(from + n), times),
                                        _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
  convert(from + n, factor, count - n, to + n);
}
#else
void convert_avx512(const float* from, float factor, int64_t count, Half* to) { convert(from, factor, count, to); }
#endif

}  // namespace

HalfViews to_half_views(const at::Tensor& views) {
  require_tensor(views, views.sizes().vec(), "half precision views");
  require_cpu(views, "half precision views");
  if (views.scalar_type() != at::kFloat) throw Failure(invalid("views are not float32", "half precision views"));
  const auto* from = views.const_data_ptr<float>();
  const int64_t count = views.numel();
  int exponent = top;
  if (const float peak = peak_of(from, count); peak > 0) std::frexp(peak, &exponent);
  // The factor must itself be representable as a float.
  const int shift = std::min(top - exponent, 126);
  HalfViews out{at::empty(views.sizes(), views.options().dtype(at::kHalf).requires_grad(false)),
                std::ldexp(1.0, -shift)};
  const auto factor = static_cast<float>(std::ldexp(1.0, shift));
  auto* to = static_cast<Half*>(out.data.mutable_data_ptr());
  const bool registers = best_cpu_variant() == CpuVariant::avx512;
  at::parallel_for(0, (count + block - 1) / block, grain(block), [&](int64_t begin, int64_t end) {
    for (int64_t n = begin * block; n < std::min(count, end * block); n += block)
      (registers ? convert_avx512 : convert)(from + n, factor, std::min(block, count - n), to + n);
  });
  return out;
}

}  // namespace tl::ops
