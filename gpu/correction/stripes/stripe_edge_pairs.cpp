// Pairs the two edges of each stripe, by dynamic programming over the outstanding steps.
#include "gpu/correction/stripes/stripe_edge_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tl::ops {

StripeEdgePairs::StripeEdgePairs(std::vector<double> steps, std::vector<double> usual, double limit, int64_t widest,
                                 double min_ratio)
    : e_(std::move(steps)), s_(std::move(usual)), limit_(limit), widest_(widest), min_ratio_(min_ratio) {
  edges_ = edges(e_, s_, limit);
}

std::vector<int64_t> StripeEdgePairs::edges(const std::vector<double>& steps, const std::vector<double>& usual,
                                            double limit) {
  std::vector<int64_t> found;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (std::abs(steps[i]) >= 0.5 * limit * usual[i]) found.push_back(static_cast<int64_t>(i));
  return found;
}

std::vector<Stripe> StripeEdgePairs::stripes() const {
  const std::size_t n = edges_.size();
  std::vector<double> cost(n + 1, 0.0);
  std::vector<std::size_t> partner(n, 0);  // 0: unpaired
  for (std::size_t i = n; i-- > 0;) {
    cost[i] = alone(i) + cost[i + 1];
    double between = 0;
    for (std::size_t j = i + 1; j < n && edges_[j] - edges_[i] <= widest_; between += alone(j), ++j) {
      const double together = pair_cost(edges_[i], edges_[j]);
      if (!std::isfinite(together) || alone(i) + alone(j) == 0) continue;
      if (together + between + cost[j + 1] >= cost[i]) continue;
      cost[i] = together + between + cost[j + 1];
      partner[i] = j;
    }
  }
  std::vector<Stripe> out;
  for (std::size_t i = 0; i < n;) {
    const std::size_t j = partner[i];
    if (j == 0) {
      ++i;
      continue;
    }
    out.push_back(stripe(edges_[i], edges_[j]));
    i = j + 1;
  }
  return out;
}

double StripeEdgePairs::e(int64_t i) const {
  return i < 0 || i >= static_cast<int64_t>(e_.size()) ? 0 : e_[static_cast<std::size_t>(i)];
}

double StripeEdgePairs::strength(int64_t i) const { return std::abs(e(i)) / s_[static_cast<std::size_t>(i)]; }

double StripeEdgePairs::alone(std::size_t edge) const { return strength(edges_[edge]) >= limit_ ? 1 : 0; }

double StripeEdgePairs::pair_cost(int64_t low, int64_t high) const {
  constexpr double never = std::numeric_limits<double>::infinity(), per_column = 0.02, going_on = 0.6,
                   more_per_column = 0.03;
  const double ratio = -e(high) / e(low);
  if (!(ratio > min_ratio_ && ratio < 1 / min_ratio_)) return never;
  // For wider pairs, more steps of the object are possible partners.
  const double width = static_cast<double>(high - low);
  if (std::max(strength(low), strength(high)) < limit_ * (1 + more_per_column * width)) return never;
  // A flank of the object continues next to the step; one blurred edge is allowed.
  const double height = 0.5 * (e(low) - e(high));
  double flank = 0;
  const auto along = [&](int64_t at, double sign) { flank += std::max(0.0, sign * e(at) / height); };
  for (const int64_t d : {1, 2}) {
    along(low - d, 1);
    along(high + d, -1);
    if (high - low < 4) continue;
    along(low + d, 1);
    along(high - d, -1);
  }
  if (flank > going_on) return never;
  return std::abs(std::log(ratio)) + per_column * width;
}
// At blurred edges the adjacent column belongs to the stripe.
Stripe StripeEdgePairs::stripe(int64_t low, int64_t high) const {
  constexpr double blurred = 0.25;
  Stripe s;
  s.begin = e(low);
  s.end = -e(high);
  s.strength = std::max(strength(low), strength(high));
  const int64_t first = e(low - 1) / e(low) > blurred ? low : low + 1;
  const int64_t last = e(high + 1) / e(high) > blurred ? high + 1 : high;
  s.first = std::max<int64_t>(first, 0);
  s.count = std::min(last, static_cast<int64_t>(e_.size())) - s.first + 1;
  return s;
}

}  // namespace tl::ops
