// Answers questions about a graph, and finds the problems that keep it from being computed.
#include "core/graph/graph.h"

#include <set>

#include "core/graph/bypass.h"
#include "core/graph/link_index.h"
#include "core/node/nearest.h"

namespace tl {
namespace {

std::vector<std::string> names_of(const auto& list) {
  std::vector<std::string> names;
  for (const auto& item : list) names.push_back(item.name);
  return names;
}

std::vector<std::string> node_ids(const Graph& graph) {
  std::vector<std::string> ids;
  for (const auto& [id, node] : graph.nodes) ids.push_back(id);
  return ids;
}

// Limit of suggestions, each of which compares a name with all others.
constexpr std::size_t max_suggestions = 20;

std::string path_in_graph(const std::string& node, const std::string& name = {}) {
  return "node \"" + node + "\"" + (name.empty() ? "" : ", " + name);
}

// Collects the problems of a graph.
class Checker {
 public:
  Checker(const Graph& graph, const Registry& registry) : graph_(graph), registry_(registry) {}

  std::vector<GraphProblem> run() {
    auto size = check_size(graph_);
    if (!size.ok()) return {{size.error(), {}, {}}};
    for (const auto& [id, node] : graph_.nodes) check_node(id, node);
    for (std::size_t i = 0; i < graph_.links.size(); ++i) {
      const std::size_t before = found_.size();
      check_link(graph_.links[i]);
      for (std::size_t k = before; k < found_.size(); ++k) found_[k].link = i;
    }
    if (found_.empty()) {
      auto order = topological_order(graph_);
      if (!order.ok()) found_.push_back({order.error(), {}, {}});
    }
    check_inputs();
    return std::move(found_);
  }

 private:
  void add(Error error, const std::string& node, const std::string& name) {
    if (error.where.empty() || error.where == name) error.where = path_in_graph(node, name);
    found_.push_back({std::move(error), node, name});
  }

  void check_node(const std::string& id, const GraphNode& node) {
    const NodeType* type = registry_.find(node.type);
    if (!node.kept.empty()) {
      add(invalid("this program does not know the node \"" + node.type + "\": it is kept as it is in the file", {},
                  "Update Tomoloom, or remove the node"),
          id, "type");
      found_.back().grade = ProblemGrade::unfinished;
      return;
    }
    if (type == nullptr) return add(registry_.unknown(node.type), id, "type");
    if (node.version > type->version)
      return add(invalid("\"" + node.type + "\" has version " + std::to_string(node.version) +
                             ", newer than this program's (" + std::to_string(type->version) + ")",
                         {}, "Update Tomoloom"),
                 id, "version");
    for (const auto& [name, value] : node.params) {
      const ParamDecl* decl = type->param(name);
      if (decl == nullptr) {
        add(invalid("\"" + node.type + "\" has no parameter \"" + name + "\"", {},
                    suggest(name, names_of(type->params))),
            id, name);
        continue;
      }
      auto valid = decl->validate(value);
      if (!valid.ok()) add(valid.error(), id, name);
    }
    if (node.use != NodeUse::bypassed) return;
    auto may = may_bypass(graph_, registry_, id);
    if (!may.ok()) add(may.error(), id, "use");
  }

  // Only nodes that are computed need inputs.
  void check_inputs() {
    const UsedGraph used = used_graph(graph_, registry_);
    const LinkIndex links(used.graph), drawn(graph_);
    for (const auto& [id, node] : used.graph.nodes) {
      const NodeType* type = registry_.find(node.type);
      if (type == nullptr) continue;
      for (const PortDecl& port : type->inputs) {
        if (!port.required || links.into(id, port.name) != nullptr) continue;
        const Link* passed = drawn.into(id, port.name);
        add(invalid("the input \"" + port.name + "\" is not linked", {},
                    passed == nullptr ? "Link a " + std::string(to_string(port.type)) + " output to it"
                                      : "Link the input of \"" + passed->from_node + "\", which passes it through"),
            id, port.name);
        found_.back().grade = ProblemGrade::unfinished;
      }
    }
  }

  const NodeType* end_type(const std::string& id, const Link& link) {
    const auto found = graph_.nodes.find(id);
    if (found == graph_.nodes.end()) {
      add(invalid("a link names the unknown node \"" + id + "\"", {},
                  found_.size() < max_suggestions ? suggest(id, node_ids(graph_)) : "Correct the link"),
          link.to_node, link.to_port);
      return nullptr;
    }
    return registry_.find(found->second.type);  // check_node() reports unknown types
  }

