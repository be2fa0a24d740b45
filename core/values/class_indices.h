// Numbers of labels as indices of classes.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "core/base/error.h"
#include "core/values/label_table.h"

namespace tl {

inline constexpr int32_t unlabelled = -1;

// Numbers of labels become indices of the table's classes, int32 of the same shape; its number of voxels that nobody
// labelled becomes `unlabelled`. Errors: invalid, with `where`: a number that no class has.
Result<at::Tensor> class_indices(const at::Tensor& numbers, const LabelTable& table, const std::string& where);

}  // namespace tl
