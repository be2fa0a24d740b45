// Case study A5, beam hardening, as a function for the table of case studies.
#pragma once

#include "bench.h"

namespace tl::bench {

void beam_hardening_case(Arguments& arguments);  // A5

}  // namespace tl::bench
