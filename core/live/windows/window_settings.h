// Window settings: what was measured in a window of a stream, and what was learned for it, as parameters of the
// pipeline.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/learn/learning_types.h"
#include "core/live/windows/window_table.h"
#include "core/run/node_inspection.h"

namespace tl {

// Adds to a window what its nodes have found, and whether it holds for the windows that follow. `looks`: of this graph,
// from the executor that was given the window. Findings that no parameter can give are left out of the settings: such
// nodes measure in each window.
void add_found(const Graph& graph, const Registry& registry, const std::map<std::string, NodeInspection>& looks,
               ComputedWindow& window);

// Adds the values of learned parameters with which the graph was computed. Arrays are left out: they have no text form.
void add_learned(const Graph& graph, const std::vector<learn::Target>& targets, ComputedWindow& window);

}  // namespace tl
