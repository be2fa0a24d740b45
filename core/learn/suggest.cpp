// Suggests objectives for what is to be learned: tries every one on every output after the parameters, nearest first.
#include "core/learn/suggest.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>
#include <utility>

#include "core/graph/edit.h"
#include "core/learn/verdict/geometry_check.h"

namespace tl::learn {
namespace {

constexpr const char* loss_port = "loss";

bool is_objective(const NodeType& type) {
  const PortDecl* loss = type.output(loss_port);
  return loss != nullptr && loss->type == PortType::scalar && type.differentiable;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// How many words of the parameters' titles an objective says it is for.
int64_t words_shared(const NodeType& objective, const Graph& graph, const Registry& registry,
                     const std::vector<Target>& targets) {
  std::set<std::string> words;
  for (const Target& target : targets) {
    const auto node = graph.nodes.find(target.node);
    const NodeType* type = node == graph.nodes.end() ? nullptr : registry.find(node->second.type);
    const ParamDecl* decl = type == nullptr ? nullptr : type->param(target.name);
    if (decl == nullptr) continue;
    std::string word;
    for (const char c : lower(decl->title + " " + decl->name) + " ") {
      if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
        word += c;
      } else if (!word.empty()) {
        words.insert(std::exchange(word, {}));
      }
    }
  }
  int64_t shared = 0;
  for (const std::string& word : words)
    shared += std::any_of(objective.synonyms.begin(), objective.synonyms.end(),
                          [&](const std::string& s) { return lower(s).find(word) != std::string::npos; })
                  ? 1
                  : 0;
  return shared;
}

// Nodes at or after the parameters, in the order of the pipeline; all parameters must have come before.
std::vector<std::string> after(const Graph& graph, const std::vector<Target>& targets) {
  const auto order = topological_order(graph);
  if (!order.ok() || targets.empty()) return {};
  std::vector<edit::Ids> reached;
  for (const Target& target : targets) reached.push_back(edit::downstream(graph, target.node));
  std::vector<std::string> found;
  for (const std::string& id : order.value()) {
    const bool all = std::all_of(targets.begin(), targets.end(), [&, i = std::size_t{0}](const Target& t) mutable {
      return reached[i++].count(id) != 0 || t.node == id;
    });
    if (all) found.push_back(id);
  }
  return found;
}

// Where a new objective of this type may be linked; its distance in nodes, or the obstacle.
struct Place {
  Link link;
  std::size_t distance = 0;
  std::optional<Error> obstacle;
};
Place place_of(const NodeType& type, const Graph& graph, const Registry& registry, const KnownInfo& known,
               const std::vector<std::string>& nodes) {
  Place place;
  std::vector<const PortDecl*> inputs;
  for (const PortDecl& port : type.inputs)
    if (port.required) inputs.push_back(&port);
  if (inputs.size() != 1) {
    place.obstacle =
        invalid("it compares several things", type.title, "Add it on the canvas and link its inputs there");
    return place;
  }
  const auto params = type.make_params();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeType* source = registry.find(graph.nodes.at(nodes[i]).type);
    if (source == nullptr || !source->differentiable) continue;
    for (const PortDecl& port : source->outputs) {
      const Info* info = port.type == inputs[0]->type ? known(nodes[i], port.name) : nullptr;
      if (info == nullptr) continue;
      const Infos given{{inputs[0]->name, *info}};
      const Result<void> fits = type.check ? type.check(params.get(), given) : ok();
      if (fits.ok()) return {{nodes[i], port.name, {}, inputs[0]->name}, i, std::nullopt};
      if (!place.obstacle) place.obstacle = fits.error();
    }
  }
  if (!place.obstacle)
    place.obstacle = nodes.empty()
                         ? invalid("nothing is to be learned yet", type.title, "Mark a parameter with the nabla")
                         : invalid("no output after the parameters is of its kind", type.title);
  return place;
}

// Is the geometry of a scan to be learned, of which some output shows that the object leaves its rows?
bool geometry_of_part_of_an_object(const Graph& graph, const Registry& registry, const std::vector<Target>& targets,
                                   const KnownTraits& traits) {
  if (!traits) return false;
  for (const Target& target : targets) {
    const auto node = graph.nodes.find(target.node);
    const NodeType* type = node == graph.nodes.end() ? nullptr : registry.find(node->second.type);
    if (type == nullptr || !type->id.starts_with("geometry.")) continue;
    for (const PortDecl& port : type->outputs)
      if (const auto shown = traits(target.node, port.name); shown && shown->leaves_rows) return true;
  }
  return false;
}

}  // namespace

ScanTraits traits_of(const Projections& scan) { return {object_leaves_rows(scan)}; }

std::vector<ObjectiveChoice> objective_choices(const Graph& graph, const Registry& registry, const KnownInfo& known,
                                               const std::vector<Target>& targets, const KnownTraits& traits) {
  std::optional<Error> partial;
  if (geometry_of_part_of_an_object(graph, registry, targets, traits))
    partial =
        invalid("the object leaves the rows of the detector, and this score needs all of it", {},
                "Let the node axis.automatic find the axis: it compares opposite views where both see the object");
  using Rank = std::tuple<int, int64_t, std::size_t>;  // smaller is better
  std::vector<std::pair<Rank, ObjectiveChoice>> ranked;
  const std::vector<std::string> nodes = after(graph, targets);
  for (const auto& [id, node] : graph.nodes) {
    const NodeType* type = registry.find(node.type);
    if (type == nullptr || !is_objective(*type) || node.use != NodeUse::active) continue;
    ObjectiveChoice choice{type->id, ObjectivePort{id, loss_port}, {}, {}};
    const bool reached = std::find(nodes.begin(), nodes.end(), id) != nodes.end();
    if (!reached && !targets.empty())
      choice.obstacle = invalid("it does not depend on all parameters that are to be learned", id);
    else if (known(id, loss_port) == nullptr)
      choice.obstacle = invalid("it is not ready", id, "See its form");
    else if (partial)
      choice.obstacle = partial;
    ranked.push_back({{choice.obstacle ? 2 : 0, -words_shared(*type, graph, registry, targets), 0}, choice});
  }
  const auto is_there = [&](const NodeType& type) {
    return std::any_of(ranked.begin(), ranked.end(),
                       [&](const auto& r) { return r.second.type == type.id && !r.second.obstacle; });
  };
  for (const NodeType& type : registry.types()) {
    if (!is_objective(type) || is_there(type)) continue;
    Place place = place_of(type, graph, registry, known, nodes);
    if (partial && !place.obstacle) place.obstacle = partial;
    const Rank rank{place.obstacle ? 2 : 1, -words_shared(type, graph, registry, targets), place.distance};
    ranked.push_back({rank, {type.id, std::nullopt, std::move(place.link), std::move(place.obstacle)}});
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<ObjectiveChoice> choices;
  for (auto& [rank, choice] : ranked) choices.push_back(std::move(choice));
  return choices;
}

Result<WithObjective> with_objective(Graph graph, const Registry& registry, const ObjectiveChoice& choice) {
  if (choice.obstacle) return *choice.obstacle;
  if (choice.existing) return WithObjective{std::move(graph), *choice.existing};
  TL_TRY(const std::string id, edit::add_node(graph, registry, choice.type));
  Link link = choice.link;
  link.to_node = id;
  TL_TRY(edit::connect(graph, registry, link));
  return WithObjective{std::move(graph), {id, loss_port}};
}

}  // namespace tl::learn
