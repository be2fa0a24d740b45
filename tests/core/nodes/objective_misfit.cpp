// What the squared error of views reports besides its number: what noise does not explain, and which share of the
// measured contrast the model predicts.
#include "core/run/executor.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/test_case.h"

namespace tl::objective_misfit_test {
namespace {

constexpr double noise = 0.05;  // of the empty beam

GraphNode scan(const char* phantom, double noise_share, int64_t seed) {
  return {"input.simulate_scan",
          1,
          {{"phantom", std::string(phantom)},
           {"views", int64_t{36}},
           {"rows", int64_t{24}},
           {"cols", int64_t{32}},
           {"noise", std::string(noise_share > 0 ? "gaussian" : "none")},
           {"noise_share", Number{noise_share, Unit::none}},
           {"seed", seed}}};
}

struct Misfit {
  double unexplained = 0, explained = 0;
};
Misfit misfit_of(const GraphNode& model, const std::string& scale) {
  Graph g;
  g.nodes["measured"] = scan("shepp_logan", noise, 1);
  g.nodes["model"] = model;
  g.nodes["loss"] = {"objective.data_error", 1, {{"scale", scale}}};
  for (const char* views : {"measured", "model"}) {
    const std::string corrected = std::string(views) + "_corrected";
    g.nodes[corrected] = {"correct.flat_field", 1, {{"logarithm", std::string("off")}}};
    g.links.push_back({views, "projections", corrected, "projections"});
  }
  g.links.push_back({"model_corrected", "projections", "loss", "projections"});
  g.links.push_back({"measured_corrected", "projections", "loss", "measured"});
  Executor e(test::registry(), test::options_in({}));
  const auto number = [&](const char* port) {
    return std::get<Scalar>(e.pull(g, "loss", port).or_throw()).value.item<double>();
  };
  return {number("unexplained"), number("explained")};
}

}  // namespace

class ObjectiveMisfitTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void what_is_reported_data() {
    QTest::addColumn<QString>("scale");
    for (const char* scale : {"absolute", "relative", "scaled"}) QTest::newRow(scale) << QString(scale);
  }
  void what_is_reported() {
    QFETCH(QString, scale);
    const auto words = [](const Misfit& t) {
      return "unexplained " + std::to_string(t.unexplained) + ", explained " + std::to_string(t.explained);
    };
    // The level of noise of a scan this small is known to a tenth, its square to a fifth.
    const Misfit right = misfit_of(scan("shepp_logan", 0, 1), scale.toStdString());
    QVERIFY2(right.unexplained < 0.2 && right.explained > 0.95, words(right).c_str());
    // Ten times as noisy as the data: the differences consist of the model's noise, which explains nothing.
    const Misfit noisy = misfit_of(scan("shepp_logan", 10 * noise, 2), scale.toStdString());
    QVERIFY2(noisy.unexplained > 5 && noisy.explained < 0, words(noisy).c_str());
    // Another object: some of the contrast is the same.
    const Misfit other = misfit_of(scan("thin_box", 0, 1), scale.toStdString());
    QVERIFY2(other.unexplained > 1 && other.explained < 0.8 && other.explained < right.explained, words(other).c_str());
  }
};

TL_TEST_CASE(ObjectiveMisfitTest)

}  // namespace tl::objective_misfit_test

#include "objective_misfit.moc"
