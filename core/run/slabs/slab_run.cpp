// Converts a pipeline to one that computes a slab of its volumes.
#include "core/run/slabs/slab_run.h"

#include "core/graph/bypass.h"

namespace tl {

Result<SlabRun> slab_run(const Graph& graph, const Registry& registry, const io::Slab& slab) {
  const UsedGraph used = used_graph(graph, registry);
  SlabRun run{graph, {}};
  std::vector<std::string> others;
  for (const auto& [id, node] : used.graph.nodes) {
    if (registry.has_role(node.type, NodeRole::save_volume)) {
      run.outputs.push_back(id);
      run.graph.nodes.at(id).params["part"] = slab.index;
      run.graph.nodes.at(id).params["parts"] = slab.count;
    } else if (registry.find(node.type)->is_output) {
      others.push_back(id);
    }
  }
  if (run.outputs.empty())
    return invalid("the pipeline writes no volume that could be cut into slabs", {},
                   "Add a node " + registry.with_role(NodeRole::save_volume)->id);
  if (slab.index == 1) run.outputs.insert(run.outputs.end(), others.begin(), others.end());
  return run;
}

}  // namespace tl
