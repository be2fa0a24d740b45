// short_number(): a number as text, with a given count of significant figures.
#pragma once

#include <string>

#include "core/base/text.h"

namespace tl::learn {

inline std::string short_number(double value, int figures = 3) { return formatted("%.*g", figures, value); }

}  // namespace tl::learn
