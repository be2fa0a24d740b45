// Longest multiplicative paths: chains worked out by hand, products against sums of logarithms, and a plain search.
#include "core/net/prune/paths.h"

#include <algorithm>
#include <cmath>

#include "core/base/random.h"
#include "tests/support/test_case.h"

namespace tl::longest_paths_test {

using namespace net;

namespace {

WeightedGraph chain(const std::vector<double>& weights) {
  WeightedGraph g;
  g.first = {0, 0};
  for (std::size_t i = 0; i < weights.size(); ++i) {
    g.from.push_back(static_cast<int32_t>(i));
    g.weight.push_back(weights[i]);
    g.prunable.push_back(1);
    g.first.push_back(g.edges());
  }
  return g;
}

// Every pair of nodes is joined with that probability; a tenth of the edges cannot be pruned.
WeightedGraph random_graph(int64_t nodes, double probability, double largest, uint64_t seed, double fixed = 0.1) {
  const Philox random{seed, 0};
  uint64_t n = 0;
  WeightedGraph g;
  for (int64_t v = 0; v < nodes; ++v) {
    for (int64_t u = 0; u < v; ++u) {
      if (random.uniform(n++) > probability) continue;
      g.from.push_back(static_cast<int32_t>(u));
      g.weight.push_back(largest * random.uniform(n++));
      g.prunable.push_back(random.uniform(n++) > fixed ? 1 : 0);
    }
    g.first.push_back(g.edges());
  }
  return g;
}

// Layers, each joined to the whole of the one before, with few different weights, so that many paths are equal.
WeightedGraph layered_graph(int64_t layers, int64_t channels, uint64_t seed) {
  const Philox random{seed, 1};
  uint64_t n = 0;
  WeightedGraph g;
  g.first.resize(static_cast<std::size_t>(channels) + 1, 0);
  for (int64_t v = channels; v < layers * channels; ++v) {
    for (int64_t u = (v / channels - 1) * channels; u < v / channels * channels; ++u) {
      g.from.push_back(static_cast<int32_t>(u));
      g.weight.push_back(std::floor(6 * random.uniform(n++)) / 4);
      g.prunable.push_back(1);
    }
    g.first.push_back(g.edges());
  }
  return g;
}

// The largest product by plain products, of the edges that are not taken.
double largest_product(const WeightedGraph& g, const std::vector<uint8_t>& taken) {
  std::vector<double> d(static_cast<std::size_t>(g.nodes()), 0);
  double best = 0;
  for (std::size_t v = 0; v < d.size(); ++v) {
    for (auto e = static_cast<std::size_t>(g.first[v]); e < static_cast<std::size_t>(g.first[v + 1]); ++e) {
      if (taken[e] != 0) continue;
      const double before = d[static_cast<std::size_t>(g.from[e])];
      const double product = g.weight[e] * (g.prunable[e] != 0 ? std::max(before, 1.0) : before);
      if (product >= 1) d[v] = std::max(d[v], product);
    }
    best = std::max(best, d[v]);
  }
  return best;
}

double product_of(const WeightedGraph& g, const Path& path) {
  double product = 1;
  for (const int64_t e : path.edges) product *= g.weight[static_cast<std::size_t>(e)];
  return product;
}

bool joined(const WeightedGraph& g, const Path& path) {
  for (std::size_t k = 0; k + 1 < path.edges.size(); ++k) {
    const auto node = g.from[static_cast<std::size_t>(path.edges[k + 1])];
    const auto e = path.edges[k];
    if (e < g.first[static_cast<std::size_t>(node)] || e >= g.first[static_cast<std::size_t>(node) + 1]) return false;
  }
  return true;
}

}  // namespace

class LongestPaths : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_weak_link_within_a_strong_chain_is_kept() {
    const Path path = longest_path(chain({2, 0.6, 3}));
    QCOMPARE(path.edges, (std::vector<int64_t>{0, 1, 2}));
    QVERIFY(std::abs(path.product - 3.6) < 1e-12);
    QCOMPARE(keep_longest_paths(chain({2, 0.6, 3}), 3).paths, 1);
  }

  void a_path_below_one_is_cut() {
    const WeightedGraph g = chain({2, 0.4, 3});
    const Path path = longest_path(g);
    QCOMPARE(path.edges, (std::vector<int64_t>{2}));
    QVERIFY(std::abs(path.product - 3) < 1e-12);
    QCOMPARE(keep_longest_paths(g, 1).kept, (std::vector<uint8_t>{0, 0, 1}));
    const KeptPaths two = keep_longest_paths(g, 2);
    QCOMPARE(two.kept, (std::vector<uint8_t>{1, 0, 1}));
    QCOMPARE(two.paths, 2);
    // The third is on no path; it is kept for its weight.
    const KeptPaths all = keep_longest_paths(g, 3);
    QCOMPARE(all.kept, (std::vector<uint8_t>{1, 1, 1}));
    QCOMPARE(all.on_paths, 2);
  }

