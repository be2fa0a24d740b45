// A number that drives parameters of several nodes: they take its value in their units, and it gets the sum of their
// gradients.
#include <ATen/ATen.h>

#include <cmath>

#include "core/run/executor.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/test_case.h"

namespace tl::shared_number_test {
namespace {

// Two phase retrievals of one scan. The ratio of both is linked to a number.
Graph two_retrievals() {
  Graph g;
  g.nodes["scan"] = {"test.phantom", 1, {{"kind", std::string("transmission")}, {"density", Number{0.1, Unit::none}}}};
  g.nodes["number"] = {"input.number", 1, {{"value", Number{300, Unit::none}}}};
  for (const auto& [id, distance] : {std::pair{"near", 20.0}, {"far", 50.0}}) {
    g.nodes[id] = {"phase.paganin", 1, {{"distance", Number{distance, Unit::mm}}, {"energy", Number{20, Unit::keV}}}};
    g.links.push_back({"scan", "projections", id, "projections"});
    g.links.push_back({"number", "number", id, "delta_over_beta"});
  }
  return g;
}

at::Tensor image(const Graph& g, const std::string& node, const ExternalValues& outside = {}) {
  Executor e(test::registry(), test::options_in({}));
  return test::numbers_of(e.pull(g, node, "projections", {}, outside).or_throw());
}

// Of the sum of squares of the pixels of some nodes, to a parameter.
double gradient(const Graph& g, const std::string& node, const std::string& param,
                const std::vector<std::string>& summed) {
  const at::Tensor held = at::scalar_tensor(300, at::kDouble).requires_grad_();
  ExternalValues outside;
  outside.parameters[{node, param}] = held;
  at::Tensor sum = at::zeros({}, at::kDouble);
  for (const std::string& id : summed) sum = sum + image(g, id, outside).to(at::kDouble).square().sum();
  sum.backward();
  return held.grad().item<double>();
}

Graph without_number(Graph g) {
  std::erase_if(g.links, [](const Link& l) { return l.from_node == "number"; });
  return g;
}

}  // namespace

class SharedNumberTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void all_its_nodes_take_it() {
    const Graph shared = two_retrievals();
    Graph own = without_number(shared);
    for (const char* id : {"near", "far"}) {
      QVERIFY(!image(shared, id).equal(image(own, id)));  // that of water
      own.nodes[id].params["delta_over_beta"] = Number{300, Unit::none};
      QVERIFY(image(shared, id).equal(image(own, id)));
    }
  }

  // A number in a unit is converted to that of the parameter; another dimension is refused.
  void units_are_converted() {
    Graph g = two_retrievals();
    g.links.back() = {"number", "number", "far", "distance"};
    g.nodes["number"].params = {{"value", Number{50000, Unit::none}}, {"unit", std::string("um")}};
    Graph own = two_retrievals();
    own.links.pop_back();
    own.nodes["far"].params["distance"] = Number{50, Unit::mm};
    QVERIFY(image(g, "far").equal(image(own, "far")));
    g.nodes["number"].params["unit"] = std::string("kev");
    Executor e(test::registry(), test::options_in({}));
    const auto refused = e.pull(g, "far", "projections");
    QVERIFY(!refused.ok());
    QVERIFY2(refused.error().what.find("keV") != std::string::npos, refused.error().what.c_str());
  }

  void it_gets_the_sum_of_the_gradients() {
    const Graph g = two_retrievals(), own = without_number(g);
    const double near = gradient(own, "near", "delta_over_beta", {"near"});
    const double far = gradient(own, "far", "delta_over_beta", {"far"});
    const double both = gradient(g, "number", "value", {"near", "far"});
    QVERIFY(near != 0 && far != 0);
    constexpr double rounding = 1e-12;  // of sums in double
    QVERIFY2(std::abs(both - (near + far)) < rounding * (std::abs(near) + std::abs(far)),
             qPrintable(QString("%1 for %2").arg(both, 0, 'g', 17).arg(near + far, 0, 'g', 17)));
  }
};

TL_TEST_CASE(SharedNumberTest)

}  // namespace tl::shared_number_test

#include "shared_number.moc"
