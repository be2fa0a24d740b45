// Conversion of label numbers to class indices.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/values/label_table.h"

namespace tl {

inline constexpr int32_t unlabelled = -1;

// Converts label numbers to indices of the table's classes, int32 of the same shape; the table's unlabelled number
// becomes `unlabelled`. Errors: invalid, with `where`: a number without a class.
Result<at::Tensor> class_indices(const at::Tensor& numbers, const LabelTable& table, const std::string& where);

// The number of unlabelled voxels: as stated in the table; if it states none but names classes, 0 unless 0 is a class.
// No table: every number counts as a class.
std::optional<int64_t> unlabelled_number(const LabelTable& table);

// Whether neither classes nor an unlabelled number are known.
bool is_without_table(const LabelTable& table);

}  // namespace tl
