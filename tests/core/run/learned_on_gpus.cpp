// Learning on a GPU: nodes give there the derivatives that they give on the processor, in reverse and along a
// direction, and what happens if the GPU fails in the backward pass.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <QTemporaryDir>
#include <filesystem>
#include <optional>

#include "core/base/larger.h"
#include "core/learn/problem.h"
#include "core/run/executor.h"
#include "gpu/device/device.h"
#include "gpu/operator/forward_mode.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/stand_in_gpu.h"
#include "tests/support/test_case.h"

namespace tl::learned_on_gpus_test {

namespace fs = std::filesystem;

namespace {

// Of the range of the derivative. Sums of float32 take another order on a device: ten times what is allowed of values,
// since a derivative holds sums over all pixels and iterations.
constexpr double parity = 1e-4;

// The first GPU, or else the stand-in, which lives as long as this does.
struct Gpu {
  std::string id = devices().size() > 1 ? devices()[1].id : test::stand_in_device;
  std::optional<test::StandIn> stand_in;
  Gpu() {
    if (id == test::stand_in_device) stand_in.emplace();
  }
};

RunOptions on_gpu(const fs::path& folder, const std::string& gpu) {
  RunOptions o = test::options_in(folder);
  o.device = gpu;
  o.gpu_memory = int64_t{1} << 28;
  return o;
}

bool learns_there(const NodeType& type) {
  return type.compute_on == ComputeOn::gpu && type.differentiable && type.partition != Partition::reduce &&
         !type.measure;
}

// Unequal weights, so that no derivative vanishes by symmetry.
at::Tensor weighted_sum(const Value& value) {
  const at::Tensor x = test::numbers_of(value).to(at::kDouble).reshape({-1});
  return (x * at::cos(at::arange(x.numel(), at::kDouble) * 0.7)).sum();
}

at::Tensor* pixels_of(Value& value) {
  if (auto* p = std::get_if<Projections>(&value)) return &p->data;
  if (auto* v = std::get_if<Volume>(&value)) return &v->data;
  return nullptr;
}

// The inputs of the node "node", computed on the processor, and its learnable numbers.
struct Surroundings {
  GivenOutputs inputs;
  std::map<std::string, at::Tensor> numbers;
};

Surroundings surroundings_of(const Graph& g, const NodeType& type, const fs::path& folder) {
  Surroundings s;
  Executor e(test::registry(), test::options_in(folder));
  for (const Link& link : g.links) {
    if (link.to_node != "node") continue;
    const Info info = e.infos(g, link.from_node).or_throw().at(link.from_port);
    Value value = e.pull(g, link.from_node, link.from_port).or_throw();
    // Among equal pixels a median may choose any, and the gradient goes there.
    if (at::Tensor* pixels = pixels_of(value); pixels != nullptr && pixels->is_floating_point())
      *pixels = *pixels * (1 + 1e-3 * at::sin(at::arange(pixels->numel(), at::kFloat) * 1.3).view(pixels->sizes())) +
                1e-4 * at::cos(at::arange(pixels->numel(), at::kFloat) * 2.1).view(pixels->sizes());
    s.inputs[{link.from_node, link.from_port}] = {value, full_region(info), info};
  }
  const GraphNode& node = g.nodes.at("node");
  for (const ParamDecl& decl : type.params) {
    const auto set = node.params.find(decl.name);
    const ParamValue value = to_stored(in_unit(set == node.params.end() ? decl.initial : set->second, decl.unit));
    if (const auto* number = std::get_if<Number>(&value); number != nullptr && decl.learnable)
      s.numbers[decl.name] = at::scalar_tensor(number->value, at::kDouble);
  }
  return s;
}

// Derivatives of the weighted sum of an output, by name: to inputs and numbers in reverse, along each number forwards.
// Empty where the node gives none.
std::map<std::string, at::Tensor> derivatives(Executor& e, const Graph& g, const std::string& port,
                                              const Surroundings& s) {
  std::map<std::string, at::Tensor> found;
  ExternalValues outside{{}, s.inputs};
  for (auto& [output, given] : outside.given)
    if (at::Tensor* pixels = pixels_of(given.value); pixels != nullptr && pixels->is_floating_point())
      *pixels = pixels->detach().clone().requires_grad_();
  for (const auto& [name, number] : s.numbers)
    outside.parameters[{"node", name}] = number.detach().clone().requires_grad_();
  const at::Tensor sum = weighted_sum(e.pull(g, "node", port, {}, outside).or_throw());
  if (!sum.requires_grad()) return found;
  e.backward(sum).or_throw();
  for (auto& [output, given] : outside.given)
    if (const at::Tensor* pixels = pixels_of(given.value); pixels != nullptr && pixels->grad().defined())
      found["to " + output.first] = pixels->grad();
  for (const auto& [name, supplied] : outside.parameters)
    if (supplied.grad().defined()) found["to " + name.second] = supplied.grad();
  for (const auto& [name, number] : s.numbers) {
    const ForwardDirection direction;
    ExternalValues along{{}, s.inputs};
    along.parameters[{"node", name}] = dual(number, at::ones_like(number));
    const auto out = e.pull(g, "node", port, {}, along);
    if (!out.ok()) continue;  // not every operation can be differentiated forwards: reverse mode is used then
    const DualParts parts = dual_parts(weighted_sum(out.value()));
    if (parts.tangent.defined()) found["along " + name] = parts.tangent.detach().clone();
  }
  return found;
}

}  // namespace

class LearnedOnCardsTest : public QObject {
  Q_OBJECT

