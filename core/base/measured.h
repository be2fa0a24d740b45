// Measured numbers as text, with as many digits as their uncertainty justifies. All found and learned values are
// written by these functions.
#pragma once

#include <string>

namespace tl {

// "-23.24": the value with the digits that one sigma justifies; with four significant digits if sigma is not known (not
// positive or not finite).
std::string measured_value(double value, double sigma);
// "-23.24 ± 0.04". Sigma has two digits if they are 10 to 35, otherwise one. Only the value if sigma is not known.
std::string measured_text(double value, double sigma);

}  // namespace tl
