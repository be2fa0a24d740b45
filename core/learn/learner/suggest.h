// Suggests which objectives fit the targets, and where to link them: from declarations and checks, and from views if
// their properties are known.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "core/graph/graph.h"
#include "core/learn/learner/scan_traits.h"
#include "core/learn/learning_types.h"

namespace tl::learn {

// The info of an output; nullptr if it is not known.
using KnownInfo = std::function<const Info*(const std::string& node, const std::string& port)>;

// The traits of an output; nothing if they are not known.
using KnownTraits = std::function<std::optional<ScanTraits>(const std::string& node, const std::string& port)>;

struct ObjectiveChoice {
  std::string type;                       // node type
  std::optional<ObjectivePort> existing;  // set if the objective is already in the graph
  Link link;                      // else the link that would feed it; to_node is empty if the node does not exist yet
  std::optional<Error> obstacle;  // why it does not fit
  std::map<std::string, ParamValue> params = {};  // parameters of the new node, if its defaults do not fit
};

// Every objective in the registry, and every one in the graph; best first, unsuitable ones last. An objective fits
// if its check() accepts an output at or after the parameters, also with changed values of them. Among those that
// fit: those in the graph first, then by the number of words shared with the parameters, then the nearest. None fits
// a geometry if the object extends beyond the rows: all objectives need the whole object and would find a wrong
// axis.
std::vector<ObjectiveChoice> objective_choices(const Graph& graph, const Registry& registry, const KnownInfo& known,
                                               const std::vector<Target>& targets, const KnownTraits& traits = {});

// The graph with the objective added. Errors: the obstacle.
struct WithObjective {
  Graph graph;
  ObjectivePort objective;
};
Result<WithObjective> with_objective(Graph graph, const Registry& registry, const ObjectiveChoice& choice);

}  // namespace tl::learn
