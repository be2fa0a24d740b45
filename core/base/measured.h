// Measured numbers as text, with as many digits as their uncertainty leaves meaningful. Every found or learned value is
// written by these functions.
#pragma once

#include <string>

namespace tl {

// "-23.24": the digits of `value` that one sigma leaves meaningful; four significant ones where sigma is not known (not
// positive or not finite).
std::string measured_value(double value, double sigma);
// "-23.24 ± 0.04". Sigma has two figures if they are 10 to 35, otherwise one. Only the value where sigma is not known.
std::string measured_text(double value, double sigma);

}  // namespace tl