  QTemporaryDir dir_;
  fs::path folder_;

  void compare_derivatives(const NodeType& type) {
    int there = 0;
    for (const auto& trial : test::default_trials(type, folder_)) {
      const Surroundings s = surroundings_of(trial.graph, type, folder_);
      for (const PortDecl& port : type.outputs) {
        if (port.type != PortType::projections && port.type != PortType::volume && port.name != "loss") continue;
        Executor plain(test::registry(), test::options_in(folder_));
        const auto expected = derivatives(plain, trial.graph, port.name, s);
        const Gpu gpu;
        Executor e(test::registry(), on_gpu(folder_, gpu.id));
        const auto found = derivatives(e, trial.graph, port.name, s);
        QCOMPARE(found.size(), expected.size());
        for (const auto& [name, derivative] : expected) {
          const at::Tensor& other = found.at(name);
          QVERIFY2(other.device().is_cpu(), "derivatives of values on the processor are there");
          // A single number has no range: relative to itself.
          const double scale = derivative.dim() == 0 ? derivative.abs().item<double>() : 0;
          const double off =
              scale > 0 ? (other - derivative).abs().item<double>() / scale : test::difference(other, derivative);
          QVERIFY2(off <= parity,
                   (trial.label + ", " + port.name + ", " + name + ": differs by " + std::to_string(off)).c_str());
        }
        if (e.stats().at("node").device == gpu.id && !expected.empty()) ++there;
      }
    }
    QVERIFY2(there > 0, "it never learned on the GPU");
  }

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(dir_.isValid());
    at::set_num_threads(1);
    folder_ = dir_.path().toStdString();
    test::write_inputs(folder_);
  }

  void derivatives_are_those_of_the_processor_data() {
    QTest::addColumn<QString>("id");
    for (const NodeType& t : Registry::all().types())
      if (learns_there(t)) QTest::newRow(t.id.c_str()) << QString::fromStdString(t.id);
  }
  void derivatives_are_those_of_the_processor() {
    QFETCH(QString, id);
    try {
      compare_derivatives(*Registry::all().find(id.toStdString()));
    } catch (const std::exception& error) {
      QFAIL(error.what());
    }
  }

  // A pipeline whose nodes all have a GPU version learns there; one that has none in between says so and goes on.
  void nodes_without_gradients_there_stay_on_the_processor() {
    Graph g;
    g.nodes["scan"] = {"test.phantom", 1, {{"views", int64_t{24}}, {"rows", int64_t{4}}, {"cols", int64_t{24}}}};
    g.nodes["axis"] = {"geometry.set", 1, {}};
    g.nodes["fbp"] = {"recon.fbp", 1, {}};
    g.nodes["entropy"] = {"objective.entropy", 1, {}};
    g.nodes["energy"] = {"objective.gradient_energy", 1, {}};
    g.links = {{"scan", "projections", "axis", "projections"},
               {"axis", "projections", "fbp", "projections"},
               {"fbp", "volume", "entropy", "volume"},
               {"fbp", "volume", "energy", "volume"}};
    const auto gradient = [&](Executor& e, const std::string& objective) {
      const at::Tensor axis = at::scalar_tensor(0.3, at::kDouble).requires_grad_(true);
      const Value v = e.pull(g, objective, "loss", {}, ParameterTensors{{{"axis", "axis"}, axis}}).or_throw();
      e.backward(std::get<Scalar>(v).value).or_throw();
      return axis.grad().item<double>();
    };
    for (const char* objective : {"entropy", "energy"}) {
      Executor plain(test::registry(), test::options_in(folder_));
      const double expected = gradient(plain, objective);
      const Gpu gpu;
      Executor e(test::registry(), on_gpu(folder_, gpu.id));
      const double found = gradient(e, objective);
      QCOMPARE(e.stats().at("fbp").device, gpu.id);
      QCOMPARE(e.stats().at(objective).device, objective == std::string("energy") ? gpu.id : std::string("cpu"));
      QVERIFY2(std::abs(found - expected) <= parity * std::abs(expected), std::to_string(found - expected).c_str());
    }
  }