  void check_link(const Link& link) {
    const NodeType* from = end_type(link.from_node, link);
    const NodeType* to = end_type(link.to_node, link);
    if (!into_.emplace(link.to_node, link.to_port).second)
      add(invalid("two links end at \"" + link.to_port + "\"", {}, "Remove one of them"), link.to_node, link.to_port);
    if (from == nullptr || to == nullptr) return;
    const PortDecl* source = from->output(link.from_port);
    if (source == nullptr)
      return add(invalid("\"" + from->id + "\" has no output \"" + link.from_port + "\"", {},
                         suggest(link.from_port, names_of(from->outputs))),
                 link.to_node, link.to_port);
    if (const PortDecl* target = to->input(link.to_port)) {
      if (target->type != source->type)
        add(invalid("a " + std::string(to_string(source->type)) + " output cannot feed the " +
                        std::string(to_string(target->type)) + " input \"" + link.to_port + "\"",
                    {}, "Link a " + std::string(to_string(target->type)) + " output to it"),
            link.to_node, link.to_port);
      return;
    }
    const ParamDecl* driven = to->param(link.to_port);
    if (driven == nullptr) {
      auto names = names_of(to->inputs);
      for (const std::string& p : names_of(to->params)) names.push_back(p);
      return add(invalid("\"" + to->id + "\" has no input or parameter \"" + link.to_port + "\"", {},
                         suggest(link.to_port, names)),
                 link.to_node, link.to_port);
    }
    if (!is_number(source->type) || (driven->kind != ParamKind::number && driven->kind != ParamKind::integer))
      add(invalid("only a scalar output may drive a numeric parameter", {}, "Link a scalar output to a number"),
          link.to_node, link.to_port);
  }

  const Graph& graph_;
  const Registry& registry_;
  std::vector<GraphProblem> found_;
  std::set<std::pair<std::string, std::string>> into_;
};

}  // namespace

std::string_view to_string(NodeUse use) {
  switch (use) {
    case NodeUse::active: return "active";
    case NodeUse::bypassed: return "bypassed";
    case NodeUse::muted: return "muted";
  }
  return "";
}

const Link* Graph::link_into(const std::string& node, const std::string& port) const {
  for (const Link& l : links)
    if (l.to_node == node && l.to_port == port) return &l;
  return nullptr;
}

std::string Graph::free_id(const std::string& type) const {
  const std::string base = type.substr(type.rfind('.') + 1);
  std::string id = base;
  for (int n = 2; nodes.count(id) != 0; ++n) id = base + "_" + std::to_string(n);
  return id;
}

Result<void> check_size(const Graph& graph) {
  const auto too_many = [](std::size_t count, const char* of, std::size_t most) {
    return invalid("the pipeline has " + std::to_string(count) + " " + of + ", more than " + std::to_string(most), of,
                   "Split it into several pipelines");
  };
  if (graph.nodes.size() > max_nodes) return too_many(graph.nodes.size(), "nodes", max_nodes);
  if (graph.links.size() > max_links) return too_many(graph.links.size(), "links", max_links);
  for (const auto& [id, node] : graph.nodes)
    if (id.size() > longest_node_id)
      return invalid("the name of a node has " + std::to_string(id.size()) + " bytes, more than " +
                         std::to_string(longest_node_id),
                     path_in_graph(id.substr(0, 20) + "..."), "Give it a shorter one");
  return ok();
}

const NodeType* find_node_type(const Graph& graph, const Registry& registry, const std::string& node) {
  const auto found = graph.nodes.find(node);
  return found == graph.nodes.end() ? nullptr : registry.find(found->second.type);
}

std::vector<GraphProblem> problems(const Graph& graph, const Registry& registry) {
  return Checker(graph, registry).run();
}

Result<std::vector<std::string>> topological_order(const Graph& graph) {
  const LinkIndex links(graph);
  std::map<std::string, int> waiting;  // number of links from nodes that are not in `order` yet
  for (const auto& [id, node] : graph.nodes) waiting[id] = 0;
  for (const Link& l : graph.links) ++waiting[l.to_node];
  std::vector<std::string> order;
  for (const auto& [id, count] : waiting)
    if (count == 0) order.push_back(id);
  for (std::size_t next = 0; next < order.size(); ++next)
    for (const Link* l : links.from(order[next]))
      if (--waiting[l->to_node] == 0) order.push_back(l->to_node);
  if (order.size() == waiting.size()) return order;
  constexpr std::size_t max_named = 10;
  std::size_t named = 0;
  std::string names;
  for (const auto& [id, count] : waiting)
    if (count > 0 && ++named <= max_named) names += (names.empty() ? "" : ", ") + id;
  if (named > max_named) names += " and " + std::to_string(named - max_named) + " more";
  return invalid("the links form a cycle", "nodes " + names, "Remove a link: iterations are done inside a node");
}

Result<void> set_param(Graph& graph, const Registry& registry, const std::string& node, const std::string& param,
                       const std::string& text) {
  const auto found = graph.nodes.find(node);
  if (found == graph.nodes.end())
    return invalid("there is no node \"" + node + "\"", node + "." + param, suggest(node, node_ids(graph)));
  const NodeType* type = registry.find(found->second.type);
  if (type == nullptr) return registry.unknown(found->second.type);
  const ParamDecl* decl = type->param(param);
  if (decl == nullptr)
    return invalid("\"" + type->id + "\" has no parameter \"" + param + "\"", path_in_graph(node),
                   suggest(param, names_of(type->params)));
  auto value = parse_value(*decl, text);
  const auto valid = value.ok() ? decl->validate(value.value()) : Result<void>(value.error());
  if (!valid.ok()) {
    Error error = valid.error();
    error.where = path_in_graph(node, param);
    return error;
  }
  found->second.params[param] = std::move(value).value();
  return ok();
}

}  // namespace tl
