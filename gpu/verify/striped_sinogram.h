// A smooth sinogram with known kinds of stripes, for verification and the tests of the stripe methods.
#pragma once

#include <ATen/ATen.h>

#include <cmath>

#include "core/base/units.h"
#include "gpu/operator/reduce.h"
#include "gpu/verify/cases.h"

namespace tl::verify {

inline constexpr int64_t striped_views = 180, striped_cols = 512;

// A soft-edged disc off the axis on a background, used as absorption or as transmission: [view, 1, col].
inline at::Tensor smooth_sinogram() {
  const at::Tensor t =
      pi / static_cast<double>(striped_views) * at::arange(striped_views, at::kDouble).view({striped_views, 1, 1});
  const auto w = static_cast<double>(striped_cols);
  const at::Tensor s = at::arange(striped_cols, at::kDouble).view({1, 1, striped_cols}) - 0.5 * (w - 1);
  return 1 + (-(s - 0.15 * w * t.cos()).square() / (2 * 0.04 * w * w)).exp();
}

inline double root_mean_square(const at::Tensor& x) {
  return std::sqrt(total_of_squares(x) / static_cast<double>(x.numel()));
}

struct StripedSinogram {
  at::Tensor clean, data, touched;

  // Marks columns that a method may change: stripes, and neighbours that are replaced with them.
  void mark_touched(int64_t first, int64_t count = 1) { touched.narrow(0, first, count).fill_(true); }
  // Remaining error of the column means, relative to the original error.
  [[nodiscard]] double remaining_stripe_error(const at::Tensor& result) const {
    return root_mean_square((result - clean).mean(0)) / root_mean_square((data - clean).mean(0));
  }
  // Largest relative change of columns without a stripe.
  [[nodiscard]] double change_outside_stripes(const at::Tensor& result) const {
    const at::Tensor others = touched.logical_not().view({1, 1, striped_cols});
    return ((result - clean) / clean).abs().masked_select(others).max().item<double>();
  }
};

inline StripedSinogram sinogram_without_stripes() {
  return {smooth_sinogram(), smooth_sinogram(), at::zeros({striped_cols}, at::kBool)};
}

inline void add_gains(StripedSinogram& s) {
  int sign = 1;
  for (const int64_t c : {31, 80, 128, 160, 222}) {
    s.data.select(2, c).mul_(1 + 0.03 * sign);
    s.mark_touched(c);
    sign = -sign;
  }
}
inline void add_partial(StripedSinogram& s) {
  s.data.select(2, 300).narrow(0, 20, 110).mul_(1.04);
  s.mark_touched(300);
}
inline void add_fluctuating(StripedSinogram& s) {
  s.data.select(2, 200).add_(0.3 * gaussian({striped_views, 1}, 3, 1));
  s.mark_touched(200);
}
inline void add_dead(StripedSinogram& s) {
  s.data.select(2, 350).fill_(1.4);
  s.mark_touched(350);
}
inline void add_large(StripedSinogram& s) {
  s.data.narrow(2, 420, 15).mul_(1.1);
  s.mark_touched(419, 17);  // the neighbours of a stripe are replaced too
}

}  // namespace tl::verify
