// Network nodes: reads and sets the parameter with the file.
#include "widgets/session/network_nodes.h"

namespace tl::ui {
namespace {

const std::string model_param = "model";

}  // namespace

bool applies_network(const GraphNode& node) {
  return Registry::all().has_role(node.type, NodeRole::apply_network) && node.use == NodeUse::active;
}

std::string network_of(const GraphNode& node) {
  const auto found = node.params.find(model_param);
  const auto* file = found == node.params.end() ? nullptr : std::get_if<std::string>(&found->second);
  return file == nullptr ? std::string() : *file;
}

void set_network(GraphNode& node, const std::string& file) { node.params[model_param] = file; }

}  // namespace tl::ui
