// Neighbourhoods, fitness flow graphs, PageRank and proportions of centrality: laws, numbers by hand, the published
// table.
#include "core/tune/difficulty/centrality.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "core/io/text/csv.h"
#include "core/tune/formats/space_file.h"
#include "core/tune/statistics.h"
#include "tests/core/tune/tuning_data.h"
#include "tests/support/test_case.h"

namespace tl::tune_difficulty_test {

using namespace tune;

namespace {

constexpr Neighbourhood kinds[] = {Neighbourhood::bounded, Neighbourhood::circular, Neighbourhood::hamming};

Landscape mi50() { return Landscape::of(read_space(test::mi50_space()).or_throw().space).or_throw(); }
bool has_mi50() { return std::filesystem::exists(test::mi50_space()); }

}  // namespace

class DifficultyOfSpaces : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void neighbours_are_mutual_and_each_kind_has_those_of_the_one_before() {
    // One combination is not in the space.
    std::vector<double> scores(3 * 1 * 4 * 2);
    std::iota(scores.begin(), scores.end(), 1.0);
    scores[5] = std::nan("");
    const Landscape landscape({3, 1, 4, 2}, scores);
    std::vector<int64_t> around, back, wider;
    for (const Neighbourhood kind : kinds)
      for (const int64_t cell : landscape.members()) {
        neighbours_of(landscape, cell, kind, around);
        QVERIFY(std::find(around.begin(), around.end(), cell) == around.end());
        for (const int64_t other : around) {
          QVERIFY(landscape.has(other));
          neighbours_of(landscape, other, kind, back);
          QVERIFY(std::find(back.begin(), back.end(), cell) != back.end());
          QCOMPARE(std::count(around.begin(), around.end(), other), std::ptrdiff_t{1});
          if (kind == Neighbourhood::hamming) continue;
          neighbours_of(landscape, cell,
                        kind == Neighbourhood::bounded ? Neighbourhood::circular : Neighbourhood::hamming, wider);
          QVERIFY(std::find(wider.begin(), wider.end(), other) != wider.end());
        }
      }
    neighbours_of(landscape, 0, Neighbourhood::hamming, around);
    QCOMPARE(around.size(), std::size_t{2 + 3 + 1});
  }

  void a_path_of_four_has_the_numbers_by_hand() {
    const Landscape path({4}, {4, 1, 3, 2});
    const FlowGraph graph = flow_graph(path, Neighbourhood::bounded, FlowEdges::at_most);
    QCOMPARE(graph.edges(), int64_t{3});
    QCOMPARE(graph.minima, (std::vector<int64_t>{1, 3}));
    const std::vector<double> rank = page_rank(graph, PageRank::exact);
    const double expected[] = {.175439, .399123, .175439, .250000};
    for (std::size_t i = 0; i < 4; ++i) QVERIFY(std::abs(rank[i] - expected[i]) < 5e-7);
    const Difficulty d = difficulty_of(path, {});
    QVERIFY(std::abs(d.table[0].proportion - .614865) < 5e-7);
  }

  void page_rank_is_a_distribution_that_its_equation_keeps() {
    const Landscape landscape = test::mk_landscape(8, 3, 5);
    const FlowGraph graph = flow_graph(landscape, Neighbourhood::hamming, FlowEdges::below);
    const std::vector<double> rank = page_rank(graph, PageRank::exact);
    QVERIFY(std::abs(std::accumulate(rank.begin(), rank.end(), 0.0) - 1) < 1e-13);
    double dangling = 0;
    const auto count = static_cast<double>(rank.size());
    for (std::size_t i = 0; i < rank.size(); ++i)
      if (graph.begin[i] == graph.begin[i + 1]) dangling += rank[i];
    std::vector<double> next(rank.size(), (1 - damping + damping * dangling) / count);
    for (std::size_t i = 0; i < rank.size(); ++i)
      for (int64_t e = graph.begin[i]; e < graph.begin[i + 1]; ++e)
        next[static_cast<std::size_t>(graph.target[static_cast<std::size_t>(e)])] +=
            damping * rank[i] / static_cast<double>(graph.begin[i + 1] - graph.begin[i]);
    for (std::size_t i = 0; i < rank.size(); ++i) QVERIFY(std::abs(next[i] - rank[i]) < 1e-14);
  }

  void failed_plateaus_have_no_minima() {
    const Landscape landscape({5}, {failed_score, failed_score, 2, 2, failed_score});
    QCOMPARE(flow_graph(landscape, Neighbourhood::bounded, FlowEdges::at_most).minima, (std::vector<int64_t>{2, 3}));
    // Two failed ones lead to each other only where equal scores do.
    QCOMPARE(flow_graph(landscape, Neighbourhood::bounded, FlowEdges::at_most).edges(), int64_t{2 + 1 + 2 + 1});
    QCOMPARE(flow_graph(landscape, Neighbourhood::bounded, FlowEdges::below).edges(), int64_t{2});
  }

