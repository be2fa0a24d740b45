// Network nodes: the nodes of a pipeline that apply a network, and the network file of each.
#pragma once

#include <string>

#include "core/graph/graph.h"

namespace tl::ui {

bool applies_network(const GraphNode& node);    // and is active
std::string network_of(const GraphNode& node);  // the file as the pipeline names it; empty: none is chosen
void set_network(GraphNode& node, const std::string& file);

}  // namespace tl::ui
