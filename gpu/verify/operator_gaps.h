// Deviation of an operator and its adjoint from being exact transposes of each other.
#pragma once

#include <cstdint>

#include "gpu/operator/linear_operator.h"

namespace tl::verify {

// The largest value, over several seeds, of |<Ax, y> - <x, A* y>| / (|Ax| |y|) for Gaussian x and y; infinite if all
// results are zero, NaN if any part is NaN.
double dot_gap(const LinearOperator& op, at::ScalarType type, uint64_t seeds);

// Largest difference of matrix elements (row, column) computed as <e_row, A e_column> and as <A* e_row, e_column>,
// relative to the largest element. Half of the rows are chosen among those that the column affects, since most elements
// are zero.
double entry_gap(const LinearOperator& op, at::ScalarType type, uint64_t entries);

}  // namespace tl::verify
