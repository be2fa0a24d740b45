// The case studies of the thesis as benchmarks: each prints a table of its own; case_studies_bench.cpp lists them.
#pragma once

#include "tests/bench/bench.h"

namespace tl::bench {

void phase_case(Arguments& arguments);           // A3
void beam_hardening_case(Arguments& arguments);  // A5
void tv_network_case(Arguments& arguments);      // A6
void together_case(Arguments& arguments);        // several unknowns of one scan

}  // namespace tl::bench
