// Results with their own gradient function: torch's backward pass calls our code for them.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

namespace tl {

using Tensors = std::vector<at::Tensor>;

// From the gradients with respect to results (undefined for unused ones), computes those with respect to the inputs,
// one each. Recorded for autograd only if a second derivative is requested.
using Backward = std::function<Tensors(const Tensors& gradients)>;

// Makes `results`, computed without recording, functions of `inputs`, at least one of which requires a gradient.
Tensors with_gradient(Tensors results, const Tensors& inputs, Backward backward);

}  // namespace tl
