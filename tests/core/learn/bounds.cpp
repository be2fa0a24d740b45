// Bounds and reach of unknowns: what is asked for in the unit of a parameter, relative to where each of its numbers
// starts.
#include <cmath>

#include "core/learn/problem.h"
#include "tests/support/learn/cases.h"
#include "tests/support/test_case.h"

namespace tl::bounds_test {

namespace {

constexpr double rounding = 1e-9;

}  // namespace

class LearnBoundsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void every_entry_of_a_list_keeps_the_bounds() {
    test::AxisScan scan;
    scan.beam = Beam::parallel;
    Graph g = test::axis_graph(scan, "objective.moments");
    std::vector<double> starts;
    for (int64_t i = 0; i < scan.views; ++i) starts.push_back(0.25 * static_cast<double>(i % 9) - 1);
    g.nodes.at("axis").params["shift_u"] = NumberList{starts, Unit::px};
    learn::Settings settings = test::learn_axis();
    settings.targets = {test::target("axis", "shift_u")};
    settings.targets.front().low = Number{-2, Unit::px};
    settings.targets.front().high = Number{4, Unit::px};
    Executor executor(test::registry(), test::roomy());
    const learn::Problem problem = learn::Problem::make(executor, test::registry(), g, settings).or_throw();
    const learn::ParameterBlock& block = problem.parameter_blocks().front();
    QCOMPARE(block.size, starts.size());
    for (std::size_t i = 0; i < block.size; ++i) {
      QVERIFY(std::abs(block.value(problem.low(i), i) - -2) < rounding);
      QVERIFY(std::abs(block.value(problem.high(i), i) - 4) < rounding);
    }
  }

  // A reach as large as the start is a factor of two up and down; on the linear scale the start itself.
  void reach_is_a_distance_on_every_scale() {
    test::AxisScan scan;
    scan.beam = Beam::parallel;
    scan.start = 3;
    for (const learn::Scale scale : {learn::Scale::linear, learn::Scale::logarithmic}) {
      learn::Settings settings = test::learn_axis();
      learn::Target& target = settings.targets.front();
      target.scale = scale;
      target.reach = Number{3, Unit::px};
      Executor executor(test::registry(), test::roomy());
      const learn::Problem problem =
          learn::Problem::make(executor, test::registry(), test::axis_graph(scan, "objective.wedge"), settings)
              .or_throw();
      const learn::ParameterBlock& block = problem.parameter_blocks().front();
      QVERIFY(std::abs(block.value(block.reach, 0) - 6) < rounding);
      const double down = scale == learn::Scale::linear ? 0 : 1.5;
      QVERIFY(std::abs(block.value(-block.reach, 0) - down) < rounding);
    }
  }
};

TL_TEST_CASE(LearnBoundsTest)

}  // namespace tl::bounds_test

#include "bounds.moc"
