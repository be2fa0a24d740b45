// Computes the objective around a point for plots, and compares its gradients with difference quotients.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/learn/learner/learner.h"
#include "core/learn/problem.h"

namespace tl::learn {
namespace {

// Entries of an array, evenly spread, whose derivative is checked.
constexpr std::size_t max_of_array = 32;

// Half a width, given in the unit of the declaration, as z.
double width_of(const ParameterBlock& b, const Number& half) {
  const double stored = to_stored(half.value, half.unit == Unit::none ? b.decl->unit : half.unit);
  return std::abs(b.target.scale == Scale::logarithmic ? std::log1p(stored / b.start.front()) / b.step
                                                       : stored / b.step);
}

}  // namespace

Result<Landscape> landscape(Executor& executor, const Registry& registry, const Graph& graph,
                            const LandscapeRequest& request) {
  const auto begun = std::chrono::steady_clock::now();
  if (request.points < 2 || request.points > 1000)
    return invalid("a landscape of " + std::to_string(request.points) + " points", "learning", "Ask for 2 to 1000");
  for (const std::size_t t : request.targets)
    if (t >= request.settings.targets.size())
      return invalid("a landscape over a parameter that is not learned", "learning",
                     "Choose one of the learned parameters");
  TL_TRY(Problem problem, Problem::make(executor, registry, graph, request.settings));
  const bool flat = request.targets[0] == request.targets[1];
  Landscape out;
  std::array<Vector, 2> z;
  for (std::size_t side = 0; side < (flat ? 1U : 2U); ++side) {
    const ParameterBlock& b = problem.parameter_blocks()[request.targets[side]];
    if (b.size > 1)
      return invalid("\"" + b.target.name + "\" is a list: its landscape has too many dimensions", b.target.node,
                     "Choose a single number");
    const double half = width_of(b, request.half_width[side]);
    const double low = std::max(-half, b.low(0)), high = std::min(half, b.high(0));
    for (int64_t i = 0; i < request.points; ++i) {
      z[side].push_back(low + (high - low) * static_cast<double>(i) / static_cast<double>(request.points - 1));
      out.at[side].push_back(from_stored(b.value(z[side].back(), 0), b.decl->unit));
    }
  }
  if (flat) z[1] = {0};
  for (const double second : z[1])
    for (const double first : z[0]) {
      Vector at(problem.size(), 0.0);
      at[problem.parameter_blocks()[request.targets[0]].offset] = first;
      if (!flat) at[problem.parameter_blocks()[request.targets[1]].offset] = second;
      TL_TRY(const Evaluation e, problem.evaluate(at, EvaluationKind::loss));
      out.loss.push_back(e.loss);
    }
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  return out;
}

Result<GradientCheck> check_gradients(Executor& executor, const Registry& registry, const Graph& graph,
                                      const Settings& settings, double step) {
  TL_TRY(Problem problem, Problem::make(executor, registry, graph, settings));
  const Vector zero(problem.size(), 0.0);
  TL_TRY(const Evaluation here, problem.evaluate(zero, EvaluationKind::gradient));
  GradientCheck out;
  out.loss = here.loss;
  double largest = 0, deviation = 0;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const ParameterBlock& b = problem.parameter_block_of(i);
    if (!b.shape.empty() && (i - b.offset) % (b.size / max_of_array + 1) != 0) continue;
    Vector up = zero, down = zero;
    up[i] = std::min(step, problem.high(i));
    down[i] = std::max(-step, problem.low(i));
    TL_TRY(const Evaluation more, problem.evaluate(up, EvaluationKind::loss));
    TL_TRY(const Evaluation less, problem.evaluate(down, EvaluationKind::loss));
    const double difference = (more.loss - less.loss) / (up[i] - down[i]);
    const double per_unit = 1 / from_stored(b.slope(0, i - b.offset), b.decl->unit);
    out.rows.push_back({b.target.node, b.target.name, i - b.offset, here.gradient[i] * per_unit, difference * per_unit,
                        from_stored(b.value(0, i - b.offset), b.decl->unit)});
    largest = std::max(largest, std::abs(difference));
    deviation = std::max(deviation, std::abs(here.gradient[i] - difference));
  }
  out.worst = largest > 0 ? deviation / largest : deviation;
  return out;
}

}  // namespace tl::learn
