// A Gaussian process that proposes the configuration with the least lower confidence bound.
#include <algorithm>
#include <cmath>

#include "core/tune/optimisers/optimiser.h"
#include "core/tune/search/gaussian_field.h"

namespace tl::tune {
namespace {

// Logarithms of the scores, of failed ones the worst that was seen, with mean 0 and variance 1.
std::vector<double> standardised(const std::vector<double>& scores) {
  double worst = 0;
  bool is_first = true;
  for (const double s : scores)
    if (s < failed_score && s > 0) {
      worst = is_first ? std::log(s) : std::max(worst, std::log(s));
      is_first = false;
    }
  std::vector<double> values;
  double mean = 0, variance = 0;
  for (const double s : scores) {
    values.push_back(s < failed_score && s > 0 ? std::log(s) : worst);
    mean += values.back() / static_cast<double>(scores.size());
  }
  for (const double v : values) variance += (v - mean) * (v - mean) / static_cast<double>(scores.size());
  const double scale = variance > 0 ? 1 / std::sqrt(variance) : 1;
  for (double& v : values) v = (v - mean) * scale;
  return values;
}

void search_gaussian(Run& run) {
  constexpr double length = .3, noise = 1e-4, kappa = 2;
  constexpr std::size_t first_ones = 8;           // at random
  constexpr std::size_t most_modelled = 400;      // evaluations; the cost grows with their square
  constexpr std::size_t most_candidates = 5'000;  // of a larger space a random part is modelled
  std::vector<int64_t> order = run.landscape().members();
  run.random().shuffle(order);
  const auto candidates = static_cast<std::ptrdiff_t>(std::min(most_candidates, order.size()));
  const std::vector<int64_t> cells(order.begin(), order.begin() + candidates);
  GaussianField field(run.landscape(), cells, length, noise);
  std::vector<bool> is_known(cells.size());
  std::vector<double> scores;
  const std::size_t count = std::min(most_modelled, cells.size());
  while (scores.size() < count) {
    std::size_t best = scores.size();
    if (scores.size() >= first_ones) {
      const GaussianField::Prediction p = field.predict(standardised(scores));
      best = cells.size();
      for (std::size_t i = 0; i < cells.size(); ++i)
        if (!is_known[i] && (best == cells.size() || p.mean[i] - kappa * p.sd[i] < p.mean[best] - kappa * p.sd[best]))
          best = i;
    }
    scores.push_back(run(cells[best]));
    field.add(best);
    is_known[best] = true;
  }
  // What is left, in random order; all again where every evaluation counts.
  for (;;)
    for (const int64_t cell : order) run(cell);
}

}  // namespace

Optimiser optimiser_gaussian_process() {
  return {"gaussian_process", "Gaussian process, lower confidence bound (Srinivas et al. 2010), up to 400 evaluations",
          search_gaussian};
}

}  // namespace tl::tune
