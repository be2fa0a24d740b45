// Suggests objectives for the targets: tries every objective on every output after the parameters, nearest first.
#include "core/learn/learner/suggest.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/text.h"
#include "core/graph/edit.h"
#include "core/learn/learnability.h"
#include "core/learn/verdict/geometry_check.h"

namespace tl::learn {
namespace {

constexpr const char* loss_port = "loss";

bool is_objective(const NodeType& type) {
  const PortDecl* loss = type.output(loss_port);
  return loss != nullptr && is_number(loss->type) && type.differentiable;
}

// Number of words that an objective's texts share with the titles of the parameters.
int64_t words_shared(const NodeType& objective, const Graph& graph, const Registry& registry,
                     const std::vector<Target>& targets) {
  std::set<std::string> words;
  for (const Target& target : targets) {
    const NodeType* type = find_node_type(graph, registry, target.node);
    const ParamDecl* decl = type == nullptr ? nullptr : type->param(target.name);
    if (decl == nullptr) continue;
    std::string word;
    for (const char c : lower_case(decl->title + " " + decl->name) + " ") {
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
                          [&](const std::string& s) { return lower_case(s).find(word) != std::string::npos; })
                  ? 1
                  : 0;
  return shared;
}

// Nodes at or after the parameters, in the order of the pipeline; every listed node comes after all of them.
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

// The info of an output after the targets have changed: a tilted geometry, or shifted views; nothing if neither is
// learned. Some objectives are valid for one value only.
std::optional<Info> moved(const Info& info, const Graph& graph, const std::vector<Target>& targets) {
  constexpr double tilted = 0.01, shifted = 1;  // rad, px
  const auto learns = [&](const char* name) {
    return std::any_of(targets.begin(), targets.end(), [&](const Target& target) {
      const auto node = graph.nodes.find(target.node);
      return target.name == name && node != graph.nodes.end() && node->second.type.starts_with("geometry.");
    });
  };
  const bool tilt = learns("tilt"), along_rows = learns("shift_u"), along_columns = learns("shift_v");
  const auto* scan = std::get_if<ProjectionsInfo>(&info);
  if (scan == nullptr || !(tilt || along_rows || along_columns)) return std::nullopt;
  std::optional<Orbit> orbit = scan->geometry.orbit();
  if (!orbit) return std::nullopt;
  std::vector<double> one_shifted(orbit->angles.size(), 0.0);
  one_shifted.front() = shifted;
  if (tilt) orbit->tilt += tilted;
  if (along_rows) orbit->shift_u = one_shifted;
  if (along_columns) orbit->shift_v = one_shifted;
  const auto geometry = ScanGeometry::from_orbit(*orbit, scan->geometry.detector());
  if (!geometry.ok()) return std::nullopt;
  ProjectionsInfo other = *scan;
  other.geometry = geometry.value();
  return other;
}

using Set = std::map<std::string, ParamValue>;

// Data for testing an objective: its inputs unchanged and, as some objectives refuse changed ones, with changed values
// of the targets.
struct Trial {
  const Graph& graph;
  const Registry& registry;
  const std::vector<Target>& targets;
  Infos here;
  std::optional<Infos> there = {};
};

// The largest number of rows that a target of the trial needs, and the error if the objective uses fewer.
struct RowsLookedAt {
  int64_t needed = 1;
  std::optional<Error> error;
};
RowsLookedAt rows_looked_at(const NodeType& type, const void* params, const Trial& trial) {
  RowsLookedAt out;
  const Result<Regions> regions = type.needs ? type.needs(params, trial.here, WholeRegion{}) : Regions{};
  for (const auto& [port, info] : trial.here) {
    const auto* scan = std::get_if<ProjectionsInfo>(&info);
    if (scan == nullptr || !regions.ok()) continue;
    int64_t rows = scan->geometry.detector().rows;
    if (const auto region = regions.value().find(port); region != regions.value().end())
      if (const auto* part = std::get_if<ScanRegion>(&region->second)) rows = part->rows.size();
    for (const Target& target : trial.targets) {
      const NodeType* of = find_node_type(trial.graph, trial.registry, target.node);
      const ParamDecl* decl = of == nullptr ? nullptr : of->param(target.name);
      if (decl == nullptr) continue;
      out.needed = std::max(out.needed, min_rows_to_learn(target, *decl, scan->geometry.detector().cols));
      if (!out.error) out.error = too_few_rows(target, *decl, rows, scan->geometry.detector().cols);
    }
  }
  return out;
}

// Whether an objective with these settings accepts its inputs and depends on the targets.
Result<void> serves(const NodeType& type, const Set& set, const Trial& trial) {
  const auto params = make_params(type, set);
  if (type.check) TL_TRY(type.check(params.get(), trial.here));
  if (type.check && trial.there) TL_TRY(type.check(params.get(), *trial.there));
  if (const auto few = rows_looked_at(type, params.get(), trial).error) return *few;
  return ok();
}

// The settings with which a new objective accepts these inputs and depends on the targets: its defaults, another choice
// of one parameter, or more rows. Otherwise the error with the defaults.
Result<Set> fitting_params(const NodeType& type, const Trial& trial) {
  const Result<void> plain = serves(type, {}, trial);
  if (plain.ok()) return Set{};
  const auto defaults = type.make_params();
  if (type.check) TL_TRY(type.check(defaults.get(), trial.here));
  std::vector<Set> others;
  const int64_t rows = rows_looked_at(type, defaults.get(), trial).needed + 1;
  for (const ParamDecl& decl : type.params) {
    for (const Choice& choice : decl.choices) others.push_back({{decl.name, choice.name}});
    if (decl.kind == ParamKind::integer && (decl.name == "rows" || decl.name == "slices"))
      others.push_back({{decl.name, rows}});
  }
  for (Set& set : others)
    if (serves(type, set, trial).ok()) return std::move(set);
  return plain.error();
}

// Where a new objective of this type can be linked, and its distance in nodes, or the obstacle.
struct Place {
  Link link;
  std::size_t distance = 0;
  std::optional<Error> obstacle;
  std::map<std::string, ParamValue> params = {};
};
Place place_of(const NodeType& type, const Graph& graph, const Registry& registry, const KnownInfo& known,
               const std::vector<std::string>& nodes, const std::vector<Target>& targets) {
  Place place;
  std::vector<const PortDecl*> inputs;
  for (const PortDecl& port : type.inputs)
    if (port.required) inputs.push_back(&port);
  if (inputs.size() != 1) {
    place.obstacle =
        invalid("it compares several outputs", type.title, "Add it on the canvas and link its inputs there");
    return place;
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeType* source = registry.find(graph.nodes.at(nodes[i]).type);
    if (source == nullptr || !source->differentiable) continue;
    for (const PortDecl& port : source->outputs) {
      const Info* info = port.type == inputs[0]->type ? known(nodes[i], port.name) : nullptr;
      if (info == nullptr) continue;
      Trial trial{graph, registry, targets, {{inputs[0]->name, *info}}};
      if (auto other = moved(*info, graph, targets)) trial.there = Infos{{inputs[0]->name, std::move(*other)}};
      auto fits = fitting_params(type, trial);
      if (fits.ok()) return {{nodes[i], port.name, {}, inputs[0]->name}, i, std::nullopt, std::move(fits).value()};
      if (!place.obstacle) place.obstacle = fits.error();
    }
  }
  if (!place.obstacle)
    place.obstacle = nodes.empty()
                         ? invalid("nothing is to be learned yet", type.title, "Mark a parameter with the nabla")
                         : invalid("no output after the parameters is of the kind that it needs", type.title);
  return place;
}

// Why an objective of the graph does not show the targets at other values than the present ones.
std::optional<Error> refuses_others(const Graph& graph, const Registry& registry, const NodeType& type,
                                    const std::string& id, const KnownInfo& known, const std::vector<Target>& targets) {
  Trial trial{graph, registry, targets, {}, Infos{}};
  for (const PortDecl& port : type.inputs) {
    const Link* link = graph.link_into(id, port.name);
    if (link == nullptr && port.required) return std::nullopt;  // check() may ask for it
    if (link == nullptr) continue;
    const Info* info = known(link->from_node, link->from_port);
    if (info == nullptr) return std::nullopt;
    trial.here[port.name] = *info;
    (*trial.there)[port.name] = moved(*info, graph, targets).value_or(*info);
  }
  const Result<void> serving = serves(type, graph.nodes.at(id).params, trial);
  return serving.ok() ? std::nullopt : std::optional<Error>(serving.error());
}

// Whether the geometry of a scan is to be learned although an output shows that the object extends beyond the detector
// rows.
bool geometry_of_part_of_an_object(const Graph& graph, const Registry& registry, const std::vector<Target>& targets,
                                   const KnownTraits& traits) {
  if (!traits) return false;
  for (const Target& target : targets) {
    const NodeType* type = find_node_type(graph, registry, target.node);
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
  // Sort key of objectives, smaller is better: in the graph, new, refused because of the scan, cannot be linked.
  using Rank = std::tuple<int, int64_t, std::size_t>;
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
    else if (const auto refused = refuses_others(graph, registry, *type, id, known, targets))
      choice.obstacle = refused;
    else if (partial)
      choice.obstacle = partial;
    ranked.push_back({{choice.obstacle ? 3 : 0, -words_shared(*type, graph, registry, targets), 0}, choice});
  }
  const auto is_there = [&](const NodeType& type) {
    return std::any_of(ranked.begin(), ranked.end(),
                       [&](const auto& r) { return r.second.type == type.id && !r.second.obstacle; });
  };
  for (const NodeType& type : registry.types()) {
    if (!is_objective(type) || is_there(type)) continue;
    Place place = place_of(type, graph, registry, known, nodes, targets);
    const bool of_part = partial && !place.obstacle;
    if (of_part) place.obstacle = partial;
    const Rank rank{of_part          ? 2
                    : place.obstacle ? 3
                                     : 1,
                    -words_shared(type, graph, registry, targets), place.distance};
    ranked.push_back(
        {rank, {type.id, std::nullopt, std::move(place.link), std::move(place.obstacle), std::move(place.params)}});
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
  for (const auto& [name, value] : choice.params) graph.nodes.at(id).params[name] = value;
  Link link = choice.link;
  link.to_node = id;
  TL_TRY(edit::connect(graph, registry, link));
  return WithObjective{std::move(graph), {id, loss_port}};
}

}  // namespace tl::learn
