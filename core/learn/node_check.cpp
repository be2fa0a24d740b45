// Tests the derivatives of one node: random inputs, random weights, autograd against central differences.
#include "core/learn/node_check.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>

#include "core/node/learnable.h"
#include "core/node/node_host_alone.h"
#include "core/run/common/caught_error.h"

namespace tl::learn {
namespace {

// Size of the synthetic input: large enough for halos and interpolation, small enough to take about a second.
constexpr int64_t max_views = 48, max_cols = 48, max_rows = 4, most_voxels = 32;
constexpr double step = 1e-6;   // step of central differences; relative for numbers above 1
constexpr double limit = 1e-6;  // acceptance C10
constexpr int seeds_tried = 3;
constexpr double instead_of_auto = 0.3137, array_spread = 0.02;

at::Tensor gaussian(at::IntArrayRef shape, uint64_t seed) {
  auto generator = at::detail::createCPUGenerator(seed);
  return at::randn(shape, generator, at::TensorOptions(at::kDouble));
}

at::Tensor pixels(PixelKind kind, at::IntArrayRef shape, uint64_t seed) {
  const at::Tensor noise = gaussian(shape, seed);
  switch (kind) {
    case PixelKind::counts: return 900 + 40 * noise;
    case PixelKind::transmission: return 0.6 + 0.04 * noise;
    case PixelKind::absorption:
    case PixelKind::thickness: break;
  }
  return 0.7 + 0.1 * noise;
}

// The same scan with fewer views, rows and pixels.
struct Reduced {
  ProjectionsInfo info;
  std::vector<int64_t> views;  // of the whole scan
  int64_t bin = 1;
};
Reduced reduced(const ProjectionsInfo& whole) {
  Reduced r{whole, {}, 1};
  const DetectorShape& d = whole.geometry.detector();
  r.bin = std::max<int64_t>(1, d.cols / max_cols);
  const int64_t count = whole.geometry.views(), kept = std::min(count, max_views);
  for (int64_t i = 0; i < kept; ++i) r.views.push_back(i * count / kept);
  ScanGeometry g = whole.geometry.select(r.views).binned(std::min(r.bin, d.rows), r.bin);
  ScanRegion region = g.full();
  const int64_t rows = std::min(max_rows, region.rows.size()), first = (region.rows.size() - rows) / 2;
  region.rows = {first, first + rows};
  r.info.geometry = g.crop(region);
  r.info.pending = false;
  r.info.flats = std::min<int64_t>(whole.flats, 2);
  r.info.darks = std::min<int64_t>(whole.darks, 2);
  return r;
}

VolumeInfo reduced(const VolumeInfo& whole) {
  VolumeInfo info = whole;
  const auto part = [](int64_t n) {
    const int64_t kept = std::min(n, most_voxels), first = (n - kept) / 2;
    return Range{first, first + kept};
  };
  info.grid =
      whole.grid.sub(part(std::min<int64_t>(whole.grid.nz, max_rows)), part(whole.grid.ny), part(whole.grid.nx));
  info.pending = false;
  return info;
}

Projections made_up(const ProjectionsInfo& info, uint64_t seed) {
  const DetectorShape& d = info.geometry.detector();
  Projections p;
  p.data = pixels(info.kind, {info.geometry.views(), d.rows, d.cols}, seed);
  p.geometry = info.geometry;
  p.kind = info.kind;
  if (info.flats > 0) {
    p.references.flats = 1000 + 10 * gaussian({info.flats, d.rows, d.cols}, seed + 1);
    for (int64_t i = 0; i < info.flats; ++i)
      p.references.flat_positions.push_back(i == 0 ? -1 : static_cast<double>(info.geometry.views()));
  }
  if (info.darks > 0) p.references.darks = 50 + gaussian({info.darks, d.rows, d.cols}, seed + 2);
  return p;
}

at::Tensor data_of(const Value& value) {
  if (const auto* p = std::get_if<Projections>(&value)) return p->data;
  if (const auto* v = std::get_if<Volume>(&value)) return v->data;
  if (const auto* s = std::get_if<Scalar>(&value)) return s->value;
  return {};
}
// A node's output as numbers: its pixels, and also the geometry if that is learned.
at::Tensor outcome_of(const Value& value) {
  at::Tensor data = data_of(value);
  if (!data.defined()) return data;
  const at::Tensor flat = data.to(at::kDouble).reshape({-1});
  const auto* p = std::get_if<Projections>(&value);
  return p != nullptr && p->vectors.defined() ? at::cat({flat, p->vectors.reshape({-1})}) : flat;
}
void set_data(Value& value, const at::Tensor& data) {
  if (auto* p = std::get_if<Projections>(&value)) p->data = data;
  if (auto* v = std::get_if<Volume>(&value)) v->data = data;
}

// The node with its parameters and synthetic inputs, as a function of tensors.
class Subject {
 public:
  Subject(const NodeType& type, const GraphNode& node, const CancelToken& cancel)
      : type_(type), node_(node), cancel_(cancel) {}

