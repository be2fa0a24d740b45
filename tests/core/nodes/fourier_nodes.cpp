// Fourier reconstruction and the shell correlation as nodes: the values of FBP, laminography, symmetry, parts and
// planes; resolutions with their verdicts.
#include <ATen/ATen.h>

#include "core/run/executor.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::fourier_nodes_test {

namespace {

using Params = std::map<std::string, ParamValue>;

Graph graph_with(const std::string& type, const Params& params, const std::string& beam = "parallel") {
  Graph g;
  g.nodes["scan"] = {"test.phantom",
                     1,
                     {{"kind", std::string("absorption")},
                      {"beam", beam},
                      {"views", int64_t{60}},
                      {"rows", int64_t{10}},
                      {"cols", int64_t{32}},
                      {"density", Number{0.1, Unit::none}},
                      {"range", Number{180, Unit::deg}}}};
  g.nodes["recon"] = {type, 1, params};
  g.links.push_back({"scan", "projections", "recon", "projections"});
  return g;
}

Volume pulled(const Graph& g, std::optional<Region> wanted = std::nullopt) {
  Executor e(test::registry(), test::options_in({}));
  return std::get<Volume>(wanted ? e.pull(g, "recon", "volume", *wanted).or_throw()
                                 : e.pull(g, "recon", "volume").or_throw());
}

double rms(const at::Tensor& x) { return x.to(at::kDouble).square().mean().sqrt().item<double>(); }

}  // namespace

class FourierNodes : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // The same object, in the same place and unit as by FBP.
  void as_fbp() {
    const Volume ours = pulled(graph_with("recon.fourier", {})), fbp = pulled(graph_with("recon.fbp", {}));
    QCOMPARE(ours.unit, Unit::per_mm);
    QVERIFY(ours.grid == fbp.grid);
    // Edges ring here and are blurred there: the middle slices, a quarter of the width from the edge.
    const auto middle = [](const at::Tensor& v) { return v.narrow(0, 3, 4).narrow(1, 8, 16).narrow(2, 8, 16); };
    const double gap = rms(middle(ours.data) - middle(fbp.data)) / rms(middle(fbp.data));
    qInfo("difference to FBP %.4f", gap);
    QVERIFY2(gap < 0.15, std::to_string(gap).c_str());
    QVERIFY(std::abs(middle(ours.data).mean().item<double>() / middle(fbp.data).mean().item<double>() - 1) < 0.03);
  }
  void parts_and_planes() {
    const Graph g = graph_with("recon.fourier", {});
    const Volume whole = pulled(g);
    const Volume part = pulled(g, whole.grid.sub({2, 5}, {4, 20}, {7, 31}));
    QVERIFY(part.data.equal(whole.data.slice(0, 2, 5).slice(1, 4, 20).slice(2, 7, 31)));
    const VolumeGrid plane = VolumeGrid::plane(9, 9, norm(whole.grid.step_x), whole.grid.centre, {1, 1, 0}, {0, 0, 1});
    QCOMPARE(pulled(g, plane).data.numel(), int64_t{81});
  }
  void settings() {
    const Volume usual = pulled(graph_with("recon.fourier", {}));
    const Volume tall = pulled(graph_with("recon.fourier", {{"height", int64_t{14}}}));
    QCOMPARE(tall.grid.nz, int64_t{14});
    // A twofold axis makes the slices symmetric.
    const at::Tensor folded = pulled(graph_with("recon.fourier", {{"symmetry", std::string("C2")}})).data;
    QVERIFY(test::max_difference(folded, folded.flip({1, 2})) < 1e-4 * folded.abs().max().item<double>());
    const Volume coarse = pulled(graph_with("recon.fourier", {{"cutoff", Number{0.5, Unit::nyquist}}}));
    QVERIFY(rms(coarse.data) < rms(usual.data));
    Executor e(test::registry(), test::options_in({}));
    QVERIFY(!e.pull(graph_with("recon.fourier", {{"symmetry", std::string("Q")}}), "recon", "volume").ok());
    const auto cone = e.pull(graph_with("recon.fourier", {}, "cone"), "recon", "volume");
    QVERIFY(!cone.ok() && cone.error().message().find("parallel") != std::string::npos);
  }
  // Equal volumes agree at all frequencies; a volume and a smoothed one at their low ones.
  void shell_correlation() {
    Graph g = graph_with("recon.fbp", {});
    g.nodes["other"] = {"recon.fbp", 1, {}};
    g.links.push_back({"scan", "projections", "other", "projections"});
    g.nodes["fsc"] = {"measure.shell_correlation", 1, {}};
    g.links.push_back({"recon", "volume", "fsc", "first"});
    g.links.push_back({"other", "volume", "fsc", "second"});
    Executor e(test::registry(), test::options_in({}));
    const auto table = std::get<Table>(e.pull(g, "fsc", "shells").or_throw());
    QCOMPARE(table.columns.size(), std::size_t{4});
    QCOMPARE(table.columns[0].unit, Unit::per_mm);
    for (const double c : table.columns[1].values) QVERIFY(std::abs(c - 1) < 1e-5);
    for (const char* port : {"half_bit", "gold_standard"}) {
      const auto s = std::get<Scalar>(e.pull(g, "fsc", port).or_throw());
      QVERIFY(s.unit == Unit::mm && s.verdict == Verdict::railed);
    }
    g.nodes["other"].params["width"] = int64_t{20};
    QVERIFY(!e.pull(g, "fsc", "shells").ok());
  }
};

TL_TEST_CASE(FourierNodes)

}  // namespace tl::fourier_nodes_test

#include "fourier_nodes.moc"
