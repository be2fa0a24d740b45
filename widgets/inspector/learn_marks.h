// Which parameters the user wants learned: the targets in the learning block of the pipeline.
#pragma once

#include "core/graph/graph.h"

namespace tl::ui {

bool is_learned(const Graph& graph, const std::string& node, const std::string& param);
// The same graph with the mark set or taken away; everything else in the block stays.
Graph with_learned(Graph graph, const std::string& node, const std::string& param);
Graph without_learned(Graph graph, const std::string& node, const std::string& param);

}  // namespace tl::ui
