// Subplex by NLopt, which is C: exceptions wait until it has returned.
#include "core/tune/search/box_minimum.h"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>

#include "core/base/error.h"

namespace tl::tune {
namespace {

constexpr double very_large = 1e100;

struct BoxCall {
  const std::function<double(const std::vector<double>&)>& function;
  nlopt_opt optimiser;
  BoxMinimum best{{}, std::numeric_limits<double>::infinity()};
  std::exception_ptr thrown;
};

double box_objective(unsigned count, const double* x, double*, void* data) {
  BoxCall& call = *static_cast<BoxCall*>(data);
  if (call.thrown) return very_large;
  try {
    std::vector<double> point(x, x + count);
    double value = call.function(point);
    if (!std::isfinite(value)) value = very_large;
    if (value < call.best.value) call.best = {std::move(point), value};
    return value;
  } catch (...) {
    call.thrown = std::current_exception();
    nlopt_force_stop(call.optimiser);
    return very_large;
  }
}

}  // namespace

BoxMinimum box_minimum(const std::function<double(const std::vector<double>&)>& function, std::vector<double> start,
                       const std::vector<double>& low, const std::vector<double>& high, double step, int most_calls) {
  const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> optimiser(
      nlopt_create(NLOPT_LN_SBPLX, static_cast<unsigned>(start.size())), nlopt_destroy);
  if (!optimiser) throw Failure(Error{ErrorKind::internal, "NLopt has no memory", "local minimiser", ""});
  BoxCall call{function, optimiser.get(), {{}, std::numeric_limits<double>::infinity()}, nullptr};
  nlopt_set_min_objective(optimiser.get(), box_objective, &call);
  nlopt_set_lower_bounds(optimiser.get(), low.data());
  nlopt_set_upper_bounds(optimiser.get(), high.data());
  std::vector<double> steps(start.size()), tolerances(start.size());
  for (std::size_t i = 0; i < start.size(); ++i) {
    start[i] = std::clamp(start[i], low[i], high[i]);
    steps[i] = step * (high[i] - low[i]);
    tolerances[i] = 1e-4 * steps[i];
  }
  nlopt_set_initial_step(optimiser.get(), steps.data());
  nlopt_set_xtol_abs(optimiser.get(), tolerances.data());
  nlopt_set_maxeval(optimiser.get(), most_calls);
  double value = 0;
  nlopt_optimize(optimiser.get(), start.data(), &value);  // the best of all calls is kept; why it stopped is irrelevant
  if (call.thrown) std::rethrow_exception(call.thrown);
  if (call.best.x.empty()) call.best = {start, function(start)};
  return call.best;
}

}  // namespace tl::tune
