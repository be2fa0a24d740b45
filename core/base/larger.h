// larger_or_nan: maxima of errors.
#pragma once

namespace tl {

// The larger of two numbers, NaN if one is: std::max(worst, error) keeps `worst` where the error is NaN, so that a test
// passes on what could not be computed.
constexpr double larger_or_nan(double a, double b) { return b > a || b != b ? b : a; }

}  // namespace tl
