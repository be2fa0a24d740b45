// Every objective of the registry: its gradient through the pipeline in both modes, and what each one must know.
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <set>

#include "core/run/executor.h"
#include "gpu/operator/forward_mode.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::objective_nodes_test {

namespace {

constexpr double axis_point = 0.3137, linear_point = 0.93;
const std::pair<std::string, std::string> axis_key{"learnt", "axis"}, linear_key{"hard", "linear"};

// A geometry and a correction to be learned between the scan and whatever reads it.
Graph with_parameters(Graph g) {
  g.nodes["learnt"] = {"geometry.set", 1, {{"axis", Number{axis_point, Unit::px}}}};
  g.nodes["hard"] = {"correct.beam_hardening", 1, {{"linear", Number{linear_point, Unit::none}}}};
  for (Link& l : g.links)
    if (l.from_node == "scan") l.from_node = "hard";
  g.links.push_back({"scan", "projections", "learnt", "projections"});
  g.links.push_back({"learnt", "projections", "hard", "projections"});
  return g;
}

struct Point {
  at::Tensor axis = at::scalar_tensor(axis_point, at::kDouble), linear = at::scalar_tensor(linear_point, at::kDouble);
  [[nodiscard]] ParameterTensors held() const { return {{axis_key, axis}, {linear_key, linear}}; }
};

at::Tensor loss(const Graph& g, at::ScalarType type, const Point& p) {
  RunOptions o = test::options_in({});
  o.dtype = type;
  Executor e(test::registry(), o);
  return std::get<Scalar>(e.pull(g, "node", "loss", {}, p.held()).or_throw()).value;
}

bool is_objective(const NodeType& t) { return t.category == "Learning" && t.output("loss") != nullptr; }

double plain_loss(const Graph& g) {
  Executor e(test::registry(), test::options_in({}));
  return std::get<Scalar>(e.pull(g, "node", "loss").or_throw()).value.item<double>();
}

std::string refusal(const Graph& g) {
  Executor e(test::registry(), test::options_in({}));
  const auto r = e.check(g);
  return r.ok() ? "" : r.error().message();
}

Graph scan_into(const std::string& objective, const std::map<std::string, ParamValue>& scan) {
  Graph g;
  g.nodes["scan"] = {"test.phantom", 1, scan};
  g.nodes["node"] = {objective, 1, {}};
  g.links.push_back({"scan", "projections", "node", "projections"});
  return g;
}

}  // namespace

class ObjectiveNodesTest : public QObject {
  Q_OBJECT

  static void rows() {
    QTest::addColumn<QString>("id");
    for (const NodeType& t : Registry::all().types())
      if (is_objective(t)) QTest::newRow(t.id.c_str()) << QString::fromStdString(t.id);
  }
  static const NodeType& type() {
    QFETCH(QString, id);
    return *Registry::all().find(id.toStdString());
  }

 private Q_SLOTS:
  void declared_as_objectives() {
    int count = 0;
    for (const NodeType& t : Registry::all().types()) {
      if (!is_objective(t)) continue;
      ++count;
      QVERIFY2(t.id.rfind("objective.", 0) == 0 && t.differentiable, t.id.c_str());
      QVERIFY2(t.output("loss")->type == PortType::scalar, t.id.c_str());
    }
    QVERIFY(count >= 13);
  }

