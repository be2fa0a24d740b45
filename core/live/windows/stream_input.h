// Stream input: properties of a pipeline for a stream: the node that its frames replace, and whether it needs flats.
#pragma once

#include <string>

#include "core/graph/graph.h"

namespace tl::live {

struct StreamInput {
  std::string load_node;
  bool needs_flats = false;  // a node divides by flats: windows wait for them
};
// Invalid: no node loads a scan, or several do.
Result<StreamInput> stream_input(const Graph& graph, const Registry& registry);

}  // namespace tl::live
