// Finds the parameter that names classes, and changes tables.
#include "widgets/labels/class_names.h"

#include <algorithm>
#include <set>

#include "core/values/label_table_text.h"

namespace tl::ui {
namespace {

// A node without infos of its own passes on the info of its first input, including the table of labels.
const PortDecl* passed_labels(const NodeType& type) {
  const bool passes = !type.infos && !type.inputs.empty() && is_labels(type.inputs.front().type);
  return passes ? &type.inputs.front() : nullptr;
}

}  // namespace

std::optional<ClassesParam> classes_param(const Graph& graph, const Registry& registry, const std::string& node) {
  std::set<std::string> visited;
  for (std::string id = node; visited.insert(id).second;) {
    const NodeType* type = find_node_type(graph, registry, id);
    if (type == nullptr) return std::nullopt;
    for (const char* name : {"classes", "class_names"})
      if (const ParamDecl* decl = type->param(name); decl != nullptr && decl->kind == ParamKind::text)
        return ClassesParam{id, name};
    const PortDecl* port = passed_labels(*type);
    if (port == nullptr) return std::nullopt;
    const auto link = std::find_if(graph.links.begin(), graph.links.end(),
                                   [&](const Link& l) { return l.to_node == id && l.to_port == port->name; });
    if (link == graph.links.end()) return std::nullopt;
    id = link->from_node;
  }
  return std::nullopt;
}

void set_classes(Graph& graph, const ClassesParam& param, const LabelTable& table) {
  const auto node = graph.nodes.find(param.node);
  if (node == graph.nodes.end()) return;
  if (table.classes.empty())
    node->second.params.erase(param.name);
  else
    node->second.params[param.name] = to_text(table);
}

LabelTable with_class(LabelTable table, const LabelClass& changed) {
  const auto place = std::find_if(table.classes.begin(), table.classes.end(),
                                  [&](const LabelClass& c) { return c.number >= changed.number; });
  if (place != table.classes.end() && place->number == changed.number)
    *place = changed;
  else
    table.classes.insert(place, changed);
  return table;
}

LabelTable without_class(LabelTable table, int64_t number) {
  std::erase_if(table.classes, [number](const LabelClass& c) { return c.number == number; });
  return table;
}

int64_t next_free_number(const LabelTable& table) {
  int64_t number = 1;
  for (const LabelClass& c : table.classes)
    if (c.number == number) ++number;
  return number;
}

}  // namespace tl::ui
