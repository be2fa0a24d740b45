// Common properties of the stripes in some detector rows, and whether they are evidence of rings.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "gpu/correction/stripes/removal.h"

namespace tl::ops {

struct StripeSummary {
  int64_t columns = 0;                    // of all rows together
  double height = 0;                      // largest height of stripes with a level offset, in absorption
  double strongest = 0;                   // Stripe::strength
  std::map<StripeKind, int64_t> stripes;  // how many of each kind
  [[nodiscard]] int64_t count() const;
};

// Stripes in a column where `spared` is 1 do not count.
StripeSummary summary_of(const std::vector<std::vector<Stripe>>& rows, const std::vector<uint8_t>& spared);

// Three stripes or more, or one of twice the strength that the search requires.
bool are_rings(const StripeSummary& summary, const StripeRemovalSpec& spec);

// The settings of automatic removal for a detector of so many columns.
StripeRemovalSpec automatic_stripe_removal(int64_t cols, StripeModel model, double snr = 3);

}  // namespace tl::ops
