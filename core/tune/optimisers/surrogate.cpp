// A Gaussian process whose hyperparameters follow the scores, with expected improvement: for noisy, costly scores.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/tune/optimisers/optimiser.h"
#include "core/tune/search/box_minimum.h"
#include "core/tune/search/reals.h"
#include "core/tune/search/surrogate_model.h"

namespace tl::tune {
namespace {

constexpr std::size_t most_points = 250;                        // in the model, whose cost grows with their cube
constexpr std::size_t most_enumerated = 2'000;                  // configurations; of more a random part is looked at
constexpr std::size_t full_fits_until = 60, between_fits = 10;  // evaluations
constexpr std::size_t between_explorations = 8;                 // every so many evaluations go where least is known

struct Evaluated {
  int64_t cell;
  double score;  // failed_score where there is none
};

// Latin hypercube: in each variable one point in each of as many equal parts as there are points.
std::vector<int64_t> first_cells(Run& run, std::size_t count) {
  const std::size_t dims = run.landscape().dims();
  std::vector<RealPoint> points(count, RealPoint(dims));
  for (std::size_t d = 0; d < dims; ++d) {
    std::vector<std::size_t> parts(count);
    std::iota(parts.begin(), parts.end(), std::size_t{0});
    run.random().shuffle(parts);
    for (std::size_t i = 0; i < count; ++i)
      points[i][d] = (static_cast<double>(parts[i]) + run.random().uniform()) / static_cast<double>(count);
  }
  std::vector<int64_t> cells;
  for (const RealPoint& x : points) cells.push_back(cell_at(run.landscape(), x));
  return cells;
}

SurrogateModel::Data data_of(const Landscape& landscape, std::vector<Evaluated> all) {
  std::stable_sort(all.begin(), all.end(), [](const Evaluated& a, const Evaluated& b) { return a.score < b.score; });
  all.resize(std::min(all.size(), most_points));
  double worst = all.front().score;
  for (const Evaluated& e : all)
    if (e.score < failed_score) worst = std::max(worst, e.score);
  SurrogateModel::Data data;
  for (const Evaluated& e : all) {
    data.x.push_back(centre_of(landscape, e.cell));
    data.scores.push_back(std::min(e.score, worst));  // where it failed nothing better is expected
  }
  for (std::size_t d = 0; d < landscape.dims(); ++d) data.unordered.push_back(landscape.is_unordered(d));
  return data;
}

double expected_improvement(const SurrogateModel::Prediction& p, double best) {
  if (!(p.sd > 0)) return std::max(best - p.mean, 0.0);
  constexpr double root_half = 0.70710678118654752, root_two_pi = 2.5066282746310002;
  const double z = (best - p.mean) / p.sd;
  return p.sd * (z * std::erfc(-z * root_half) / 2 + std::exp(-z * z / 2) / root_two_pi);
}

// Configurations that were not evaluated yet: all of a small space, otherwise random ones and some near the best point.
std::vector<int64_t> candidates(Run& run, const RealPoint& best) {
  const Landscape& landscape = run.landscape();
  std::vector<int64_t> cells;
  if (!landscape.members().empty() && landscape.members().size() <= most_enumerated) {
    cells = landscape.members();
  } else {
    const std::size_t random = 100 * landscape.dims() + 200;
    for (std::size_t i = 0; i < random; ++i) cells.push_back(run.random_cell());
    for (const double width : {.1, .03, .01})
      for (std::size_t i = 0; i < random / 10; ++i) {
        RealPoint x = best;
        for (std::size_t d = 0; d < x.size(); ++d)
          if (!landscape.is_unordered(d)) x[d] = std::clamp(x[d] + width * run.random().normal(), 0.0, 1.0);
        cells.push_back(cell_at(landscape, x));
      }
  }
  std::erase_if(cells, [&](int64_t cell) { return !landscape.has(cell) || run.knows(cell); });
  return cells;
}

enum class Aim { improve, explore };

// The configuration worth most; nothing if all that were looked at are known.
std::optional<int64_t> proposed(Run& run, const SurrogateModel& model, Aim aim) {
  const Landscape& landscape = run.landscape();
  RealPoint best;
  double least = 0;
  for (const RealPoint& x : model.data().x)
    if (const double mean = model.mean(x); best.empty() || mean < least) {
      best = x;
      least = mean;
    }
  const auto worth = [&](const RealPoint& x) {
    const SurrogateModel::Prediction p = model.predict(x);
    return aim == Aim::explore ? p.sd : expected_improvement(p, least);
  };
  std::optional<int64_t> chosen;
  double most = -1;
  for (const int64_t cell : candidates(run, best))
    if (const double value = worth(centre_of(landscape, cell)); value > most) {
      most = value;
      chosen = cell;
    }
  if (!chosen || aim == Aim::explore) return chosen;
  if (!(most > 0)) return proposed(run, model, Aim::explore);  // nothing promises a gain
  if (!landscape.members().empty() && landscape.members().size() <= most_enumerated) return chosen;
  // The ordered variables go on from the best candidate.
  const RealPoint start = centre_of(landscape, *chosen);
  std::vector<double> low = start, high = start;
  for (std::size_t d = 0; d < start.size(); ++d)
    if (!landscape.is_unordered(d)) {
      low[d] = std::max(0.0, start[d] - .2);
      high[d] = std::min(1.0, start[d] + .2);
    } else {
      high[d] += 1e-9;  // a range of its own value
    }
  constexpr int calls = 100;
  const BoxMinimum refined =
      box_minimum([&](const std::vector<double>& x) { return -worth(x); }, start, low, high, .1, calls);
  const int64_t cell = cell_at(landscape, refined.x);
  return run.knows(cell) || !landscape.has(cell) ? chosen : cell;
}

void search_surrogate(Run& run) {
  const Landscape& landscape = run.landscape();
  const auto dims = static_cast<int64_t>(landscape.dims());
  const auto first = static_cast<std::size_t>(std::clamp<int64_t>(run.budget() / 3, 3, 4 * dims + 2));
  std::vector<Evaluated> all;
  const auto evaluate = [&](int64_t cell) {
    const bool is_new = !run.knows(cell);
    const double score = run(cell);
    if (is_new && landscape.has(cell)) all.push_back({cell, score});
  };
  for (const int64_t cell : first_cells(run, first)) evaluate(cell);
  std::optional<SurrogateModel> model;
  for (std::size_t step = 1;; ++step) {
    const auto scored =
        std::count_if(all.begin(), all.end(), [](const Evaluated& e) { return e.score < failed_score; });
    std::optional<int64_t> next;
    if (scored >= 2) {
      const bool is_full = !model || (all.size() < full_fits_until ? step % 4 == 0 : step % between_fits == 0);
      const SurrogateModel::Hyperparameters earlier =
          model ? model->hyperparameters() : SurrogateModel::Hyperparameters{};
      SurrogateModel::Data data = data_of(landscape, all);
      const bool fits = !earlier.is_logarithmic || SurrogateModel::may_be_logarithmic(data.scores);
      model = SurrogateModel::fit(std::move(data), is_full || !fits ? nullptr : &earlier);
      next = proposed(run, *model, step % between_explorations == 0 ? Aim::explore : Aim::improve);
    }
    evaluate(next ? *next : run.random_cell());
  }
}

}  // namespace

Optimiser optimiser_surrogate() {
  return {"surrogate",
          "Gaussian process, expected improvement (Jones, Schonlau, Welch 1998): for few, noisy evaluations",
          search_surrogate, false, true};
}

}  // namespace tl::tune
