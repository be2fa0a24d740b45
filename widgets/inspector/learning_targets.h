// Learning marks: the parameters marked to be learned, stored as targets in the pipeline's learning settings.
#pragma once

#include "core/graph/graph.h"

namespace tl::ui {

bool is_learned(const Graph& graph, const std::string& node, const std::string& param);
// The graph with the mark added or removed; other learning settings stay.
Graph with_learned(Graph graph, const std::string& node, const std::string& param);
Graph without_learned(Graph graph, const std::string& node, const std::string& param);

}  // namespace tl::ui
