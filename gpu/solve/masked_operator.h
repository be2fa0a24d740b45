// Missing data: an operator without the rows that have no measurement.
#pragma once

#include <ATen/core/Tensor.h>

#include "gpu/operator/linear_operator.h"

namespace tl::solve {

// M A and A* M, where M multiplies every row by `present`: 1, or 0 for a pixel without a value. The data there must be
// 0.
OperatorPtr masked_operator(OperatorPtr op, at::Tensor present);

}  // namespace tl::solve
