// Displacement of frames that changes over the image and in time: cubic B-splines along rows, columns and frames.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <vector>

namespace tl::ops {

// Where a displacement was measured.
struct SplineSample {
  double frame = 0, row = 0, col = 0;  // [px], from the centre of the first pixel
  double x = 0, y = 0;                 // displacement along columns and rows [px]
};

class FrameSpline {
 public:
  FrameSpline() = default;
  // Control points (at least 4) along frames, rows and columns, `size` of them in all: frames, rows and columns.
  // `values`, float64 [2, frames, rows, cols]: y and x of each control point [px].
  FrameSpline(std::array<int64_t, 3> size, at::Tensor values);
  // Least squares with as many control points; where samples leave them open, neighbouring ones go on in a line.
  static FrameSpline fitted(std::array<int64_t, 3> size, std::array<int64_t, 3> points,
                            const std::vector<SplineSample>& samples);

  [[nodiscard]] bool empty() const { return !values_.defined(); }
  [[nodiscard]] const at::Tensor& values() const { return values_; }
  [[nodiscard]] at::Tensor displacement(int64_t frame) const;               // float64 [2, row, col]: y, x [px]
  [[nodiscard]] std::array<double, 2> at(const SplineSample& place) const;  // y, x

 private:
  std::array<int64_t, 3> size_{};
  at::Tensor values_;
};

}  // namespace tl::ops
