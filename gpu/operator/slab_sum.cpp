// Sums over the slices of large volumes slab by slab: values and tangents; for reverse mode also the gradients,
// computed during the forward pass.
#include "gpu/operator/slab_sum.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <atomic>

#include "core/base/error.h"
#include "gpu/operator/forward_mode.h"
#include "gpu/operator/linear_operator.h"
#include "gpu/operator/reduce.h"

namespace tl {
namespace {

std::atomic<int64_t> at_once{int64_t{1} << 24};

// x -> <g, x - x0>: the linearization of the slab sum at x0. It is only applied at x0.
class AtOnePoint final : public LinearOperator {
 public:
  explicit AtOnePoint(at::Tensor gradient) : gradient_(std::move(gradient)) {}
  [[nodiscard]] std::string name() const override { return "sum over slabs"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return gradient_.sizes().vec(); }
  [[nodiscard]] std::vector<int64_t> range() const override { return {}; }
  [[nodiscard]] bool is_local() const override { return true; }
  // Zero at x0; sum_with_gradients() adds it to the value of the sum.
  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override {
    return at::zeros({}, x.options().dtype(at::kDouble));
  }
  [[nodiscard]] at::Tensor adjoint(const at::Tensor& y) const override {
    return gradient_ * y.to(gradient_.scalar_type());
  }

 private:
  at::Tensor gradient_;
};

at::Tensor slices_of(const at::Tensor& volume, Range slices, int64_t overlap) {
  return volume.narrow(0, slices.begin, std::min(slices.size() + overlap, volume.size(0) - slices.begin));
}

bool carries_any_tangent(const SlabSum& sum) {
  const auto carries = [](const at::Tensor& x) { return carries_tangent(x); };
  return std::any_of(sum.volumes.begin(), sum.volumes.end(), carries) ||
         std::any_of(sum.shared.begin(), sum.shared.end(), carries);
}
bool wants_gradient(const std::vector<at::Tensor>& all) {
  return std::any_of(all.begin(), all.end(),
                     [](const at::Tensor& x) { return is_differentiated(x) && x.requires_grad(); });
}

std::vector<at::Tensor> leaves(const std::vector<at::Tensor>& like) {
  std::vector<at::Tensor> made;
  for (const at::Tensor& x : like) made.push_back(x.detach().clone().requires_grad_(x.requires_grad()));
  return made;
}

// Adds the gradients of the slabs to those of the volumes; slices that belong to two slabs receive both contributions.
at::Tensor sum_with_gradients(const SlabSum& sum, int64_t slices_at_once) {
  std::vector<at::Tensor> gradients, shared = leaves(sum.shared);
  for (const at::Tensor& x : sum.volumes)
    gradients.push_back(x.requires_grad() ? at::zeros_like(x.detach(), at::MemoryFormat::Contiguous) : at::Tensor());
  at::Tensor value = at::zeros({}, at::kDouble);
  const int64_t nz = sum.volumes.front().size(0);
  for (int64_t first = 0; first < nz; first += slices_at_once) {
    const Range slices{first, std::min(first + slices_at_once, nz)};
    std::vector<at::Tensor> slabs;
    for (const at::Tensor& x : sum.volumes)
      slabs.push_back(slices_of(x, slices, sum.overlap).detach().requires_grad_(x.requires_grad()));
    const at::Tensor part = sum.part(slabs, shared, slices);
    value += part.detach();
    if (!part.requires_grad()) continue;
    part.backward();
    for (std::size_t i = 0; i < slabs.size(); ++i)
      if (gradients[i].defined() && slabs[i].grad().defined())
        slices_of(gradients[i], slices, sum.overlap) += slabs[i].grad();
  }
  const auto add = [&value](const at::Tensor& x, const at::Tensor& gradient) {
    if (gradient.defined()) value = value + tl::apply(std::make_shared<AtOnePoint>(gradient), x);
  };
  for (std::size_t i = 0; i < gradients.size(); ++i) add(sum.volumes[i], gradients[i]);
  for (std::size_t i = 0; i < shared.size(); ++i) add(sum.shared[i], shared[i].grad());
  return value;
}

}  // namespace

int64_t values_at_once() { return at_once; }
ScopedSlabSize::ScopedSlabSize(int64_t values) : before_(at_once.exchange(values)) {}
ScopedSlabSize::~ScopedSlabSize() { at_once = before_; }

at::Tensor slab_sum(const SlabSum& sum) {
  TL_CHECK(!sum.volumes.empty() && sum.volumes.front().dim() > 0, "a sum over the slices of a volume");
  const at::Tensor& first = sum.volumes.front();
  const int64_t nz = first.size(0), slice = nz > 0 ? first.numel() / nz : 0;
  const int64_t slices_at_once = std::max<int64_t>(1, values_at_once() / std::max<int64_t>(1, slice));
  const bool back = wants_gradient(sum.volumes) || wants_gradient(sum.shared), along = carries_any_tangent(sum);
  if (slices_at_once >= nz || (back && along)) return sum.part(sum.volumes, sum.shared, {0, nz});
  if (back) return sum_with_gradients(sum, slices_at_once);
  at::Tensor value;
  for (int64_t begin = 0; begin < nz; begin += slices_at_once) {
    const Range slices{begin, std::min(begin + slices_at_once, nz)};
    std::vector<at::Tensor> slabs;
    for (const at::Tensor& x : sum.volumes) slabs.push_back(slices_of(x, slices, sum.overlap));
    const at::Tensor part = sum.part(slabs, sum.shared, slices);
    value = value.defined() ? value + part : part;
  }
  return value;
}

}  // namespace tl
