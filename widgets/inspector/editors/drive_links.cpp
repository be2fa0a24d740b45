// Driving links: finds the outputs that could drive a parameter: scalar outputs of nodes that are not downstream of it.
#include "widgets/inspector/editors/drive_links.h"

#include <set>

#include "widgets/language/translated.h"

namespace tl::ui {
namespace {

// The node and all nodes downstream.
std::set<std::string> followers(const Graph& graph, const std::string& node) {
  std::set<std::string> all = {node};
  for (bool grew = true; grew;) {
    grew = false;
    for (const Link& link : graph.links)
      if (all.count(link.from_node) != 0) grew = all.insert(link.to_node).second || grew;
  }
  return all;
}

}  // namespace

QStringList drive_sources(const Graph& graph, const Registry& registry, const std::string& node) {
  QStringList sources;
  const std::set<std::string> later = followers(graph, node);
  for (const auto& [id, other] : graph.nodes) {
    const NodeType* type = registry.find(other.type);
    if (type == nullptr || later.count(id) != 0) continue;
    for (const PortDecl& port : type->outputs)
      if (is_number(port.type)) sources << QString::fromStdString(id) + QChar('.') + QString::fromStdString(port.name);
  }
  return sources;
}

QString driver_title(const Graph& graph, const Registry& registry, const std::string& node, const std::string& param) {
  const Link* link = graph.link_into(node, param);
  if (link == nullptr) return {};
  const NodeType* type = find_node_type(graph, registry, link->from_node);
  const QString title = type != nullptr ? translated(type->title) : QString::fromStdString(link->from_node);
  return title + QStringLiteral(" · ") + QString::fromStdString(link->from_port);
}

void set_drive_link(Graph& graph, const std::string& node, const std::string& param, const QString& source) {
  std::erase_if(graph.links, [&](const Link& link) { return link.to_node == node && link.to_port == param; });
  const auto dot = source.lastIndexOf(QChar('.'));
  if (dot > 0) graph.links.push_back({source.left(dot).toStdString(), source.mid(dot + 1).toStdString(), node, param});
}

}  // namespace tl::ui
