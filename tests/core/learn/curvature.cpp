// The curvature that an objective of squares gives along with its gradient: of consistent data it is the change of the
// gradient; the rest of an evaluation stays what it is without.
#include <ATen/ATen.h>

#include <cmath>

#include "core/learn/problem.h"
#include "gpu/operator/slab_sum.h"
#include "tests/support/learn/phase_case.h"
#include "tests/support/test_case.h"

namespace tl::curvature_test {
namespace {

using learn::Evaluation;
using learn::EvaluationKind;
using learn::Problem;
using learn::Vector;

// Two unknowns of a model, whose own views at other values are the measured ones.
test::LearnCase consistent(const std::string& scale) {
  test::LearnCase c;
  Graph& g = c.graph;
  test::PhaseBox box;
  box.size = 16;
  box.noise = 0;
  g.nodes["scan"] = test::phase_scan(box);
  g.nodes["flat_field"] = {"correct.flat_field", 1, {{"logarithm", std::string("off")}}};
  const RefractiveIndex truth = test::phase_truth();
  g.nodes["delta"] = {"input.number", 1, {{"value", Number{truth.delta, Unit::none}}}};
  g.nodes["beta"] = {"input.number", 1, {{"value", Number{truth.beta, Unit::none}}}};
  g.nodes["thickness"] = {
      "phase.paganin", 1, {{"output", std::string("thickness")}, {"delta_over_beta", Number{280, Unit::none}}}};
  g.nodes["measured"] = {
      "phase.propagate", 1, {{"delta", Number{truth.delta, Unit::none}}, {"beta", Number{truth.beta, Unit::none}}}};
  g.nodes["model"] = {"phase.propagate", 1, {}};
  g.nodes["misfit"] = {"objective.data_error", 1, {{"scale", scale}}};
  test::link(g, "scan", "projections", "flat_field", "projections");
  test::link(g, "flat_field", "projections", "thickness", "projections");
  for (const char* node : {"measured", "model"}) test::link(g, "thickness", "projections", node, "projections");
  for (const char* index : {"delta", "beta"}) test::link(g, index, "number", "model", index);
  test::link(g, "model", "projections", "misfit", "projections");
  test::link(g, "measured", "projections", "misfit", "measured");
  c.settings.objective = {"misfit", "loss"};
  for (const char* index : {"delta", "beta"}) {
    c.settings.targets.push_back(test::target(index, "value"));
    c.settings.targets.back().scale = learn::Scale::logarithmic;
  }
  c.settings.survey = learn::Survey::none;
  return c;
}

void rows_of_scales() {
  QTest::addColumn<std::string>("scale");
  for (const char* scale : {"absolute", "relative", "scaled"}) QTest::newRow(scale) << std::string(scale);
}

bool near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance * std::max(std::abs(b), 1e-300); }

RunOptions in_double() {
  RunOptions options;
  options.dtype = at::kDouble;
  return options;
}

struct InDouble {
  Executor executor{test::registry(), in_double()};
  Problem problem;
  explicit InDouble(const test::LearnCase& c)
      : problem(Problem::make(executor, test::registry(), c.graph, c.settings).or_throw()) {}
};

}  // namespace

class CurvatureTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void loss_and_gradient_stay_the_same_data() { rows_of_scales(); }
  void loss_and_gradient_stay_the_same() {
    QFETCH(std::string, scale);
    InDouble made(consistent(scale));
    Problem& problem = made.problem;
    const Vector z{3, -2};
    const Evaluation plain = problem.evaluate(z, EvaluationKind::gradient).or_throw(),
                     curved = problem.evaluate(z, EvaluationKind::gradient_and_curvature).or_throw();
    QVERIFY(plain.curvature.empty() && curved.curvature.size() == 4);
    constexpr double rounding = 1e-10;  // of sums in double
    QVERIFY(plain.loss > 0 && near(curved.loss, plain.loss, rounding));
    for (std::size_t i = 0; i < 2; ++i)
      QVERIFY(plain.gradient[i] != 0 && near(curved.gradient[i], plain.gradient[i], rounding));
  }

  // Where nothing is left over, Gauss and Newton's curvature is all of it. A part of the views gives nearly the same.
  void is_the_change_of_the_gradient_data() { rows_of_scales(); }
  void is_the_change_of_the_gradient() {
    QFETCH(std::string, scale);
    InDouble made(consistent(scale));
    Problem& problem = made.problem;
    const Vector curvature = problem.evaluate({0, 0}, EvaluationKind::gradient_and_curvature).or_throw().curvature;
    constexpr double step = 1e-3, of_differences = 1e-4;  // the square of a step, and what rounding makes of it
    for (std::size_t i = 0; i < 2; ++i) {
      Vector up{0, 0}, down{0, 0};
      up[i] = step;
      down[i] = -step;
      const Vector more = problem.evaluate(up, EvaluationKind::gradient).or_throw().gradient,
                   less = problem.evaluate(down, EvaluationKind::gradient).or_throw().gradient;
      for (std::size_t j = 0; j < 2; ++j) {
        const double found = (more[j] - less[j]) / (2 * step), given = curvature[2 * i + j];
        QVERIFY2(near(given, found, of_differences), (std::to_string(given) + ", " + std::to_string(found)).c_str());
      }
    }
    const ScopedSlabSize small(2048);  // of 12288 pixels: four of the 48 views are kept
    const Vector of_few = problem.evaluate({0, 0}, EvaluationKind::gradient_and_curvature).or_throw().curvature;
    QVERIFY(of_few != curvature);
    constexpr double of_views = 0.5;  // four of 48: the box has another shadow in each
    for (std::size_t i = 0; i < 4; ++i)
      QVERIFY2(near(of_few[i], curvature[i], of_views), std::to_string(of_few[i] / curvature[i]).c_str());
  }

  // The residual is not a square root of what else the same node gives.
  void other_outputs_of_the_node_give_none() {
    test::LearnCase c = consistent("absolute");
    c.settings.objective.port = "unexplained";
    InDouble made(c);
    const Evaluation e = made.problem.evaluate({3, -2}, EvaluationKind::gradient_and_curvature).or_throw();
    QVERIFY(e.curvature.empty());
    QCOMPARE(e.loss, made.problem.evaluate({3, -2}, EvaluationKind::loss).or_throw().loss);
  }

  void objectives_of_other_kinds_give_none() {
    test::LearnCase c = test::jitter_case({});
    Executor e(test::registry(), {});
    Problem problem = Problem::make(e, test::registry(), c.graph, c.settings).or_throw();
    const Evaluation made =
        problem.evaluate(Vector(problem.size(), 0.0), EvaluationKind::gradient_and_curvature).or_throw();
    QVERIFY(made.curvature.empty() && made.gradient.size() == problem.size());
  }
};

TL_TEST_CASE(CurvatureTest)

}  // namespace tl::curvature_test

#include "curvature.moc"
