// Asks the nodes up to the objective whether the data exceed the limits of their models.
#include "core/learn/problem.h"

namespace tl::learn {

std::string Problem::exceeded_limit() const {
  for (const auto& [id, node] : graph_.nodes) {
    const NodeType& type = *registry_->find(node.type);
    if (node.use != NodeUse::active || !type.beyond_model) continue;
    const auto inputs = executor_->input_infos(graph_, id);
    if (!inputs.ok()) continue;
    const std::string beyond = type.beyond_model(make_params(type, node.params).get(), inputs.value());
    if (!beyond.empty()) return beyond + ": that displaces the value by an unknown amount";
  }
  return {};
}

}  // namespace tl::learn