  Result<void> prepare(const Infos& inputs) {
    if (type_.is_output || type_.measure || type_.partition == Partition::reduce)
      return invalid("it measures or writes: there is no backward pass to check", type_.title);
    if (!type_.differentiable) return invalid(type_.why_not_differentiable, type_.title);
    uint64_t seed = 11;
    for (const PortDecl& port : type_.inputs) {
      const auto info = inputs.find(port.name);
      if (info == inputs.end()) continue;
      if (const auto* p = std::get_if<ProjectionsInfo>(&info->second)) {
        const Reduced r = reduced(*p);
        bin_ = r.bin;
        views_ = r.views;
        infos_[port.name] = r.info;
        values_[port.name] = made_up(r.info, seed += 7);
      } else if (const auto* v = std::get_if<VolumeInfo>(&info->second)) {
        const VolumeInfo r = reduced(*v);
        infos_[port.name] = r;
        values_[port.name] =
            Volume{0.01 + 0.004 * gaussian({r.grid.nz, r.grid.ny, r.grid.nx}, seed += 7), r.grid, r.unit};
      } else {
        return invalid("its input \"" + port.name + "\" holds no pixels", type_.title);
      }
    }
    if (values_.empty()) return invalid("it has no pixels as input", type_.title);
    params_ = type_.make_params();
    for (const ParamDecl& decl : type_.params) assign(decl);
    TL_TRY(type_.check(params_.get(), infos_));
    if (type_.infos) {
      TL_TRY(outputs_, type_.infos(params_.get(), infos_, nullptr));
    }
    for (const PortDecl& port : type_.outputs)
      if (outputs_.count(port.name) == 0)
        outputs_[port.name] =
            port.type == type_.inputs.front().type ? infos_.at(type_.inputs.front().name) : Info{PlainInfo{}};
    return ok();
  }

  [[nodiscard]] const NodeType& type() const { return type_; }
  [[nodiscard]] const std::map<std::string, Value>& values() const { return values_; }
  [[nodiscard]] std::string input_text() const {
    for (const auto& [port, info] : infos_) {
      if (const auto* p = std::get_if<ProjectionsInfo>(&info)) {
        const DetectorShape& d = p->geometry.detector();
        return std::to_string(p->geometry.views()) + " views of " + std::to_string(d.rows) + " x " +
               std::to_string(d.cols) + " pixels, " + std::string(to_string(p->kind));
      }
      if (const auto* v = std::get_if<VolumeInfo>(&info))
        return std::to_string(v->grid.nx) + " x " + std::to_string(v->grid.ny) + " x " + std::to_string(v->grid.nz) +
               " voxels";
    }
    return {};
  }

