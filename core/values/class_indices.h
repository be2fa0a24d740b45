// Numbers of labels as indices of classes.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/values/label_table.h"

namespace tl {

inline constexpr int32_t unlabelled = -1;

// Numbers of labels become indices of the table's classes, int32 of the same shape; its number of unlabelled
// voxels becomes `unlabelled`. Errors: invalid, with `where`: a number that no class has.
Result<at::Tensor> class_indices(const at::Tensor& numbers, const LabelTable& table, const std::string& where);

// Which voxels are not labelled: those of the number that the table states; if it states none but names classes, those
// of 0 unless 0 is a class. No table: every number counts as a class.
std::optional<int64_t> unlabelled_number(const LabelTable& table);

// Neither classes nor what means not labelled are known.
bool is_without_table(const LabelTable& table);

}  // namespace tl
