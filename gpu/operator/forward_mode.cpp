// Differentiates along one direction: ForwardDirection and tangents, implemented with torch's forward-mode
// differentiation.
#include "gpu/operator/forward_mode.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/forward_grad.h>

#include "core/base/error.h"

namespace tl {
namespace {

constexpr uint64_t level = 0;  // torch supports only this level

}  // namespace

ForwardDirection::ForwardDirection() {
  TL_CHECK(torch::autograd::ForwardADLevel::get_next_idx() == level, "a direction within a direction");
}
ForwardDirection::~ForwardDirection() { torch::autograd::ForwardADLevel::release_idx(level); }

at::Tensor dual(const at::Tensor& value, const at::Tensor& tangent) {
  TL_CHECK(value.sizes() == tangent.sizes() && value.scalar_type() == tangent.scalar_type(), "a tangent that fits");
  return at::_make_dual(value, tangent, static_cast<int64_t>(level));
}

bool carries_tangent(const at::Tensor& x) { return x.defined() && x._fw_grad(level).defined(); }

DualParts dual_parts(const at::Tensor& x) {
  if (!carries_tangent(x)) return {x, {}};
  const auto [value, slope] = at::_unpack_dual(x, static_cast<int64_t>(level));
  return {value, slope};
}

at::Tensor tangent(const at::Tensor& x) { return dual_parts(x).tangent; }

bool is_differentiated(const at::Tensor& x) {
  return x.defined() && ((x.requires_grad() && c10::GradMode::is_enabled()) || carries_tangent(x));
}

}  // namespace tl