  // The value of a learnable parameter in stored units; for "auto" a number away from all symmetries. An array gets the
  // shape of the reduced input, and differs from the value that "auto" stands for.
  [[nodiscard]] std::optional<at::Tensor> point(const ParamDecl& decl) const {
    const ParamValue value = decl.read(params_.get());
    if (const auto* n = std::get_if<Number>(&value)) return at::scalar_tensor(n->value, at::kDouble);
    if (const auto* list = std::get_if<NumberList>(&value))
      if (!list->values.empty()) return at::tensor(list->values, at::kDouble);
    if (const auto array = type_.arrays_of_auto.find(decl.name); array != type_.arrays_of_auto.end()) {
      const auto made = array->second(params_.get(), infos_);
      if (!made.ok()) return std::nullopt;
      const at::Tensor plain = tensor_of(made.value());
      return plain + array_spread * gaussian(plain.sizes(), 307);
    }
    if (decl.kind != ParamKind::number) return std::nullopt;
    return at::scalar_tensor(instead_of_auto, at::kDouble);
  }

  // The first output with differentiable numbers, computed with one input or parameter replaced.
  Result<at::Tensor> output(const std::string& replaced, const at::Tensor& by) {
    NodeHostAlone host;
    NodeRun run(type_.id, host, cancel_);
    run.inputs = values_;
    run.infos = infos_;
    run.dtype = at::kDouble;
    run.learning = true;
    const auto params = type_.make_params();
    for (const ParamDecl& decl : type_.params) decl.assign(params.get(), decl.read(params_.get()));
    if (const auto input = run.inputs.find(replaced); input != run.inputs.end()) {
      set_data(input->second, by);
    } else if (const ParamDecl* decl = type_.param(replaced); decl != nullptr) {
      decl->set_tensor(params.get(), by);
    }
    for (const PortDecl& port : type_.outputs) {
      run.region = full_region(outputs_.at(port.name));
      TL_TRY(type_.run(params.get(), run));
      const auto out = run.outputs.find(port.name);
      const at::Tensor numbers = out == run.outputs.end() ? at::Tensor() : outcome_of(out->second);
      if (numbers.defined()) return numbers;
    }
    return invalid("it has no numeric outputs that have a derivative", type_.title);
  }

 private:
  void assign(const ParamDecl& decl) {
    const auto set = node_.params.find(decl.name);
    ParamValue value = to_stored(set == node_.params.end() ? decl.initial : set->second);
    if (decl.kind == ParamKind::array) value = ParamValue{};  // it fits the whole input
    // Positions in pixels follow the larger pixels, lists the fewer views.
    const auto shrink = [&](double v) {
      return dimension(decl.unit) == Dimension::pixels ? v / static_cast<double>(bin_) : v;
    };
    if (auto* n = std::get_if<Number>(&value)) n->value = shrink(n->value);
    if (auto* list = std::get_if<NumberList>(&value)) {
      if (decl.per_view && list->values.size() > views_.size() && !views_.empty()) {
        std::vector<double> kept;
        for (const int64_t v : views_)
          if (v < static_cast<int64_t>(list->values.size())) kept.push_back(list->values[static_cast<std::size_t>(v)]);
        list->values = kept;
      }
      if (decl.per_view && list->values.empty() && decl.learnable)
        list->values.assign(views_.size(), decl.entry_without_effect());
      for (double& v : list->values) v = shrink(v);
    }
    decl.assign(params_.get(), value);
  }

