// Finds painted labels and examples among the nodes of a pipeline.
#include "core/train/example_nodes.h"

#include "core/node/registry.h"

namespace tl::train {

bool is_painted(const GraphNode& node) { return Registry::all().has_role(node.type, NodeRole::painted_labels); }

std::vector<std::string> example_nodes(const Graph& graph) {
  std::vector<std::string> nodes;
  for (const auto& [id, node] : graph.nodes) {
    const bool painted = is_painted(node), example = Registry::all().has_role(node.type, NodeRole::examples) &&
                                                     graph.link_into(id, "labels") != nullptr;
    if ((painted || example) && node.use == NodeUse::active && graph.link_into(id, "volume") != nullptr)
      nodes.push_back(id);
  }
  return nodes;
}

}  // namespace tl::train
