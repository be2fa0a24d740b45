// Polynomial beam-hardening correction of absorption, two-point calibration of grey values, and rescaling to integers.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/base/error.h"

namespace tl::ops {

// c1 p + c2 p^2 + ... + cn p^n (Herman, Phys. Med. Biol. 24, 81 (1979)): maps the absorption p of a polychromatic beam
// to that of a monochromatic one. No constant term: air stays air. Any shape; float32 or float64 on any device;
// `coefficients` is float64 [n], n = 1 to 10. Gradients with respect to both. Errors: invalid for types and sizes.
Result<at::Tensor> polynomial_absorption(const at::Tensor& absorption, const at::Tensor& coefficients);

// The straight line that maps two measured values to two known ones: known_1 + (x - measured_1) (known_2 - known_1) /
// (measured_2 - measured_1). All four are 0-dim float64 tensors and receive gradients. Errors: invalid if the measured
// values are equal or not finite.
struct CalibrationPoints {
  at::Tensor measured_1, measured_2, known_1, known_2;
};
Result<at::Tensor> calibrate_two_points(const at::Tensor& x, const CalibrationPoints& points);

// Integers 0 ... 2^bits - 1 and the inverse map: value = offset + scale * number, accurate to half of `scale`.
struct Quantised {
  at::Tensor numbers;  // integers, stored in the type of the input
  double scale = 0, offset = 0;
  int64_t clipped = 0;  // values outside low ... high, set to the nearest end
  int64_t nans = 0;     // NaN values, set to 0
};
// Maps low to 0 and high to the largest integer, rounding to nearest, halves to even. bits: 8 or 16. float32 or float64
// on the CPU. Not differentiable. Errors: invalid unless low < high, both finite.
Result<Quantised> quantise(const at::Tensor& x, double low, double high, int64_t bits);

}  // namespace tl::ops
