// History: the data of learning runs stored in a pipeline, compact enough for its file: settings, course, result, and
// whether the result was accepted.
#pragma once

#include "core/graph/graph.h"
#include "core/learn/learning_types.h"

namespace tl::learn {

enum class Decision { undecided, accepted, rejected };
std::string_view to_string(Decision decision);

// The course of one number over the iterations: at most some hundreds of points are stored.
struct Curve {
  std::vector<double> iteration, value;
};
struct RunRecord {
  std::string when;  // "2026-11-21T22:50:00Z"
  Decision decision = Decision::undecided;
  Settings settings;
  Learned learned;                // without its history
  Curve loss;                     // of the descent that won
  Curve held_out;                 // objective on held-out rows; empty if none were held out
  std::vector<Curve> parameters;  // per found parameter: its value, or the size of an array; empty for lists
};
RunRecord record_of(const Settings& settings, const Learned& learned, Decision decision, std::string when);

std::string to_json(const RunRecord& record);
Result<RunRecord> run_from_json(std::string_view text);
// The records stored in a graph, oldest first; incomplete records of other programs are left out.
std::vector<RunRecord> records_of(const Graph& graph);

// Uncertainty and verdict of a parameter value in a graph: from the last accepted run, if it found exactly this value.
// Only for single numbers.
std::optional<Found> found_of(const std::vector<RunRecord>& records, const Graph& graph, const std::string& node,
                              const std::string& name);

}  // namespace tl::learn
