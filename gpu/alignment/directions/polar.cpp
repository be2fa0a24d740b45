// Samples images on circles and transforms along them.
#include "gpu/alignment/directions/polar.h"

#include <ATen/ATen.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/units.h"

namespace tl::ops {
namespace {

// Spectra [n, size, size / 2 + 1] of images as working images: shift by the difference of the first pixels' centres.
at::Tensor resampled(const at::Tensor& images, int64_t edge) {
  const int64_t n = images.size(0), size = images.size(1), pixels = 2 * edge, used = edge / 2;  // frequencies below
  const at::Tensor all = at::fft_rfft2(images);
  at::Tensor kept = at::zeros({n, pixels, pixels / 2 + 1}, all.options());
  const auto copy = [&](int64_t from, int64_t to, int64_t count) {
    if (count > 0) kept.narrow(1, to, count).narrow(2, 0, used).copy_(all.narrow(1, from, count).narrow(2, 0, used));
  };
  copy(0, 0, used);
  copy(size - (used - 1), pixels - (used - 1), used - 1);
  const double shift = 2 * pi * (0.5 / static_cast<double>(pixels) - 0.5 / static_cast<double>(size));
  const auto phases = [&](const at::Tensor& frequency) {
    const at::Tensor angle = frequency * shift;
    return at::complex(angle.cos(), angle.sin()).to(all.scalar_type());
  };
  const at::Tensor col = at::arange(pixels / 2 + 1, at::kDouble);
  at::Tensor row = at::arange(pixels, at::kDouble);
  row = at::where(row < static_cast<double>(pixels) / 2, row, row - static_cast<double>(pixels));
  kept.mul_(phases(row).unsqueeze(1)).mul_(phases(col));
  const double scale = std::pow(static_cast<double>(pixels) / static_cast<double>(size), 2);
  return at::fft_irfft2(kept, at::IntArrayRef({pixels, pixels})).mul_(scale).contiguous();
}

}  // namespace

PolarGrid::PolarGrid(int64_t edge, int64_t angles) : rings_(edge / 2), angles_(angles) {
  TL_CHECK(edge >= 4 && edge % 2 == 0 && angles >= 4 && angles % 2 == 0, "an even edge and number of angles");
  for (int64_t a = 0; a < angles; ++a) {
    const double angle = 2 * pi * static_cast<double>(a) / static_cast<double>(angles);
    cosine_.push_back(static_cast<float>(std::cos(angle)));
    sine_.push_back(static_cast<float>(std::sin(angle)));
  }
}

double PolarGrid::area(int64_t ring) const {
  return 2 * pi * (static_cast<double>(ring) + 0.5) / static_cast<double>(angles_);
}

double PolarGrid::whole_area() const { return pi * static_cast<double>(rings_ * rings_); }

void PolarGrid::sample(const float* image, double col, double row, double angle, float* out) const {
  const int64_t pixels = this->pixels();
  const auto last = static_cast<float>(pixels - 1);
  const float middle = 0.5F * last, col0 = middle + static_cast<float>(2 * col),
              row0 = middle + static_cast<float>(2 * row);
  const auto turn_x = static_cast<float>(std::cos(angle)), turn_y = static_cast<float>(std::sin(angle));
  for (int64_t ring = 0; ring < rings_; ++ring) {
    const float radius = 2 * (static_cast<float>(ring) + 0.5F);
    for (int64_t a = 0; a < angles_; ++a) {
      const auto i = static_cast<std::size_t>(a);
      const float x = col0 + radius * (cosine_[i] * turn_x - sine_[i] * turn_y);
      const float y = row0 - radius * (sine_[i] * turn_x + cosine_[i] * turn_y);
      float value = 0;
      if (x >= 0 && y >= 0 && x < last && y < last) {
        const auto left = static_cast<int64_t>(x), top = static_cast<int64_t>(y);
        const float fx = x - static_cast<float>(left), fy = y - static_cast<float>(top);
        const float* p = image + top * pixels + left;
        value = (1 - fy) * ((1 - fx) * p[0] + fx * p[1]) + fy * ((1 - fx) * p[pixels] + fx * p[pixels + 1]);
      }
      out[ring * angles_ + a] = value;
    }
  }
}

at::Tensor PolarGrid::spectra(const at::Tensor& samples, int64_t most) const {
  at::Tensor weights = at::empty({rings_, 1}, samples.options());
  for (int64_t ring = 0; ring < rings_; ++ring) weights[ring].fill_(std::sqrt(area(ring)));
  return at::fft_rfft(samples * weights).narrow(2, 0, most + 1).permute({2, 0, 1}).contiguous();
}

double PolarGrid::spectrum_weight(int64_t frequency) const {
  return (frequency == 0 || 2 * frequency == angles_ ? 1.0 : 2.0) / static_cast<double>(angles_);
}

at::Tensor working_images(const at::Tensor& images, int64_t edge) {
  TL_CHECK(edge % 2 == 0 && edge <= images.size(1) && images.size(1) == images.size(2), "square images of that size");
  return resampled(images, edge);
}

at::Tensor working_noise(const at::Tensor& noise) { return resampled(noise, noise.size(1)); }

}  // namespace tl::ops
