// Output finder: finds the outputs to show for a node, along the links, nearest nodes first.
#include "widgets/views/pictures/output_finder.h"

#include <algorithm>
#include <deque>
#include <ranges>
#include <set>

namespace tl::ui {
namespace {

enum class Way { with_links, against_links };

// Whether the node paints labels on this volume.
bool paints_on(const Graph& graph, const std::string& id, const Output& volume) {
  const auto node = graph.nodes.find(id);
  if (node == graph.nodes.end() || !Registry::all().has_role(node->second.type, NodeRole::painted_labels)) return false;
  const Link* link = graph.link_into(id, "volume");
  return link != nullptr && link->from_node == volume.node.toStdString() &&
         link->from_port == volume.port.toStdString();
}

class Finder {
 public:
  Finder(const Graph& graph, const Registry& registry, PortTest fits)
      : graph_(graph), registry_(registry), fits_(fits) {}

  [[nodiscard]] Output own(const std::string& id) const {
    const auto node = graph_.nodes.find(id);
    if (node == graph_.nodes.end()) return {};
    const NodeType* type = registry_.find(node->second.type);
    if (type == nullptr) return {};
    for (const PortDecl& port : type->outputs)
      if (fits_(port.type)) return {QString::fromStdString(id), QString::fromStdString(port.name)};
    return {};
  }

  // Whether an output fits.
  [[nodiscard]] bool makes(const Output& output) const {
    const auto node = graph_.nodes.find(output.node.toStdString());
    const NodeType* type = node == graph_.nodes.end() ? nullptr : registry_.find(node->second.type);
    return type != nullptr && std::any_of(type->outputs.begin(), type->outputs.end(), [&](const PortDecl& port) {
             return port.name == output.port.toStdString() && fits_(port.type);
           });
  }

  [[nodiscard]] Output nearest(const std::string& start, Way way) const {
    std::deque<std::string> open{start};
    std::set<std::string> visited{start};
    while (!open.empty()) {
      const std::string now = open.front();
      open.pop_front();
      if (Output found = own(now); !found.empty()) return found;
      for (const Link& link : graph_.links) {
        const bool leads_on = way == Way::with_links ? link.from_node == now : link.to_node == now;
        const std::string& next = way == Way::with_links ? link.to_node : link.from_node;
        if (leads_on && visited.insert(next).second) open.push_back(next);
      }
    }
    return {};
  }

  [[nodiscard]] Output last() const {
    const auto order = topological_order(graph_);
    if (!order.ok()) return {};
    for (const std::string& id : std::views::reverse(order.value()))
      if (Output found = own(id); !found.empty()) return found;
    return {};
  }

 private:
  const Graph& graph_;
  const Registry& registry_;
  PortTest fits_;
};

Output find(const Finder& finder, const QString& node, Way first, Way second) {
  if (!node.isEmpty()) {
    const std::string id = node.toStdString();
    if (Output found = finder.nearest(id, first); !found.empty()) return found;
    if (Output found = finder.nearest(id, second); !found.empty()) return found;
  }
  return finder.last();
}

}  // namespace

Output volume_for(const Graph& graph, const Registry& registry, const QString& node) {
  const Finder finder(graph, registry, is_voxel_image);
  return find(finder, node, Way::with_links, Way::against_links);
}

Output projections_for(const Graph& graph, const Registry& registry, const QString& node) {
  const Finder finder(graph, registry, is_scan);
  return find(finder, node, Way::against_links, Way::with_links);
}

ShownOutputs shown_for(const Graph& graph, const Registry& registry, const QString& node) {
  const Finder volumes(graph, registry, is_volume), labels(graph, registry, is_labels);
  const auto entering = [&graph](const Finder& finder, const std::string& id) {
    for (const Link& link : graph.links)
      if (link.to_node == id)
        if (Output from{QString::fromStdString(link.from_node), QString::fromStdString(link.from_port)};
            finder.makes(from))
          return from;
    return Output{};
  };
  // If labels are computed from a volume, that volume: a volume output next to them is about the labels (such as their
  // uncertainty).
  const auto segmented_by = [&](const std::string& id) {
    return labels.own(id).empty() ? Output{} : entering(volumes, id);
  };
  const auto over_its_volume = [&](const Output& shown, const std::string& id) {
    Output below = entering(volumes, id);
    for (const std::string& before : upstream_nodes(graph, id)) {
      if (below.empty()) below = segmented_by(before);
      if (below.empty()) below = volumes.own(before);
    }
    return ShownOutputs{below.empty() ? shown : below, shown};
  };
  const std::string id = node.toStdString();
  if (const Output segmented = segmented_by(id); !segmented.empty()) return {segmented, labels.own(id)};
  const auto with_labels = [&](const Output& volume) {
    const Output own = labels.own(volume.node.toStdString());
    return ShownOutputs{volume, own.empty() ? painted_on(graph, volume) : own};
  };
  if (const Output own = volumes.own(id); !own.empty()) return with_labels(own);
  if (const Output own = labels.own(id); !own.empty()) return over_its_volume(own, id);
  if (const Output given = entering(labels, id); !given.empty()) return over_its_volume(given, id);
  const Output found = volume_for(graph, registry, node);
  return labels.makes(found) ? over_its_volume(found, found.node.toStdString())
                             : ShownOutputs{found, painted_on(graph, found)};
}

Output painted_on(const Graph& graph, const Output& volume) {
  for (const auto& [id, node] : graph.nodes)
    if (paints_on(graph, id, volume)) return {QString::fromStdString(id), QStringLiteral("labels")};
  return {};
}

Output strokes_of(const Graph& graph, const ShownOutputs& shown) {
  const std::string node = shown.labels.node.toStdString();
  if (shown.labels.empty() || paints_on(graph, node, shown.volume)) return {};
  for (const Link& link : graph.links)
    if (link.to_node == node && paints_on(graph, link.from_node, shown.volume))
      return {QString::fromStdString(link.from_node), QString::fromStdString(link.from_port)};
  return {};
}

std::vector<Output> all_volumes(const Graph& graph, const Registry& registry) {
  const Finder finder(graph, registry, is_voxel_image);
  std::vector<Output> all;
  const auto order = topological_order(graph);
  if (!order.ok()) return all;
  for (const std::string& id : order.value())
    if (const Output found = finder.own(id); !found.empty()) all.push_back(found);
  return all;
}

std::vector<std::string> upstream_nodes(const Graph& graph, const std::string& node) {
  if (graph.nodes.count(node) == 0) return {};
  std::vector<std::string> all{node};
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const Link& link : graph.links)
      if (link.to_node == all[i] && std::find(all.begin(), all.end(), link.from_node) == all.end())
        all.push_back(link.from_node);
  return all;
}

std::vector<Output> projections_before(const Graph& graph, const Registry& registry, const QString& node) {
  const Finder finder(graph, registry, is_scan);
  std::vector<Output> all;
  for (const std::string& id : upstream_nodes(graph, node.toStdString()))
    if (const Output found = finder.own(id); !found.empty()) all.push_back(found);
  return all;
}

}  // namespace tl::ui
