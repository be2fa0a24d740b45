// Law: the order in which the views of a scan were recorded changes no result of a bundled pipeline.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>

#include "core/base/random.h"
#include "core/base/units.h"
#include "core/graph/graph_json.h"
#include "core/graph/templates.h"
#include "core/graph/upstream.h"
#include "core/run/executor.h"
#include "tests/support/given_scan.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/test_case.h"

namespace tl::view_order_test {

namespace {

// Sums over views in another order, in float64, relative to the range; fits by thresholds enlarge it: with float32
// rounding, single voxels on the other side of a threshold change the whole fit.
constexpr double rounding = 1e-6;
// Axis [px] and losses [relative]: sums of float64, minimised.
constexpr double rounding_of_numbers = 1e-6;

enum class Recording { sweep, twice };

Projections scan(const char* beam, double range, Recording recording) {
  Graph g;
  g.nodes["scan"] = {"input.simulate_scan",
                     1,
                     {{"views", int64_t{72}},
                      {"rows", int64_t{6}},
                      {"cols", int64_t{40}},
                      {"axis", Number{2.3, Unit::px}},
                      {"beam", std::string(beam)},
                      {"range", Number{range, Unit::deg}},
                      {"photons", Number{1e5, Unit::none}}}};
  Executor e(Registry::all(), test::options_in({}));
  Projections whole = std::get<Projections>(e.pull(g, "scan", "projections").or_throw());
  whole.references.flat_positions.clear();
  if (recording == Recording::sweep) return whole;
  std::vector<int64_t> views;
  for (int64_t i = 0; i < 2 * whole.geometry.views(); ++i) views.push_back(i / 2);
  whole.data = whole.data.index_select(0, at::tensor(views, at::kLong));
  whole.geometry = whole.geometry.select(views);
  return whole;
}

Projections reordered(const Projections& in, const std::vector<int64_t>& views) {
  Projections out = in;
  out.data = in.data.index_select(0, at::tensor(views, at::kLong));
  out.geometry = in.geometry.select(views);
  return out;
}

std::vector<int64_t> in_order(int64_t count) {
  std::vector<int64_t> views(static_cast<std::size_t>(count));
  std::iota(views.begin(), views.end(), int64_t{0});
  return views;
}

struct Order {
  std::string name;
  std::vector<int64_t> views;
};

std::vector<Order> orders(int64_t count) {
  Order backwards{"backwards", in_order(count)}, interlaced{"interlaced", {}}, forth_and_back{"forth and back", {}},
      shuffled{"shuffled", in_order(count)};
  std::reverse(backwards.views.begin(), backwards.views.end());
  for (int64_t pass = 0; pass < 4; ++pass)
    for (int64_t i = pass; i < count; i += 4) interlaced.views.push_back(i);
  for (int64_t i = 0; i < count; i += 2) forth_and_back.views.push_back(i);
  for (int64_t i = count - 1 - count % 2; i > 0; i -= 2) forth_and_back.views.push_back(i);
  const Philox random{11, 0};
  for (std::size_t i = shuffled.views.size(); i > 1; --i)
    std::swap(shuffled.views[i - 1],
              shuffled.views[static_cast<std::size_t>(random.uniform(i) * static_cast<double>(i))]);
  return {backwards, interlaced, forth_and_back, shuffled};
}

bool reads_scan(const GraphNode& node) { return node.type == "input.load_scan" || node.type == "input.simulate_scan"; }

// The pipeline with the test's scan instead of the one that it reads; nothing if it reads none.
std::optional<Graph> with_given_scan(std::string_view text) {
  Graph g = graph_from_json(text, test::registry_with_given()).or_throw();
  bool found = false;
  for (auto& [id, node] : g.nodes)
    if (reads_scan(node)) {
      node = GraphNode{"test.given", 1, {}};
      found = true;
    }
  return found ? std::optional<Graph>(g) : std::nullopt;
}

bool has_cone_node(const Graph& g) {
  return std::any_of(g.nodes.begin(), g.nodes.end(), [](const auto& n) { return n.second.type == "recon.fdk"; });
}

// The numbers that nodes compute from all views: volumes, losses, axes. Volumes only where the views went into it.
struct Computed {
  std::string port;
  bool is_number = false;
  at::Tensor value;
};

std::vector<Computed> results(const Graph& graph, const std::string& label) {
  std::vector<Computed> all;
  for (const auto& [id, node] : graph.nodes) {
    const NodeType* type = test::registry_with_given().find(node.type);
    const bool objective = node.type.starts_with("objective."), axis = node.type.starts_with("axis.");
    if (!node.type.starts_with("recon.") && !objective && !axis) continue;
    for (const PortDecl& port : type->outputs) {
      if (objective && port.name != "loss") continue;
      if (axis && port.name != "axis") continue;
      if (port.type != PortType::volume && port.type != PortType::scalar) continue;
      RunOptions options = test::options_in({});
      options.dtype = at::kDouble;
      Executor e(test::registry_with_given(), options);
      Result<Value> value = e.pull(upstream_of(graph, {id}), id, port.name);
      // An objective for other beams or turns refuses, in any order.
      if (!value.ok() && value.error().kind == ErrorKind::invalid) {
        all.push_back({id + "." + port.name + ", refused", true, {}});
        continue;
      }
      if (!value.ok()) throw Failure(value.error());
      const Value v = std::move(value).value();
      if (const auto* number = std::get_if<Scalar>(&v)) {
        all.push_back({id + "." + port.name, true, number->value.detach()});
      } else {
        all.push_back({id + "." + port.name, false, std::get<Volume>(v).data});
      }
    }
  }
  if (all.empty()) qWarning("%s computes nothing from views", label.c_str());
  return all;
}

std::string difference_of(const std::vector<Computed>& a, const std::vector<Computed>& b) {
  if (a.size() != b.size()) return "other outputs";
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].port != b[i].port) return a[i].port + " became " + b[i].port;
    if (!a[i].value.defined()) continue;
    const double off = a[i].is_number ? (a[i].value - b[i].value).abs().item<double>() /
                                            std::max(1.0, std::abs(b[i].value.item<double>()))
                                      : test::difference(a[i].value, b[i].value);
    if (!(off < (a[i].is_number ? rounding_of_numbers : rounding))) return a[i].port + ": " + std::to_string(off);
  }
  return {};
}

}  // namespace

