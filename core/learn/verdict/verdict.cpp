// Determines the verdict on every learned value, and finds rivals of the best one.
#include <algorithm>
#include <cmath>

#include "core/learn/short_number.h"
#include "core/learn/verdict/combinations.h"
#include "core/learn/verdict/judge.h"

namespace tl::learn {
namespace {

constexpr double rival_depth = 0.1;  // fraction of the objective's range: a minimum that close to the best is as good
// A bound counts as reached within this fraction of the search range, which is limited to so many natural steps.
constexpr double bound_share = 1e-6, widest_search = 1e3;
// Fraction of the starting distance: a number that returns by less did not return. A number for which an image can
// compensate returns by half of the distance or more, since both change.
constexpr double returned = 0.1;
constexpr double clear_of_noise = 2;  // factor by which many learned numbers must exceed the effect of noise
// Natural steps, and random sigmas, that a value may be displaced systematically and still count as resolved.
constexpr double displaced = 0.1, much_displaced = 3;
// Natural steps by which methods may differ; the uncertainty includes it.
constexpr double tolerable = 0.5;

// A number of natural steps in the unit of the parameter.
std::string displacement(const ParameterBlock& b, double z, std::size_t entry, double steps) {
  const std::string unit(symbol(b.decl->unit));
  return short_number(from_stored(steps * std::abs(b.slope(z, entry)), b.decl->unit)) + (unit.empty() ? "" : " ") +
         unit;
}

// Largest squared component of an unknown's direction in undetermined directions: at 0.09, the voltage of a tube with
// an unknown filter was wrong by four times its sigma.
constexpr double max_lost = 0.05;

}  // namespace

bool Judge::Spread::determines(std::size_t unknown) const { return lost(unknown) <= max_lost; }

double Judge::Spread::lost(std::size_t unknown) const {
  double part = 0;
  for (std::size_t k = 0; k < determined.size(); ++k) {
    if (determined[k]) continue;
    double own = axes.vectors(unknown, k);
    for (const Vector& motion : object_motions) {
      if (!of_list[unknown]) break;
      double along = 0;
      for (std::size_t i = 0; i < motion.size(); ++i) along += motion[i] * axes.vectors(i, k);
      own -= along * motion[unknown];
    }
    part += own * own;
  }
  return part;
}

Trust Judge::verdict(std::size_t unknown, const Descent& best, const Spread& s, std::string& why) const {
  const ParameterBlock& b = problem_.parameter_block_of(unknown);
  const double z = best.best.z[unknown];
  if (best.reason == StopReason::flat) {
    why = "the objective does not change with it";
    return Trust::flat;
  }
  if (at_bound(unknown, z)) {
    why = "the best value lies at a bound of the search: the true value may lie beyond";
    return Trust::railed;
  }
  if (!s.scatter.sigma.empty()) return verdict_of_draws(b, best, s, why);
  if (!s.known) {
    why = problem_.settings().errors == Errors::none ? "no uncertainty was asked for"
          : problem_.size() > max_judged             ? "too many numbers for an uncertainty"
                                                     : "the objective is not defined next to the value";
    return Trust::none;
  }
  const double lost = s.lost(unknown);
  if (lost > 0.5 && std::none_of(s.determined.begin(), s.determined.end(), [](bool known) { return known; })) {
    why = "the objective bends no more around the value than it would for noise";
    return Trust::flat;
  }
  if (!s.determines(unknown)) {
    why = "the data determine only a combination with other parameters";
    return Trust::not_identifiable;
  }
  const double random = std::sqrt(std::max(0.0, s.covariance(unknown, unknown)));
  if (s.displacement_of(unknown) > std::max(displaced, much_displaced * random)) {
    why = "the data violate assumptions of the objective, which may displace the value by about " +
          displacement(b, z, unknown - b.offset, s.displacement_of(unknown));
    return Trust::not_identifiable;
  }
  if (!s.noise_bias.empty() && std::abs(s.noise_bias[unknown]) > std::max(displaced, much_displaced * random)) {
    why = "the objective follows the noise: that alone moves the value by about " +
          displacement(b, z, unknown - b.offset, std::abs(s.noise_bias[unknown]));
    return Trust::not_identifiable;
  }
  if (b.target.scale == Scale::logarithmic) {
    if (const double of_logarithm = sigma(s, unknown) * b.step; of_logarithm > widest_logarithm) {
      const std::string factor = "to a factor of " + short_number(std::exp(of_logarithm), 2) + " only";
      if (sigma_given_others(s.covariance, unknown) * b.step <= widest_logarithm) {
        why = "the data determine only a combination with other parameters: by itself it is known " + factor;
        return Trust::not_identifiable;
      }
      why = "the objective hardly bends around the value: it is known " + factor;
      return Trust::flat;
    }
  }
  if (why = doubt_in_model(unknown, best.best.z, s); !why.empty()) return Trust::not_identifiable;
  if (best.reason != StopReason::converged) {
    why = "the descent ended before it converged (" + words(best.reason) + ")";
    return Trust::none;
  }
  why = "one minimum within reach; ";
  why += s.noise_curvature[unknown] > 0
             ? "curvature " + short_number(s.curvature(unknown, unknown) / s.noise_curvature[unknown]) +
                   " times the curvature by noise"
         : clearly_determined(s) ? "the objective bends there far more than for noise"
                                 : "the objective bends around it";
  constexpr double rounding = 1e-6;  // for a direction of unit length
  if (std::any_of(s.object_motions.begin(), s.object_motions.end(),
                  [&](const Vector& motion) { return std::abs(motion[unknown]) > rounding; }))
    why += "; but for a motion of the whole object, which no view shows";
  return Trust::resolved;
}

std::string Judge::contradiction(std::size_t unknown, const Descent& best, const Spread& s) const {
  if (!s.objection.empty() && !s.objection[unknown].empty()) return s.objection[unknown];
  const ParameterBlock& b = problem_.parameter_block_of(unknown);
  const double random = s.known ? std::sqrt(std::max(0.0, s.covariance(unknown, unknown))) : 0;
  if (s.method_difference.empty() || s.method_difference[unknown] <= std::max(tolerable, much_displaced * random))
    return {};
  return "opposite views disagree, by about " +
         displacement(b, best.best.z[unknown], unknown - b.offset, s.method_difference[unknown]) +
         ": the object leaves the field or moved, or the angles are wrong";
}

bool Judge::at_bound(std::size_t unknown, double z) const {
  const double low = problem_.low(unknown), high = problem_.high(unknown);
  const double margin =
      std::max(bound_share * std::min(high - low, widest_search), 0.5 * problem_.settings().stop.tolerance);
  return z <= low + margin || z >= high - margin;
}

// A single number is known or not; a list or an array is judged as a whole: whether noise alone could have produced the
// same.
Trust Judge::verdict_of_draws(const ParameterBlock& b, const Descent& best, const Spread& s, std::string& why) const {
  if (best.reason != StopReason::converged) {
    why = "the descent ended before it converged (" + words(best.reason) + ")";
    return Trust::none;
  }
  if (b.size == 1) {
    const double sigma = s.scatter.sigma[b.offset];
    why = "descents from nearby starts, on data with noise added, end within " +
          displacement(b, best.best.z[b.offset], 0, sigma);
    if (sigma < returned * Scatter::aside) return Trust::resolved;
    why += ": noise, or other parameters that compensate it, change it as much";
    return Trust::not_identifiable;
  }
  if (b.shape.empty()) {
    why = "no uncertainty is known for lists learned together with an image";
    return Trust::none;
  }
  const auto index = static_cast<std::size_t>(&b - problem_.parameter_blocks().data());
  const double clearness = s.scatter.clearness[index];
  why = "the learned value is " + short_number(clearness) + " times as large as expected from noise";
  return clearness < clear_of_noise ? Trust::flat : Trust::resolved;
}

Judge::Rivals Judge::rivals_of(const std::vector<Descent>& descents, std::size_t best, const SurveyFinding& survey,
                               const Spread& s) const {
  Rivals rivals;
  Vector squares(problem_.size(), 0.0);
  double count = 0;
  const Descent& won = descents[best];
  double range = 0;
  if (survey.made) {
    const auto [least, most] = std::minmax_element(survey.loss.begin(), survey.loss.end());
    range = *most - *least;
  }
  for (const Descent& d : descents) range = std::max(range, d.best.loss - won.best.loss);
  for (std::size_t k = 0; k < descents.size(); ++k) {
    if (k == best || descents[k].best.loss - won.best.loss > rival_depth * range) continue;
    bool another = false;
    for (std::size_t i = 0; i < problem_.size(); ++i) {
      const double apart = std::abs(descents[k].best.z[i] - won.best.z[i]);
      const double sigma = s.known ? std::sqrt(std::max(0.0, s.covariance(i, i))) : 0;
      if (apart < std::max(1.0, 6 * sigma)) continue;
      another = true;
      squares[i] += apart * apart;
      if (!rivals.text.empty()) continue;
      const ParameterBlock& b = problem_.parameter_block_of(i);
      const double value = b.value(descents[k].best.z[i], i - b.offset);
      rivals.text = "another value is about as good: " + b.target.name + " = " +
                    short_number(from_stored(value, b.decl->unit)) + " " + std::string(symbol(b.decl->unit));
    }
    count += another ? 1 : 0;
  }
  for (const double square : squares) rivals.spread.push_back(std::sqrt(square / (count + 1)));
  return rivals;
}

}  // namespace tl::learn
