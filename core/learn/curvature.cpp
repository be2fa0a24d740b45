// The Gauss-Newton curvature of an objective that is a mean of squares, from the slopes of its residual, which one
// evaluation with gradient computes anyway.
#include <ATen/ATen.h>

#include <algorithm>
#include <vector>

#include "core/learn/data_subset.h"
#include "core/learn/problem.h"
#include "gpu/operator/forward_mode.h"
#include "gpu/operator/reduce.h"
#include "gpu/operator/slab_sum.h"

namespace tl::learn {
namespace {

constexpr const char* residual = "residual";

// A subset of the views or slices of a residual suffices for its curvature, and limits the memory for the slopes with
// respect to all unknowns.
at::Tensor sample(const at::Tensor& slope, int64_t max_values) {
  const int64_t every = std::clamp<int64_t>(slope.numel() / max_values + 1, 1, slope.size(0));
  return slope.slice(0, 0, slope.size(0), every).contiguous();
}

}  // namespace

bool Problem::has_residual() const {
  const NodeType& type = *registry_->find(graph_.nodes.at(settings_.objective.node).type);
  return settings_.objective.port == "loss" && type.output(residual) != nullptr;
}

Result<Evaluation> Problem::by_residual(const Vector& z, const DataSubset& subset, const GivenOutputs& given,
                                        const Graph& graph) {
  Evaluation out{0, Vector(size_, 0.0), Vector(size_ * size_, 0.0)};
  std::vector<at::Tensor> slopes(size_);
  for (const ParameterBlock& moving : blocks_) {
    const ForwardDirection direction;
    TL_TRY(Value value,
           executor_->pull(graph, settings_.objective.node, residual, {}, along(moving, z, subset, given)));
    const DualParts parts = dual_parts(*numbers_of(value));
    const at::Tensor off = parts.value.detach().contiguous();
    const double share = 1 / static_cast<double>(off.numel());
    if (&moving == &blocks_.front()) out.loss = share * total_of_squares(off);
    if (!parts.tangent.defined()) continue;
    const at::Tensor slope = parts.tangent.detach().contiguous() * slope_of(moving, z, subset);
    out.gradient[moving.offset] = 2 * share * inner_product(off, slope);
    slopes[moving.offset] = sample(slope, values_at_once() / static_cast<int64_t>(size_));
  }
  for (std::size_t i = 0; i < size_; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      if (slopes[i].defined() && slopes[j].defined())
        out.curvature[i * size_ + j] = out.curvature[j * size_ + i] =
            2 * inner_product(slopes[i], slopes[j]) / static_cast<double>(slopes[i].numel());
  return out;
}

}  // namespace tl::learn
