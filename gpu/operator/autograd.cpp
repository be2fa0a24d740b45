// Makes every LinearOperator differentiable, as well as results with their own gradient functions: torch's autograd
// functions, in a single file because they take long to compile.
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/custom_function.h>

#include <optional>
#include <utility>

#include "gpu/operator/forward_mode.h"
#include "gpu/operator/linear_operator.h"
#include "gpu/operator/own_gradient.h"
#include "gpu/operator/pair_operator.h"

namespace tl {

OperatorPtr LinearOperator::with_vectors(const at::Tensor& /*vectors*/) const { return nullptr; }
at::Tensor LinearOperator::vectors_gradient(const at::Tensor& /*x*/, const at::Tensor& /*y*/) const { return {}; }

namespace {

enum class Direction { forward, transpose };

// forward: out = A x (or A* x). backward: grad_x = A* grad (or A grad) and, if the vectors require a gradient, that of
// <grad, A(vectors) x>. Since <g, A* x> = <A g, x>, one function serves both directions.
struct LinearFunction : torch::autograd::Function<LinearFunction> {
  static at::Tensor forward(torch::autograd::AutogradContext* ctx, const at::Tensor& x, const at::Tensor& vectors,
                            OperatorPtr op, Direction direction) {
    ctx->saved_data["vectors_wanted"] = vectors.requires_grad();
    if (vectors.requires_grad()) ctx->save_for_backward({x});
    ctx->saved_data["op"] = c10::IValue::make_capsule(c10::make_intrusive<Holder>(op, direction));
    return direction == Direction::forward ? op->apply(x.contiguous()) : op->adjoint(x.contiguous());
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 torch::autograd::variable_list grads) {
    const auto holder = ctx->saved_data["op"].toCapsule();
    const auto& kept = static_cast<const Holder&>(*holder);
    const at::Tensor grad = grads[0].contiguous();
    at::Tensor grad_x, grad_vectors;
    if (c10::GradMode::is_enabled() && kept.op->is_local())
      throw Failure(
          unavailable("second derivatives are not available", kept.op->name(), "Use differences of the gradient"));
    // Through the differentiable wrapper, so that the gradient can itself be differentiated with respect to `grad`.
    if (ctx->needs_input_grad(0))
      grad_x = kept.direction == Direction::forward ? adjoint(kept.op, grad) : tl::apply(kept.op, grad);
    if (ctx->saved_data["vectors_wanted"].toBool()) {
      // Gradient mode is enabled here only with create_graph. The second derivative through linear interpolation is not
      // implemented; torch would silently treat it as zero.
      if (c10::GradMode::is_enabled())
        throw Failure(unavailable("second derivatives with respect to the geometry are not available", kept.op->name(),
                                  "Use differences of the gradient"));
      const at::Tensor x = ctx->get_saved_variables()[0].contiguous();
      grad_vectors = kept.direction == Direction::forward ? kept.op->vectors_gradient(x, grad)
                                                          : kept.op->vectors_gradient(grad, x);
      TL_CHECK(grad_vectors.defined(), "an operator without vectors was asked for their gradient");
    }
    return {grad_x, grad_vectors, at::Tensor(), at::Tensor()};
  }

  struct Holder : torch::CustomClassHolder {
    Holder(OperatorPtr o, Direction d) : op(std::move(o)), direction(d) {}
    OperatorPtr op;
    Direction direction;
  };
};

// Both outputs of apply_along() in one forward pass, and their gradients in one backward pass.
struct AlongFunction : torch::autograd::Function<AlongFunction> {
  static torch::autograd::variable_list forward(torch::autograd::AutogradContext* ctx, const at::Tensor& x,
                                                OperatorPtr op, const at::Tensor& change) {
    ctx->set_materialize_grads(false);  // one of the two outputs may be unused
    const auto both = moving(op).apply_along(x.contiguous(), change);
    ctx->saved_data["kept"] = c10::IValue::make_capsule(c10::make_intrusive<Holder>(std::move(op), change));
    return {both.value, both.slope};
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 torch::autograd::variable_list grads) {
    const auto holder = ctx->saved_data["kept"].toCapsule();
    const auto& kept = static_cast<const Holder&>(*holder);
    at::Tensor grad_x;
    if (grads[0].defined() && grads[1].defined() && !c10::GradMode::is_enabled())
      grad_x = moving(kept.op).adjoint_along({grads[0].contiguous(), grads[1].contiguous()}, kept.change);
    if (grad_x.defined()) return {grad_x, at::Tensor(), at::Tensor()};
    // Through the differentiable wrappers, so that the gradient can itself be differentiated.
    if (grads[0].defined()) grad_x = adjoint(kept.op, grads[0].contiguous());
    if (grads[1].defined()) {
      const at::Tensor moved = adjoint(moving(kept.op).along(kept.change), grads[1].contiguous());
      grad_x = grad_x.defined() ? grad_x.add(moved) : moved;
    }
    return {grad_x, at::Tensor(), at::Tensor()};
  }

