// Dynamic flat-field correction: the flat of each view is a combination of principal components of the flats.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

#include "core/base/cancel.h"
#include "core/base/error.h"

namespace tl::ops {

// The mean of the flats and their principal components. Cheap to copy, safe to share between threads.
struct FlatModel {
  at::Tensor mean;        // [row, col] float64, dark subtracted
  at::Tensor components;  // [k, row, col] float64, each scaled to one standard deviation over the flats; k may be 0
  at::Tensor dark;        // [row, col] float64
  at::Tensor usable;      // [row, col] bool: mean is positive and finite
};

struct FlatModelSpec {
  at::Tensor flats, darks;            // [n, row, col]; darks may be undefined (no dark signal)
  std::optional<int64_t> components;  // number of components; nullopt: determined by parallel analysis
};

// Principal components of the flats: V. Van Nieuwenhove, J. De Beenhouwer, F. De Carlo, L. Mancini, F. Marone, J.
// Sijbers, Opt. Express 23, 27975 (2015). Parallel analysis keeps the components whose variance exceeds that of noise
// with the same standard deviation per pixel by two standard deviations (ten trials, fixed seed, on up to 16384
// pixels). Errors: invalid for shapes, fewer than two flats, more components than flats - 1.
Result<FlatModel> make_flat_model(const FlatModelSpec& spec);

struct DynamicFlatsSpec {
  int64_t binning = 4;  // binning of pixels, per side, for the fit of the weights; reduces noise
  CancelToken cancel;   // checked between views
};

struct DynamicFlatFieldResult {
  at::Tensor transmission;  // [view, row, col]
  at::Tensor weights;       // [view, k] float64, in standard deviations of the flats
};

// (view - dark) / (mean + sum of w_k components). The weights w of each view minimize the sum of magnitudes of the
// gradient (total variation) of the logarithm of the result, by reweighted least squares in which the flat is
// linearized at each step. The paper minimizes the total variation of the transmission; with the logarithm the problem
// is convex. Needs complete views. Pixels without a usable flat have transmission 1. float32 or float64 on the CPU.
// Errors: invalid for shapes.
Result<DynamicFlatFieldResult> dynamic_flat_field(const at::Tensor& projections, const FlatModel& model,
                                                  const DynamicFlatsSpec& spec);

}  // namespace tl::ops
