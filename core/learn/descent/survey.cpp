// Searches a grid on coarse data before the descent, and keeps the optima that are nearly as good as the best.
#include "core/learn/descent/survey.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/learn/descent/descent.h"

namespace tl::learn {
namespace {

// Approximate numbers of detector columns and views to which the data are reduced.
constexpr int64_t enough_cols = 128, enough_views = 90;
// A rival counts if the ridge next to its minimum is at least this share of the best minimum's depth high.
constexpr double rival_share = 0.5;
constexpr std::size_t max_optima = 3;
constexpr std::size_t max_refined = 8;  // unknowns

std::optional<std::size_t> surveyed(const Problem& problem) {
  for (const ParameterBlock& b : problem.parameter_blocks())
    if (b.size == 1 && !b.list && b.reach > 1) return b.offset;
  return std::nullopt;
}

std::optional<DataSubset> coarse(const Problem& problem) {
  const auto detector = problem.detector();
  if (!detector || problem.has_arrays()) return std::nullopt;  // an array belongs to the pixels at full resolution
  DataSubset subset;
  while (detector->cols / (2 * subset.bin) >= enough_cols && subset.bin < 16) subset.bin *= 2;
  subset.view_stride = std::max<int64_t>(1, problem.views() / enough_views);
  // Keeps views equidistant over the same range, where possible.
  while (subset.view_stride > 1 && problem.views() % subset.view_stride != 0) --subset.view_stride;
  return subset;
}

// Minima, best first: those that are separated by high ridges from every better one.
std::vector<std::size_t> minima(const Vector& loss) {
  std::vector<std::size_t> found;
  const double least = *std::min_element(loss.begin(), loss.end()), most = *std::max_element(loss.begin(), loss.end());
  for (std::size_t i = 0; i < loss.size(); ++i) {
    if ((i > 0 && loss[i - 1] < loss[i]) || (i + 1 < loss.size() && loss[i + 1] <= loss[i])) continue;
    double ridge = most;
    for (std::size_t j = 0; j < loss.size(); ++j) {
      if (loss[j] >= loss[i]) continue;
      double highest = loss[i];
      for (std::size_t k = std::min(i, j); k <= std::max(i, j); ++k) highest = std::max(highest, loss[k]);
      ridge = std::min(ridge, highest);
    }
    if (loss[i] == least || ridge - loss[i] > rival_share * (most - least)) found.push_back(i);
  }
  std::sort(found.begin(), found.end(), [&](std::size_t a, std::size_t b) { return loss[a] < loss[b]; });
  return found;
}

// Descends from a grid point to the nearest minimum, still on coarse data: one step of the full descent costs as much
// as many of these. If that fails, the grid point itself is the start.
Result<Vector> refined(Problem& problem, const DataSubset& subset, const Vector& from, double valley) {
  if (problem.size() > max_refined) return from;
  DescentTask task;
  task.start = from;
  task.stop.iterations = 12;
  task.stop.tolerance = 0.02 * static_cast<double>(subset.bin);
  task.first_step = 0.5 * static_cast<double>(subset.bin);
  for (std::size_t i = 0; i < from.size(); ++i) {
    task.low.push_back(std::max(problem.low(i), from[i] - valley));
    task.high.push_back(std::min(problem.high(i), from[i] + valley));
  }
  task.evaluate = [&](const Vector& z, int64_t) -> Result<Point> {
    TL_TRY(Evaluation e, problem.evaluate(z, EvaluationKind::gradient, subset));
    return Point{z, e.loss, std::move(e.gradient)};
  };
  task.keep_going = [](const Point&, const Point&, int64_t) -> Result<bool> { return true; };
  auto found = newton(task);
  if (!found.ok() && found.error().kind != ErrorKind::invalid) return found.error();
  return found.ok() ? found.value().best.z : from;
}

}  // namespace

Result<SurveyFinding> survey(Problem& problem) {
  SurveyFinding finding;
  const auto unknown = surveyed(problem);
  const auto subset = coarse(problem);
  if (!unknown || !subset) return finding;
  const ParameterBlock& block = problem.parameter_block_of(*unknown);
  const double low = std::max(block.low(0), -block.reach), high = std::min(block.high(0), block.reach);
  // Steps of two coarse pixels: the valley of a position is some pixels wide.
  const double step = 2 * static_cast<double>(subset->bin);
  const auto points = std::max<std::size_t>(5, static_cast<std::size_t>(std::ceil((high - low) / step)) + 1);
  finding.unknown = *unknown;
  for (std::size_t i = 0; i < points; ++i) {
    Vector z(problem.size(), 0.0);
    z[*unknown] = low + (high - low) * static_cast<double>(i) / static_cast<double>(points - 1);
    auto there = problem.evaluate(z, EvaluationKind::loss, *subset);
    // An objective may refuse coarse data (too few views): the survey is then left out.
    if (!there.ok() && there.error().kind == ErrorKind::invalid) return SurveyFinding{};
    if (!there.ok()) return there.error();
    finding.z.push_back(z[*unknown]);
    finding.loss.push_back(there.value().loss);
  }
  finding.made = true;
  const auto [least, most] = std::minmax_element(finding.loss.begin(), finding.loss.end());
  if (*most - *least <= 1e-12 * std::max(std::abs(*most), std::abs(*least))) return finding;
  for (const std::size_t i : minima(finding.loss)) {
    if (finding.optima.size() == max_optima) break;
    Vector z(problem.size(), 0.0);
    z[*unknown] = finding.z[i];
    TL_TRY(Vector optimum, refined(problem, *subset, z, 2 * step));
    finding.optima.push_back(std::move(optimum));
  }
  return finding;
}

}  // namespace tl::learn
