// Proportion of centrality: how probably a climb ends in a minimum that is good enough.
#pragma once

#include <string>
#include <vector>

#include "core/tune/difficulty/flow_graph.h"

namespace tl::tune {

// The proportion for one tolerance: PageRank of the minima within (1 + tolerance) times the optimum, over that of all
// minima.
struct Centrality {
  double tolerance = 0, proportion = 0;
  double low = 0, high = 0;         // of an estimate: its 95 % interval; otherwise the proportion itself
  double accepted = 0, minima = 0;  // the two sums; of an estimate, shares of the walks
};

// The tolerances of the published tables: 0 to 15 % in steps of 1 %.
std::vector<double> usual_tolerances();

struct Difficulty {
  int64_t nodes = 0, edges = 0, walks = 0;  // edges of the whole graph, or walks of an estimate
  std::vector<int64_t> minima;              // cells; of an estimate those that walks ended in
  std::vector<double> rank;                 // of each minimum
  std::vector<Centrality> table;
};

struct DifficultySettings {
  Neighbourhood neighbours = Neighbourhood::bounded;
  FlowEdges edges = FlowEdges::at_most;
  PageRank rank = PageRank::exact;
};

// From the whole graph. Throws Failure when cancelled.
Difficulty difficulty_of(const Landscape& landscape, const DifficultySettings& settings,
                         const CancelToken& cancel = {});

// From so many walks, each of which looks at neighbours as it comes to them: a walk that ends after each step with
// probability .15 ends in a node with the probability of its PageRank. The optimum is the best score that any walk saw.
// Intervals are exact ones (Clopper-Pearson) of the walks that end in minima. Throws Failure when cancelled.
Difficulty sampled_difficulty(const Landscape& landscape, const DifficultySettings& settings, int64_t walks,
                              uint64_t seed, const CancelToken& cancel = {});

// CSV with the columns tolerance, proportion, low, high, accepted, minima, nodes.
std::string centrality_csv(const Difficulty& difficulty);

}  // namespace tl::tune
