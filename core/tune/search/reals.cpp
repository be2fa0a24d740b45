// Cells as points of the unit cube, and NLopt's local methods on them.
#include "core/tune/search/reals.h"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>

namespace tl::tune {
namespace {

// NLopt is C: what the function throws waits here until it has returned.
struct Call {
  Run& run;
  nlopt_opt optimiser;
  RealMinimum best;
  std::exception_ptr thrown;
};

double value_at(Call& call, const RealPoint& x) {
  const double score = call.run.finite(cell_at(call.run.landscape(), x));
  if (score < call.best.score || call.best.x.empty()) call.best = {x, score};
  return score;
}

// Forward differences by one step, backward ones where that would leave the cube.
void differences(Call& call, const RealPoint& x, double value, double* gradient) {
  const double step = step_of(call.run.landscape());
  for (std::size_t i = 0; i < x.size(); ++i) {
    RealPoint other = x;
    const double signed_step = x[i] + step <= 1 ? step : -step;
    other[i] += signed_step;
    gradient[i] = (value_at(call, other) - value) / signed_step;
  }
}

double objective(unsigned count, const double* x, double* gradient, void* data) {
  Call& call = *static_cast<Call*>(data);
  if (call.thrown) return failed_for_arithmetic;
  try {
    const RealPoint point(x, x + count);
    // The direction set computes such points where the function is flat.
    if (!std::all_of(point.begin(), point.end(), [](double v) { return std::isfinite(v); }))
      return failed_for_arithmetic;
    const double value = value_at(call, point);
    if (gradient != nullptr) differences(call, point, value, gradient);
    return value;
  } catch (...) {
    call.thrown = std::current_exception();
    nlopt_force_stop(call.optimiser);
    return failed_for_arithmetic;
  }
}

nlopt_algorithm algorithm_of(LocalMethod method) {
  switch (method) {
    case LocalMethod::cobyla: return NLOPT_LN_COBYLA;
    case LocalMethod::direction_set: return NLOPT_LN_PRAXIS;
    case LocalMethod::slsqp: return NLOPT_LD_SLSQP;
  }
  return NLOPT_LN_COBYLA;
}

}  // namespace

int64_t cell_at(const Landscape& landscape, const RealPoint& x) {
  std::vector<int64_t> coordinates(landscape.dims());
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const int64_t size = landscape.sizes()[i];
    const double scaled = std::clamp(std::floor(x[i] * static_cast<double>(size)), 0.0, static_cast<double>(size - 1));
    coordinates[i] = static_cast<int64_t>(scaled);
  }
  return landscape.cell_of(coordinates);
}

RealPoint centre_of(const Landscape& landscape, int64_t cell) {
  RealPoint x(landscape.dims());
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = (static_cast<double>(landscape.coordinate(cell, i)) + 0.5) / static_cast<double>(landscape.sizes()[i]);
  return x;
}

double step_of(const Landscape& landscape) {
  if (landscape.step() > 0) return landscape.step();
  const int64_t most = *std::max_element(landscape.sizes().begin(), landscape.sizes().end());
  return 1 / static_cast<double>(most);
}

RealPoint random_point(Run& run) {
  RealPoint x(run.landscape().dims());
  for (double& v : x) v = run.random().uniform();
  return x;
}

RealMinimum minimise_locally(Run& run, const RealPoint& x, LocalMethod method, Domain domain) {
  // Steps below a tenth of a cell show nothing new.
  const double step = step_of(run.landscape()), tolerance = step / 10;
  constexpr int most_calls = 2000;
  const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> optimiser(
      nlopt_create(algorithm_of(method), static_cast<unsigned>(x.size())), nlopt_destroy);
  if (!optimiser) throw Failure(Error{ErrorKind::internal, "NLopt has no memory", "local minimiser", ""});
  nlopt_srand(static_cast<unsigned long>(run.random().below(int64_t{1} << 31)));  // used by the direction set
  Call call{run, optimiser.get(), {}, nullptr};
  nlopt_set_min_objective(optimiser.get(), objective, &call);
  if (domain == Domain::cube) {
    nlopt_set_lower_bounds1(optimiser.get(), 0);
    nlopt_set_upper_bounds1(optimiser.get(), 1);
  }
  nlopt_set_initial_step1(optimiser.get(), method == LocalMethod::cobyla ? 2 * step : step);
  nlopt_set_xtol_abs1(optimiser.get(), tolerance);
  nlopt_set_maxeval(optimiser.get(), most_calls);
  RealPoint at = x;
  if (domain == Domain::cube)
    for (double& v : at) v = std::clamp(v, 0.0, 1.0);
  double value = 0;
  nlopt_optimize(optimiser.get(), at.data(), &value);  // the best of all calls is kept; why it stopped does not matter
  if (call.thrown) std::rethrow_exception(call.thrown);
  if (call.best.x.empty()) call.best = {at, run.finite(cell_at(run.landscape(), at))};
  return call.best;
}

}  // namespace tl::tune
