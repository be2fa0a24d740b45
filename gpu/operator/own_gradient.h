// Results with a gradient of their own: torch's backward pass calls our code for them.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

namespace tl {

using Tensors = std::vector<at::Tensor>;

// From the gradients with respect to results, undefined where nothing came back, those with respect to their inputs,
// one each. Recorded only where a second derivative is asked for.
using Backward = std::function<Tensors(const Tensors& gradients)>;

// `results`, computed without recording, as functions of `inputs`, of which at least one requires a gradient.
Tensors with_gradient(Tensors results, const Tensors& inputs, Backward backward);

}  // namespace tl
