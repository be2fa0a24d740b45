// -ln with a floor, composed of torch operations.
#include "gpu/ops/minus_log.h"

#include <ATen/ATen.h>

#include <cmath>

namespace tl::ops {

Result<MinusLog> minus_log(const at::Tensor& transmission, const MinusLogSpec& spec) {
  if (!(spec.floor > 0) || !std::isfinite(spec.floor))
    return invalid("the smallest transmission must be positive", "minus log", "1e-5 is one count of a 16-bit detector");
  if (!transmission.defined() || !transmission.is_floating_point())
    return invalid("the transmission is not a floating-point tensor", "minus log");
  MinusLog result;
  const at::Tensor values = transmission.detach();
  const at::Tensor bad = values.isnan();
  result.nans = bad.sum().item<int64_t>();
  result.floored = values.lt(spec.floor).sum().item<int64_t>();
  at::Tensor t = transmission;
  if (result.nans > 0 && spec.nans == NanPolicy::transparent) t = t.masked_fill(bad, 1);
  result.absorption = t.clamp_min(spec.floor).log().neg();
  return result;
}

}  // namespace tl::ops
