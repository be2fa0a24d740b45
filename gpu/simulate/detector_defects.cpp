// Simulates detector defects of a scan: drifting columns, zingers, dead pixels.
#include "gpu/simulate/detector_defects.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/random.h"
#include "gpu/device/parallel_for.h"

namespace tl::ops {
namespace {

// Separate parts of a pixel's random stream, in addition to those of photon noise (poisson.h) and of the detector's
// pattern.
constexpr uint64_t stripe_series = uint64_t{4} << 32, zinger_series = uint64_t{5} << 32,
                   dead_series = uint64_t{6} << 32;
constexpr double stripe_strength = 0.05, weakest_gain = 0.5;

// Fills [row, col] with value(random stream of the pixel).
template <class Value>
at::Tensor per_pixel(const DetectorDefects& d, Range rows, Range cols, Value value) {
  at::Tensor image = at::empty({rows.size(), cols.size()}, at::kDouble);
  double* out = image.mutable_data_ptr<double>();
  for (int64_t r = rows.begin; r < rows.end; ++r)
    for (int64_t c = cols.begin; c < cols.end; ++c)
      *out++ = value(Philox{d.seed, static_cast<uint64_t>(r * d.cols + c)});
  return image;
}

}  // namespace

at::Tensor stripe_gain(const DetectorDefects& d, Range rows, Range cols) {
  return per_pixel(d, rows, cols, [&](const Philox& random) {
    if (random.uniform(stripe_series) >= d.stripes) return 1.0;
    return std::max(weakest_gain, 1 + stripe_strength * random.normal(stripe_series + 1));
  });
}

at::Tensor working_pixels(const DetectorDefects& d, Range rows, Range cols) {
  return per_pixel(d, rows, cols,
                   [&](const Philox& random) { return random.uniform(dead_series) < d.dead ? 0.0 : 1.0; });
}

void add_zingers(at::Tensor& frames, const DetectorDefects& d, const ScanRegion& region, double counts) {
  TL_CHECK(frames.is_contiguous() && frames.scalar_type() == at::kDouble, "zingers fall on contiguous float64 frames");
  if (d.zingers <= 0) return;
  double* out = frames.mutable_data_ptr<double>();
  const int64_t rows = region.rows.size(), cols = region.cols.size();
  ops::parallel_for(0, region.views.size() * rows, 16, [&](int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line) {
      const int64_t view = region.views.begin + line / rows, row = region.rows.begin + line % rows;
      const int64_t pixel = (view * d.rows + row) * d.cols + region.cols.begin;
      for (int64_t c = 0; c < cols; ++c)
        if (Philox{d.seed, static_cast<uint64_t>(pixel + c)}.uniform(zinger_series) < d.zingers)
          out[line * cols + c] += counts;
    }
  });
}

}  // namespace tl::ops
