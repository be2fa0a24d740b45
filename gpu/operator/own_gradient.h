// Results with a gradient of their own: torch's way back leads through code of ours.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

namespace tl {

// From the gradient with respect to a result, contiguous, those with respect to its inputs, one each; called without
// recording, except where a second derivative is asked for.
using Backward = std::function<std::vector<at::Tensor>(const at::Tensor& gradient)>;

// `result`, computed without recording, as a function of `inputs`, all of which require a gradient.
at::Tensor with_gradient(const at::Tensor& result, const std::vector<at::Tensor>& inputs, Backward backward);

}  // namespace tl
