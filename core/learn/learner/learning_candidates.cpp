// Finds candidates for learning, and tries each with the objectives that could score it.
#include "core/learn/learner/learning_candidates.h"

#include <algorithm>
#include <array>
#include <map>

#include "core/graph/edit.h"
#include "core/learn/learnability.h"
#include "core/learn/learning.h"

namespace tl::learn {
namespace {

constexpr std::array cone_only{"source_to_axis", "axis_to_detector", "source_shift_u", "source_shift_v"};
constexpr std::array refused_by_some{"tilt", "shift_u", "shift_v"};

template <class Names>
bool is_one_of(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const ProjectionsInfo* scan_at(const KnownInfo& known, const std::string& node, const NodeType& type) {
  for (const PortDecl& port : type.outputs)
    if (const Info* info = is_scan(port.type) ? known(node, port.name) : nullptr; info != nullptr)
      if (const auto* scan = std::get_if<ProjectionsInfo>(info)) return scan;
  return nullptr;
}

bool makes_volume(const NodeType& type) { return first_port(type.outputs, is_volume) != nullptr; }

// The link before the first reconstruction; else after the last node that outputs a scan.
std::optional<Link> place_of_geometry(const Graph& graph, const Registry& registry, const KnownInfo& known) {
  const auto order = topological_order(graph);
  if (!order.ok()) return std::nullopt;
  std::optional<Link> last;
  for (const std::string& id : order.value()) {
    const GraphNode& node = graph.nodes.at(id);
    const NodeType* type = registry.find(node.type);
    if (type == nullptr || node.use != NodeUse::active) continue;
    for (const PortDecl& port : type->inputs) {
      const Link* link = is_scan(port.type) ? graph.link_into(id, port.name) : nullptr;
      if (link != nullptr && makes_volume(*type) && known(link->from_node, link->from_port) != nullptr) return *link;
    }
    for (const PortDecl& port : type->outputs)
      if (is_scan(port.type) && known(id, port.name) != nullptr) last = Link{id, port.name, {}, {}};
  }
  return last;
}

// Why no objective is possible; nothing if there is one.
std::optional<Error> no_objective(const Graph& graph, const Registry& registry, const KnownInfo& known,
                                  const Target& target) {
  const std::vector<ObjectiveChoice> choices = objective_choices(graph, registry, known, {target});
  if (choices.empty()) return invalid("there is no objective", "node \"" + target.node + "\"");
  return choices.front().obstacle;
}

// Adds the candidates of one node of `graph`, which may be a node that would have to be inserted on a link.
void add_node(std::vector<Learnable>& all, const Graph& graph, const Registry& registry, const KnownInfo& known,
              const std::string& id, const std::optional<Link>& on) {
  const GraphNode& node = graph.nodes.at(id);
  const NodeType* type = registry.find(node.type);
  if (type == nullptr || node.use != NodeUse::active) return;
  const ProjectionsInfo* scan = scan_at(known, id, *type);
  std::map<std::string, std::optional<Error>> tried;  // by the property that objectives may refuse; "" for others
  for (const ParamDecl& decl : type->params) {
    if (!decl.learnable) continue;
    if (is_one_of(cone_only, decl.name) && scan != nullptr && scan->geometry.is_parallel()) continue;
    Learnable l{type->id, on ? std::string() : id, decl.name, on, {}, {}};
    Target target;
    target.node = id;
    target.name = decl.name;
    if (scan != nullptr && type->role == NodeRole::set_geometry) {
      const DetectorShape& detector = scan->geometry.detector();
      l.present = value_in_geometry(scan->geometry, decl);
      l.obstacle = too_few_rows(target, decl, detector.rows, detector.cols);
    }
    if (graph.link_into(id, decl.name) != nullptr)
      l.obstacle = invalid("another node sets it", "node \"" + id + "\"", "Remove the link to it");
    if (!l.obstacle) {
      const auto [known_error, is_new] = tried.try_emplace(is_one_of(refused_by_some, decl.name) ? decl.name : "");
      if (is_new) known_error->second = no_objective(graph, registry, known, target);
      l.obstacle = known_error->second;
    }
    all.push_back(std::move(l));
  }
}

}  // namespace

std::optional<double> value_in_geometry(const ScanGeometry& geometry, const ParamDecl& decl) {
  const auto orbit = geometry.orbit();
  if (!orbit) return std::nullopt;
  const auto shown = [&](double stored) { return from_stored(stored, decl.unit); };
  if (decl.name == "axis") return shown(orbit->axis);
  if (decl.name == "tilt") return shown(orbit->tilt);
  if (orbit->beam != Beam::cone) return std::nullopt;
  if (decl.name == "pitch") return shown(orbit->pitch);  // not the yaw, which is equivalent to a source shift here
  if (decl.name == "source_to_axis") return shown(orbit->source_to_axis);
  if (decl.name == "axis_to_detector") return shown(orbit->axis_to_detector);
  if (decl.name == "source_shift_u") return shown(orbit->source_shift_u);
  if (decl.name == "source_shift_v") return shown(orbit->source_shift_v);
  return std::nullopt;
}

std::vector<Learnable> learnables(const Graph& graph, const Registry& registry, const KnownInfo& known) {
  std::vector<Learnable> all;
  const auto order = topological_order(graph);
  if (!order.ok()) return all;
  const bool has_geometry = std::any_of(graph.nodes.begin(), graph.nodes.end(), [&registry](const auto& node) {
    return registry.has_role(node.second.type, NodeRole::set_geometry) && node.second.use == NodeUse::active;
  });
  const NodeType* geometry = registry.with_role(NodeRole::set_geometry);
  const auto on = has_geometry || geometry == nullptr ? std::nullopt : place_of_geometry(graph, registry, known);
  if (on) {
    Learnable probe{geometry->id, {}, geometry->params.front().name, on, {}, {}};
    if (auto grown = with_target(graph, registry, probe); grown.ok()) {
      const std::string id = grown.value().target.node;
      const auto known_too = [&](const std::string& node, const std::string& port) {
        return node == id ? known(on->from_node, on->from_port) : known(node, port);
      };
      add_node(all, grown.value().graph, registry, known_too, id, on);
    }
  }
  for (const std::string& id : order.value()) add_node(all, graph, registry, known, id, std::nullopt);
  std::stable_partition(all.begin(), all.end(), [](const Learnable& l) { return !l.obstacle; });
  return all;
}

Result<WithTarget> with_target(Graph graph, const Registry& registry, const Learnable& learnable) {
  if (learnable.obstacle) return *learnable.obstacle;
  Target target;
  target.node = learnable.node;
  target.name = learnable.name;
  if (learnable.insertion_link) {
    const Link from = *learnable.insertion_link;
    TL_TRY(target.node, edit::add_node(graph, registry, learnable.type));
    const std::vector<Link> before = graph.links;
    TL_TRY(edit::connect(graph, registry, {from.from_node, from.from_port, target.node, "projections"}));
    for (const Link& link : before) {
      if (link.from_node != from.from_node || link.from_port != from.from_port) continue;
      edit::disconnect(graph, link);
      TL_TRY(edit::connect(graph, registry, {target.node, "projections", link.to_node, link.to_port}));
    }
  }
  const Result<Settings> set = settings_of(graph);
  Settings settings = set.ok() ? set.value() : Settings{};
  settings.targets.push_back(target);
  return WithTarget{with_settings(std::move(graph), settings), target};
}

}  // namespace tl::learn
