// What SIRT and SART share: relaxation and limits of the values.
#pragma once

#include "core/nodes/recon/iterative_node.h"
#include "gpu/solve/sirt.h"

namespace tl {

struct SirtParams : IterativeParams {
  double relaxation = 1;
  std::optional<Attenuation> low;
  std::optional<Attenuation> high;

  [[nodiscard]] solve::SirtSpec spec() const {
    const auto plain = [](const std::optional<Attenuation>& x) {
      return x ? std::optional<double>(x->value) : std::nullopt;
    };
    return {relaxation, plain(low), plain(high)};
  }
  [[nodiscard]] static SolverMemory solver_memory() { return {6, 4}; }
};

inline Result<void> check_iterative(const SirtParams& p, const Infos& in) {
  if (p.low && p.high && p.low->value > p.high->value)
    return invalid("the lower limit is above the upper one", "low", "Exchange them");
  return check_iterative(static_cast<const IterativeParams&>(p), in);
}

// P derives from SirtParams.
template <class P>
void describe_sirt_params(NodeBuilder<P>& n) {
  n.advanced_param("relaxation", "Relaxation", &P::relaxation)
      .range(0.01, 1.99)
      .help("Length of a step; below 1 is slower and smoother, above 1 faster.");
  n.param("low", "Not below", &P::low)
      .unit(Unit::per_mm)
      .automatic("no limit")
      .help("Values below are set to it after every step; 0 keeps the attenuation from becoming negative.");
  n.advanced_param("high", "Not above", &P::high)
      .unit(Unit::per_mm)
      .automatic("no limit")
      .help("Values above are set to it after every step.");
}

}  // namespace tl
