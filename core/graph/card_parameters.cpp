// Ranks the parameters of a node by how informative they are on its card.
#include "core/graph/card_parameters.h"

#include <algorithm>

namespace tl {
namespace {

constexpr std::size_t most_parameters = 2;  // besides driven ones

// Of several file parameters only the first is always shown; others are shown once they are set.
int weight_on_card(const NodeType& type, const GraphNode& node, const ParamDecl& decl) {
  const auto is_file = [](const ParamDecl& d) { return d.path != PathRole::none; };
  const auto first_file = std::find_if(type.params.begin(), type.params.end(), is_file);
  int sum = node.params.contains(decl.name) ? 40 : 0;
  if (is_file(decl)) sum += &decl == &*first_file ? 100 : -20;
  if (decl.kind == ParamKind::choice) sum += 30;
  if (decl.learnable) sum += 25;
  if (decl.kind == ParamKind::number || decl.kind == ParamKind::integer) sum += 20;
  if (decl.kind == ParamKind::numbers) sum -= 10;
  if (decl.level == ParamLevel::advanced) sum -= 60;
  return sum;
}

}  // namespace

std::vector<std::string> parameters_on_card(const Graph& graph, const NodeType& type, const std::string& id) {
  const GraphNode& node = graph.nodes.at(id);
  std::vector<const ParamDecl*> order;
  for (const ParamDecl& decl : type.params) order.push_back(&decl);
  std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) {
    return weight_on_card(type, node, *a) > weight_on_card(type, node, *b);
  });
  std::vector<std::string> names;
  const std::size_t found_rows = static_cast<bool>(type.measure) ? 1 : 0;
  for (const ParamDecl* decl : order)
    if (names.size() + found_rows < most_parameters || graph.link_into(id, decl->name) != nullptr)
      names.push_back(decl->name);
  return names;
}

}  // namespace tl
