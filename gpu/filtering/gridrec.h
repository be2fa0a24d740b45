// Gridrec: direct reconstruction of a parallel-beam scan by gridding the filtered views in Fourier space.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/base/geometry.h"
#include "gpu/filtering/ramp_window.h"

namespace tl::ops {

struct GridrecSpec {
  ScanGeometry geometry;  // parallel, upright axis, equal shift in all views
  int64_t width = 1;      // slices have width x width voxels of the pixel size, centred on the axis; at most `cols`
  std::vector<double> view_weights;  // [rad], one per view; empty = from view_weights.h
  RampWindow window = RampWindow::ram_lak;
  double cutoff = 1;   // fraction of the Nyquist frequency, in (0, 1]
  CancelToken cancel;  // checked between pairs of slices
};

// [view, row, col] -> [row from the bottom up, y, x] in 1/mm. Each view is padded to twice its length, transformed,
// filtered, multiplied by its angular weight (view_weights.h), and gridded onto the Fourier plane with a prolate
// spheroidal function (C = 7); the inverse transform is divided by the function's transform. Two slices share a complex
// plane (B. A. Dowd et al., Proc. SPIE 3772, 224 (1999); F. Marone and M. Stampanoni, J. Synchrotron Rad. 19, 1029
// (2012)). The filter is that of FBP (ramp_filter.h), including its mean value, so that the mean of a slice is kept.
// The remaining difference from FBP is interpolation: trigonometric here, accurate to about a thousandth. float32 and
// float64. Slices do not depend on the number of threads, nor on each other except for rounding. A NaN affects a whole
// pair of slices. Errors: invalid (geometry, sizes, cutoff).
Result<at::Tensor> gridrec(const at::Tensor& projections, const GridrecSpec& spec);

// The prolate spheroidal wave function of order 0 for C = 7 on [-1, 1], and 0 outside; psw(0) = 121.7555, psw(1) = 1.
double prolate(double x);

}  // namespace tl::ops
