// What verification runs on every device besides the operators of cases.h.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <vector>

#include "gpu/operator/linear_operator.h"

namespace tl::verify {

// A front door as a function of one tensor; it makes what else it needs on the tensor's device. The input is positive,
// 0.1 to 1, float32 or float64.
struct FrontDoor {
  std::string name;
  std::vector<int64_t> shape;
  std::function<at::Tensor(const at::Tensor&)> run;
  double bound = 1e-5;  // of the range, in float32; a hundred-thousandth of it in float64
};
std::vector<FrontDoor> front_doors();

// Linear operators that cases.h does not list.
struct NamedOperator {
  std::string name;
  OperatorPtr op;
};
std::vector<NamedOperator> more_operators();

}  // namespace tl::verify
