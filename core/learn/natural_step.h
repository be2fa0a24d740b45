// Natural steps: changes of parameters that move the image on the detector by about a pixel. No pixel is read.
#pragma once

#include <optional>

#include "core/learn/learning_types.h"
#include "core/run/executor.h"

namespace tl::learn {

// For parameters that change the geometry of their node's output scan: the change [stored unit] that moves the image of
// some object point by one pixel in some view. Empty for other parameters.
std::optional<double> geometric_step(Executor& executor, const Graph& graph, const Target& target,
                                     const ParamDecl& decl, double value);

// The value [stored unit] that replaces "auto", if the geometry determines it. Errors: invalid, with a hint to give a
// start value.
Result<std::vector<double>> automatic_start(Executor& executor, const Graph& graph, const Target& target,
                                            const ParamDecl& decl);

}  // namespace tl::learn
