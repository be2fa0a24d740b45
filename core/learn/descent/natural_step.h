// Natural steps: by how much a parameter must change to move what the detector sees by about a pixel. No pixel is read.
#pragma once

#include <optional>

#include "core/learn/learning.h"
#include "core/run/executor.h"

namespace tl::learn {

// For parameters that change the geometry of a scan that their node hands on: the change [stored unit] that moves the
// image of some point of the object by one pixel in some view. Nothing for others.
std::optional<double> geometric_step(Executor& executor, const Graph& graph, const Target& target,
                                     const ParamDecl& decl, double value);

// The number that "auto" stands for, where the geometry tells it [stored unit]. Errors: invalid, asking for a start.
Result<std::vector<double>> automatic_start(Executor& executor, const Graph& graph, const Target& target,
                                            const ParamDecl& decl);

}  // namespace tl::learn
