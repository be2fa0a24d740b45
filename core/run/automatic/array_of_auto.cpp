// Computes the array that "auto" stands for: calls the node's own function with its parameters and the infos of its
// inputs.
#include "core/run/automatic/array_of_auto.h"

namespace tl {

Result<NumberArray> array_of_auto(Executor& executor, const Registry& registry, const Graph& graph,
                                  const std::string& id, const std::string& param) {
  const GraphNode& node = graph.nodes.at(id);
  const NodeType& type = *registry.find(node.type);
  const auto made = type.arrays_of_auto.find(param);
  TL_CHECK(made != type.arrays_of_auto.end(), "an array on \"auto\" is made by its node");
  Infos inputs;
  for (const PortDecl& port : type.inputs) {
    const Link* link = graph.link_into(id, port.name);
    if (link == nullptr) continue;
    TL_TRY(const Infos known, executor.infos(graph, link->from_node));
    inputs[port.name] = known.at(link->from_port);
  }
  const auto params = type.make_params();
  for (const ParamDecl& d : type.params) {
    const auto set = node.params.find(d.name);
    d.assign(params.get(), to_stored(set == node.params.end() ? d.initial : set->second));
  }
  return made->second(params.get(), inputs);
}

}  // namespace tl
