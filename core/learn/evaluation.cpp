// Evaluates the objective of a Problem and its gradient: with fixed parameters, or with derivatives in forward mode, in
// backward mode, or by differences.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/wording.h"
#include "core/graph/graph.h"
#include "core/learn/data_subset.h"
#include "core/learn/paths.h"
#include "core/learn/problem.h"
#include "gpu/operator/forward_mode.h"
#include "gpu/operator/slab_sum.h"

namespace tl::learn {
namespace {

// Step of difference quotients, in natural steps.
constexpr double difference_step = 0.05;

double pixels_of(const ParameterBlock& block, const DataSubset& subset) {
  return block.decl->unit == Unit::px ? static_cast<double>(subset.bin) : 1.0;
}

Error infinite(const std::string& what, const std::string& node) {
  return invalid(what, "node \"" + node + "\"",
                 "Look for values that are not numbers in the data, or narrow the bounds of the parameters");
}

bool is_finite(Value value) {
  const auto finite = [](const at::Tensor& t) {
    return !t.defined() || !t.is_floating_point() || at::isfinite(t.detach()).all().item<bool>();
  };
  if (const auto* scalar = std::get_if<Scalar>(&value)) return finite(scalar->value);
  const at::Tensor* numbers = numbers_of(value);
  return numbers == nullptr || finite(*numbers);
}

}  // namespace

Result<const std::vector<Value>*> Problem::data() {
  if (data_) return &*data_;
  int64_t size = 0;
  for (const Cut& cut : cuts_) size += region_bytes(cut.region, sizeof(float));
  const int64_t budget = executor_->options().memory / 2;
  if (size > budget)
    return Error{ErrorKind::device,
                 "the data to learn from take " + std::to_string(size >> 20) + " MiB of " +
                     std::to_string(budget >> 20) + " MiB",
                 "learning",
                 "Crop or bin the scan before the parameters that are learned, or give more " +
                     two_wordings("--max-memory", "memory in the preferences")};
  std::vector<Value> values;
  for (const Cut& cut : cuts_) {
    TL_TRY(Value value, executor_->pull(graph_, cut.output.first, cut.output.second, cut.region));
    values.push_back(std::move(value));
  }
  data_ = std::move(values);
  return &*data_;
}

Result<GivenOutputs> Problem::given_for(const DataSubset& subset, EvaluationKind kind,
                                        const std::vector<at::Tensor>* disturbance) {
  TL_TRY(const std::vector<Value>* all, data());
  GivenOutputs given;
  for (std::size_t i = 0; i < cuts_.size(); ++i) {
    GivenOutput part{(*all)[i], cuts_[i].region, cuts_[i].info};
    if (at::Tensor* numbers = numbers_of(part.value); numbers != nullptr && disturbance != nullptr)
      if ((*disturbance)[i].defined()) *numbers = *numbers + (*disturbance)[i];
    if (!subset.everything()) TL_TRY(take_subset(part, subset, rows(), cuts_[i].output.first));
    if (at::Tensor* numbers = numbers_of(part.value);
        numbers != nullptr && kind == EvaluationKind::gradient_and_data && numbers->is_floating_point())
      *numbers = numbers->detach().requires_grad_();
    given[cuts_[i].output] = std::move(part);
  }
  return given;
}

Graph Problem::graph_for(const Vector& z, const DataSubset& subset) const {
  Graph graph = graph_;
  for (const ParameterBlock& b : blocks_) {
    if (b.derivative != Derivative::differences) continue;
    graph.nodes[b.target.node].params[b.target.name] =
        Number{b.value(z[b.offset], 0), stored_unit(dimension(b.decl->unit))};
  }
  if (subset.bin > 1) scale_pixels(graph, *registry_, subset.bin);
  return graph;
}

Result<Evaluation> Problem::evaluate(const Vector& z, EvaluationKind kind, const DataSubset& subset) {
  const std::string what = std::to_string(static_cast<int>(kind)) + subset.name();
  const bool kept = journal_ != nullptr && kind != EvaluationKind::gradient_and_data;
  if (kept) {
    if (auto known = journal_->replay(what, z)) {
      ++evaluations_;
      if (observer_) observer_(z, known->loss, subset);
      Evaluation made{known->loss, std::move(known->gradient)};
      if (made.gradient.size() > size_) {
        made.curvature.assign(made.gradient.begin() + static_cast<std::ptrdiff_t>(size_), made.gradient.end());
        made.gradient.resize(size_);
      }
      return made;
    }
  }
  TL_TRY(Evaluation made, compute(z, kind, subset, nullptr));
  if (kept) {
    Vector slopes = made.gradient;
    slopes.insert(slopes.end(), made.curvature.begin(), made.curvature.end());
    TL_TRY(journal_->add(what, z, {made.loss, std::move(slopes)}));
  }
  if (observer_) observer_(z, made.loss, subset);
  return made;
}

Result<Evaluation> Problem::evaluate_disturbed(const Vector& z, const std::vector<at::Tensor>& disturbance,
                                               EvaluationKind kind) {
  return compute(z, kind, {}, &disturbance);
}

Result<Evaluation> Problem::compute(const Vector& z, EvaluationKind kind, const DataSubset& subset,
                                    const std::vector<at::Tensor>* disturbance) {
  const std::string device = executor_->options().device;
  Result<Evaluation> made = compute_there(z, kind, subset, disturbance);
  // If a GPU failed in the backward pass, the executor no longer uses it: the evaluation is repeated without it.
  if (!made.ok() && executor_->options().device != device) return compute_there(z, kind, subset, disturbance);
  return made;
}

Result<Evaluation> Problem::compute_there(const Vector& z, EvaluationKind kind, const DataSubset& subset,
                                          const std::vector<at::Tensor>* disturbance) {
  TL_CHECK(z.size() == size_, "as many unknowns as the targets have");
  const bool data_too = kind == EvaluationKind::gradient_and_data;
  // Forward and backward in one pass; for large data, separate passes need less memory (see slab_sum.h).
  const bool in_one = data_too && goes_forward() && data_size() <= values_at_once();
  TL_TRY(const GivenOutputs given,
         given_for(subset, data_too && !in_one ? EvaluationKind::gradient : kind, disturbance));
  Evaluation out;
  if (kind == EvaluationKind::loss) {
    TL_TRY(out.loss, loss_at(z, subset, given));
  } else {
    TL_TRY(out, derive(z, subset, given, kind));
    TL_TRY(add_differences(z, subset, given, out));
  }
  if (in_one && goes_forward()) {
    add_data_gradient(given, out);
  } else if (data_too) {
    TL_TRY(const GivenOutputs moved, given_for(subset, kind, disturbance));
    TL_TRY(const at::Tensor value, loss(graph_for(z, subset), without_derivatives(z, subset, moved)));
    if (value.requires_grad()) TL_TRY(executor_->backward(value));
    add_data_gradient(moved, out);
  }
  ++evaluations_;
  TL_TRY(require_finite(out.loss, z, subset, given));
  return out;
}

// Names the first node on the path whose output is not finite.
Result<void> Problem::require_finite(double value, const Vector& z, const DataSubset& subset,
                                     const GivenOutputs& given) {
  if (std::isfinite(value)) return ok();
  for (const auto& [output, part] : given)
    if (!is_finite(part.value))
      return infinite("the objective is not finite, as there are values in the output of this node that are not finite",
                      output.first);
  const Graph graph = graph_for(z, subset);
  TL_TRY(const std::vector<std::string> order, topological_order(graph));
  const std::set<std::string> moving = downstream_of(graph_, target_nodes(settings_));
  for (const std::string& id : order) {
    if (moving.count(id) == 0 || id == settings_.objective.node) continue;
    for (const PortDecl& port : registry_->find(graph.nodes.at(id).type)->outputs) {
      const auto out = executor_->pull(graph, id, port.name, {}, without_derivatives(z, subset, given));
      if (out.ok() && !is_finite(out.value()))
        return infinite("the objective is not finite, as this node gives values that are not finite first", id);
    }
  }
  return infinite("the objective is not finite", settings_.objective.node);
}

Result<Evaluation> Problem::derive(const Vector& z, const DataSubset& subset, const GivenOutputs& given,
                                   EvaluationKind kind) {
  const Graph graph = graph_for(z, subset);
  if (goes_forward()) {
    const bool curved = kind == EvaluationKind::gradient_and_curvature && has_residual();
    Result<Evaluation> made = curved ? by_residual(z, subset, given, graph) : forward(z, subset, given, graph);
    const bool tried = made.ok() || made.error().kind == ErrorKind::cancelled || made.error().kind == ErrorKind::device;
    if (tried) return made;
    // Some operations on the path have no forward derivative: try backward mode, which also reveals other errors.
    for (ParameterBlock& b : blocks_)
      if (b.derivative == Derivative::forward) b.derivative = Derivative::backward;
  }
  return backward(z, subset, given, graph);
}

bool Problem::goes_forward() const {
  return std::all_of(blocks_.begin(), blocks_.end(),
                     [](const ParameterBlock& b) { return b.derivative == Derivative::forward; });
}

// A block's parameter values for this subset of the data, as a tensor for the graph.
at::Tensor Problem::parameter_tensor(const ParameterBlock& b, const Vector& z, const DataSubset& subset) const {
  Vector values;
  for (std::size_t i = 0; i < b.size; ++i) values.push_back(b.value(z[b.offset + i], i) / pixels_of(b, subset));
  if (!b.shape.empty()) return at::tensor(values, at::kDouble).view(b.shape);
  return b.list ? at::tensor(values, at::kDouble) : at::scalar_tensor(values.front(), at::kDouble);
}

double Problem::slope_of(const ParameterBlock& b, const Vector& z, const DataSubset& subset) const {
  return b.slope(z[b.offset], 0) / pixels_of(b, subset);
}

ExternalValues Problem::along(const ParameterBlock& moving, const Vector& z, const DataSubset& subset,
                              const GivenOutputs& given) const {
  ExternalValues outside{{}, given};
  for (const ParameterBlock& b : blocks_) {
    at::Tensor parameter = parameter_tensor(b, z, subset);
    if (&b == &moving) parameter = dual(parameter, at::ones_like(parameter));
    outside.parameters[{b.target.node, b.target.name}] = parameter;
  }
  return outside;
}

Result<at::Tensor> Problem::loss(const Graph& graph, const ExternalValues& outside) {
  TL_TRY(const Value value, executor_->pull(graph, settings_.objective.node, settings_.objective.port, {}, outside));
  return std::get<Scalar>(value).value;
}

// Parameters as plain numbers.
ExternalValues Problem::without_derivatives(const Vector& z, const DataSubset& subset,
                                            const GivenOutputs& given) const {
  ExternalValues outside{{}, given};
  for (const ParameterBlock& b : blocks_)
    if (b.derivative != Derivative::differences)
      outside.parameters[{b.target.node, b.target.name}] = parameter_tensor(b, z, subset);
  return outside;
}

Result<double> Problem::loss_at(const Vector& z, const DataSubset& subset, const GivenOutputs& given) {
  TL_TRY(const at::Tensor value, loss(graph_for(z, subset), without_derivatives(z, subset, given)));
  return value.detach().item<double>();
}

Result<std::optional<Doubt>> Problem::doubt(const Vector& z, const std::vector<at::Tensor>& disturbance) {
  TL_TRY(const GivenOutputs given, given_for({}, EvaluationKind::loss, disturbance.empty() ? nullptr : &disturbance));
  const Graph graph = graph_for(z, {});
  std::optional<Doubt> sum;
  for (const auto& [id, node] : graph.nodes)
    for (double Doubt::*side : {&Doubt::across, &Doubt::along}) {
      const PortDecl* port =
          registry_->find(node.type)->output(side == &Doubt::across ? "doubt_across" : "doubt_along");
      if (port == nullptr || !is_number(port->type)) continue;
      TL_TRY(const Value value, executor_->pull(graph, id, port->name, {}, without_derivatives(z, {}, given)));
      if (!sum) sum = Doubt{};
      *sum.*side += std::get<Scalar>(value).value.detach().item<double>();
      ++evaluations_;
    }
  return sum;
}

Result<std::optional<Value>> Problem::reported_by_objective(const Vector& z, const char* port) {
  const std::string& node = settings_.objective.node;
  if (registry_->find(graph_.nodes.at(node).type)->output(port) == nullptr) return std::optional<Value>();
  TL_TRY(const GivenOutputs given, given_for({}, EvaluationKind::loss, nullptr));
  TL_TRY(Value value, executor_->pull(graph_for(z, {}), node, port, {}, without_derivatives(z, {}, given)));
  ++evaluations_;
  return std::optional(std::move(value));
}

Result<std::optional<std::vector<Vector>>> Problem::error_by_band(const Vector& z) {
  TL_TRY(const auto reported, reported_by_objective(z, "error_by_band"));
  if (!reported) return std::optional<std::vector<Vector>>();
  std::vector<Vector> bands;
  for (const Table::Column& column : std::get<Table>(*reported).columns) bands.push_back(column.values);
  return std::optional(std::move(bands));
}

Result<std::optional<double>> Problem::number_reported_by_objective(const Vector& z, const char* port) {
  TL_TRY(const auto reported, reported_by_objective(z, port));
  if (!reported) return std::optional<double>();
  return std::optional(std::get<Scalar>(*reported).value.item<double>());
}

Result<std::optional<double>> Problem::unexplained(const Vector& z) {
  return number_reported_by_objective(z, "unexplained");
}

Result<std::optional<double>> Problem::explained(const Vector& z) {
  return number_reported_by_objective(z, "explained");
}

Result<std::optional<double>> Problem::wider_loss(const Vector& z) {
  return number_reported_by_objective(z, "wider_loss");
}

bool Problem::compares_pairs_of_views() const {
  return registry_->find(graph_.nodes.at(settings_.objective.node).type)->output("wider_loss") != nullptr;
}

// One forward pass per unknown, each about twice as long as one without derivatives. A gradient with respect to the
// data is taken in the first pass, after its tangent is dropped: otherwise the backward pass would carry tangents too.
Result<Evaluation> Problem::forward(const Vector& z, const DataSubset& subset, const GivenOutputs& given,
                                    const Graph& graph) {
  Evaluation out{0, Vector(size_, 0.0)};
  for (const ParameterBlock& moving : blocks_) {
    at::Tensor value;
    {
      const ForwardDirection direction;
      TL_TRY(const at::Tensor both, loss(graph, along(moving, z, subset, given)));
      const DualParts parts = dual_parts(both);
      value = parts.value;
      if (parts.tangent.defined())
        out.gradient[moving.offset] = parts.tangent.detach().item<double>() * slope_of(moving, z, subset);
    }
    out.loss = value.detach().item<double>();
    if (&moving == &blocks_.front() && value.requires_grad()) TL_TRY(executor_->backward(value));
  }
  return out;
}

Result<Evaluation> Problem::backward(const Vector& z, const DataSubset& subset, const GivenOutputs& given,
                                     const Graph& graph) {
  ExternalValues outside{{}, given};
  for (const ParameterBlock& b : blocks_)
    if (b.derivative != Derivative::differences)
      outside.parameters[{b.target.node, b.target.name}] = parameter_tensor(b, z, subset).requires_grad_();
  TL_TRY(const at::Tensor value, loss(graph, outside));
  Evaluation out{value.detach().item<double>(), Vector(size_, 0.0)};
  if (value.requires_grad()) TL_TRY(executor_->backward(value));
  for (const ParameterBlock& b : blocks_) {
    if (b.derivative == Derivative::differences) continue;
    const at::Tensor gradient = outside.parameters.at({b.target.node, b.target.name}).grad();
    if (!gradient.defined()) continue;
    const at::Tensor flat = gradient.contiguous().view(-1);
    for (std::size_t i = 0; i < b.size; ++i)
      out.gradient[b.offset + i] =
          flat.const_data_ptr<double>()[i] * b.slope(z[b.offset + i], i) / pixels_of(b, subset);
  }
  return out;
}

// The gradient with respect to the data.
void Problem::add_data_gradient(const GivenOutputs& given, Evaluation& out) const {
  for (const Cut& cut : cuts_) {
    Value data = given.at(cut.output).value;
    const at::Tensor* numbers = numbers_of(data);
    out.data.push_back(numbers == nullptr ? at::Tensor() : numbers->grad());
  }
}

int64_t Problem::data_size() const {
  int64_t size = 0;
  for (const Cut& cut : cuts_) size += region_bytes(cut.region, 1);
  return size;
}

Result<void> Problem::add_differences(const Vector& z, const DataSubset& subset, const GivenOutputs& given,
                                      Evaluation& out) {
  for (const ParameterBlock& b : blocks_) {
    if (b.derivative != Derivative::differences) continue;
    Vector stepped = z;
    const double at = z[b.offset];
    const double up = std::min(at + difference_step, b.high(0)), down = std::max(at - difference_step, b.low(0));
    stepped[b.offset] = up;
    TL_TRY(const double more, loss_at(stepped, subset, given));
    stepped[b.offset] = down;
    TL_TRY(const double less, loss_at(stepped, subset, given));
    out.gradient[b.offset] = (more - less) / (up - down);
  }
  return ok();
}

}  // namespace tl::learn
