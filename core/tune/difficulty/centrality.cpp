// Proportions of centrality, exact and from walks.
#include "core/tune/difficulty/centrality.h"

#include <algorithm>
#include <map>

#include "core/base/text.h"
#include "core/io/text/csv.h"
#include "core/tune/random.h"
#include "core/tune/statistics.h"

namespace tl::tune {
namespace {

// A little more than the limit, which is a product of rounded numbers.
bool is_accepted(double score, double best, double tolerance) { return score <= (1 + tolerance) * best * (1 + 1e-12); }

// Where one walk ends; `best` follows the scores that it sees.
int64_t end_of_walk(const Landscape& landscape, const DifficultySettings& settings, Random& random, double& best) {
  int64_t at = random.one_of(landscape.members());
  std::vector<int64_t> around, down;
  const auto look = [&](int64_t cell) {
    best = std::min(best, landscape.score(cell));
    return landscape.score(cell);
  };
  look(at);
  while (random.happens(damping)) {
    const double score = landscape.score(at);
    neighbours_of(landscape, at, settings.neighbours, around);
    down.clear();
    for (const int64_t cell : around) {
      const double other = look(cell);
      if (settings.edges == FlowEdges::at_most ? other <= score : other < score) down.push_back(cell);
    }
    at = random.one_of(down.empty() ? landscape.members() : down);
    look(at);
  }
  return at;
}

}  // namespace

std::vector<double> usual_tolerances() {
  std::vector<double> all;
  for (int percent = 0; percent <= 15; ++percent) all.push_back(percent / 100.0);
  return all;
}

Difficulty difficulty_of(const Landscape& landscape, const DifficultySettings& settings, const CancelToken& cancel) {
  const FlowGraph graph = flow_graph(landscape, settings.neighbours, settings.edges, cancel);
  const std::vector<double> rank = page_rank(graph, settings.rank, cancel);
  Difficulty d;
  d.nodes = graph.nodes();
  d.edges = graph.edges();
  double all = 0;
  for (const int64_t node : graph.minima) {
    d.minima.push_back(landscape.members()[static_cast<std::size_t>(node)]);
    d.rank.push_back(rank[static_cast<std::size_t>(node)]);
    all += d.rank.back();
  }
  for (const double tolerance : usual_tolerances()) {
    double accepted = 0;
    for (std::size_t i = 0; i < d.minima.size(); ++i)
      if (is_accepted(landscape.score(d.minima[i]), landscape.best(), tolerance)) accepted += d.rank[i];
    const double proportion = all > 0 ? accepted / all : 0;
    d.table.push_back({tolerance, proportion, proportion, proportion, accepted, all});
  }
  return d;
}

Difficulty sampled_difficulty(const Landscape& landscape, const DifficultySettings& settings, int64_t walks,
                              uint64_t seed, const CancelToken& cancel) {
  constexpr double confidence = 0.95;
  std::map<int64_t, int64_t> ends;  // of minima
  std::vector<int64_t> scratch;
  double best = failed_score;
  int64_t in_minima = 0;
  for (int64_t walk = 0; walk < walks; ++walk) {
    cancel.check();
    Random random(seed, static_cast<uint64_t>(walk));
    const int64_t cell = end_of_walk(landscape, settings, random, best);
    if (!is_minimum(landscape, cell, settings.neighbours, scratch)) continue;
    ++ends[cell];
    ++in_minima;
  }
  Difficulty d;
  d.nodes = static_cast<int64_t>(landscape.members().size());
  d.walks = walks;
  const auto share = [&](int64_t count) { return static_cast<double>(count) / static_cast<double>(walks); };
  for (const auto& [cell, count] : ends) {
    d.minima.push_back(cell);
    d.rank.push_back(share(count));
  }
  for (const double tolerance : usual_tolerances()) {
    int64_t accepted = 0;
    for (const auto& [cell, count] : ends)
      if (is_accepted(landscape.score(cell), best, tolerance)) accepted += count;
    const auto [low, high] = exact_interval(accepted, in_minima, confidence);
    const double proportion = in_minima > 0 ? static_cast<double>(accepted) / static_cast<double>(in_minima) : 0;
    d.table.push_back({tolerance, proportion, low, high, share(accepted), share(in_minima)});
  }
  return d;
}

std::string centrality_csv(const Difficulty& difficulty) {
  std::string text = io::csv_line({"tolerance", "proportion", "low", "high", "accepted", "minima", "nodes"});
  const auto number = [](double value) { return formatted("%.15g", value); };
  for (const Centrality& c : difficulty.table)
    text += io::csv_line({formatted("%.2f", c.tolerance), number(c.proportion), number(c.low), number(c.high),
                          number(c.accepted), number(c.minima), std::to_string(difficulty.nodes)});
  return text;
}

}  // namespace tl::tune
