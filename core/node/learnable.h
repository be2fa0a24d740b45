// Learnable: a parameter that can be learned; during learning, the optimiser provides its value as a tensor.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <vector>

#include "core/node/number_array.h"

namespace tl {

// Nodes compute with tensor_of() and never call .item() on it, which would cut the gradient.
template <class T>
struct Learnable {
  T value{};
  // 0-dim, [view] or an array's shape, float64 in the stored unit; defined only while it is being learned.
  at::Tensor tensor;
};
at::Tensor tensor_of(const Learnable<double>& p);               // 0-dim float64
at::Tensor tensor_of(const Learnable<std::vector<double>>& p);  // [n] float64
// Float64 in the array's shape; `of_auto` if the parameter is on "auto".
at::Tensor tensor_of(const Learnable<std::optional<NumberArray>>& p, const at::Tensor& of_auto);
at::Tensor tensor_of(const NumberArray& array);  // float64 in its shape

}  // namespace tl
