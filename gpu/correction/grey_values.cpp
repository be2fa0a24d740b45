// Maps grey values: beam-hardening polynomial, two-point calibration, rescaling to integers; composed of torch
// operations.
#include "gpu/correction/grey_values.h"

#include <ATen/ATen.h>

#include <cmath>

namespace tl::ops {
namespace {

bool is_real(const at::Tensor& x) {
  return x.defined() && (x.scalar_type() == at::kFloat || x.scalar_type() == at::kDouble);
}

}  // namespace

Result<at::Tensor> polynomial_absorption(const at::Tensor& absorption, const at::Tensor& coefficients) {
  const std::string where = "beam hardening";
  if (!is_real(absorption)) return invalid("the absorption is not a float tensor", where);
  if (!coefficients.defined() || coefficients.dim() != 1 || coefficients.size(0) < 1 || coefficients.size(0) > 10)
    return invalid("the polynomial needs 1 to 10 coefficients", where);
  const at::Tensor c = coefficients.to(absorption.options());
  at::Tensor sum = c[c.size(0) - 1] * absorption;
  for (int64_t k = c.size(0) - 2; k >= 0; --k) sum = (sum + c[k]) * absorption;
  return sum;
}

Result<at::Tensor> calibrate_two_points(const at::Tensor& x, const CalibrationPoints& points) {
  const std::string where = "grey calibration";
  if (!is_real(x)) return invalid("the values are not a float tensor", where);
  const at::Tensor span = points.measured_2 - points.measured_1;
  const double width = span.detach().item<double>();
  if (!std::isfinite(width) || width == 0)
    return invalid("the two measured values must be different numbers", where, "Measure two materials");
  const at::Tensor slope = (points.known_2 - points.known_1) / span;
  return (x - points.measured_1.to(x.options())) * slope.to(x.options()) + points.known_1.to(x.options());
}

Result<Quantised> quantise(const at::Tensor& x, double low, double high, int64_t bits) {
  const std::string where = "rescaling to integers";
  if (!is_real(x)) return invalid("the values are not a float tensor", where);
  if (bits != 8 && bits != 16)
    return invalid("integers of " + std::to_string(bits) + " bits cannot be made", where, "Choose 8 or 16");
  if (!std::isfinite(low) || !std::isfinite(high) || !(low < high))
    return invalid("the smallest value must be below the largest", where);
  const double most = bits == 8 ? 255 : 65535;
  Quantised q;
  q.offset = low;
  q.scale = (high - low) / most;
  const at::Tensor plain = x.detach();
  const at::Tensor bad = plain.isnan();
  q.nans = bad.sum().item<int64_t>();
  q.clipped = plain.lt(low).logical_or(plain.gt(high)).sum().item<int64_t>();
  // In double: float32 cannot resolve 65535 steps of a range that is small relative to its offset.
  q.numbers = ((plain.to(at::kDouble) - low) / q.scale).round().clamp(0, most).masked_fill(bad, 0).to(x.scalar_type());
  return q;
}

}  // namespace tl::ops