  void the_mi50_space_has_the_known_difficulty() {
    if (!has_mi50()) QSKIP("convolution_MI50.json is not there (TL_SHARED_DATA)");
    const Landscape landscape = mi50();
    const Difficulty d = difficulty_of(landscape, {});
    QCOMPARE(d.nodes, int64_t{864});
    QCOMPARE(d.edges, int64_t{4569});
    QCOMPARE(d.minima.size(), std::size_t{12});
    QCOMPARE(difficulty_of(landscape, {Neighbourhood::circular}).minima.size(), std::size_t{10});
    QCOMPARE(difficulty_of(landscape, {Neighbourhood::hamming}).minima.size(), std::size_t{5});
    // An exact solution of the equations, with ten digits.
    const auto agrees = [](double value, double expected) { return std::abs(value - expected) < 1e-9; };
    for (int percent = 0; percent <= 15; ++percent)
      QVERIFY(agrees(d.table[static_cast<std::size_t>(percent)].proportion, percent < 4    ? .0792810144
                                                                            : percent < 14 ? .1182061122
                                                                                           : .2276903182));
    QVERIFY(agrees(d.table[0].minima, .0690739355));
    const Difficulty below = difficulty_of(landscape, {Neighbourhood::bounded, FlowEdges::below});
    const double seven[] = {.0833950, .1235153, .2267251};  // with seven digits
    const std::size_t at[] = {0, 10, 15};
    for (std::size_t i = 0; i < 3; ++i) QVERIFY(std::abs(below.table[at[i]].proportion - seven[i]) < 1e-7);
  }

  void the_published_table_is_met_with_its_stopping_rule() {
    const auto file = test::shared_data("convolution_MI50_centrality.csv");
    if (!has_mi50() || !std::filesystem::exists(file)) QSKIP("the published table is not there (TL_SHARED_DATA)");
    const auto rows = io::read_csv(file).or_throw();
    const Difficulty d = difficulty_of(mi50(), {Neighbourhood::bounded, FlowEdges::at_most, PageRank::networkx});
    QCOMPARE(rows.size(), d.table.size() + 1);
    for (std::size_t i = 0; i < d.table.size(); ++i) {
      QVERIFY(std::abs(d.table[i].proportion - std::stod(rows[i + 1][1])) < 1e-12);
      QVERIFY(std::abs(d.table[i].minima - std::stod(rows[i + 1][4])) < 1e-12);
    }
  }

  void intervals_of_walks_hold_the_truth() {
    const Landscape landscape = has_mi50() ? mi50() : test::mk_landscape(9, 3, 2);
    const Difficulty truth = difficulty_of(landscape, {});
    int held[3] = {};
    const std::size_t at[] = {0, 10, 15};
    for (uint64_t seed = 0; seed < 100; ++seed) {
      const Difficulty d = sampled_difficulty(landscape, {}, 4000, seed);
      for (std::size_t i = 0; i < 3; ++i) {
        const double proportion = truth.table[at[i]].proportion;
        held[i] += d.table[at[i]].low <= proportion && proportion <= d.table[at[i]].high ? 1 : 0;
      }
    }
    for (const int count : held) QVERIFY2(count >= 90, QByteArray::number(count));
  }

  void distributions_have_the_numbers_of_tables() {
    QVERIFY(std::abs(incomplete_beta(2, 3, .4) - .5248) < 1e-12);  // a polynomial: 6 x^2 - 8 x^3 + 3 x^4
    QVERIFY(std::abs(t_test_p(2.228138852, 10) - .05) < 1e-9);
    QVERIFY(std::abs(t_test_p(1.983971519, 100) - .05) < 1e-9);
    QVERIFY(std::abs(t_test_p(0, 7) - 1) < 1e-12);
    const auto [low, high] = exact_interval(0, 10, .95);
    QCOMPARE(low, 0.0);
    QVERIFY(std::abs(high - (1 - std::pow(.025, .1))) < 1e-12);
    // Two samples by hand: means 2 and 4, variances 1, n = 3: t = 2 / sqrt(2 / 3), four degrees of freedom.
    QVERIFY(std::abs(pooled_t_test({2, 1, 3}, {4, 1, 3}) - t_test_p(2 / std::sqrt(2.0 / 3), 4)) < 1e-15);
    QCOMPARE(pooled_t_test({1, 0, 50}, {1, 0, 50}), 1.0);
    QCOMPARE(pooled_t_test({1, 0, 50}, {.9, 0, 50}), 0.0);
  }
};

TL_TEST_CASE(DifficultyOfSpaces)

}  // namespace tl::tune_difficulty_test

#include "difficulty.moc"
