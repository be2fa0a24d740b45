// Images on circles around a point: a rotation of the image becomes a shift along the circles.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace tl::ops {

// Images of `edge` working pixels are kept on twice as many, so that linear interpolation between them loses little.
// Rings are one working pixel apart, the first half of one from the centre; angles run from the columns towards the
// top.
class PolarGrid {
 public:
  // `angles` is even.
  PolarGrid(int64_t edge, int64_t angles);

  [[nodiscard]] int64_t rings() const { return rings_; }
  [[nodiscard]] int64_t angles() const { return angles_; }
  [[nodiscard]] int64_t numbers() const { return rings_ * angles_; }
  [[nodiscard]] int64_t pixels() const { return 4 * rings_; }  // along an edge of an image
  // Area that one sample of a ring stands for [working px^2].
  [[nodiscard]] double area(int64_t ring) const;
  [[nodiscard]] double whole_area() const;

  // One image [pixels, pixels] around a point that lies (col, row) working pixels from its middle, columns to the
  // right and rows downwards, rotated counter-clockwise by `angle` [rad] before the first sample: [ring, angle] into
  // `out`. What lies outside of the image is 0.
  void sample(const float* image, double col, double row, double angle, float* out) const;

  // The transforms along the rings of samples [n, ring, angle], weighted by the root of the area: [frequency, n, ring],
  // frequencies 0 to `most`. Sums over products of two of them are integrals over the circle, see spectrum_weight().
  [[nodiscard]] at::Tensor spectra(const at::Tensor& samples, int64_t most) const;
  // The factor of |spectrum|^2 of a frequency in the integral of |image|^2.
  [[nodiscard]] double spectrum_weight(int64_t frequency) const;

 private:
  int64_t rings_, angles_;
  std::vector<float> cosine_, sine_;  // of the angles
};

// Images [n, size, size] as working images [n, 2 edge, 2 edge] of the same field: frequencies of edge / 2 periods per
// field and above are left out. Differences of pixels' centres are taken into account. edge is even, at most size.
at::Tensor working_images(const at::Tensor& images, int64_t edge);
// The same of white noise [n, edge, edge].
at::Tensor working_noise(const at::Tensor& noise);

}  // namespace tl::ops
