// Everything that influences the result of a learning run, as one text: equal texts give equal results.
#pragma once

#include <string>

#include "core/learn/problem.h"

namespace tl::learn {

// Pipeline, settings, device, number of threads, version, and a digest of the data at the cuts.
Result<std::string> identity_of(Problem& problem, Executor& executor, const Graph& graph);

}  // namespace tl::learn
