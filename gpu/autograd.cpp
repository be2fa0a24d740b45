// The one torch autograd function behind apply() and adjoint() of every LinearOperator.
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/custom_function.h>

#include "gpu/linear_operator.h"

namespace tl {

OperatorPtr LinearOperator::with_vectors(const at::Tensor& /*vectors*/) const { return nullptr; }
at::Tensor LinearOperator::vectors_gradient(const at::Tensor& /*x*/, const at::Tensor& /*y*/) const { return {}; }

namespace {

enum class Direction { forward, transpose };

// forward: out = A x (or A* x); backward: grad_x = A* grad (or A grad), and, when asked, the gradient of
// <grad, A(vectors) x> with respect to the vectors. <g, A* x> = <A g, x>, so one function serves both directions.
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
    const auto& held = static_cast<const Holder&>(*holder);
    const at::Tensor grad = grads[0].contiguous();
    at::Tensor grad_x, grad_vectors;
    // Through the wrapper again: a gradient can itself be differentiated with respect to the incoming one.
    if (ctx->needs_input_grad(0))
      grad_x = held.direction == Direction::forward ? adjoint(held.op, grad) : tl::apply(held.op, grad);
    if (ctx->saved_data["vectors_wanted"].toBool()) {
      // Gradient mode is on here only under create_graph: the second derivative through linear interpolation is missing
      // and would be taken as zero.
      if (c10::GradMode::is_enabled())
        throw Failure(unavailable("second derivatives with respect to the geometry are not available", held.op->name(),
                                  "Use differences of the gradient"));
      const at::Tensor x = ctx->get_saved_variables()[0].contiguous();
      grad_vectors = held.direction == Direction::forward ? held.op->vectors_gradient(x, grad)
                                                          : held.op->vectors_gradient(grad, x);
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

at::Tensor run(OperatorPtr op, const at::Tensor& x, const at::Tensor& vectors, Direction direction) {
  if (vectors.defined()) {
    op = op->with_vectors(vectors.detach());
    TL_CHECK(op != nullptr, "an operator without vectors was given some");
    return LinearFunction::apply(x, vectors, op, direction);
  }
  return LinearFunction::apply(x, at::Tensor(x.detach()), op, direction);
}

}  // namespace

at::Tensor apply(const OperatorPtr& op, const at::Tensor& x, const at::Tensor& vectors) {
  return run(op, x, vectors, Direction::forward);
}
at::Tensor adjoint(const OperatorPtr& op, const at::Tensor& y, const at::Tensor& vectors) {
  return run(op, y, vectors, Direction::transpose);
}

}  // namespace tl
