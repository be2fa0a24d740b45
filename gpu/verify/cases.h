// The operators, scans and grids that verification walks, each registered once.
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
  // nullptr where the operator does not exist for the scan (a distance weight in a parallel beam).
  std::function<OperatorPtr(const ScanCase&)> make;
};
std::vector<OperatorCase> operator_cases();

// Appends a row that holds when value <= bound. reason: why the bound is what it is, where that is not the method's own
// accuracy or the rounding of the type.
void add_check(CheckTable& table, const CheckRow& row);
std::string type_name(at::ScalarType type);

// Zero-mean Gaussian numbers, the same on every machine and for any thread count.
at::Tensor gaussian(const std::vector<int64_t>& shape, uint64_t seed, uint64_t stream);

// Sum of the products, one after the other in double: the same on any number of threads.
double exact_dot(const at::Tensor& a, const at::Tensor& b);

}  // namespace tl::verify
