// Steps between neighbouring columns paired into stripes. Internal to stripe_evidence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/correction/stripes/evidence.h"

namespace tl::ops {

// Steps of one window of views that stand out, and their pairing into stripes.
class StepPairs {
 public:
  // usual: the size of each step without a stripe; limit: how many times that stands out; least_ratio: of the smaller
  // step of a stripe to the larger.
  StepPairs(std::vector<double> steps, std::vector<double> usual, double limit, int64_t widest, double least_ratio);

  // The pairing in which the fewest strong steps stay alone, and partners are alike and close: a gap between two
  // stripes has the steps of a stripe, but leaves their outer edges alone.
  [[nodiscard]] std::vector<Stripe> stripes() const;

 private:
  [[nodiscard]] double e(int64_t i) const;
  [[nodiscard]] double strength(int64_t i) const;
  [[nodiscard]] double alone(std::size_t edge) const;
  // Infinite where the steps are no stripe's.
  [[nodiscard]] double pair_cost(int64_t low, int64_t high) const;
  [[nodiscard]] Stripe stripe(int64_t low, int64_t high) const;

  std::vector<double> e_, s_;
  double limit_;
  int64_t widest_;
  double least_ratio_;
  std::vector<int64_t> edges_;
};

}  // namespace tl::ops
