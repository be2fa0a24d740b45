// Sums over the stripes of some rows.
#include "gpu/correction/stripes/summary.h"

#include <algorithm>
#include <cmath>

#include "gpu/correction/stripes/sorting.h"

namespace tl::ops {
namespace {

constexpr int64_t widest_automatic = 61;  // columns, twice a stripe
constexpr double clear_single =
    2;  // factor on the limit for a single stripe; several stripes count from the limit itself

}  // namespace

int64_t StripeSummary::count() const {
  int64_t all = 0;
  for (const auto& [kind, n] : stripes) all += n;
  return all;
}

StripeSummary summary_of(const std::vector<std::vector<Stripe>>& rows, const std::vector<uint8_t>& spared) {
  StripeSummary s;
  for (const std::vector<Stripe>& row : rows) {
    for (const Stripe& stripe : row) {
      const auto first = spared.begin() + stripe.first;
      if (std::find(first, first + stripe.count, uint8_t{1}) != first + stripe.count) continue;
      s.columns += stripe.count;
      s.height = std::max({s.height, std::abs(stripe.begin), std::abs(stripe.end)});
      s.strongest = std::max(s.strongest, stripe.strength);
      ++s.stripes[stripe.kind];
    }
  }
  return s;
}

bool are_rings(const StripeSummary& summary, const StripeRemovalSpec& spec) {
  return summary.strongest >= clear_single * stripe_search(spec).limit || summary.count() >= 3;
}

StripeRemovalSpec automatic_stripe_removal(int64_t cols, StripeModel model, double snr) {
  StripeRemovalSpec spec;
  spec.method = StripeMethod::all;
  spec.model = model;
  spec.snr = snr;
  spec.size = default_stripe_size(cols);
  spec.large_size = std::clamp<int64_t>(cols / 4, 5, widest_automatic) | 1;
  return spec;
}

}  // namespace tl::ops
