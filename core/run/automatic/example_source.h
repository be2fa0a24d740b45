// ExampleSource: simulated scans and what is computed from them, as inputs of the nodes whose images are in the
// reference.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/graph/graph.h"

namespace tl {

struct ExampleSource {
  enum class Range { half_turn, full_turn };
  std::string_view kind, beam;  // absorption, transmission or counts; parallel or cone
  Range range;
};
// In the order in which they are tried. Cone-beam scans cover a full turn; parallel ones only for nodes that join
// opposite views.
std::span<const ExampleSource> example_sources();

// The node "scan" of a graph of examples.
GraphNode simulated_scan(const ExampleSource& source);

using ExampleOutput = std::pair<std::string, std::string>;  // node and port
// The output that gives an example for an input: by its type (core/values/port_types), or by its name where only
// certain labels make sense. Adds the nodes that are missing. Nothing if there is no example, or none of this kind of
// scan.
std::optional<ExampleOutput> add_example(Graph& graph, const PortDecl& input, const ExampleSource& source);

}  // namespace tl
