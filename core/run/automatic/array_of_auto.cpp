// Computes the array that "auto" stands for, by the node's own function of its parameters and the infos of its
// inputs.
#include "core/run/automatic/array_of_auto.h"

namespace tl {

Result<NumberArray> array_of_auto(Executor& executor, const Registry& registry, const Graph& graph,
                                  const std::string& id, const std::string& param) {
  const GraphNode& node = graph.nodes.at(id);
  const NodeType& type = *registry.find(node.type);
  const auto made = type.arrays_of_auto.find(param);
  TL_CHECK(made != type.arrays_of_auto.end(), "an array on \"auto\" is made by its node");
  TL_TRY(const Infos inputs, executor.input_infos(graph, id));
  return made->second(make_params(type, node.params).get(), inputs);
}

}  // namespace tl
