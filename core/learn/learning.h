// Learning: which parameters of a pipeline gradient descent can fit to which objective; settings and results as JSON,
// in pipeline files and as parameters of a graph.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/learn/learning_types.h"

namespace tl::learn {

// Removes the entries of arrays from a history entry; their root mean square stays.
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
// A pipeline file keeps them in Graph::learning, next to the records of earlier runs. settings_of(): invalid if it has
// none.
Result<Settings> settings_of(const Graph& graph);
Graph with_settings(Graph graph, const Settings& settings);
// Records of earlier runs as history.h writes them, newest last.
std::vector<std::string> runs_of(const Graph& graph);
Graph with_run(Graph graph, const std::string& run);

// The result as a JSON object: "parameters" as in the record of a run, combinations, verdict, why it ended, history.
std::string to_json(const Learned& learned, const Settings& settings);
// The graph with the found values as its parameters.
Graph accept(Graph graph, const Learned& learned);
// The graph with the targets' values at some iteration as its parameters.
Graph with_values(Graph graph, const std::vector<TargetValue>& values);

}  // namespace tl::learn
