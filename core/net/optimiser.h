// Optimiser: Adam, AdamW and stochastic gradient descent on named float32 tensors.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>

namespace tl::net {

struct OptimiserSettings {
  enum class Kind { adam, adamw, sgd } kind = Kind::adam;
  double rate = 1e-3;
  double decay = 0;                              // weight decay: part of the gradient, or with AdamW separate from it
  double momentum = 0.9;                         // momentum of SGD; for Adam, of the first moment
  double second_moment = 0.999, epsilon = 1e-8;  // of Adam
};

using NamedTensors = std::map<std::string, at::Tensor>;

// D. P. Kingma, J. Ba, ICLR 2015; I. Loshchilov, F. Hutter, ICLR 2019. The moments are stored in checkpoints.
class Optimiser {
 public:
  explicit Optimiser(const OptimiserSettings& settings) : settings_(settings) {}
  // Changes the parameters that have a gradient, in place. `step` counts from 1; `rate` replaces the rate in the
  // settings.
  void step(const NamedTensors& parameters, int64_t step, double rate);

  NamedTensors first, second;  // moments, by the names of the parameters; empty before the first step

 private:
  OptimiserSettings settings_;
};

}  // namespace tl::net
