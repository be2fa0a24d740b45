// Fits the power model: for each ridge on a grid the other numbers by NLopt, then the ridge between the grid's points.
#include "core/tune/energy/ridge.h"

#include <nlopt.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <set>

namespace tl::tune {
namespace {

// The four numbers besides the ridge, in units of the data: watts of the largest power, per range of clocks.
using Rest = std::array<double, 4>;  // base, rate, slope, most

struct Fit {
  const std::vector<ClockPoint>& points;
  double watts, mhz, lowest;  // units; lowest clock
  double ridge = 0;           // MHz

  [[nodiscard]] PowerModel model(const double* rest) const {
    return {ridge, rest[0] * watts, rest[1] * watts / mhz, rest[2] / mhz, rest[3] * watts, lowest};
  }
  [[nodiscard]] double squares(const double* rest) const {
    const PowerModel m = model(rest);
    double sum = 0;
    for (const ClockPoint& p : points) sum += (m.watts(p.mhz) - p.watts) * (m.watts(p.mhz) - p.watts);
    return sum;
  }
};

double objective(unsigned, const double* x, double*, void* data) { return static_cast<Fit*>(data)->squares(x); }

// The least sum of squares for a ridge; `rest` is where it begins and where it ends.
double least_squares(Fit& fit, double ridge, Rest& rest) {
  fit.ridge = ridge;
  const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> optimiser(nlopt_create(NLOPT_LN_SBPLX, 4), nlopt_destroy);
  if (!optimiser) throw Failure(Error{ErrorKind::internal, "NLopt has no memory", "ridge", ""});
  constexpr Rest low = {0, 0, 0, 0.5}, high = {1, 2, 20, 2};
  nlopt_set_min_objective(optimiser.get(), objective, &fit);
  nlopt_set_lower_bounds(optimiser.get(), low.data());
  nlopt_set_upper_bounds(optimiser.get(), high.data());
  nlopt_set_xtol_rel(optimiser.get(), 1e-8);
  nlopt_set_maxeval(optimiser.get(), 5000);
  double squares = fit.squares(rest.data());
  nlopt_optimize(optimiser.get(), rest.data(), &squares);
  return squares;
}

// The best of several beginnings; `near`: where a neighbouring ridge ended.
double best_of_starts(Fit& fit, double ridge, const std::optional<Rest>& near, Rest& best) {
  std::vector<Rest> starts = {{0.3, 0.6, 2.0, 1.0}};
  if (near) {
    starts.push_back(*near);
  } else {
    for (const double slope : {0.5, 6.0}) starts.push_back({0.2, 0.6, slope, 1.0});
  }
  double least = std::numeric_limits<double>::infinity();
  for (Rest rest : starts) {
    const double squares = least_squares(fit, ridge, rest);
    if (squares >= least) continue;
    least = squares;
    best = rest;
  }
  return least;
}

}  // namespace

double PowerModel::watts(double mhz) const {
  const double volts = 1 + slope_per_mhz * std::max(0.0, mhz - ridge_mhz);
  return std::min(most_watts, base_watts + watts_per_mhz * (mhz - lowest_mhz) * volts * volts);
}

Result<Ridge> find_ridge(const std::vector<ClockPoint>& points) {
  std::set<double> clocks;
  double watts = 0;
  for (const ClockPoint& p : points) {
    clocks.insert(p.mhz);
    watts = std::max(watts, p.watts);
  }
  constexpr std::size_t fewest = 6;
  if (clocks.size() < fewest)
    return invalid("there are " + std::to_string(clocks.size()) + " different clocks", "power model",
                   "Measure at " + std::to_string(fewest) + " or more");
  const double low = *clocks.begin(), high = *clocks.rbegin();
  Fit fit{points, watts, high - low, low};
  constexpr int steps = 120;
  std::vector<double> ridges, squares;
  std::vector<Rest> rests(steps + 1);
  for (int i = 0; i <= steps; ++i) {
    ridges.push_back(low + (high - low) * i / steps);
    const std::optional<Rest> near = i > 0 ? std::optional(rests[static_cast<std::size_t>(i) - 1]) : std::nullopt;
    squares.push_back(best_of_starts(fit, ridges.back(), near, rests[static_cast<std::size_t>(i)]));
  }
  const auto best = static_cast<std::size_t>(std::min_element(squares.begin(), squares.end()) - squares.begin());
  // Golden sections between the neighbours on the grid.
  double a = ridges[best > 0 ? best - 1 : 0], b = ridges[std::min<std::size_t>(best + 1, steps)];
  Rest rest = rests[best];
  const auto at = [&](double ridge) {
    Rest trial = rests[best];
    return least_squares(fit, ridge, trial);
  };
  constexpr double golden = 0.6180339887498949;
  for (int i = 0; i < 30; ++i) {
    const double left = b - golden * (b - a), right = a + golden * (b - a);
    if (at(left) <= at(right)) {
      b = right;
    } else {
      a = left;
    }
  }
  double ridge = (a + b) / 2, least = least_squares(fit, ridge, rest);
  if (squares[best] < least) {
    ridge = ridges[best];
    rest = rests[best];
    fit.ridge = ridge;
    least = squares[best];
  }
  Ridge found;
  found.model = fit.model(rest.data());
  const auto count = static_cast<double>(points.size());
  const double variance = least / std::max(1.0, count - 5);
  found.rms_watts = std::sqrt(least / count);
  double nearest = ridge, farthest = ridge;
  for (std::size_t i = 0; i < ridges.size(); ++i) {
    if (squares[i] > least + variance) continue;
    nearest = std::min(nearest, ridges[i]);
    farthest = std::max(farthest, ridges[i]);
  }
  // Half a step of the grid at least: what lies between its points is not known better.
  found.uncertainty_mhz = std::max((farthest - nearest) / 2, (high - low) / steps / 2);
  return found;
}

std::vector<ClockPoint> time_energy_front(const std::vector<ClockPoint>& points) {
  std::vector<ClockPoint> sorted = points, front;
  std::sort(sorted.begin(), sorted.end(), [](const ClockPoint& a, const ClockPoint& b) {
    return a.ms != b.ms ? a.ms < b.ms : a.millijoules() < b.millijoules();
  });
  for (const ClockPoint& p : sorted)
    if (front.empty() || p.millijoules() < front.back().millijoules()) front.push_back(p);
  return front;
}

}  // namespace tl::tune
