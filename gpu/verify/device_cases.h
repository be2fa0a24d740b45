// Functions and operators that verification runs on every device, in addition to cases.h.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <vector>

#include "gpu/operator/linear_operator.h"

namespace tl::verify {

// An operator as a function of one tensor; further inputs are made on the tensor's device. The input is 0.1 to 1,
// float32 or float64.
struct DeviceCase {
  std::string name;
  std::vector<int64_t> shape;
  std::function<at::Tensor(const at::Tensor&)> run;
  double bound = 1e-5;  // relative to the range, for float32; for float64 a hundred-thousandth of it
};
std::vector<DeviceCase> device_cases();

// Linear operators not listed in cases.h.
struct DeviceOperatorCase {
  std::string name;
  OperatorPtr op;
};
std::vector<DeviceOperatorCase> device_operator_cases();

}  // namespace tl::verify
