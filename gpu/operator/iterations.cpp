// Differentiates iterative methods: tangents along with the iterations, and reversal from checkpoints.
#include "gpu/operator/iterations.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/base/error.h"
#include "gpu/operator/forward_mode.h"
#include "gpu/operator/own_gradient.h"
#include "gpu/operator/reduce.h"

namespace tl {
namespace {

Tensors detached(Tensors all) {
  for (at::Tensor& t : all)
    if (t.defined()) t = t.detach();
  return all;
}

Tensors run_iterations(const Iterations& it, const Tensors& inputs, Tensors state, int64_t first, int64_t last) {
  for (int64_t n = first; n < last; ++n) state = it.step(state, inputs, n);
  return state;
}

at::Tensor after_all(const Iterations& it, const Tensors& inputs) {
  return run_iterations(it, inputs, it.begin(inputs), 0, it.count).front();
}

// What the backward pass needs.
struct Course {
  Iterations iterations;
  Tensors inputs;                   // detached
  std::vector<std::size_t> wanted;  // inputs that require a gradient
  at::Tensor result;
  Tensors slopes;                    // derivatives by each requested input; empty: reverse mode from checkpoints
  int64_t every = 1;                 // iterations between checkpoints
  std::vector<Tensors> checkpoints;  // states before iterations 0, every, 2 every, ...
};

void run_along(Course& c) {
  for (const std::size_t i : c.wanted) {
    const ForwardDirection direction;
    Tensors moved = c.inputs;
    moved[i] = dual(c.inputs[i], at::ones_like(c.inputs[i]));
    const DualParts parts = dual_parts(after_all(c.iterations, moved));
    c.result = parts.value.detach();
    c.slopes.push_back(parts.tangent.defined() ? parts.tangent.detach().contiguous() : at::zeros_like(c.result));
  }
}

void run_with_checkpoints(Course& c) {
  const int64_t count = c.iterations.count;
  c.every = std::max<int64_t>(1, std::llround(std::sqrt(static_cast<double>(count))));
  Tensors state = c.iterations.begin(c.inputs);
  for (int64_t n = 0; n < count; n += c.every) {
    c.checkpoints.push_back(state);
    state = run_iterations(c.iterations, c.inputs, std::move(state), n, std::min(n + c.every, count));
  }
  c.result = state.front();
}

// The transposes of one step. back: gradient with respect to the state after it on input, before it on output;
// gradients with respect to inputs are added to to_inputs.
void reverse(const Course& c, const Tensors& before, int64_t n, Tensors& back, Tensors& to_inputs) {
  const c10::AutoGradMode recorded(true);
  Tensors inputs = c.inputs, leaves;
  for (const std::size_t i : c.wanted) {
    inputs[i] = c.inputs[i].detach().requires_grad_();
    leaves.push_back(inputs[i]);
  }
  Tensors state;
  for (const at::Tensor& t : before) {
    state.push_back(t.detach().requires_grad_());
    leaves.push_back(state.back());
  }
  const Tensors after = n < 0 ? c.iterations.begin(inputs) : c.iterations.step(state, inputs, n);
  Tensors outputs, gradients;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (!after[i].requires_grad() || !back[i].defined()) continue;
    outputs.push_back(after[i]);
    gradients.push_back(back[i]);
  }
  back.assign(before.size(), at::Tensor());
  if (outputs.empty()) return;
  const Tensors found = torch::autograd::grad(outputs, leaves, gradients, /*retain_graph=*/false,
                                              /*create_graph=*/false, /*allow_unused=*/true);
  for (std::size_t i = 0; i < c.wanted.size(); ++i)
    if (found[i].defined()) to_inputs[i] = to_inputs[i].defined() ? to_inputs[i].add(found[i]) : found[i];
  for (std::size_t i = 0; i < before.size(); ++i) back[i] = found[c.wanted.size() + i];
}

Tensors reversed(const Course& c, const at::Tensor& gradient) {
  const int64_t count = c.iterations.count;
  Tensors back, to_inputs(c.wanted.size());
  const std::size_t size = c.iterations.begin(c.inputs).size();
  back.assign(size, at::Tensor());
  back.front() = gradient;
  for (auto segment = static_cast<int64_t>(c.checkpoints.size()) - 1; segment >= 0; --segment) {
    const int64_t first = segment * c.every, last = std::min(first + c.every, count);
    std::vector<Tensors> states{c.checkpoints[static_cast<std::size_t>(segment)]};
    for (int64_t n = first; n + 1 < last; ++n) states.push_back(c.iterations.step(states.back(), c.inputs, n));
    for (int64_t n = last - 1; n >= first; --n) {
      reverse(c, states.back(), n, back, to_inputs);
      states.pop_back();
    }
  }
  reverse(c, {}, -1, back, to_inputs);
  return to_inputs;
}

Tensors backward(const Course& c, const at::Tensor& gradient) {
  if (c10::GradMode::is_enabled())
    throw Failure(unavailable("second derivatives of iterations are not available", "iterations",
                              "Use differences of the gradient"));
  if (c.slopes.empty()) return reversed(c, gradient);
  Tensors all;
  for (std::size_t i = 0; i < c.wanted.size(); ++i) {
    const at::Tensor& input = c.inputs[c.wanted[i]];
    all.push_back(at::full(input.sizes(), inner_product(gradient, c.slopes[i]), input.options()));
  }
  return all;
}

at::Tensor in_reverse(const Iterations& it, const Tensors& inputs) {
  const auto course = std::make_shared<Course>();
  course->iterations = it;
  course->inputs = detached(inputs);
  Tensors wanted;
  bool only_numbers = true;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].defined() || !inputs[i].requires_grad()) continue;
    course->wanted.push_back(i);
    wanted.push_back(inputs[i]);
    only_numbers = only_numbers && inputs[i].numel() == 1;
  }
  {
    const c10::NoGradGuard quiet;
    if (only_numbers) {
      run_along(*course);
    } else {
      run_with_checkpoints(*course);
    }
  }
  return with_gradient({course->result}, wanted,
                       [course](const Tensors& g) { return backward(*course, g[0].contiguous()); })[0];
}

}  // namespace

at::Tensor iterate(const Iterations& it, const Tensors& inputs) {
  const bool reverse_wanted =
      c10::GradMode::is_enabled() &&
      std::any_of(inputs.begin(), inputs.end(), [](const at::Tensor& t) { return t.defined() && t.requires_grad(); });
  if (!std::any_of(inputs.begin(), inputs.end(), carries_tangent)) {
    if (reverse_wanted) return in_reverse(it, inputs);
    const c10::NoGradGuard quiet;
    return after_all(it, inputs);
  }
  DualParts parts;
  {
    const c10::NoGradGuard quiet;
    parts = dual_parts(after_all(it, inputs));
  }
  if (!parts.tangent.defined()) parts.tangent = at::zeros_like(parts.value);
  if (!reverse_wanted) return dual(parts.value, parts.tangent);
  Tensors values;
  for (const at::Tensor& t : inputs) values.push_back(dual_parts(t).value);
  return dual(in_reverse(it, values), parts.tangent);
}

}  // namespace tl