  struct Holder : torch::CustomClassHolder {
    Holder(OperatorPtr o, at::Tensor c) : op(std::move(o)), change(std::move(c)) {}
    OperatorPtr op;
    at::Tensor change;
  };
  static const DirectionalOperator& moving(const OperatorPtr& op) {
    return dynamic_cast<const DirectionalOperator&>(*op);
  }
};

struct OwnFunction : torch::autograd::Function<OwnFunction> {
  struct Holder : torch::CustomClassHolder {
    Holder(Tensors r, Backward b) : results(std::move(r)), backward(std::move(b)) {}
    Tensors results;
    Backward backward;
  };
  static torch::autograd::variable_list forward(torch::autograd::AutogradContext* ctx, at::TensorList /*inputs*/,
                                                const c10::intrusive_ptr<Holder>& holder) {
    ctx->set_materialize_grads(false);
    ctx->saved_data["kept"] = c10::IValue::make_capsule(holder);
    return std::exchange(holder->results, {});
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 const torch::autograd::variable_list& gradients) {
    const auto holder = ctx->saved_data["kept"].toCapsule();
    torch::autograd::variable_list all = static_cast<const Holder&>(*holder).backward(gradients);
    all.emplace_back();
    return all;
  }
};

at::Tensor run(const OperatorPtr& op, const at::Tensor& x, Direction direction) {
  return LinearFunction::apply(x, at::Tensor(x.detach()), op, direction);
}

// A value and A tangent in one pass; empty if the operator cannot compute both together, or if they are differentiated
// in reverse mode.
std::optional<PairOperator::Pair> run_pair(const OperatorPtr& op, const DualParts& x, Direction direction) {
  const auto* pairs = dynamic_cast<const PairOperator*>(op.get());
  if (pairs == nullptr || !x.tangent.defined()) return {};
  if (c10::GradMode::is_enabled() && (x.value.requires_grad() || x.tangent.requires_grad())) return {};
  if (x.value.scalar_type() != x.tangent.scalar_type() || !pairs->takes_pairs(x.value)) return {};
  const PairOperator::Pair both{x.value.contiguous(), x.tangent.contiguous()};
  return direction == Direction::forward ? pairs->apply_pair(both) : pairs->adjoint_pair(both);
}

// Value and derivative along the current direction: d(A x) = A dx + dA x.
at::Tensor run_along(const OperatorPtr& op, const DualParts& x, const at::Tensor& change, Direction direction) {
  at::Tensor value, slope;
  if (change.defined()) {
    const auto* moving = dynamic_cast<const DirectionalOperator*>(op.get());
    if (moving == nullptr)
      throw Failure(unavailable("derivatives along a direction are not available", op->name(), "Use gradients"));
    if (direction == Direction::forward) {
      const auto both = AlongFunction::apply(x.value, op, change);
      value = both[0];
      slope = both[1];
    } else {
      value = run(op, x.value, direction);
      slope = run(moving->along(change), x.value, direction);
    }
  } else {
    if (const auto both = run_pair(op, x, direction)) return dual(both->first, both->second);
    value = run(op, x.value, direction);
  }
  if (x.tangent.defined()) {
    const at::Tensor handed_on = run(op, x.tangent, direction);
    slope = slope.defined() ? slope.add(handed_on) : handed_on;
  }
  return dual(value, slope);
}

at::Tensor run(OperatorPtr op, const at::Tensor& x, const at::Tensor& vectors, Direction direction) {
  const DualParts input = dual_parts(x), moved = dual_parts(vectors);
  if (vectors.defined()) {
    op = op->with_vectors(moved.value.detach());
    TL_CHECK(op != nullptr, "an operator without vectors was given some");
  }
  if (moved.tangent.defined() || input.tangent.defined()) {
    if (vectors.defined() && moved.value.requires_grad())
      throw Failure(unavailable("second derivatives with respect to the geometry are not available", op->name(),
                                "Use differences of the gradient"));
    return run_along(op, input, moved.tangent, direction);
  }
  if (vectors.defined()) return LinearFunction::apply(x, vectors, op, direction);
  return run(op, x, direction);
}

}  // namespace

at::Tensor apply(const OperatorPtr& op, const at::Tensor& x, const at::Tensor& vectors) {
  return run(op, x, vectors, Direction::forward);
}
at::Tensor adjoint(const OperatorPtr& op, const at::Tensor& y, const at::Tensor& vectors) {
  return run(op, y, vectors, Direction::transpose);
}

Tensors with_gradient(Tensors results, const Tensors& inputs, Backward backward) {
  return OwnFunction::apply(at::TensorList(inputs),
                            c10::make_intrusive<OwnFunction::Holder>(std::move(results), std::move(backward)));
}

}  // namespace tl
