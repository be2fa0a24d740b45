// ExampleSource: simulated scans and results computed from them, as inputs for the nodes shown in the
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
// In the order in which they are tried. Cone-beam scans cover a full turn; parallel-beam scans do so only for nodes
// that join opposite views.
std::span<const ExampleSource> example_sources();

// The node "scan" of a graph of examples.
GraphNode simulated_scan(const ExampleSource& source);

using ExampleOutput = std::pair<std::string, std::string>;  // node and port
// The output that serves as an example for an input: by its type (core/values/port_types), or by its name if
// only certain labels make sense. Adds missing nodes. Nothing if there is no example, or none for this kind of
// scan.
std::optional<ExampleOutput> add_example(Graph& graph, const PortDecl& input, const ExampleSource& source);

}  // namespace tl
