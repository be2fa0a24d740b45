// Computes the scatter of learned values due to noise, by a bootstrap.
#include "core/learn/verdict/scatter.h"

#include <algorithm>
#include <cmath>

#include "core/learn/verdict/noise.h"

namespace tl::learn {
namespace {

// Whether one of the targets is an array with a number for every detector pixel.
bool is_learned_by_pixel(const Problem& problem, const Projections& scan) {
  const std::vector<int64_t> pixels{scan.geometry.detector().rows, scan.geometry.detector().cols};
  const auto& blocks = problem.parameter_blocks();
  return std::any_of(blocks.begin(), blocks.end(), [&](const ParameterBlock& b) { return b.shape == pixels; });
}

// Noise of the data: a value common to all views of a pixel counts as noise, unless it is learned.
Result<Noise> noise_next_to(Problem& problem) {
  TL_TRY(const std::vector<Value>* data, problem.data());
  Noise noise = estimate_noise(*data);
  for (std::size_t i = 0; i < data->size(); ++i)
    if (const auto* scan = std::get_if<Projections>(&(*data)[i]);
        scan != nullptr && is_learned_by_pixel(problem, *scan))
      noise.stripes[i] = 0;
  return noise;
}

// Twice the increase of the objective, as a parabola, when one block moves from the found value to `z`: directions in
// which it is flat do not count.
Result<double> cost_of(Problem& problem, const ParameterBlock& block, const Vector& z, const Point& found) {
  Vector there = found.z;
  const auto first = static_cast<std::ptrdiff_t>(block.offset), last = first + static_cast<std::ptrdiff_t>(block.size);
  std::copy(z.begin() + first, z.begin() + last, there.begin() + first);
  TL_TRY(const Evaluation e, problem.evaluate(there, EvaluationKind::gradient));
  double cost = 0;
  for (std::size_t i = block.offset; i < block.offset + block.size; ++i)
    cost += (e.gradient[i] - found.gradient[i]) * (there[i] - found.z[i]);
  return std::max(cost, 0.0);
}

}  // namespace

Result<Scatter> bootstrap_scatter(Problem& problem, const Vector& found,
                                  const std::function<DescentTask(const Vector& start)>& from,
                                  const std::function<Result<bool>()>& keep_going) {
  TL_TRY(const Noise noise, noise_next_to(problem));
  TL_TRY(Evaluation e, problem.evaluate(found, EvaluationKind::gradient));
  const Point here{found, e.loss, std::move(e.gradient)};
  const std::vector<ParameterBlock>& blocks = problem.parameter_blocks();
  constexpr double share = 1.0 / static_cast<double>(Scatter::draws);
  Vector squares(found.size(), 0.0), of_noise(blocks.size(), 0.0);
  for (int64_t k = 0; k < Scatter::draws; ++k) {
    const auto drawn = draw_noise(noise, problem.settings().seed, 0x200 + static_cast<uint64_t>(k));
    Vector start = found;
    for (const ParameterBlock& b : blocks)
      if (b.size == 1)
        start[b.offset] =
            std::clamp(found[b.offset] + (k % 2 == 0 ? Scatter::aside : -Scatter::aside), b.low(0), b.high(0));
    DescentTask task = from(start);
    task.evaluate = [&](const Vector& z, int64_t) -> Result<Point> {
      TL_TRY(Evaluation there, problem.evaluate_disturbed(z, drawn));
      return Point{z, there.loss, std::move(there.gradient)};
    };
    task.keep_going = [&](const Point&, const Point&, int64_t) { return keep_going(); };
    TL_TRY(const Descent there, descend(task));
    TL_TRY(const bool go_on, keep_going());
    if (!go_on) return Scatter{};
    for (std::size_t i = 0; i < found.size(); ++i) squares[i] += share * std::pow(there.best.z[i] - found[i], 2);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      TL_TRY(const double cost, cost_of(problem, blocks[b], there.best.z, here));
      of_noise[b] += share * cost;
    }
  }
  Scatter scatter;
  for (const double square : squares) scatter.sigma.push_back(std::sqrt(square));
  const Vector zero(found.size(), 0.0);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    TL_TRY(const double cost, cost_of(problem, blocks[b], zero, here));
    scatter.clearness.push_back(std::sqrt(cost / std::max(of_noise[b], 1e-300)));
  }
  return scatter;
}

}  // namespace tl::learn
