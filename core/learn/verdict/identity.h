// What a learning run depends on, as one text: the same text, the same path.
#pragma once

#include <string>

#include "core/learn/problem.h"

namespace tl::learn {

// Pipeline, settings, device, number of threads, version, and a digest of the data behind the cuts.
Result<std::string> identity_of(Problem& problem, Executor& executor, const Graph& graph);

}  // namespace tl::learn
