// Polynomial beam-hardening correction of absorption, two-point calibration of grey values, and rescaling to integers.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/base/error.h"

namespace tl::ops {

// c1 p + c2 p^2 + ... + cn p^n (Herman, Phys. Med. Biol. 24, 81 (1979)): maps the absorption p of a polychromatic beam
// to that of a monochromatic one. No constant term: air stays air. Any shape; float32 or float64 on any device;
// `coefficients` is float64 [n], n = 1 to 10. Gradients go to both. Errors: invalid for types and sizes.
Result<at::Tensor> polynomial_absorption(const at::Tensor& absorption, const at::Tensor& coefficients);

// The straight line that maps two measured values to two known ones: known_1 + (x - measured_1) (known_2 - known_1) /
// (measured_2 - measured_1). The four are 0-dim float64 tensors; gradients go to all. Errors: invalid when the measured
// values are equal or not finite.
struct TwoPoints {
  at::Tensor measured_1, measured_2, known_1, known_2;
};
Result<at::Tensor> calibrate_two_points(const at::Tensor& x, const TwoPoints& points);

// Whole numbers 0 ... 2^bits - 1 and how to get back: value = offset + scale * number, to half of `scale`.
struct Quantised {
  at::Tensor numbers;  // whole numbers in the type of the input
  double scale = 0, offset = 0;
  int64_t clipped = 0;  // values outside low ... high, which became the nearest end
  int64_t nans = 0;     // became 0
};
// low becomes 0 and high the largest number; rounded to the nearest, halves to even. bits: 8 or 16. float32 or float64
// on the processor. Not differentiable. Errors: invalid unless low < high, both finite.
Result<Quantised> quantise(const at::Tensor& x, double low, double high, int64_t bits);

}  // namespace tl::ops
