// How far an operator and its adjoint are from being transposes of each other.
#pragma once

#include <cstdint>

#include "gpu/operator/linear_operator.h"

namespace tl::verify {

// The worst of several seeds of |<Ax, y> - <x, A* y>| / (|Ax| |y|) for Gaussian x and y; infinite where nothing but
// zeros came out, not a number where anything of it is not.
double dot_gap(const LinearOperator& op, at::ScalarType type, uint64_t seeds);

// Matrix entries (row, column) read as <e_row, A e_column> and as <A* e_row, e_column>; half of the rows are chosen
// among those that the column touches, since most entries are zero. The worst difference over the largest entry.
double entry_gap(const LinearOperator& op, at::ScalarType type, uint64_t entries);

}  // namespace tl::verify
