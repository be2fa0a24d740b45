// What the total-variation reconstructions share: their parameters and the problem that they solve.
#pragma once

#include "core/nodes/recon/iterative_node.h"
#include "gpu/solve/chambolle_pock.h"

namespace tl {

enum class TvSmoothing { volume, slices };
enum class TvNegative { keep, zero };

struct TvParams : IterativeParams {
  Attenuation strength{1e-3};
  TvSmoothing smoothing = TvSmoothing::volume;
  TvNegative negative = TvNegative::zero;

  [[nodiscard]] SliceCoupling slice_coupling() const {
    return smoothing == TvSmoothing::volume ? SliceCoupling::coupled : SliceCoupling::independent;
  }
};

// The strength counts as if the projector had norm 1: independent of the number of views and the pixel size.
inline solve::TvSpec tv_spec(const TvParams& p, const IterativeTask& t, double norm) {
  solve::TvSpec tv;
  tv.lambda = p.strength.value * norm * norm;
  tv.sign = p.negative == TvNegative::zero ? solve::Sign::non_negative : solve::Sign::any;
  tv.weights = p.smoothing == TvSmoothing::volume ? difference_weights(t.grid) : ops::DifferenceWeights{0, 1, 1};
  return tv;
}

// Ports and parameters; P derives from TvParams.
template <class P>
void describe_tv_node(NodeBuilder<P>& n) {
  describe_iterative_node(n);
  n.template param<Attenuation>("strength", &P::strength)
      .title("Strength")
      .unit(Unit::per_mm)
      .range(0, 1e6)
      .help(
          "Weight of the total variation, as an attenuation: structure whose contrast is well below it disappears. "
          "Start at a hundredth of the object's attenuation.");
  n.template param<TvSmoothing>("smoothing", &P::smoothing,
                                {{"volume", "In three dimensions"}, {"slices", "Within slices"}})
      .title("Smoothing")
      .help(
          "Whether neighbouring slices smooth each other. Within slices, single slices of a parallel beam are computed "
          "alone, which makes live previews fast.");
  n.template param<TvNegative>("negative", &P::negative, {{"keep", "Keep"}, {"zero", "Set to 0"}})
      .title("Negative values")
      .help("Keep negative attenuation or set it to 0, which helps with few views.");
  n.example({{"smoothing", "slices"}, {"strength", "1e-4"}});
}

}  // namespace tl
