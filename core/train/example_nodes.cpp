// Finds painted labels and examples among the nodes of a pipeline.
#include "core/train/example_nodes.h"

namespace tl::train {

std::vector<std::string> example_nodes(const Graph& graph) {
  std::vector<std::string> nodes;
  for (const auto& [id, node] : graph.nodes) {
    const bool painted = node.type == painted_labels,
               example = node.type == "input.examples" && graph.link_into(id, "labels") != nullptr;
    if ((painted || example) && node.use == NodeUse::active && graph.link_into(id, "volume") != nullptr)
      nodes.push_back(id);
  }
  return nodes;
}

}  // namespace tl::train
