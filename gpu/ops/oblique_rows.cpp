// Horizontal lines on a tilted detector, and cubic interpolation along them.
#include "gpu/ops/oblique_rows.h"

#include <ATen/ATen.h>

#include <array>

#include "core/base/error.h"

namespace tl::ops {
namespace {

// Weights of the samples at floor(x) - 1 ... floor(x) + 2 for the fraction f of x.
std::array<at::Tensor, 4> cubic_weights(const at::Tensor& f) {
  const at::Tensor g = 1 - f;
  return {-0.5 * f * g * g, 1 + f * f * (1.5 * f - 2.5), 1 + g * g * (1.5 * g - 2.5), -0.5 * g * f * f};
}

}  // namespace

DetectorLines horizontal_lines(const at::Tensor& vectors, const DetectorShape& detector,
                               const std::vector<double>& heights) {
  TL_CHECK(vectors.dim() == 2 && vectors.size(1) == 12 && vectors.scalar_type() == at::kDouble, "vectors [view, 12]");
  const auto number = [&](int64_t part, int64_t axis) { return vectors.select(1, 3 * part + axis); };
  const at::Tensor length = (number(0, 0).square() + number(0, 1).square()).sqrt();
  const at::Tensor cosine = number(0, 1) / length, sine = -number(0, 0) / length;
  // Steps of a pixel across the rotation axis and along it [mm].
  const auto across = [&](int64_t part) { return (number(part, 0) * cosine + number(part, 1) * sine).mean(); };
  const auto along = [&](int64_t part) { return number(part, 2).mean(); };
  const at::Tensor uu = across(2), uv = across(3), vu = along(2), vv = along(3), determinant = uu * vv - uv * vu;
  const double middle_col = 0.5 * static_cast<double>(detector.cols - 1),
               middle_row = 0.5 * static_cast<double>(detector.rows - 1);
  const at::Tensor s = detector.pitch_u * (at::arange(detector.cols, at::kDouble) - middle_col).unsqueeze(0);
  const at::Tensor z = detector.pitch_v * at::tensor(heights, at::kDouble).unsqueeze(1);
  const at::Tensor a = (vv * s - uv * z) / determinant, b = (uu * z - vu * s) / determinant;
  return {middle_row - b, middle_col + a};
}

at::Tensor sampled(const at::Tensor& views, const DetectorLines& lines) {
  TL_CHECK(views.dim() == 3 && lines.row.dim() == 2 && lines.row.sizes() == lines.col.sizes(),
           "points on [view, row, col]");
  const int64_t rows = views.size(1), cols = views.size(2);
  const at::Tensor low_row = lines.row.detach().floor(), low_col = lines.col.detach().floor();
  const auto row_weights = cubic_weights(lines.row - low_row), col_weights = cubic_weights(lines.col - low_col);
  const at::Tensor flat = views.reshape({views.size(0), rows * cols});
  at::Tensor sum;
  for (int64_t y = 0; y < 4; ++y) {
    const at::Tensor row = (low_row.to(at::kLong) + (y - 1)).clamp(0, rows - 1);
    for (int64_t x = 0; x < 4; ++x) {
      const at::Tensor col = (low_col.to(at::kLong) + (x - 1)).clamp(0, cols - 1);
      const at::Tensor weight = row_weights[static_cast<std::size_t>(y)] * col_weights[static_cast<std::size_t>(x)];
      const at::Tensor part =
          flat.index_select(1, (row * cols + col).reshape({-1})).reshape({views.size(0), row.size(0), row.size(1)}) *
          weight;
      sum = sum.defined() ? sum + part : part;
    }
  }
  return sum;
}

}  // namespace tl::ops
