// Converts transmission to absorption by the negative logarithm with a floor: in cache-sized parts without a gradient,
// else composed of torch operations.
#include "gpu/correction/minus_log.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gpu/correction/pixel_lines.h"
#include "gpu/correction/unusable_values.h"
#include "gpu/device/launch.h"
#include "gpu/device/parallel_for.h"
#include "gpu/operator/forward_mode.h"

namespace tl::ops {
namespace {

constexpr int64_t part_pixels = 1 << 15;  // number of pixels that stay in the L2 cache between the steps

template <class T>
MinusLog absorbed(const at::Tensor& transmission, const MinusLogSpec& spec) {
  const at::Tensor in = transmission.detach().contiguous();
  MinusLog result;
  result.absorption = at::empty_like(in);
  const T* from = in.const_data_ptr<T>();
  T* to = result.absorption.mutable_data_ptr<T>();
  const int64_t parts = (in.numel() + part_pixels - 1) / part_pixels;
  std::vector<MinusLogCounts> counts(static_cast<std::size_t>(parts));
  std::vector<uint8_t> usable(static_cast<std::size_t>(parts));
  ops::parallel_for(0, parts, 1, [&](int64_t first, int64_t last) {
    for (int64_t p = first; p < last; ++p) {
      const int64_t begin = p * part_pixels, count = std::min(part_pixels, in.numel() - begin);
      std::copy_n(from + begin, count, to + begin);
      usable[static_cast<std::size_t>(p)] = all_usable(to + begin, count) ? 1 : 0;
      counts[static_cast<std::size_t>(p)] = minus_log_in_place(to + begin, count, spec);
    }
  });
  for (const MinusLogCounts& part : counts) {
    result.floored += part.floored;
    result.nans += part.nans;
  }
  result.usable = std::find(usable.begin(), usable.end(), uint8_t{0}) == usable.end();
  return result;
}

}  // namespace

template <>
MinusLogCounts minus_log_in_place(float* values, int64_t count, const MinusLogSpec& spec) {
  return absorb_line(values, count, static_cast<float>(spec.floor), spec.nans);
}

template <>
MinusLogCounts minus_log_in_place(double* values, int64_t count, const MinusLogSpec& spec) {
  const bool keep = spec.nans == NanPolicy::keep;
  MinusLogCounts part;
  for (int64_t i = 0; i < count; ++i) {
    const double t = values[i];
    part.floored += t < spec.floor ? 1 : 0;
    part.nans += std::isnan(t) ? 1 : 0;
    const double known = std::isnan(t) && !keep ? 1.0 : t;
    values[i] = -std::log(known < spec.floor ? spec.floor : known);
  }
  return part;
}

Result<void> check(const MinusLogSpec& spec) {
  if (!(spec.floor > 0) || !std::isfinite(spec.floor))
    return invalid("the smallest transmission must be positive", "minus log", "1e-5 is one count of a 16-bit detector");
  return ok();
}

Result<MinusLog> minus_log(const at::Tensor& transmission, const MinusLogSpec& spec) {
  TL_TRY(check(spec));
  if (!transmission.defined() || !transmission.is_floating_point())
    return invalid("the transmission is not a floating-point tensor", "minus log");
  const bool differentiate = is_differentiated(transmission);
  if (!differentiate && !runs_functors(transmission, "minus log")) {
    if (transmission.scalar_type() == at::kFloat) return absorbed<float>(transmission, spec);
    if (transmission.scalar_type() == at::kDouble) return absorbed<double>(transmission, spec);
  }
  MinusLog result;
  const at::Tensor values = transmission.detach();
  const at::Tensor bad = values.isnan();
  result.nans = bad.sum().item<int64_t>();
  result.floored = values.lt(spec.floor).sum().item<int64_t>();
  result.usable = values.abs().le(largest_value).all().item<bool>();
  at::Tensor t = transmission;
  if (result.nans > 0 && spec.nans == NanPolicy::transparent) t = t.masked_fill(bad, 1);
  result.absorption = t.clamp_min(spec.floor).log().neg();
  return result;
}

}  // namespace tl::ops
