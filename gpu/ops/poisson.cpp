// Poisson and Gaussian noise on detector images.
#include "gpu/ops/poisson.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cmath>
#include <string>

#include "core/base/error.h"
#include "gpu/ops/poisson_math.h"

namespace tl::ops {
namespace {

void check(const at::Tensor& t, const NoiseFrame& f) {
  const ScanRegion& r = f.region;
  TL_CHECK(t.dim() == 3 && t.device().is_cpu(), "noise is for [view, row, col] tensors on the processor");
  TL_CHECK(t.scalar_type() == at::kFloat || t.scalar_type() == at::kDouble, "noise is for float32 and float64");
  TL_CHECK(t.size(0) == r.views.size() && t.size(1) == r.rows.size() && t.size(2) == r.cols.size(),
           "the region of the noise is not that of the tensor");
  TL_CHECK(r.views.begin >= 0 && (Range{0, f.rows}.contains(r.rows)) && (Range{0, f.cols}.contains(r.cols)),
           "the region of the noise lies outside the detector");
}

// out = draw(x, stream of the pixel, first number of the series) for every pixel.
template <class T, class Draw>
void per_pixel(const T* in, T* out, const NoiseFrame& f, Draw draw) {
  const int64_t rows = f.region.rows.size(), cols = f.region.cols.size();
  const uint64_t first = uint64_t{static_cast<uint32_t>(f.series)} << 32;
  at::parallel_for(0, f.region.views.size() * rows, 16, [&](int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line) {
      const int64_t view = f.region.views.begin + line / rows, row = f.region.rows.begin + line % rows;
      const int64_t pixel = (view * f.rows + row) * f.cols + f.region.cols.begin;
      for (int64_t col = 0; col < cols; ++col) {
        const Philox random{f.seed, static_cast<uint64_t>(pixel + col)};
        out[line * cols + col] = static_cast<T>(draw(static_cast<double>(in[line * cols + col]), random, first));
      }
    }
  });
}

template <class Draw>
at::Tensor on_type(const at::Tensor& values, const NoiseFrame& frame, Draw draw) {
  check(values, frame);
  const at::Tensor in = values.contiguous();
  at::Tensor out = at::empty_like(in);
  if (in.scalar_type() == at::kFloat)
    per_pixel(in.data_ptr<float>(), out.data_ptr<float>(), frame, draw);
  else
    per_pixel(in.data_ptr<double>(), out.data_ptr<double>(), frame, draw);
  return out;
}

}  // namespace

at::Tensor poisson_counts(const at::Tensor& means, const NoiseFrame& frame) {
  if (means.lt(0).any().item<bool>() || means.isinf().any().item<bool>())
    throw Failure(invalid("photon counts need means that are neither negative nor infinite", "noise"));
  return on_type(means, frame, [](double mean, const Philox& random, uint64_t first) {
    return std::isnan(mean) ? mean : poisson_number(mean, random, first);
  });
}

at::Tensor add_gaussian_noise(const at::Tensor& values, double sigma, const NoiseFrame& frame) {
  if (!(sigma >= 0) || !std::isfinite(sigma))
    throw Failure(invalid("the noise level must be zero or positive, not " + std::to_string(sigma), "noise"));
  return on_type(values, frame, [sigma](double value, const Philox& random, uint64_t first) {
    return value + sigma * random.normal(first);
  });
}

}  // namespace tl::ops
