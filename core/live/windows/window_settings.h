// Window settings: values measured in or learned on a window of a stream, as parameters of the
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

// Adds to a window the values that its nodes have found, and whether they are used for later windows. `looks`: for this
// graph, from the executor that was given the window. Findings that no parameter can express are left out of the
// settings: such nodes measure in each window.
void add_found(const Graph& graph, const Registry& registry, const std::map<std::string, NodeInspection>& looks,
               ComputedWindow& window);

// Adds the values of learned parameters with which the graph was computed. Arrays are left out: they have no text form.
void add_learned(const Graph& graph, const std::vector<learn::Target>& targets, ComputedWindow& window);

}  // namespace tl
