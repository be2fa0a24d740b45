// What probabilities of classes say: the most probable class of each voxel, and how uncertain it is.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "core/values/label_table.h"

namespace tl {

struct MostProbable {
  at::Tensor numbers;      // int32 [z, y, x]: of the class; of equal probabilities the first
  at::Tensor uncertainty;  // float32 [z, y, x]: 1 less the difference between the two largest
};
// Of probabilities [class, z, y, x] (float32, contiguous); NaN counts as 0.
MostProbable most_probable(const at::Tensor& probabilities, const std::vector<LabelClass>& classes);

}  // namespace tl
