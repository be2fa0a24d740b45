// Learnable: a parameter that the optimiser may hold as a tensor.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace tl {

// A parameter that the optimiser may hold. Nodes compute with tensor(): never with .item() on a learnable path.
template <class T>
struct Learnable {
  T value{};
  at::Tensor held;  // 0-dim or [view] float64 in the stored unit; defined only while it is being learned
};
at::Tensor tensor_of(const Learnable<double>& p);               // 0-dim float64
at::Tensor tensor_of(const Learnable<std::vector<double>>& p);  // [n] float64

}  // namespace tl
