// Crossover: two configurations made of two others.
#pragma once

#include <cstdint>
#include <utility>

#include "core/tune/search/run.h"

namespace tl::tune {

enum class Crossover { uniform, one_point, two_point };

// Each parameter's value is that of one parent in the first child, and that of the other parent in the second. Children
// may be combinations that the space does not have.
std::pair<int64_t, int64_t> crossed(Run& run, int64_t a, int64_t b, Crossover how);
// The number of parameters whose values differ.
int64_t distance(const Landscape& landscape, int64_t a, int64_t b);

}  // namespace tl::tune
