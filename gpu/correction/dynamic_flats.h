// Dynamic flat-field: the flat of each view is combined from the principal components of the flats.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

#include "core/base/cancel.h"
#include "core/base/error.h"

namespace tl::ops {

// The flats' mean and how they vary. A value: cheap to copy, safe to share.
struct FlatModel {
  at::Tensor mean;        // [row, col] float64, dark subtracted
  at::Tensor components;  // [k, row, col] float64; one standard deviation over the flats each; k may be 0
  at::Tensor dark;        // [row, col] float64
  at::Tensor usable;      // [row, col] bool: mean is positive and finite
};

struct FlatModelSpec {
  at::Tensor flats, darks;            // [n, row, col]; darks may be undefined (no dark signal)
  std::optional<int64_t> components;  // nothing: by parallel analysis
};

// Principal components of the flats: V. Van Nieuwenhove, J. De Beenhouwer, F. De Carlo, L. Mancini, F. Marone,
// J. Sijbers, Opt. Express 23, 27975 (2015). Parallel analysis keeps the components whose variance exceeds that of
// noise of the same size per pixel by two standard deviations (ten trials, fixed seed, on up to 16384 pixels). Errors:
// invalid for shapes, fewer than two flats, more components than flats - 1.
Result<FlatModel> make_flat_model(const FlatModelSpec& spec);

struct DynamicFlatsSpec {
  int64_t binning = 4;  // pixels joined along each side while the weights are searched; noise is what limits them
  CancelToken cancel;   // looked at between views
};

struct DynamicallyFlatFielded {
  at::Tensor transmission;  // [view, row, col]
  at::Tensor weights;       // [view, k] float64, in standard deviations of the flats
};

// (view - dark) / (mean + sum of w_k components), with the weights w of each view for which the gradient of the
// logarithm of the result has the smallest sum of magnitudes (total variation): reweighted least squares with the flat
// linearised anew in each step. Where the paper takes the total variation of the transmission, its logarithm makes the
// search convex. Whole views are needed. Pixels without a usable flat have transmission 1. float32 or float64 on the
// processor. Errors: invalid for shapes.
Result<DynamicallyFlatFielded> dynamic_flat_field(const at::Tensor& projections, const FlatModel& model,
                                                  const DynamicFlatsSpec& spec);

}  // namespace tl::ops
