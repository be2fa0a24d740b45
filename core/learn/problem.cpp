// Sets up the objective of a graph as a function of unknowns: nodes that depend on targets, outputs that serve as data,
// starts, natural steps and bounds.
#include "core/learn/problem.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/graph/bypass.h"
#include "core/graph/upstream.h"
#include "core/learn/learning.h"
#include "core/learn/natural_step.h"
#include "core/learn/paths.h"
#include "core/run/automatic/array_of_auto.h"

namespace tl::learn {
namespace {

// Other optima of a position are searched up to this distance [px], and at most this share of the detector.
constexpr double usual_reach = 48, share_of_detector = 0.25;

// For up to so many single numbers, a forward pass for each is cheaper than one backward pass for all.
constexpr std::size_t max_forward = 2;

// Natural step of an array as a fraction of its size, if the objective does not provide its curvature.
constexpr double share_of_size = 0.05;

double stored(const Number& n, const ParamDecl& decl) {
  return to_stored(n.value, n.unit == Unit::none ? decl.unit : n.unit);
}

}  // namespace

double ParameterBlock::value(double z, std::size_t entry) const {
  const double from = start[list ? entry : 0];
  return target.scale == Scale::logarithmic ? from * std::exp(z * step) : from + z * step;
}
double ParameterBlock::slope(double z, std::size_t entry) const {
  return target.scale == Scale::logarithmic ? value(z, entry) * step : step;
}

std::string DataSubset::name() const {
  std::string text = "v" + std::to_string(view_stride) + "+" + std::to_string(first_view) + "b" + std::to_string(bin);
  if (rows) text += "r" + std::to_string(rows->begin) + "-" + std::to_string(rows->end);
  return text;
}

Problem::Problem(Executor& executor, const Registry& registry, Settings settings)
    : executor_(&executor), registry_(&registry), settings_(std::move(settings)) {}

Result<Problem> Problem::make(Executor& executor, const Registry& registry, const Graph& graph,
                              const Settings& settings) {
  TL_TRY(check(settings, graph, registry));
  Problem p(executor, registry, settings);
  TL_TRY(p.find_part(graph));
  TL_TRY(p.find_cuts());
  for (const Target& target : p.settings_.targets) TL_TRY(p.add_block(target));
  TL_TRY(p.find_needed_regions());
  return p;
}

// The first objective whose assumptions the scan satisfies.
Result<void> Problem::find_part(const Graph& graph) {
  const Graph used = used_graph(graph, *registry_).graph;
  std::vector<ObjectivePort> all{settings_.objective};
  all.insert(all.end(), settings_.fallback_objectives.begin(), settings_.fallback_objectives.end());
  std::optional<Error> first;
  for (const ObjectivePort& objective : all) {
    graph_ = upstream_of(used, {objective.node});
    settings_.objective = objective;
    if (all.size() == 1) return ok();
    const auto suits = executor_->infos(graph_, objective.node);
    if (suits.ok()) return ok();
    if (suits.error().kind != ErrorKind::invalid) return suits.error();
    if (!first) first = suits.error();
  }
  return *first;
}

Result<void> Problem::find_cuts() {
  const std::set<std::string> moving = downstream_of(graph_, target_nodes(settings_));
  std::set<OutputId> outputs;
  for (const Link& link : graph_.links)
    if (moving.count(link.from_node) == 0 && moving.count(link.to_node) != 0)
      outputs.insert({link.from_node, link.from_port});
  for (const OutputId& output : outputs) {
    TL_TRY(const Infos infos, executor_->infos(graph_, output.first));
    const Info& info = infos.at(output.second);
    cuts_.push_back({output, full_region(info), info});
  }
  return ok();
}

// After the starts are set: objectives often use a few rows of a scan only.
Result<void> Problem::find_needed_regions() {
  std::vector<OutputId> outputs;
  for (const Cut& cut : cuts_) outputs.push_back(cut.output);
  TL_TRY(const auto needed, executor_->needed(graph_, settings_.objective.node, settings_.objective.port, outputs));
  for (Cut& cut : cuts_)
    if (const auto found = needed.find(cut.output); found != needed.end()) cut.region = found->second;
  return ok();
}

Result<void> Problem::add_block(const Target& target) {
  const GraphNode& node = graph_.nodes.at(target.node);
  ParameterBlock block;
  block.target = target;
  block.decl = registry_->find(node.type)->param(target.name);
  block.list = block.decl->kind == ParamKind::numbers;
  block.offset = size_;
  NumberArray array;
  if (block.decl->kind == ParamKind::array) {
    TL_TRY(array, array_of(target, *block.decl));
    block.list = true;
    block.shape = array.shape();
    block.start.assign(array.values().begin(), array.values().end());
  } else {
    TL_TRY(block.start, start_of(target, *block.decl));
  }
  if (block.shape.size() > 1 && (settings_.subsets.rows < 1 || settings_.held_out.rows > 0))
    return invalid("\"" + target.name + "\" has a number for every pixel: rows cannot be learned from a part at a time",
                   "node \"" + target.node + "\"", "Learn from all rows; subsets of the views are possible");
  block.size = block.start.size();
  block.derivative = derivative_of(graph_, *registry_, target, settings_.objective);
  if (!block.shape.empty() && block.derivative == Derivative::differences)
    return invalid("\"" + target.name +
                       "\" has too many numbers for estimates by differences, and a node on the path " +
                       "to the objective has no derivative",
                   target.node, "Take another node instead, or another objective");
  if (block.derivative == Derivative::backward && !block.list && settings_.targets.size() <= max_forward)
    block.derivative = Derivative::forward;
  const Unit unit = stored_unit(dimension(block.decl->unit));
  if (!block.shape.empty()) {
    graph_.nodes[target.node].params[target.name] = array;
  } else if (block.list) {
    graph_.nodes[target.node].params[target.name] = NumberList{block.start, unit};
  } else {
    graph_.nodes[target.node].params[target.name] = Number{block.start.front(), unit};
  }
  if (target.scale == Scale::logarithmic && *std::min_element(block.start.begin(), block.start.end()) <= 0)
    return invalid("\"" + target.name + "\" starts at or below 0: its logarithm cannot be learned", target.node,
                   "Give a positive start, or the linear scale");
  TL_TRY(choose_step(block));
  // A list of bounds per entry, since each has a start of its own; arrays would need two more numbers per pixel, and
  // have none.
  const auto bounds = [&](const std::optional<Number>& own, const std::optional<double>& declared) {
    Vector list;
    if (!block.shape.empty() || (!own && !declared)) return list;
    const double value = own ? stored(*own, *block.decl) : to_stored(*declared, block.decl->unit);
    for (const double start : block.start) {
      const bool logarithmic = target.scale == Scale::logarithmic;
      const double z = !logarithmic ? (value - start) / block.step
                       : value > 0  ? std::log(value / start) / block.step
                                    : -no_bound;
      list.push_back(std::clamp(z, -no_bound, no_bound));
    }
    return list;
  };
  block.lows = bounds(target.low, block.decl->low);
  block.highs = bounds(target.high, block.decl->high);
  if (target.reach) {
    const double reach = stored(*target.reach, *block.decl);
    // The reach is a distance: on a logarithmic scale upwards by that distance, and downwards by the same factor.
    block.reach = target.scale == Scale::logarithmic
                      ? std::log1p(std::max(reach, 0.0) / block.start.front()) / block.step
                      : reach / block.step;
  } else if (block.decl->unit == Unit::px && !block.list) {
    const auto d = detector();
    block.reach =
        (d ? std::min(usual_reach, share_of_detector * static_cast<double>(d->cols)) : usual_reach) / block.step;
  }
  size_ += block.size;
  blocks_.push_back(std::move(block));
  return ok();
}

Result<Vector> Problem::start_of(const Target& target, const ParamDecl& decl) const {
  const auto one = [](double v) { return Vector{v}; };
  const auto& params = graph_.nodes.at(target.node).params;
  const auto set = params.find(target.name);
  const ParamValue value = to_stored(in_unit(set == params.end() ? decl.initial : set->second, decl.unit));
  if (decl.kind == ParamKind::numbers) {
    Vector list;
    if (const auto* given = std::get_if<NumberList>(&value)) list = given->values;
    const auto wanted = static_cast<std::size_t>(views());
    if (decl.per_view && list.size() != wanted)
      list.assign(wanted, list.size() == 1 ? list.front() : decl.entry_without_effect());
    if (target.start) std::fill(list.begin(), list.end(), stored(*target.start, decl));
    if (list.empty())
      return invalid("\"" + target.name + "\" is an empty list", target.node,
                     "Give as many numbers as parameters to learn");
    return list;
  }
  if (target.start) return one(stored(*target.start, decl));
  if (const auto* n = std::get_if<Number>(&value)) return one(n->value);
  if (const auto* i = std::get_if<int64_t>(&value)) return one(static_cast<double>(*i));
  return automatic_start(*executor_, graph_, target, decl);
}

// The value that is set, or that the node uses for "auto"; a start of the target replaces all elements.
Result<NumberArray> Problem::array_of(const Target& target, const ParamDecl& decl) const {
  const auto& params = graph_.nodes.at(target.node).params;
  const auto set = params.find(target.name);
  const ParamValue value = to_stored(in_unit(set == params.end() ? decl.initial : set->second, decl.unit));
  NumberArray array;
  if (const auto* given = std::get_if<NumberArray>(&value)) {
    array = *given;
  } else {
    TL_TRY(array, tl::array_of_auto(*executor_, *registry_, graph_, target.node, target.name));
  }
  if (array.values().empty())
    return invalid("\"" + target.name + "\" is an empty array", target.node, "Set it to auto");
  if (!target.start) return array;
  return NumberArray::filled(array.shape(), static_cast<float>(stored(*target.start, decl)), array.unit());
}

double Problem::low(std::size_t unknown) const {
  const ParameterBlock& b = parameter_block_of(unknown);
  return b.low(unknown - b.offset);
}

double Problem::high(std::size_t unknown) const {
  const ParameterBlock& b = parameter_block_of(unknown);
  return b.high(unknown - b.offset);
}

bool Problem::has_arrays() const {
  return std::any_of(blocks_.begin(), blocks_.end(), [](const ParameterBlock& b) { return !b.shape.empty(); });
}

Result<Vector> Problem::scale_arrays(const DataSubset& subset) {
  const auto own = [](const ParameterBlock& b) { return b.target.step.has_value(); };
  if (!has_arrays() || std::all_of(blocks_.begin(), blocks_.end(), own)) return Vector{};
  const Vector zero(size_, 0.0);
  TL_TRY(const Evaluation here, evaluate(zero, EvaluationKind::gradient, subset));
  Vector curvature_scale(size_, 1.0), steps;
  for (const ParameterBlock& b : blocks_) {
    steps.push_back(b.step);
    double length = 0, largest = 0;
    for (std::size_t i = b.offset; i < b.offset + b.size; ++i) {
      length = std::hypot(length, here.gradient[i]);
      largest = std::max(largest, std::abs(here.gradient[i]));
    }
    if (b.derivative == Derivative::differences || !(length > 0) || own(b)) continue;
    // Along the negative gradient, in the natural steps estimated so far: for a parabola any length gives the same
    // result.
    Vector stepped = zero;
    for (std::size_t i = b.offset; i < b.offset + b.size; ++i)
      stepped[i] = std::clamp(-here.gradient[i] / length, b.low(i - b.offset), b.high(i - b.offset));
    TL_TRY(const Evaluation there, evaluate(stepped, EvaluationKind::gradient, subset));
    double bend = 0, moved = 0;
    for (std::size_t i = b.offset; i < b.offset + b.size; ++i) {
      bend += (there.gradient[i] - here.gradient[i]) * stepped[i];
      moved += stepped[i] * stepped[i];
    }
    if (!(bend > 0) || !(moved > 0)) continue;
    double longer = 1;
    if (!b.shape.empty()) longer = largest * moved / bend;
    steps.back() = b.step * longer;
    std::fill_n(curvature_scale.begin() + static_cast<std::ptrdiff_t>(b.offset), b.size,
                std::sqrt(moved / bend) / longer);
  }
  for (std::size_t i = 0; i < blocks_.size(); ++i) blocks_[i].step = steps[i];
  return curvature_scale;
}

Result<void> Problem::choose_step(ParameterBlock& block) const {
  const bool logarithmic = block.target.scale == Scale::logarithmic;
  if (block.target.step) {
    block.step = logarithmic ? block.target.step->value : stored(*block.target.step, *block.decl);
    return ok();
  }
  if (!block.shape.empty()) {  // until scale_arrays()
    const double size = root_mean_square(block.start);
    block.step = logarithmic ? share_of_size : size > 0 ? share_of_size * size : share_of_size;
    return ok();
  }
  const double value = block.start.front();
  const auto own = block.list ? std::nullopt : geometric_step(*executor_, graph_, block.target, *block.decl, value);
  if (own) {
    block.step = logarithmic ? *own / value : *own;
  } else if (block.decl->unit == Unit::px) {
    block.step = logarithmic ? 1 / value : 1;
  } else {
    constexpr double share = 0.05;
    block.step = logarithmic ? share : value != 0 ? share * std::abs(value) : share;
  }
  return ok();
}

const ParameterBlock& Problem::parameter_block_of(std::size_t unknown) const {
  for (const ParameterBlock& b : blocks_)
    if (unknown < b.offset + b.size) return b;
  TL_CHECK(false, "an unknown beyond the last target");
  return blocks_.back();
}

std::vector<TargetValue> Problem::values_at(const Vector& z) const {
  std::vector<TargetValue> all;
  for (const ParameterBlock& b : blocks_) {
    TargetValue v{b.target.node, b.target.name, b.decl->unit, {}, b.shape, 0};
    for (std::size_t i = 0; i < b.size; ++i) v.value.push_back(from_stored(b.value(z[b.offset + i], i), b.decl->unit));
    v.size = root_mean_square(v.value);
    all.push_back(std::move(v));
  }
  return all;
}

std::optional<DetectorShape> Problem::detector() const {
  std::optional<DetectorShape> found;
  for (const Cut& cut : cuts_)
    if (const auto* scan = std::get_if<ProjectionsInfo>(&cut.info))
      if (!found || scan->geometry.detector().cols > found->cols) found = scan->geometry.detector();
  return found;
}

int64_t Problem::rows() const {
  if (const auto d = detector()) return d->rows;
  int64_t most = 0;
  for (const Cut& cut : cuts_)
    if (const auto* volume = std::get_if<VolumeInfo>(&cut.info)) most = std::max(most, volume->grid.nz);
  return most;
}

int64_t Problem::views() const {
  int64_t most = 0;
  for (const Cut& cut : cuts_)
    if (const auto* scan = std::get_if<ProjectionsInfo>(&cut.info)) most = std::max(most, scan->geometry.views());
  return most;
}

}  // namespace tl::learn
