// Sub-pixel shift of projections by a phase ramp in Fourier space.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/error.h"

namespace tl::ops {

enum class ShiftAlong { cols, rows };  // positive shifts move the content to larger indices (rows: down, along -v)

// edge: the line is extended by its end pixels to at least twice its length. periodic: content leaving one end enters
// at the other.
enum class LineExtension { edge, periodic };

struct FourierShiftSpec {
  ShiftAlong along = ShiftAlong::cols;
  LineExtension extension = LineExtension::edge;
};

// Multiplies each line's spectrum by exp(-2 pi i s f), f in cycles per pixel; the Nyquist term of an even length by
// cos(pi s), the only factor for which the result is real. [view, row, col], float32 or float64. shift: s [px], a
// tensor with one element (all views) or one per view; gradients with respect to both tensors. Exact for lines without
// a Nyquist term: then a shift and its opposite cancel. The phase is computed in double. Errors: invalid for shapes and
// types.
Result<at::Tensor> fourier_shift(const at::Tensor& projections, const at::Tensor& shift, const FourierShiftSpec& spec);

}  // namespace tl::ops
