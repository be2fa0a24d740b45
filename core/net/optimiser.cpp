// One update of all parameters.
#include "core/net/optimiser.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <cmath>

namespace tl::net {
namespace {

at::Tensor& moment(NamedTensors& moments, const std::string& name, const at::Tensor& like) {
  at::Tensor& m = moments[name];
  if (!m.defined()) m = at::zeros_like(like);
  return m;
}

}  // namespace

void Optimiser::step(const NamedTensors& parameters, int64_t step, double rate) {
  const at::AutoGradMode off(false);
  using Kind = OptimiserSettings::Kind;
  const OptimiserSettings& s = settings_;
  for (const auto& [name, parameter] : parameters) {
    if (!parameter.grad().defined()) continue;
    at::Tensor p = parameter.detach(), gradient = parameter.grad();
    if (s.decay != 0 && s.kind != Kind::adamw) gradient = gradient + s.decay * p;
    at::Tensor& m = moment(first, name, p);
    if (s.kind == Kind::sgd) {
      m.mul_(s.momentum).add_(gradient);
      p.sub_(m, rate);
      continue;
    }
    at::Tensor& v = moment(second, name, p);
    m.mul_(s.momentum).add_(gradient, 1 - s.momentum);
    v.mul_(s.second_moment).addcmul_(gradient, gradient, 1 - s.second_moment);
    const double unbias = 1 - std::pow(s.momentum, static_cast<double>(step)),
                 unbias2 = 1 - std::pow(s.second_moment, static_cast<double>(step));
    if (s.kind == Kind::adamw && s.decay != 0) p.mul_(1 - rate * s.decay);
    p.addcdiv_(m, (v / unbias2).sqrt_().add_(s.epsilon), -rate / unbias);
  }
}

}  // namespace tl::net
