// Checks of the tensors passed to operators: shape, element type, memory layout, device.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "core/base/geometry.h"

namespace tl::ops {

// Throws Failure{invalid} unless `x` is contiguous, float32 or float64, and of this shape. `where` names the operator
// and the argument in the message.
void require_tensor(const at::Tensor& x, const std::vector<int64_t>& shape, const std::string& where);

// Throws Failure{unavailable} unless `x` is in CPU memory.
void require_cpu(const at::Tensor& x, const std::string& where);

// The same detector and beam type with other view vectors, a [view, 12] float64 tensor on the CPU.
Result<ScanGeometry> with_vectors(const ScanGeometry& geometry, const at::Tensor& vectors);

std::string shape_text(const std::vector<int64_t>& shape);

}  // namespace tl::ops
