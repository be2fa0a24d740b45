// Iterative nodes: metrics and progress per iteration, slices alone, oblique planes, gaps, warm start, short scans.
#include <set>

#include "core/run/executor.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::iterative_nodes_test {

namespace {

struct Recorder : EventSink {
  void metric(std::string_view node, std::string_view name, int64_t index, double value) override {
    if (node == "recon") metrics[std::string(name)].emplace_back(index, value);
  }
  void node_progress(std::string_view node, int64_t done, int64_t total) override {
    if (node == "recon" && total > 0) progress.insert({done, total});
    if (node == "recon" && done == cancel_at && total > 0) token.cancel();
  }
  void message(LogLevel level, std::string_view node, std::string_view text) override {
    if (node == "recon") messages.emplace_back(level, std::string(text));
  }
  [[nodiscard]] bool says(LogLevel level, const std::string& part) const {
    for (const auto& [l, text] : messages)
      if (l == level && text.find(part) != std::string::npos) return true;
    return false;
  }
  std::map<std::string, std::vector<std::pair<int64_t, double>>> metrics;
  std::set<std::pair<int64_t, int64_t>> progress;
  std::vector<std::pair<LogLevel, std::string>> messages;
  int64_t cancel_at = -1;
  CancelToken token;
};

using Params = std::map<std::string, ParamValue>;

Graph graph_with(const std::string& type, const std::string& beam, const Params& params, double range = 0,
                 const std::string& gaps = "none") {
  Graph g;
  g.nodes["scan"] = {"test.phantom",
                     1,
                     {{"kind", std::string("absorption")},
                      {"beam", beam},
                      {"views", int64_t{40}},
                      {"rows", int64_t{6}},
                      {"cols", int64_t{24}},
                      {"density", Number{0.1, Unit::none}},
                      {"gaps", gaps},
                      {"range", Number{range > 0        ? range
                                       : beam == "cone" ? 360.0
                                                        : 180.0,
                                       Unit::deg}}}};
  g.nodes["recon"] = {type, 1, params};
  g.links.push_back({"scan", "projections", "recon", "projections"});
  return g;
}

at::Tensor volume(const Value& v) { return std::get<Volume>(v).data; }

}  // namespace

