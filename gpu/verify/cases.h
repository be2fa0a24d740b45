// The table of operators, scans and grids that verification runs on.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "core/base/grid.h"
#include "gpu/operator/linear_operator.h"
#include "gpu/verify/verify.h"

namespace tl::verify {

struct ScanCase {
  std::string name;
  ScanGeometry geometry;
  VolumeGrid grid;
};
std::vector<ScanCase> scan_cases();

struct OperatorCase {
  std::string name;
  // Returns nullptr if the operator does not exist for the scan (a distance weight in a parallel beam).
  std::function<OperatorPtr(const ScanCase&)> make;
  bool on_devices = true;  // false: it works only on the CPU
};
std::vector<OperatorCase> operator_cases();

// Appends a row that passes if value <= bound. reason: explanation of a bound other than the method's own accuracy or
// the rounding of the type.
void add_check(CheckTable& table, const CheckRow& row);
std::string type_name(at::ScalarType type);

// Zero-mean Gaussian numbers, identical on every machine and for any number of threads.
at::Tensor gaussian(const std::vector<int64_t>& shape, uint64_t seed, uint64_t stream);

// Sum of the products, sequentially in double: independent of the number of threads.
double exact_dot(const at::Tensor& a, const at::Tensor& b);

}  // namespace tl::verify
