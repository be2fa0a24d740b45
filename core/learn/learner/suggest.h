// Suggestions: which objectives fit what is to be learned, and where they would be linked; from declarations and
// checks, and from what the views show where that is known.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "core/graph/graph.h"
#include "core/learn/learner/scan_traits.h"
#include "core/learn/learning_types.h"

namespace tl::learn {

// What is known of an output; nullptr where it is not.
using KnownInfo = std::function<const Info*(const std::string& node, const std::string& port)>;

// Nothing where it is not known.
using KnownTraits = std::function<std::optional<ScanTraits>(const std::string& node, const std::string& port)>;

struct ObjectiveChoice {
  std::string type;                       // node type
  std::optional<ObjectivePort> existing;  // it is in the graph already
  Link link;                      // else the link that would feed it; to_node is empty: the node is yet to be made
  std::optional<Error> obstacle;  // why it does not fit
  std::map<std::string, ParamValue> params = {};  // of the node that is yet to be made, where its defaults do not fit
};

// Every objective that the registry knows, and every one in the graph; best first, those that do not fit last. An
// objective fits where its check() accepts an output at or after the parameters, with other values of them, too. Among
// those that fit: those in the graph first, then by the words that they share with the parameters, then the nearest.
// None fits a geometry where the object leaves the rows: all of them need the whole object and would find another axis
// than the right one.
std::vector<ObjectiveChoice> objective_choices(const Graph& graph, const Registry& registry, const KnownInfo& known,
                                               const std::vector<Target>& targets, const KnownTraits& traits = {});

// The graph with the objective in it. Errors: the obstacle.
struct WithObjective {
  Graph graph;
  ObjectivePort objective;
};
Result<WithObjective> with_objective(Graph graph, const Registry& registry, const ObjectiveChoice& choice);

}  // namespace tl::learn