  // Through geometry and pixel values, in float64 against differences and in float32 against float64, backwards and
  // forwards.
  void gradients_data() { rows(); }
  void gradients() {
    std::set<std::string> effective;
    int tried = 0;
    for (const auto& trial : test::default_trials(type(), {})) {
      Executor e(test::registry(), test::options_in({}));
      const Graph g = with_parameters(trial.graph);
      if (!e.check(g).ok()) continue;
      ++tried;
      Point held;
      held.axis.requires_grad_();
      held.linear.requires_grad_();
      const auto gradient = [&](at::ScalarType t) {
        std::vector<double> numbers;
        for (const at::Tensor& x :
             torch::autograd::grad({loss(g, t, held)}, {held.axis, held.linear}, {}, {}, {}, true))
          numbers.push_back(x.defined() ? x.item<double>() : 0);
        return numbers;
      };
      const std::vector<double> exact = gradient(at::kDouble), single = gradient(at::kFloat);
      for (std::size_t n = 0; n < 2; ++n) {
        const std::string name = n == 0 ? "axis" : "linear";
        const auto moved = [&](double h) {
          Point p;
          at::Tensor& x = n == 0 ? p.axis : p.linear;
          x = x + h;
          return loss(g, at::kDouble, p).item<double>();
        };
        constexpr double h = 1e-6;
        const double numeric = (moved(h) - moved(-h)) / (2 * h),
                     size = std::abs(loss(g, at::kDouble, {}).item<double>());
        double forward = 0;
        {
          const ForwardDirection direction;
          Point p;
          at::Tensor& x = n == 0 ? p.axis : p.linear;
          x = dual(x, at::ones_like(x));
          const at::Tensor slope = tangent(loss(g, at::kDouble, p));
          forward = slope.defined() ? slope.item<double>() : 0;
        }
        const std::string text = trial.label + ": " + name + ": gradient " + std::to_string(exact[n]) + ", forward " +
                                 std::to_string(forward) + ", difference " + std::to_string(numeric) + ", float32 " +
                                 std::to_string(single[n]) + ", loss " + std::to_string(size);
        qInfo("%s", text.c_str());
        if (std::abs(exact[n]) < 1e-9 * size) {
          // Rounding of a loss made of differences of large numbers, over the step.
          QVERIFY2(std::abs(numeric) < 1e-6 * size && std::abs(forward) < 1e-9 * size, text.c_str());
          continue;
        }
        effective.insert(name);
        QVERIFY2(std::abs(exact[n] - numeric) < 1e-6 * std::abs(exact[n]), text.c_str());
        QVERIFY2(std::abs(exact[n] - forward) < 1e-9 * std::abs(exact[n]), text.c_str());
        QVERIFY2(std::abs(exact[n] - single[n]) < 1e-3 * std::abs(exact[n]), text.c_str());
      }
    }
    QVERIFY2(tried > 0, "no scan is accepted together with a learned geometry");
    QVERIFY2(!effective.empty(), "nothing has an effect on this objective");
  }

  // A loss is the same to the last bit for any number of threads.
  void repeats_exactly_data() { rows(); }
  void repeats_exactly() {
    for (const auto& trial : test::default_trials(type(), {}, {24, 6, 40})) {
      std::vector<double> values;
      for (const int threads : {1, 2, 3}) {
        at::set_num_threads(threads);
        values.push_back(plain_loss(trial.graph));
      }
      at::set_num_threads(1);
      QVERIFY2(std::isfinite(values[0]), trial.label.c_str());
      QVERIFY2(std::abs(values[0] - values[1]) <= 1e-6 * std::abs(values[0]) &&
                   std::abs(values[0] - values[2]) <= 1e-6 * std::abs(values[0]),
               trial.label.c_str());
    }
  }

  void variance_wants_full_turns() {
    const auto scan = [](double range, const char* beam) {
      return scan_into("objective.variance", {{"range", Number{range, Unit::deg}}, {"beam", std::string(beam)}});
    };
    QVERIFY(refusal(scan(360, "parallel")).empty());
    QVERIFY(refusal(scan(360, "cone")).empty());
    QVERIFY(refusal(scan(720, "parallel")).empty());
    QVERIFY(refusal(scan(180, "parallel")).find("objective.wedge") != std::string::npos);
    QVERIFY(refusal(scan(540, "parallel")).find("full turns") != std::string::npos);
    QVERIFY(refusal(scan(240, "cone")).find("full turns") != std::string::npos);
  }

  void wedge_wants_parallel_half_turns() {
    const auto scan = [](double range, const char* beam) {
      return scan_into("objective.wedge", {{"range", Number{range, Unit::deg}}, {"beam", std::string(beam)}});
    };
    QVERIFY(refusal(scan(180, "parallel")).empty());
    QVERIFY(refusal(scan(360, "parallel")).empty());
    QVERIFY(refusal(scan(120, "parallel")).find("half a turn") != std::string::npos);
    QVERIFY(refusal(scan(360, "cone")).find("objective.variance") != std::string::npos);
  }

  void sums_are_weighted() {
    Graph g = scan_into("objective.moments", {});
    g.nodes["moments"] = g.nodes.extract("node").mapped();
    for (Link& l : g.links) l.to_node = "moments";
    g.nodes["node"] = {
        "objective.sum", 1, {{"weight_a", Number{2, Unit::none}}, {"weight_c", Number{-0.5, Unit::none}}}};
    g.links.push_back({"moments", "loss", "node", "a"});
    g.links.push_back({"moments", "loss", "node", "c"});
    Executor e(test::registry(), test::options_in({}));
    const double one = std::get<Scalar>(e.pull(g, "moments", "loss").or_throw()).value.item<double>();
    QVERIFY(one > 0 && std::abs(plain_loss(g) - 1.5 * one) < 1e-14 * one);
  }