  // Memory that is refused in the backward pass: an error, or the processor from then on.
  void a_gpu_that_fails_on_the_way_back_is_an_error_or_left() {
    Graph g;
    g.nodes["scan"] = {"test.phantom", 1, {{"views", int64_t{24}}, {"rows", int64_t{4}}, {"cols", int64_t{24}}}};
    g.nodes["axis"] = {"geometry.set", 1, {}};
    g.nodes["fbp"] = {"recon.fbp", 1, {}};
    g.nodes["energy"] = {"objective.gradient_energy", 1, {}};
    g.links = {{"scan", "projections", "axis", "projections"},
               {"axis", "projections", "fbp", "projections"},
               {"fbp", "volume", "energy", "volume"}};
    const ParameterTensors supplied{{{"axis", "axis"}, at::scalar_tensor(0.3, at::kDouble).requires_grad_()}};
    for (const DeviceFallback fallback : {DeviceFallback::forbid, DeviceFallback::allow}) {
      const test::StandIn gpu;
      RunOptions o = on_gpu(folder_, test::stand_in_device);
      o.device_fallback = fallback;
      Executor e(test::registry(), o);
      const Value v = e.pull(g, "energy", "loss", {}, supplied).or_throw();
      test::StandIn::limit_memory(0);
      const auto done = e.backward(std::get<Scalar>(v).value);
      QVERIFY(!done.ok());
      QCOMPARE(done.error().kind, ErrorKind::device);
      QVERIFY2(done.error().what.find("out of memory") != std::string::npos, done.error().message().c_str());
      const bool left = fallback == DeviceFallback::allow;
      QCOMPARE(e.options().device, std::string(left ? "cpu" : test::stand_in_device));
      if (!left) continue;
      const Value again = e.pull(g, "energy", "loss", {}, supplied).or_throw();
      e.backward(std::get<Scalar>(again).value).or_throw();
      QVERIFY(supplied.begin()->second.grad().defined());
    }
  }

  // An evaluation whose backward pass the GPU refuses is done again on the processor, where learning goes on.
  void learning_goes_on_where_the_way_back_fails() {
    Graph g;
    g.nodes["scan"] = {"test.phantom", 1, {{"views", int64_t{24}}, {"rows", int64_t{4}}, {"cols", int64_t{24}}}};
    g.nodes["fbp"] = {"recon.fbp", 1, {}};
    g.nodes["network"] = {"filter.network", 1, {{"channels", NumberList{{3}, Unit::none}}}};
    g.nodes["energy"] = {"objective.gradient_energy", 1, {}};
    g.links = {{"scan", "projections", "fbp", "projections"},
               {"fbp", "volume", "network", "volume"},
               {"network", "volume", "energy", "volume"}};
    learn::Settings settings;
    settings.objective = {"energy", "loss"};
    learn::Target& weights = settings.targets.emplace_back();
    weights.node = "network";
    weights.name = "weights";
    const auto evaluated = [&](Executor& e) {
      auto problem = learn::Problem::make(e, test::registry(), g, settings).or_throw();
      return problem.evaluate(learn::Vector(problem.size(), 0.0), learn::EvaluationKind::gradient).or_throw();
    };
    Executor plain(test::registry(), test::options_in(folder_));
    const learn::Evaluation expected = evaluated(plain);
    RunOptions o = on_gpu(folder_, test::stand_in_device);
    o.device_fallback = DeviceFallback::allow;
    int64_t most = 0;
    {
      const test::StandIn gpu;
      Executor e(test::registry(), o);
      (void)evaluated(e);
      QCOMPARE(e.options().device, std::string(test::stand_in_device));
      most = test::StandIn::peak();
    }
    // The most is needed in the backward pass: the forward pass has room.
    const test::StandIn gpu;
    Executor e(test::registry(), o);
    test::StandIn::limit_memory(most - 1);
    const learn::Evaluation found = evaluated(e);
    QCOMPARE(e.options().device, std::string("cpu"));
    QVERIFY(std::abs(found.loss - expected.loss) <= parity * std::abs(expected.loss));
    double off = 0, size = 0;
    for (std::size_t i = 0; i < found.gradient.size(); ++i) {
      off = larger_or_nan(off, std::abs(found.gradient[i] - expected.gradient[i]));
      size = std::max(size, std::abs(expected.gradient[i]));
    }
    QVERIFY2(size > 0 && off <= parity * size, std::to_string(off / size).c_str());
  }
};

TL_TEST_CASE(LearnedOnCardsTest)

}  // namespace tl::learned_on_gpus_test

#include "learned_on_gpus.moc"
