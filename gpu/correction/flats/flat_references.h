// The averaged flats and darks of a scan, and the repair of pixels without a usable flat. Internal to the flat field.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "gpu/correction/flats/flat_field.h"
#include "gpu/correction/flats/flat_field_math.h"

namespace tl::ops {

// Pixels that cannot be corrected with every group of flats, and the pixels from which they are filled. Their signals
// are set to 1 to avoid division by zero.
struct PixelRepairs {
  std::vector<FilledPixel> filled;
  std::vector<int64_t> dead_rows;
};

class FlatReferences {
 public:
  // The flats and darks of `spec` must have passed check_references().
  explicit FlatReferences(const FlatFieldSpec& spec);
  [[nodiscard]] int64_t rows() const { return dark_.size(0); }
  [[nodiscard]] int64_t cols() const { return dark_.size(1); }
  [[nodiscard]] const at::Tensor& dark(at::ScalarType t) const { return t == at::kFloat ? dark_single_ : dark_; }
  // flat - dark per group of flats, [row, col]
  [[nodiscard]] const std::vector<at::Tensor>& signals(at::ScalarType t) const {
    return t == at::kFloat ? single_ : double_;
  }
  // The groups of flats before and after a view.
  [[nodiscard]] FlatInterpolation place_of(double view) const;
  // Whether in single precision the transmission of every 16-bit count is finite.
  [[nodiscard]] bool counts_stay_finite() const { return counts_stay_finite_; }
  [[nodiscard]] const PixelRepairs& repairs() const { return repairs_; }

 private:
  [[nodiscard]] bool are_moderate() const;

  std::vector<double> positions_;
  PixelRepairs repairs_;
  at::Tensor dark_, dark_single_;
  std::vector<at::Tensor> double_, single_;
  FlatChange change_ = FlatChange::constant;
  bool counts_stay_finite_ = false;
};

// Errors: invalid for missing flats, and shapes and positions that do not match.
Result<void> check_references(const FlatFieldSpec& spec);

}  // namespace tl::ops
