// Learnable: a parameter that the optimiser may hold as a tensor.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <vector>

#include "core/node/number_array.h"

namespace tl {

// A parameter that the optimiser may hold. Nodes compute with tensor(): never with .item() on a learnable path.
template <class T>
struct Learnable {
  T value{};
  // 0-dim, [view] or of an array's shape, float64 in the stored unit; defined only while it is being learned.
  at::Tensor held;
};
at::Tensor tensor_of(const Learnable<double>& p);               // 0-dim float64
at::Tensor tensor_of(const Learnable<std::vector<double>>& p);  // [n] float64
// Float64 of the array's shape; on "auto" what is given for it is taken.
at::Tensor tensor_of(const Learnable<std::optional<NumberArray>>& p, const at::Tensor& of_auto);
at::Tensor tensor_of(const NumberArray& array);  // float64 of its shape

}  // namespace tl
