// History: what a pipeline remembers of its learning runs, compact enough for its file: what was asked, how it went,
// what came out and what became of it.
#pragma once

#include "core/graph/graph.h"
#include "core/learn/learning_types.h"

namespace tl::learn {

enum class Decision { undecided, accepted, rejected };
std::string_view to_string(Decision decision);

// The course of one number: at most some hundreds of points are kept.
struct Curve {
  std::vector<double> iteration, value;
};
struct RunRecord {
  std::string when;  // "2026-11-21T22:50:00Z"
  Decision decision = Decision::undecided;
  Settings settings;
  Learned learned;                // without its history
  Curve loss;                     // of the descent that won
  Curve held_out;                 // the objective on rows held out; empty if none were
  std::vector<Curve> parameters;  // per found parameter: its number, an array's size; empty for lists
};
RunRecord record_of(const Settings& settings, const Learned& learned, Decision decision, std::string when);

std::string to_json(const RunRecord& record);
Result<RunRecord> run_from_json(std::string_view text);
// The records that a graph keeps, oldest first; incomplete records of other programs are left out.
std::vector<RunRecord> records_of(const Graph& graph);

// What is known of a parameter as it stands in a graph: by the last accepted run, if it found just this value. Only for
// single numbers.
std::optional<Found> found_of(const std::vector<RunRecord>& records, const Graph& graph, const std::string& node,
                              const std::string& name);

}  // namespace tl::learn
