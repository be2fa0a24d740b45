// Finds the nodes between targets and objective and the learnable parameters, and checks settings.
#include "core/learn/paths.h"

#include <cmath>

#include "core/graph/bypass.h"
#include "core/graph/upstream.h"
#include "core/learn/learning.h"
#include "core/node/nearest.h"

namespace tl::learn {
namespace {

bool is_numeric(const ParamDecl& decl) { return decl.kind == ParamKind::number || decl.learnable; }

Result<void> check_number(const std::optional<Number>& n, const ParamDecl& decl, const char* name) {
  if (!n || n->unit == Unit::none || dimension(n->unit) == dimension(decl.unit)) return ok();
  return invalid("the " + std::string(name) + " of \"" + decl.name + "\" is in " + std::string(symbol(n->unit)),
                 decl.name, "Give it in " + std::string(symbol(decl.unit)));
}

Result<void> check_target(const Target& t, const Graph& graph, const Registry& registry) {
  const auto node = graph.nodes.find(t.node);
  if (node == graph.nodes.end()) {
    std::vector<std::string> known;
    for (const auto& [id, unused] : graph.nodes) known.push_back(id);
    return invalid("there is no node \"" + t.node + "\" that could be learned", "learning", suggest(t.node, known));
  }
  const NodeType* type = registry.find(node->second.type);
  if (type == nullptr) return registry.unknown(node->second.type);
  const ParamDecl* decl = type->param(t.name);
  const std::string where = "node \"" + t.node + "\"";
  std::vector<std::string> known;
  for (const ParamDecl& d : type->params)
    if (is_numeric(d)) known.push_back(d.name);
  if (decl == nullptr)
    return invalid("\"" + type->id + "\" has no parameter \"" + t.name + "\"", where, suggest(t.name, known));
  if (!is_numeric(*decl))
    return invalid("\"" + t.name + "\" cannot be learned: it is not a number", where,
                   known.empty() ? "This node has none that could" : "Those that can: " + suggest("", known));
  if (graph.link_into(t.node, t.name) != nullptr)
    return invalid("\"" + t.name + "\" is driven by a link: it cannot be learned as well", where, "Remove the link");
  if (decl->kind == ParamKind::array && (t.low || t.high))
    return invalid("\"" + t.name + "\" is an array: bounds are not possible", where, "Leave them out");
  TL_TRY(check_number(t.start, *decl, "start"));
  TL_TRY(check_number(t.low, *decl, "low bound"));
  TL_TRY(check_number(t.high, *decl, "high bound"));
  TL_TRY(check_number(t.reach, *decl, "reach"));
  const auto in = [&](const Number& n) { return to_stored(n.value, n.unit == Unit::none ? decl->unit : n.unit); };
  if (t.low && t.high && in(*t.low) >= in(*t.high))
    return invalid("the bounds of \"" + t.name + "\" have no values between them", where,
                   "Give a low bound below the high one");
  if (t.start && ((t.low && in(*t.start) < in(*t.low)) || (t.high && in(*t.start) > in(*t.high))))
    return invalid("the start of \"" + t.name + "\" lies outside of its bounds", where, "Give a start between them");
  return ok();
}

Result<void> check_objective(const ObjectivePort& o, const Graph& graph, const Registry& registry) {
  const auto node = graph.nodes.find(o.node);
  std::vector<std::string> known;
  for (const ObjectivePort& p : objectives(graph, registry)) known.push_back(p.node + "." + p.port);
  const std::string hint = known.empty() ? "Add an objective node" : suggest(o.node + "." + o.port, known);
  if (node == graph.nodes.end()) return invalid("there is no objective \"" + o.node + "\"", "learning", hint);
  const NodeType* type = registry.find(node->second.type);
  if (type == nullptr) return registry.unknown(node->second.type);
  const PortDecl* port = type->output(o.port);
  if (port == nullptr)
    return invalid("\"" + type->id + "\" has no output \"" + o.port + "\"", "node \"" + o.node + "\"", hint);
  if (!is_number(port->type))
    return invalid("\"" + o.port + "\" is not a single number: it cannot be an objective", "node \"" + o.node + "\"",
                   hint);
  return ok();
}

}  // namespace

std::vector<std::string> target_nodes(const Settings& settings) {
  std::vector<std::string> nodes;
  for (const Target& t : settings.targets) nodes.push_back(t.node);
  return nodes;
}

std::set<std::string> downstream_of(const Graph& graph, const std::vector<std::string>& nodes) {
  std::set<std::string> found;
  std::vector<std::string> open = nodes;
  while (!open.empty()) {
    const std::string id = std::move(open.back());
    open.pop_back();
    if (!found.insert(id).second) continue;
    for (const Link& link : graph.links)
      if (link.from_node == id) open.push_back(link.to_node);
  }
  return found;
}

Derivative derivative_of(const Graph& graph, const Registry& registry, const Target& target,
                         const ObjectivePort& objective) {
  const NodeType* type = registry.find(graph.nodes.at(target.node).type);
  if (!type->param(target.name)->set_tensor) return Derivative::differences;
  const std::set<std::string> after = downstream_of(graph, {target.node});
  const Graph before = upstream_of(graph, {objective.node});
  for (const std::string& id : after) {
    if (before.nodes.count(id) == 0) continue;
    if (!registry.find(graph.nodes.at(id).type)->differentiable) return Derivative::differences;
  }
  return Derivative::backward;
}

std::vector<Candidate> candidates(const Graph& graph, const Registry& registry) {
  std::vector<Candidate> all;
  for (const auto& [id, node] : graph.nodes) {
    const NodeType* type = registry.find(node.type);
    if (type == nullptr || node.use != NodeUse::active) continue;
    for (const ParamDecl& d : type->params)
      if (d.learnable) all.push_back({id, d.name, d.unit, d.per_view, graph.link_into(id, d.name) != nullptr});
  }
  return all;
}

std::vector<ObjectivePort> objectives(const Graph& graph, const Registry& registry) {
  std::vector<ObjectivePort> all;
  for (const auto& [id, node] : graph.nodes) {
    const NodeType* type = registry.find(node.type);
    const PortDecl* loss = type == nullptr ? nullptr : type->output("loss");
    if (loss != nullptr && is_number(loss->type) && node.use == NodeUse::active) all.push_back({id, "loss"});
  }
  return all;
}

Result<void> check(const Settings& settings, const Graph& drawn, const Registry& registry) {
  if (settings.targets.empty())
    return invalid("nothing is to be learned", "learning", "Name a parameter, for example axis.axis");
  TL_TRY(check_objective(settings.objective, drawn, registry));
  if (settings.held_out.rows > 0 &&
      (settings.method != Method::adam && settings.method != Method::automatic && settings.method != Method::sgd))
    return invalid("rows are held out, and " + std::string(to_string(settings.method)) + " does not use them",
                   "learning", "Learn with adam or sgd, or hold out none");
  for (const ObjectivePort& o : settings.fallback_objectives) {
    Settings other = settings;
    other.objective = o;
    other.fallback_objectives.clear();
    TL_TRY(check(other, drawn, registry));
  }
  for (const Target& t : settings.targets) TL_TRY(check_target(t, drawn, registry));
  const UsedGraph used = used_graph(drawn, registry);
  if (used.graph.nodes.count(settings.objective.node) == 0)
    return invalid("the objective \"" + settings.objective.node + "\" is bypassed or muted", "learning",
                   "Make it active");
  const Graph part = upstream_of(used.graph, {settings.objective.node});
  for (std::size_t i = 0; i < settings.targets.size(); ++i) {
    const Target& t = settings.targets[i];
    if (part.nodes.count(t.node) == 0)
      return invalid("the objective \"" + settings.objective.node + "\" does not depend on \"" + t.node + "\"",
                     "node \"" + t.node + "\"", "Link them, or make the nodes between them active");
    for (std::size_t j = 0; j < i; ++j)
      if (settings.targets[j].node == t.node && settings.targets[j].name == t.name)
        return invalid("\"" + t.name + "\" is to be learned twice", "node \"" + t.node + "\"", "Name it once");
  }
  return ok();
}

Graph with_values(Graph graph, const std::vector<TargetValue>& values) {
  for (const TargetValue& s : values) {
    const auto node = graph.nodes.find(s.node);
    if (node == graph.nodes.end()) continue;
    if (s.value.empty()) continue;  // an array of a history
    if (!s.shape.empty()) {
      node->second.params[s.name] = NumberArray::make(s.shape, {s.value.begin(), s.value.end()}, s.unit).or_throw();
      continue;
    }
    // A per-view list keeps its form even with one view.
    const auto set = node->second.params.find(s.name);
    const bool list =
        s.value.size() > 1 || (set != node->second.params.end() && std::holds_alternative<NumberList>(set->second));
    if (list) {
      node->second.params[s.name] = NumberList{s.value, s.unit};
    } else {
      node->second.params[s.name] = Number{s.value.front(), s.unit};
    }
  }
  return graph;
}

void drop_arrays(Progress& progress) {
  for (TargetValue& s : progress.values)
    if (!s.shape.empty()) s.value = {};
}

double root_mean_square(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v * v;
  return values.empty() ? 0 : std::sqrt(sum / static_cast<double>(values.size()));
}

TargetValue value_of(const Found& f) { return {f.node, f.name, f.unit, f.value, f.shape, root_mean_square(f.value)}; }

Graph accept(Graph graph, const Learned& learned) {
  std::vector<TargetValue> values;
  for (const Found& f : learned.found) values.push_back(value_of(f));
  return with_values(std::move(graph), values);
}

}  // namespace tl::learn
