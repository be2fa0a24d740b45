// Pairs the two edges of a stripe, steps up and down between neighbouring columns. Internal to evidence.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/correction/stripes/evidence.h"

namespace tl::ops {

// The outstanding steps of one window of views, and their pairing into stripes.
class StripeEdgePairs {
 public:
  // usual: size of each step without a stripe; limit: multiple of it above which a step is outstanding; min_ratio:
  // smallest ratio of the smaller step of a stripe to the larger.
  StripeEdgePairs(std::vector<double> steps, std::vector<double> usual, double limit, int64_t widest, double min_ratio);

  // Steps that can be an edge of a stripe, ascending; with larger usual sizes there are fewer.
  [[nodiscard]] static std::vector<int64_t> edges(const std::vector<double>& steps, const std::vector<double>& usual,
                                                  double limit);

  // The pairing that leaves the fewest strong steps unpaired and prefers equal and close partners. (The gap between two
  // stripes has the steps of a stripe too, but pairing these leaves the outer edges unpaired.)
  [[nodiscard]] std::vector<Stripe> stripes() const;

 private:
  [[nodiscard]] double e(int64_t i) const;
  [[nodiscard]] double strength(int64_t i) const;
  [[nodiscard]] double alone(std::size_t edge) const;
  // Infinite if the two steps cannot form a stripe.
  [[nodiscard]] double pair_cost(int64_t low, int64_t high) const;
  [[nodiscard]] Stripe stripe(int64_t low, int64_t high) const;

  std::vector<double> e_, s_;
  double limit_;
  int64_t widest_;
  double min_ratio_;
  std::vector<int64_t> edges_;
};

}  // namespace tl::ops
