// Finds the linear combinations of correlated parameters that the data determine, and writes them as sentences.
#include "core/learn/verdict/combinations.h"
#include "core/learn/short_number.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tl::learn {
namespace {

constexpr double much_correlated = 0.9;
constexpr double small_share = 0.1;  // weight in an axis below which a parameter is left out
// Weight of other parameters in the direction of a value's largest spread, above which they can compensate for that
// value.
constexpr double shared = 0.1;
constexpr std::size_t max_described = 8;  // unknowns; beyond, directions are counted

std::vector<bool> involved(const EigenSystem& axes, const std::vector<bool>& determined, const Matrix& covariance) {
  const std::size_t n = covariance.n;
  std::vector<bool> in(n, false);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double both = std::sqrt(covariance(i, i) * covariance(j, j));
      if (both > 0 && std::abs(covariance(i, j)) > much_correlated * both) in[i] = in[j] = true;
    }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n && !determined[k]; ++i)
      if (std::abs(axes.vectors(i, k)) > std::sqrt(small_share)) in[i] = true;
  return in;
}

bool is_one(double weight) { return std::abs(std::abs(weight) - 1) < 5e-3; }

// The name of a parameter in a sum: with its node if another learned parameter has the same name, and as a logarithm if
// its scale is logarithmic.
std::string name_in_sum(const Problem& problem, const ParameterBlock& block) {
  const auto& all = problem.parameter_blocks();
  const bool alone = std::count_if(all.begin(), all.end(),
                                   [&](const ParameterBlock& b) { return b.target.name == block.target.name; }) == 1;
  const std::string name = alone ? block.target.name : block.target.node + "." + block.target.name;
  return block.target.scale == Scale::logarithmic ? "ln " + name : name;
}

Combination along(const Problem& problem, const Vector& z, const EigenSystem& axes, std::size_t k) {
  Combination c;
  double largest = 0, scale = 1;
  for (std::size_t b = 0; b < problem.parameter_blocks().size(); ++b) {
    const ParameterBlock& block = problem.parameter_blocks()[b];
    for (std::size_t i = 0; i < block.size; ++i) {
      const double share = axes.vectors(block.offset + i, k);
      if (std::abs(share) < small_share) continue;
      const bool logarithm = block.target.scale == Scale::logarithmic;
      const double step = logarithm ? block.step : from_stored(block.slope(z[block.offset + i], i), block.decl->unit);
      const double per_unit = share / step;
      c.terms.push_back({b, i, per_unit, logarithm});
      if (std::abs(share) > largest) {
        largest = std::abs(share);
        scale = per_unit;
      }
    }
  }
  // A difference of two logarithms begins with the positive term: "ln delta - ln beta".
  const double first = c.terms.empty() ? 1 : c.terms.front().weight / scale;
  if (first < 0 && is_one(first)) scale = -scale;
  for (auto& term : c.terms) term.weight /= scale;
  c.uncertainty = 1 / std::abs(scale);  // uncertainty of one natural step along the axis
  for (std::size_t t = 0; t < c.terms.size(); ++t) {
    const double w = c.terms[t].weight;
    const std::string size = is_one(w) ? "" : short_number(std::abs(w)) + " ";
    const std::string sign = w < 0 ? (t == 0 ? "-" : " - ") : (t == 0 ? "" : " + ");
    c.text += sign + size + name_in_sum(problem, problem.parameter_blocks()[c.terms[t].found]);
  }
  return c;
}

bool all_logarithms(const Combination& c) {
  return std::all_of(c.terms.begin(), c.terms.end(), [](const auto& term) { return term.logarithm; });
}

}  // namespace

double sigma_given_others(const Matrix& covariance, std::size_t unknown) {
  const EigenSystem axes = eigen_system(covariance);
  const auto part = [&](std::size_t k) { return axes.vectors(unknown, k) * axes.vectors(unknown, k); };
  std::size_t widest = 0;
  double information = 0;
  for (std::size_t k = 0; k < covariance.n; ++k) {
    if (axes.values[k] * part(k) > axes.values[widest] * part(widest)) widest = k;
    if (part(k) > 0) information += part(k) / std::max(axes.values[k], std::numeric_limits<double>::min());
  }
  return 1 - part(widest) < shared ? std::numeric_limits<double>::infinity() : 1 / std::sqrt(information);
}

std::vector<Combination> combinations(const Problem& problem, const Vector& z, const EigenSystem& axes,
                                      const std::vector<bool>& determined, const Matrix& covariance,
                                      const std::vector<std::string>& doubts) {
  const std::size_t n = covariance.n;
  std::vector<Combination> all;
  if (n < 2) return all;
  if (n > max_described) {
    const auto lost = std::count(determined.begin(), determined.end(), false);
    if (lost == 0) return all;
    Combination c;
    c.known = false;
    c.text = std::to_string(lost) + " of " + std::to_string(n) + " directions are not determined by these data";
    return {c};
  }
  const std::vector<bool> in = involved(axes, determined, covariance);
  for (std::size_t k = 0; k < n; ++k) {
    double share = 0;
    for (std::size_t i = 0; i < n; ++i) share += in[i] ? axes.vectors(i, k) * axes.vectors(i, k) : 0;
    if (share < 0.5) continue;
    Combination c = along(problem, z, axes, k);
    if (c.terms.size() < 2) continue;
    Vector v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = axes.vectors(i, k);
    const double sigma = c.uncertainty * std::sqrt(std::max(0.0, dot(v, times(covariance, v))));
    const bool wide = all_logarithms(c) && !(sigma <= widest_logarithm);
    c.known = determined[k] && doubts[k].empty() && !wide;
    c.uncertainty = c.known ? sigma : 0;
    c.text += c.known ? " is known to " + short_number(c.uncertainty) : " is not known";
    if (determined[k] && !doubts[k].empty())
      c.text += ": " + doubts[k];
    else if (determined[k] && wide)
      c.text += ": the objective hardly bends along it";
    all.push_back(std::move(c));
  }
  return all;
}

}  // namespace tl::learn
