// Every learnable parameter of every node passes the gradient check through the executor, in float64 and float32.
#include <cmath>
#include <map>
#include <set>

#include "core/node/learnable.h"
#include "core/run/automatic/array_of_auto.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::node_gradients_test {

namespace {

// Acceptance C10: central differences in float64 with a step of 1e-6 (relative for numbers above 1), float32 against
// float64.
constexpr double step = 1e-6, float64_limit = 1e-6, float32_limit = 1e-3;
// A derivative below this share of the objective per unit is zero: a shift of a whole pixel changes it by percents.
constexpr double nothing = 1e-9;

using Key = std::pair<std::string, std::string>;
using Points = std::map<Key, at::Tensor>;

// A pipeline with an objective: a reconstruction behind the node where one accepts its output, else the output itself.
struct Objective {
  Graph graph;
  std::string label, node = "node", port;
  std::optional<Region> region;  // fixed: the grid does not move with the parameters
};

// A generic point: no voxel lands within a step of a pixel centre.
at::Tensor generic_point(const NodeType& type, const ParamDecl& p, const Objective& o, int64_t views) {
  if (type.arrays_of_auto.count(p.name) == 1) {
    Executor e(test::registry(), test::options_in({}));
    const at::Tensor plain = tensor_of(array_of_auto(e, test::registry(), o.graph, "node", p.name).or_throw());
    return plain + 0.02 * test::gaussian(plain.sizes().vec(), at::kDouble, 31);
  }
  if (p.per_view) {
    const double about = p.name == "magnification" ? 1 : 0, spread = p.unit == Unit::deg || about != 0 ? 0.01 : 0.2;
    return about + spread * test::gaussian({views}, at::kDouble, static_cast<uint64_t>(p.name.back()));
  }
  static const std::map<std::string, double> known = {{"correct.beam_hardening.linear", 0.93},
                                                      {"correct.beam_hardening.quadratic", 0.21},
                                                      {"correct.beam_hardening.cubic", -0.07},
                                                      {"correct.beam_hardening.quartic", 0.03},
                                                      {"correct.grey_calibration.measured_1", 0.011},
                                                      {"correct.grey_calibration.measured_2", 0.127},
                                                      {"correct.grey_calibration.known_1", -0.31},
                                                      {"correct.grey_calibration.known_2", 0.83},
                                                      {"filter.soft_threshold.threshold", 0.0113},
                                                      {"filter.soft_threshold.width", 0.0071},
                                                      {"filter.soft_threshold.below", -0.13},
                                                      {"filter.soft_threshold.above", 0.87},
                                                      {"geometry.set.axis", 0.3137},
                                                      {"geometry.set.tilt", 0.02131},
                                                      {"geometry.set.lamino", 0.0311},
                                                      {"geometry.set.source_to_axis", 203.71},
                                                      {"geometry.set.axis_to_detector", 98.37},
                                                      {"geometry.set.source_shift_u", 1.713},
                                                      {"geometry.set.source_shift_v", 0.517},
                                                      {"geometry.set.yaw", 0.01713},
                                                      {"geometry.set.pitch", 0.00937},
                                                      {"geometry.set.source_to_detector", 302.3},
                                                      {"input.number.value", 1.137},
                                                      {"phase.paganin.delta", 2.137e-5},
                                                      {"phase.paganin.beta", 1.137e-11},
                                                      {"phase.farago.delta", 2.137e-5},
                                                      {"phase.farago.beta", 1.137e-11},
                                                      {"phase.contrast_transfer.delta", 2.137e-5},
                                                      {"phase.contrast_transfer.beta", 1.137e-11},
                                                      {"phase.propagate.delta", 2.137e-4},
                                                      {"phase.propagate.beta", 1.137e-9},
                                                      {"phase.propagate.energy", 21.3},
                                                      {"phase.propagate.distance", 113.7},
                                                      {"recon.tv.strength", 0.0137},
                                                      {"recon.fista_tv.strength", 0.0137},
                                                      {"phase.paganin.delta_over_beta", 2.137e6},
                                                      {"phase.paganin.energy", 21.3},
                                                      {"phase.paganin.distance", 113.7},
                                                      {"phase.farago.delta_over_beta", 2.137e6},
                                                      {"phase.farago.energy", 21.3},
                                                      {"phase.farago.distance", 113.7},
                                                      {"phase.contrast_transfer.delta_over_beta", 2.137e6},
                                                      {"phase.contrast_transfer.energy", 21.3},
                                                      {"phase.contrast_transfer.distance", 113.7},
                                                      {"recon.spectral_projection.voltage", 61.37},
                                                      {"recon.spectral_projection.filter_thickness", 1.913}};
  const auto found = known.find(type.id + "." + p.name);
  if (found == known.end()) qFatal("give a generic point for the learnable %s.%s", type.id.c_str(), p.name.c_str());
  return at::scalar_tensor(found->second, at::kDouble);
}

// plain: without weights that follow the angles, in any geometry.
std::optional<Objective> with_reconstruction(const NodeType& type, const test::Trial& trial, bool plain) {
  Executor e(test::registry(), test::options_in({}));
  for (const PortDecl& port : type.outputs) {
    for (const char* recon : {"recon.fbp", "recon.fdk", "recon.back_projection"}) {
      if (plain != (std::string_view(recon) == "recon.back_projection")) continue;
      if (port.type != PortType::projections) continue;
      Objective o{trial.graph, trial.label + ", " + recon, "recon", "volume", {}};
      o.graph.nodes["recon"] = {recon, 1, {}};
      o.graph.links.push_back({"node", port.name, "recon", "projections"});
      if (!e.check(o.graph).ok()) continue;
      // Off the symmetry of the scan and inside the rows that all views see.
      o.region = VolumeGrid::cubic(3, 7, 9, 0.91, {0.371, -0.213, 0.137});
      return o;
    }
  }
  return std::nullopt;
}

// Parameters that can be given together: delta/beta, or delta and beta; filtered reconstructions need an orbit, and the
// scale of their filter, which follows the laminography angle, counts as a constant.
std::vector<std::set<std::string>> left_out(const NodeType& type) {
  if (type.id == "geometry.set")
    return {{"axis_to_detector"}, {"source_to_detector", "roll", "pitch", "angle", "magnification", "lamino"}};
  if (type.param("delta_over_beta") == nullptr) return {{}};
  return {{"delta", "beta"}, {"delta_over_beta"}};
}

std::vector<Objective> objectives(const NodeType& type) {
  std::vector<Objective> found;
  auto all = test::default_trials(type, {}, {});
  // Its decisions (inner iterations, rejected steps) count as constants, and every step of every voxel has kinks: with
  // more of them, some would fall between the points of the differences.
  if (type.id == "recon.fista_tv")
    for (auto& trial : all) {
      auto& params = trial.graph.nodes.at("node").params;
      params["iterations"] = int64_t{3};
      params["denoising"] = int64_t{2};
      params["negative"] = std::string("keep");
    }
  for (const auto& trial : all)
    for (const bool plain : {false, true})
      if (!plain || type.id == "geometry.set")
        if (auto o = with_reconstruction(type, trial, plain)) found.push_back(*o);
  if (!found.empty()) return found;
  for (const auto& trial : all)
    for (const PortDecl& port : type.outputs)
      if (port.type != PortType::model)  // to be saved, not to be learned through
        found.push_back({trial.graph, trial.label, "node", port.name, {}});
  return found;
}

std::vector<std::pair<Objective, std::set<std::string>>> combined(const std::vector<Objective>& all,
                                                                  const std::vector<std::set<std::string>>& absent) {
  std::vector<std::pair<Objective, std::set<std::string>>> pairs;
  for (const Objective& o : all)
    for (const std::set<std::string>& a : absent) pairs.emplace_back(o, a);
  return pairs;
}

// Sum of squares against fixed random weights.
at::Tensor objective(const Objective& o, at::ScalarType dtype, const Points& points) {
  RunOptions options = test::options_in({});
  options.dtype = dtype;
  Executor e(test::registry(), options);
  const Value v = e.pull(o.graph, o.node, o.port, o.region, points).or_throw();
  const at::Tensor x = test::numbers_of(v).to(at::kDouble);
  return (test::gaussian(x.sizes().vec(), at::kDouble, 5) * x * x).sum();
}

double objective_at(const Objective& o, Points points, const Key& key, const at::Tensor& offset) {
  points[key] = points[key] + offset;
  return objective(o, at::kDouble, points).item<double>();
}

// Gradients to all points at once; a point that nothing depends on has the gradient 0.
Points gradients(const Objective& o, at::ScalarType dtype, const Points& points) {
  Points held;
  for (const auto& [key, value] : points) held[key] = value.detach().clone().requires_grad_();
  const at::Tensor loss = objective(o, dtype, held);
  if (loss.requires_grad()) loss.backward();
  Points found;
  for (const auto& [key, value] : held) found[key] = value.grad().defined() ? value.grad() : at::zeros_like(value);
  return found;
}

// The parameter's value itself, or single views and all views at once of a list.
std::vector<at::Tensor> directions(const at::Tensor& value) {
  if (value.dim() == 0) return {at::scalar_tensor(1.0, at::kDouble)};
  at::Tensor one = at::zeros_like(value);
  one.view(-1)[value.numel() / 3] = 1;
  return {one, test::gaussian(value.sizes().vec(), at::kDouble, 23)};
}

}  // namespace