  const NodeType& type_;
  const GraphNode& node_;
  const CancelToken& cancel_;
  std::shared_ptr<void> params_;
  Infos infos_, outputs_;
  std::map<std::string, Value> values_;
  std::vector<int64_t> views_;
  int64_t bin_ = 1;
};

double product(const at::Tensor& a, const at::Tensor& b) { return (a * b).sum().item<double>(); }
double length(const at::Tensor& a) { return std::sqrt(product(a, a)); }

// <J v, w> by central differences against <v, J* w> by autograd, of outputs that depend on `name` at `x`.
enum class Of { pixels, parameter };
Result<NodeCheck::Row> law(Subject& subject, const std::string& name, const at::Tensor& x, Of of, uint64_t seed) {
  const at::Tensor v = x.dim() == 0 ? at::ones_like(x) : gaussian(x.sizes(), seed);
  // Small relative to the numbers, so that logarithms stay defined; for parameters that are 0, relative to 1.
  const double size = length(x) / std::sqrt(static_cast<double>(x.numel()));
  const bool tiny = size > 0 && size < 1e-3;  // such as delta and beta, whose sign must not change
  const double h = of == Of::parameter ? step * (tiny ? size : std::max(1.0, size)) : 1e2 * step * size;
  at::Tensor backward, weights;
  {
    const c10::AutoGradMode gradient(true);
    const at::Tensor held = x.detach().clone().requires_grad_();
    TL_TRY(const at::Tensor out, subject.output(name, held));
    weights = gaussian(out.sizes(), seed + 1);
    if (!out.requires_grad()) {
      backward = at::zeros_like(x);
    } else {
      (out * weights).sum().backward();
      backward = held.grad().defined() ? held.grad() : at::zeros_like(x);
    }
  }
  const c10::AutoGradMode constant(false);
  TL_TRY(const at::Tensor above, subject.output(name, x + h * v));
  TL_TRY(const at::Tensor below, subject.output(name, x - h * v));
  const at::Tensor forward = (above - below) / (2 * h);
  NodeCheck::Row row{{}, product(forward, weights), product(v, backward), 0};
  // Relative error: for many numbers as in the dot test, for one number relative to it.
  const double scale =
      x.dim() == 0 ? std::max(std::abs(row.left), std::abs(row.right)) : length(forward) * length(weights);
  const double difference = std::abs(row.left - row.right);
  row.deviation = scale > 0 ? difference / scale : (difference > 0 ? 1 : 0);
  return row;
}

Result<NodeCheck> check_subject(Subject& subject, const std::string& node) {
  NodeCheck check{node, subject.input_text(), {}, limit};
  for (const auto& [port, value] : subject.values())
    for (int i = 0; i < seeds_tried; ++i) {
      TL_TRY(NodeCheck::Row row, law(subject, port, data_of(value), Of::pixels, 101 + 10 * static_cast<uint64_t>(i)));
      row.what = "dot test of " + port + ", " + std::to_string(i + 1);
      check.rows.push_back(std::move(row));
    }
  for (const ParamDecl& decl : subject.type().params) {
    if (!decl.learnable) continue;
    const auto point = subject.point(decl);
    if (!point) continue;
    Result<NodeCheck::Row> row = law(subject, decl.name, *point, Of::parameter, 211);
    if (!row.ok()) {
      // A number instead of "auto" may be invalid here, such as a source distance in a parallel beam.
      if (row.error().kind == ErrorKind::invalid) continue;
      return row.error();
    }
    row.value().what = "gradient to " + decl.title;
    check.rows.push_back(std::move(row).value());
  }
  return check;
}

}  // namespace

double NodeCheck::worst() const {
  double worst = 0;
  for (const Row& row : rows) worst = std::isfinite(row.deviation) ? std::max(worst, row.deviation) : HUGE_VAL;
  return worst;
}

Result<NodeCheck> check_node(const Registry& registry, const Graph& graph, const std::string& node, const Infos& inputs,
                             const CancelToken& cancel) {
  const auto found = graph.nodes.find(node);
  const NodeType* type = found == graph.nodes.end() ? nullptr : registry.find(found->second.type);
  if (type == nullptr) return invalid("there is no such node", node);
  try {
    Subject subject(*type, found->second, cancel);
    TL_TRY(subject.prepare(inputs));
    return check_subject(subject, node);
  } catch (...) {
    Error error = caught_error();
    if (error.where.empty()) error.where = node;
    return error;
  }
}

}  // namespace tl::learn