  void the_strongest_whole_chains_are_kept() {
    // Nodes 0, 1 | 2, 3 | 4: two weak edges lead on to the end.
    const WeightedGraph g{{0, 0, 0, 2, 4, 6}, {0, 1, 0, 1, 2, 3}, {9, 8, 3, 7, 0.01, 0.02}, {1, 1, 1, 1, 1, 1}};
    // 9 * 0.01, 8 * 0.01, 3 * 0.02, 7 * 0.02: the last chain is the strongest.
    QCOMPARE(keep_strongest_chains(g, 2, 1, 2), (std::vector<uint8_t>{0, 0, 0, 1, 0, 1}));
    QCOMPARE(keep_strongest_chains(g, 2, 1, 1), (std::vector<uint8_t>{0, 0, 0, 1, 0, 1}));
    QCOMPARE(keep_strongest_chains(g, 2, 1, 4), (std::vector<uint8_t>{1, 0, 0, 1, 1, 1}));
    QCOMPARE(keep_strongest_chains(g, 2, 1, 6), (std::vector<uint8_t>{1, 1, 1, 1, 1, 1}));
    // How the layers compare does not matter, only what is within one.
    WeightedGraph scaled = g;
    scaled.weight[4] *= 1e-4;
    scaled.weight[5] *= 1e-4;
    QCOMPARE(keep_strongest_chains(scaled, 2, 1, 4), keep_strongest_chains(g, 2, 1, 4));
    // Filters that are zero are better than no path through.
    WeightedGraph zero = g;
    zero.weight[4] = zero.weight[5] = 0;
    QCOMPARE(keep_strongest_chains(zero, 2, 1, 2), (std::vector<uint8_t>{1, 0, 0, 0, 1, 0}));
    // Edges that nothing reaches, or that lead to no output, are on no chain.
    QCOMPARE(keep_strongest_chains(chain({1, 2}), 0, 1, 2), (std::vector<uint8_t>{0, 0}));
  }

  void edges_that_cannot_be_pruned_are_part_of_paths_and_not_counted() {
    WeightedGraph g = chain({2, 1, 3, 0.9});
    g.prunable[1] = 0;
    QCOMPARE(longest_path(g).edges, (std::vector<int64_t>{0, 1, 2}));
    const KeptPaths kept = keep_longest_paths(g, 2);
    QCOMPARE(kept.kept, (std::vector<uint8_t>{1, 1, 1, 0}));
    QCOMPARE(kept.on_paths, 2);
    // A path of such edges alone would be found for ever.
    g.prunable = {0, 0, 0, 0};
    QVERIFY(longest_path(g).edges.empty());
  }

  void products_equal_sums_of_logarithms() {
    for (uint64_t seed = 0; seed < 100; ++seed) {
      const WeightedGraph g = random_graph(100, 0.5, 2, seed, 0);
      const Path path = longest_path(g);
      const double expected = largest_product(g, std::vector<uint8_t>(g.from.size(), 0));
      QVERIFY(joined(g, path));
      QVERIFY(std::abs(path.product - expected) <= 1e-9 * expected);
      QVERIFY(std::abs(product_of(g, path) - expected) <= 1e-9 * expected);
    }
  }

  // After paths were taken out the lengths that were kept are those of a new search.
  void what_is_kept_equals_repeated_searches() {
    for (uint64_t seed = 0; seed < 40; ++seed) {
      const WeightedGraph g = seed % 2 == 0 ? random_graph(30, 0.5, 1.6, seed) : layered_graph(5, 6, seed);
      std::vector<uint8_t> taken(g.from.size(), 0);
      const int64_t wanted = 60;
      int64_t count = 0, paths = 0;
      WeightedGraph rest = g;
      while (count < wanted) {
        const Path path = longest_path(rest);
        const double expected = largest_product(g, taken);
        if (path.edges.empty()) break;
        QVERIFY(std::abs(path.product - expected) <= 1e-9 * expected);
        for (const int64_t edge : path.edges) {
          const auto e = static_cast<std::size_t>(edge);
          if (g.prunable[e] == 0) continue;
          if (count < wanted) {
            taken[e] = 1;
            ++count;
          }
          rest.weight[e] = 0;
        }
        ++paths;
      }
      const KeptPaths kept = keep_longest_paths(g, wanted);
      // Its last path may be whole.
      QCOMPARE(kept.paths, paths);
      for (std::size_t e = 0; e < taken.size(); ++e)
        if (taken[e] != 0) QVERIFY(kept.kept[e] != 0);
    }
  }

  void the_number_wanted_is_reached() {
    for (const double share : {0.05, 0.3, 0.7, 1.0})
      for (const double largest : {0.5, 1.2, 3.0}) {
        const WeightedGraph g = random_graph(80, 0.5, largest, 7);
        const auto total = std::count(g.prunable.begin(), g.prunable.end(), 1);
        const auto wanted = static_cast<int64_t>(share * static_cast<double>(total));
        const KeptPaths kept = keep_longest_paths(g, wanted);
        int64_t count = 0;
        for (std::size_t e = 0; e < kept.kept.size(); ++e) count += g.prunable[e] != 0 && kept.kept[e] != 0 ? 1 : 0;
        QVERIFY(count >= wanted && count <= wanted + total / 50);
      }
  }

  void deep_networks_do_not_overflow() {
    const Path path = longest_path(chain(std::vector<double>(2000, 5)));
    QCOMPARE(path.edges.size(), std::size_t{2000});
  }
};

TL_TEST_CASE(LongestPaths)

}  // namespace tl::longest_paths_test

#include "longest_paths.moc"