class NodeGradients : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void learnable_parameters_data() {
    QTest::addColumn<QString>("id");
    for (const NodeType& t : Registry::all().types())
      for (const ParamDecl& p : t.params)
        if (p.learnable) {
          QTest::newRow(t.id.c_str()) << QString::fromStdString(t.id);
          break;
        }
  }
  void learnable_parameters() {
    QFETCH(QString, id);
    const NodeType& type = *Registry::all().find(id.toStdString());
    QVERIFY2(type.differentiable, "a learnable parameter of a node that says it cannot be differentiated");
    const auto all = objectives(type);
    QVERIFY(!all.empty());
    std::set<std::string> effective;
    for (const auto& [o, absent] : combined(all, left_out(type))) {
      const bool has_orbit = absent.count("roll") == 1, is_plain = o.label.find("back_projection") != std::string::npos;
      if (type.id == "geometry.set" && has_orbit == is_plain) continue;
      const bool is_cone = o.label.find("cone") != std::string::npos;
      Points points;
      for (const ParamDecl& p : type.params)
        if (p.learnable && absent.count(p.name) == 0 && !(is_cone && p.name == "lamino"))
          points[{"node", p.name}] = generic_point(type, p, o, test::ScanSize{}.views);
      const double size = std::abs(objective(o, at::kDouble, points).item<double>());
      const Points exact = gradients(o, at::kDouble, points), single = gradients(o, at::kFloat, points);
      for (const auto& [key, point] : points) {
        for (const at::Tensor& way : directions(point)) {
          const double own = std::abs(point.dim() == 0 ? point.item<double>() : 1.0);
          const double h = step * (own < 1e-3 ? own : std::max(1.0, own));
          const double slope = (exact.at(key) * way).sum().item<double>();
          const double slope32 = (single.at(key) * way).sum().item<double>();
          const double numeric =
              (objective_at(o, points, key, h * way) - objective_at(o, points, key, -h * way)) / (2 * h);
          const std::string text = o.label + ": " + key.second + ": gradient " +
                                   QByteArray::number(slope, 'g', 12).toStdString() + ", central difference " +
                                   QByteArray::number(numeric, 'g', 12).toStdString() + ", float32 " +
                                   QByteArray::number(slope32, 'g', 9).toStdString();
          qInfo("%s", text.c_str());
          const double unit = h / step;
          if (std::abs(slope) * unit < nothing * size) {
            // Rounding of the objective, 1e-15 of it, over the step.
            QVERIFY2(std::abs(numeric) * unit < 1e-8 * std::max(1.0, unit) * size, text.c_str());
            continue;
          }
          effective.insert(key.second);
          // Small slopes that are left of larger ones; displacements cross edges of voxels.
          // Without a filter, kinks of the interpolation between pixels are within the difference.
          constexpr double of_kinks = 1e-3, of_edges = 2e-5;
          const double limit = is_plain                                         ? of_kinks
                               : key.second == "yaw" || key.second == "control" ? of_edges
                                                                                : float64_limit;
          QVERIFY2(std::abs(slope - numeric) < limit * std::abs(slope), text.c_str());
          QVERIFY2(std::abs(slope32 - slope) < float32_limit * std::abs(slope), text.c_str());
        }
      }
    }
    for (const ParamDecl& p : type.params)
      QVERIFY2(!p.learnable || effective.count(p.name) == 1, (p.name + " has no effect in any scan").c_str());
  }

  void other_parameters_cannot_be_tensors() {
    for (const NodeType& type : Registry::all().types()) {
      if (type.outputs.empty()) continue;
      for (const auto& trial : test::default_trials(type, {}, {}))
        for (const ParamDecl& p : type.params) {
          if (p.set_tensor) continue;
          Executor e(test::registry(), test::options_in({}));
          const auto r = e.pull(trial.graph, "node", type.outputs.front().name, {},
                                {{{"node", p.name}, at::scalar_tensor(1.0, at::kDouble).requires_grad_()}});
          QVERIFY2(!r.ok() && r.error().kind == ErrorKind::invalid, (type.id + "." + p.name).c_str());
        }
    }
  }
};

TL_TEST_CASE(NodeGradients)

}  // namespace tl::node_gradients_test

#include "node_gradients.moc"