  // What is equal has no error; a volume predicts its own views.
  void comparisons_of_equals() {
    for (const char* id : {"objective.squared_error", "objective.ssim"}) {
      Graph g;
      g.nodes["scan"] = {"test.phantom", 1, {}};
      g.nodes["recon"] = {"recon.fbp", 1, {}};
      g.nodes["node"] = {id, 1, {}};
      g.links = {{"scan", "projections", "recon", "projections"},
                 {"recon", "volume", "node", "volume"},
                 {"recon", "volume", "node", "reference"}};
      QVERIFY2(std::abs(plain_loss(g)) < 1e-6, id);
    }
    Graph g;
    g.nodes["scan"] = {"test.phantom", 1, {}};
    g.nodes["recon"] = {"recon.fbp", 1, {}};
    g.nodes["views"] = {"recon.forward_projection", 1, {}};
    g.nodes["node"] = {"objective.reprojection", 1, {}};
    g.links = {{"scan", "projections", "recon", "projections"},
               {"recon", "volume", "views", "volume"},
               {"scan", "projections", "views", "like"},
               {"views", "projections", "node", "projections"},
               {"recon", "volume", "node", "volume"}};
    QVERIFY(plain_loss(g) < 1e-12);
  }

  void views_are_divided_without_loss() {
    for (const auto& [every, first] : {std::pair<int64_t, int64_t>{5, 2}, {2, 0}, {7, 6}}) {
      Graph g = scan_into("geometry.select_views", {{"views", int64_t{23}}});
      g.nodes["node"].params = {{"every", every}, {"first", first}};
      g.nodes["rest"] = g.nodes["node"];
      g.nodes["rest"].params["give"] = std::string("others");
      g.links.push_back({"scan", "projections", "rest", "projections"});
      Executor e(test::registry(), test::options_in({}));
      const auto pulled = [&](const char* node) {
        return std::get<Projections>(e.pull(g, node, "projections").or_throw());
      };
      const Projections all = pulled("scan"), picked = pulled("node"), rest = pulled("rest");
      QCOMPARE(picked.geometry.views() + rest.geometry.views(), all.geometry.views());
      for (int64_t v = 0, p = 0, o = 0; v < 23; ++v) {
        const bool is_picked = v >= first && (v - first) % every == 0;
        const Projections& from = is_picked ? picked : rest;
        int64_t& at = is_picked ? p : o;
        QVERIFY(from.data[at].equal(all.data[v]) && from.geometry.view(at) == all.geometry.view(v));
        ++at;
      }
    }
  }

  // Four finer columns hold what the pixels hold: their mean is close to the pixel, and a smooth signal is met.
  void finer_columns_hold_the_signal() {
    Graph g = scan_into("geometry.finer_columns", {{"cols", int64_t{64}}, {"axis", Number{1.7, Unit::px}}});
    Executor e(test::registry(), test::options_in({}));
    const auto fine = std::get<Projections>(e.pull(g, "node", "projections").or_throw());
    const auto coarse = std::get<Projections>(e.pull(g, "scan", "projections").or_throw());
    QCOMPARE(fine.geometry.detector().cols, int64_t{256});
    QVERIFY(std::abs(fine.geometry.orbit()->axis - 4 * coarse.geometry.orbit()->axis) < 1e-9);
    QVERIFY(std::abs(fine.data.sum().item<double>() / (4 * coarse.data.sum().item<double>()) - 1) < 1e-5);
    // Pixel c of the coarse views lies between the fine ones 4 c + 1 and 4 c + 2.
    const at::Tensor middle = 0.5 * (fine.data.slice(2, 1, 256, 4) + fine.data.slice(2, 2, 256, 4));
    const double error = (middle - coarse.data).abs().mean().item<double>() / coarse.data.abs().mean().item<double>();
    QVERIFY2(error < 0.02, std::to_string(error).c_str());
  }
};

TL_TEST_CASE(ObjectiveNodesTest)

}  // namespace tl::objective_nodes_test

#include "objective_nodes.moc"
