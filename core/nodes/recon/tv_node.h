// What the total-variation reconstructions share: their parameters and the problem that they solve.
#pragma once

#include <ATen/ATen.h>

#include <optional>

#include "core/nodes/recon/iterative_node.h"
#include "gpu/operator/forward_mode.h"
#include "gpu/solve/tv_derivative.h"

namespace tl {

enum class TvSmoothing { volume, slices };
enum class TvNegative { keep, zero };

struct TvParams : IterativeParams {
  Learnable<Attenuation> strength{{1e-3}, {}};
  TvSmoothing smoothing = TvSmoothing::volume;
  TvNegative negative = TvNegative::zero;

  [[nodiscard]] SliceCoupling slice_coupling() const {
    return smoothing == TvSmoothing::volume ? SliceCoupling::coupled : SliceCoupling::independent;
  }
};

// The tensor of the optimiser, or a plain number.
inline at::Tensor strength_of(const TvParams& p) {
  return p.strength.tensor.defined() ? p.strength.tensor : at::scalar_tensor(p.strength.value.value, at::kDouble);
}

// The strength counts as if the projector had norm 1: independent of the number of views and the pixel size.
inline solve::TvSpec tv_spec(const TvParams& p, const IterativeTask& t, double norm) {
  solve::TvSpec tv{
      .lambda = strength_of(p).detach().item<double>() * norm * norm,
      .sign = p.negative == TvNegative::zero ? solve::Sign::non_negative : solve::Sign::any,
      .weights = p.smoothing == TvSmoothing::volume ? difference_weights(t.grid) : ops::DifferenceWeights{0, 1, 1}};
  return tv;
}

// Nothing if no derivative is asked for; otherwise the task for iterations that are differentiated.
inline std::optional<solve::DifferentiableTv> differentiated(const TvParams& p, const IterativeTask& t, double norm) {
  const at::Tensor strength = strength_of(p);
  bool wanted = false;
  for (const at::Tensor& x : {t.data, t.start, t.vectors, strength}) wanted = wanted || is_differentiated(x);
  if (!wanted) return std::nullopt;
  return solve::DifferentiableTv{
      t.projector(), t.data, t.present,         t.start,      t.vectors, strength * (norm * norm),
      norm,          0,      t.loop.iterations, t.loop.cancel};
}

// Ports and parameters; P derives from TvParams.
template <class P>
void describe_tv_node(NodeBuilder<P>& n) {
  describe_iterative_node(n, IterativeGradients::passed);
  n.param("strength", "Strength", &P::strength)
      .range(0, 1e6, Unit::per_mm)
      .learnable()
      .help(
          "Weight of the total variation, as an attenuation: structure whose contrast is well below it disappears. "
          "Start at a hundredth of the object's attenuation. Learn it on the logarithmic scale.");
  n.param("smoothing", "Smoothing", &P::smoothing,
          {{TvSmoothing::volume, "volume", "In three dimensions"}, {TvSmoothing::slices, "slices", "Within slices"}})
      .help(
          "Whether neighbouring slices smooth each other. Within slices, single slices of a parallel beam are computed "
          "alone, which makes live previews fast.");
  n.param("negative", "Negative values", &P::negative,
          {{TvNegative::keep, "keep", "Keep"}, {TvNegative::zero, "zero", "Set to 0"}})
      .help("Keep negative attenuation or set it to 0, which helps with few views.");
  n.example({{"smoothing", "slices"}, {"strength", "1e-4"}});
}

}  // namespace tl