class ViewOrder : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(1); }

  void bundled_pipelines_data() {
    QTest::addColumn<QString>("name");
    for (const Template& t : templates())
      QTest::newRow(std::string(t.name).c_str()) << QString::fromStdString(std::string(t.name));
  }
  void bundled_pipelines() {
    QFETCH(QString, name);
    const auto all = templates();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Template& t) { return t.name == name.toStdString(); });
    const std::optional<Graph> graph = with_given_scan(found->text);
    if (!graph) QSKIP("This pipeline reads no scan");
    const bool cone = has_cone_node(*graph);
    for (const Recording recording : {Recording::sweep, Recording::twice})
      for (const double range : {180.0, 360.0}) {
        if (cone && range < 360) continue;
        const Projections sweep = scan(cone ? "cone" : "parallel", range, recording);
        test::given_scan = sweep;
        const std::vector<Computed> expected = results(*graph, name.toStdString());
        for (const Order& order : orders(sweep.geometry.views())) {
          test::given_scan = reordered(sweep, order.views);
          const std::string off = difference_of(results(*graph, name.toStdString()), expected);
          QVERIFY2(off.empty(), (order.name + ", " + std::to_string(range) + ": " + off).c_str());
        }
      }
  }
};

TL_TEST_CASE(ViewOrder)

}  // namespace tl::view_order_test

#include "view_order.moc"