class IterativeNodes : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void metrics_and_progress() {
    for (const char* type :
         {"recon.sirt", "recon.sart", "recon.cgls", "recon.em", "recon.fista_tv", "recon.tv", "recon.iterative_fdk"}) {
      Recorder sink;
      RunOptions o = test::options_in({});
      o.events = &sink;
      Executor e(test::registry(), o);
      QVERIFY2(e.pull(graph_with(type, "parallel", {{"iterations", int64_t{6}}}), "recon", "volume").ok(), type);
      for (const char* name : {"residual", "objective"}) {
        QCOMPARE(sink.metrics[name].size(), std::size_t{6});
        QCOMPARE(sink.metrics[name].back().first, int64_t{6});
      }
      QVERIFY2(sink.metrics["residual"].back().second < sink.metrics["residual"].front().second, type);
      for (int64_t k = 1; k <= 6; ++k) QVERIFY2(sink.progress.count({k, 6}) == 1, type);
    }
  }
  void cancel_between_iterations() {
    Recorder sink;
    sink.cancel_at = 3;
    RunOptions o = test::options_in({});
    o.events = &sink;
    o.cancel = sink.token;
    Executor e(test::registry(), o);
    const auto r = e.pull(graph_with("recon.sirt", "cone", {{"iterations", int64_t{1000}}}), "recon", "volume");
    QVERIFY(!r.ok() && r.error().kind == ErrorKind::cancelled);
    QCOMPARE(sink.metrics["residual"].size(), std::size_t{3});
  }
  // One slice of an untilted parallel beam is computed from its own detector row; of a cone beam from all.
  void one_slice() {
    for (const auto& [beam, rows] : {std::pair<std::string, int64_t>{"parallel", 1}, {"cone", 6}}) {
      Executor e(test::registry(), test::options_in({}));
      const Graph g = graph_with("recon.cgls", beam, {{"iterations", int64_t{4}}});
      const auto grid = std::get<VolumeInfo>(e.check(g).or_throw().at("recon").at("volume")).grid;
      (void)e.pull(g, "recon", "volume", grid.slab({2, 3})).or_throw();
      QCOMPARE(e.stats().at("scan").voxels, 40 * rows * 24);
    }
  }
  // A plane between the voxels is interpolated from the slices, and says so.
  void oblique_plane() {
    Recorder sink;
    RunOptions o = test::options_in({});
    o.events = &sink;
    Executor e(test::registry(), o);
    const Graph g = graph_with("recon.sirt", "parallel", {{"iterations", int64_t{8}}});
    const Value whole = e.pull(g, "recon", "volume").or_throw();
    const VolumeGrid& grid = std::get<Volume>(whole).grid;
    const VolumeGrid between = [&] {
      VolumeGrid half = grid.sub({2, 4}, {4, 20}, {5, 19});
      half.centre = half.centre + 0.5 * half.step_x;
      return half;
    }();
    const at::Tensor expected = 0.5 * (volume(whole).narrow(0, 2, 2).narrow(1, 4, 16).narrow(2, 5, 14) +
                                       volume(whole).narrow(0, 2, 2).narrow(1, 4, 16).narrow(2, 6, 14));
    QVERIFY(test::difference(volume(e.pull(g, "recon", "volume", between).or_throw()), expected) < 1e-5);
    QVERIFY(sink.says(LogLevel::info, "interpolated"));
    const VolumeGrid upright = VolumeGrid::plane(6, 12, norm(grid.step_x), grid.centre, {1, 0.5, 0}, {0, 0, 1});
    QVERIFY(e.pull(g, "recon", "volume", upright).ok());
  }
  void pixels_without_a_value() {
    for (const char* type : {"recon.sirt", "recon.cgls", "recon.em", "recon.tv"}) {
      Recorder sink;
      RunOptions o = test::options_in({});
      o.events = &sink;
      Executor e(test::registry(), o);
      const at::Tensor with =
          volume(e.pull(graph_with(type, "parallel", {}, 0, "one_nan"), "recon", "volume").or_throw());
      const at::Tensor without = volume(e.pull(graph_with(type, "parallel", {}), "recon", "volume").or_throw());
      QVERIFY2(sink.says(LogLevel::warning, "left out"), type);
      QVERIFY2(at::isfinite(with).all().item<bool>(), type);
      QVERIFY2(test::difference(with, without) < 0.1, type);
    }
  }
  void warm_start() {
    Executor e(test::registry(), test::options_in({}));
    const Params few = {{"iterations", int64_t{3}}};
    Graph g = graph_with("recon.sirt", "parallel", few);
    g.nodes["first"] = {"recon.sirt", 1, few};
    g.links.push_back({"scan", "projections", "first", "projections"});
    g.links.push_back({"first", "volume", "recon", "start"});
    const at::Tensor twice = volume(e.pull(g, "recon", "volume").or_throw());
    const at::Tensor once = volume(
        e.pull(graph_with("recon.sirt", "parallel", {{"iterations", int64_t{6}}}), "recon", "volume").or_throw());
    QVERIFY(twice.equal(once));
  }
  void gradients_are_refused() {
    Graph g = graph_with("recon.sirt", "parallel", {});
    g.nodes["learnt"] = {"geometry.set", 1, {}};
    g.links = {{"scan", "projections", "learnt", "projections"}, {"learnt", "projections", "recon", "projections"}};
    Executor e(test::registry(), test::options_in({}));
    const auto r =
        e.pull(g, "recon", "volume", {}, {{{"learnt", "axis"}, at::scalar_tensor(0.3, at::kDouble).requires_grad_()}});
    QVERIFY(!r.ok() && r.error().kind == ErrorKind::invalid && !r.error().hint.empty());
  }
  // What FDK chooses from the geometry is said, and gives about what a full turn gives.
  void short_scan_is_recognised() {
    Recorder sink;
    RunOptions o = test::options_in({});
    o.events = &sink;
    Executor e(test::registry(), o);
    const auto slice = [&](double range, const char* rays) {
      const Graph g = graph_with("recon.fdk", "cone", {{"rays", std::string(rays)}}, range);
      const auto grid = std::get<VolumeInfo>(e.check(g).or_throw().at("recon").at("volume")).grid;
      return volume(e.pull(g, "recon", "volume", grid.slab({3, 4})).or_throw());
    };
    const at::Tensor full = slice(360, "automatic");
    QVERIFY(sink.messages.empty() || !sink.says(LogLevel::info, "Parker"));
    const at::Tensor part = slice(250, "automatic"), plain = slice(250, "none");
    QVERIFY(sink.says(LogLevel::info, "Parker"));
    const auto mean = [&](const at::Tensor& x) { return (x - full).abs().mean().item<double>(); };
    QVERIFY2(mean(part) < 0.5 * mean(plain), (std::to_string(mean(part)) + " " + std::to_string(mean(plain))).c_str());
    slice(150, "automatic");
    QVERIFY(sink.says(LogLevel::warning, "directions are missing"));
    const auto refused = e.check(graph_with("recon.fdk", "cone", {{"rays", std::string("parker")}}));
    QVERIFY(!refused.ok() && refused.error().kind == ErrorKind::invalid);
  }
};

TL_TEST_CASE(IterativeNodes)

}  // namespace tl::iterative_nodes_test

#include "iterative_nodes.moc"
