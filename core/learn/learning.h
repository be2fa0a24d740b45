// Learning: which parameters of a pipeline gradient descent can fit to which objective; settings and results as JSON,
// in pipeline files and as parameters of a graph.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/learn/learning_types.h"

namespace tl::learn {

// Removes the values of arrays from a history entry; their root mean square stays.
void drop_arrays(Progress& progress);
double root_mean_square(const std::vector<double>& values);

TargetValue value_of(const Found& found);

std::vector<Candidate> candidates(const Graph& graph, const Registry& registry);
// Scalar outputs named "loss" of differentiable nodes.
std::vector<ObjectivePort> objectives(const Graph& graph, const Registry& registry);

// Checks names, units, bounds and the path from parameters to objective. Reads no pixels.
Result<void> check(const Settings& settings, const Graph& graph, const Registry& registry);

// Settings as a JSON object, and back. Errors name key and line.
std::string to_json(const Settings& settings);
Result<Settings> settings_from_json(std::string_view text);
// Settings are stored in Graph::learning, next to the records of earlier runs. settings_of(): invalid if there are
// none.
Result<Settings> settings_of(const Graph& graph);
Graph with_settings(Graph graph, const Settings& settings);
// Records of earlier runs in the form of history.h, newest last.
std::vector<std::string> runs_of(const Graph& graph);
Graph with_run(Graph graph, const std::string& run);

// The result as JSON object: "parameters" as in the record of a run, combinations, verdict, reason of the end, history.
std::string to_json(const Learned& learned, const Settings& settings);
// The graph with its parameters set to the found values.
Graph accept(Graph graph, const Learned& learned);
// The graph with its parameters set to the targets' values at an iteration.
Graph with_values(Graph graph, const std::vector<TargetValue>& values);

}  // namespace tl::learn
