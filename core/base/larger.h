// larger_or_nan: maxima of errors.
#pragma once

namespace tl {

// The larger of two numbers, NaN if one is NaN: std::max(worst, error) would keep `worst` if the error is NaN, and a
// test would pass on a result that could not be computed.
constexpr double larger_or_nan(double a, double b) { return b > a || b != b ? b : a; }

}  // namespace tl
