// Bypass and mute in the executor: values are the same as without the node, and muted outputs are not written.
#include "core/graph/bypass.h"

#include <QTemporaryDir>

#include "core/graph/graph_json.h"
#include "core/run/automatic/batch.h"
#include "core/run/executor.h"
#include "tests/support/phantom_source.h"
#include "tests/support/test_case.h"

namespace tl::bypass_test {

namespace fs = std::filesystem;

namespace {

enum class Filter { absent, active, bypassed, muted };

// scan -> fbp -> (gaussian ->) save, and a second output straight behind fbp.
Graph graph(Filter filter) {
  Graph g;
  g.nodes["scan"] = {"test.phantom", 1, {}};
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.nodes["save"] = {"output.save_volume", 1, {{"file", std::string("filtered.tif")}}};
  g.nodes["plain"] = {"output.save_volume", 1, {{"file", std::string("plain.tif")}}};
  g.links = {{"scan", "projections", "fbp", "projections"}, {"fbp", "volume", "plain", "volume"}};
  if (filter == Filter::absent) {
    g.links.push_back({"fbp", "volume", "save", "volume"});
    return g;
  }
  g.nodes["gaussian"] = {"filter.gaussian", 1, {}};
  g.links.push_back({"fbp", "volume", "gaussian", "volume"});
  g.links.push_back({"gaussian", "volume", "save", "volume"});
  if (filter == Filter::bypassed) g.nodes["gaussian"].use = NodeUse::bypassed;
  if (filter == Filter::muted) g.nodes["gaussian"].use = NodeUse::muted;
  return g;
}

RunOptions options(const fs::path& folder = {}) {
  RunOptions o;
  o.memory = int64_t{1} << 30;
  o.output_dir = folder;
  return o;
}

at::Tensor volume(Executor& executor, const Graph& g, const std::string& node) {
  return std::get<Volume>(executor.pull(g, node, "volume").or_throw()).data;
}

}  // namespace

class BypassTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_bypassed_filter_is_as_if_it_were_not_there() {
    Executor executor(test::registry(), options());
    const at::Tensor without = volume(executor, graph(Filter::absent), "fbp");
    const at::Tensor bypassed = volume(executor, graph(Filter::bypassed), "gaussian");
    const at::Tensor filtered = volume(executor, graph(Filter::active), "gaussian");
    QVERIFY(at::equal(without, bypassed));
    QVERIFY(!at::equal(without, filtered));
    const auto infos = executor.infos(graph(Filter::bypassed), "gaussian").or_throw();
    QVERIFY(infos.count("volume") == 1);
  }

  void check_and_forecast_leave_it_out() {
    Executor executor(test::registry(), options());
    const auto all = executor.check(graph(Filter::bypassed)).or_throw();
    QVERIFY(all.count("gaussian") == 1);  // what passes through it
    const auto muted = executor.check(graph(Filter::muted)).or_throw();
    QVERIFY(muted.count("gaussian") == 0);
    QVERIFY(muted.count("save") == 0);
    for (const Section& s : executor.forecast(graph(Filter::muted)).or_throw().sections) QVERIFY(s.node != "save");
    for (const Section& s : executor.plan(graph(Filter::bypassed)).or_throw().sections) QVERIFY(s.node != "gaussian");
  }

  void a_muted_output_is_not_written() {
    const QTemporaryDir folder;
    const fs::path out = folder.path().toStdString();
    Executor executor(test::registry(), options(out));
    const RunReport report = run_batch(executor, graph(Filter::muted), test::registry()).or_throw();
    QCOMPARE(report.files.size(), std::size_t{1});
    QVERIFY(fs::exists(out / "plain.tif"));
    QVERIFY(!fs::exists(out / "filtered.tif"));
    // The record holds the pipeline as it was drawn.
    const Graph back = load_pipeline((out / "plain.tif.json").string(), test::registry()).or_throw();
    QVERIFY(back.nodes.at("gaussian").use == NodeUse::muted);
    // A muted output does not keep its name from being taken.
    QCOMPARE(output_paths(graph(Filter::muted), test::registry(), options(out)).size(), std::size_t{1});
  }

  void an_inspection_reports_what_is_left_out() {
    Executor executor(test::registry(), options());
    const auto bypassed = executor.look(graph(Filter::bypassed));
    QVERIFY(bypassed.at("gaussian").use == NodeUse::bypassed);
    QVERIFY(bypassed.at("gaussian").outputs.count("volume") == 1);
    QVERIFY(bypassed.at("gaussian").key == bypassed.at("fbp").key);
    QVERIFY(bypassed.at("save").key == executor.look(graph(Filter::absent)).at("save").key);
    const auto muted = executor.look(graph(Filter::muted));
    QVERIFY(muted.at("save").use == NodeUse::muted);
    QVERIFY(muted.at("plain").use == NodeUse::active);
    const Region slice = full_region(bypassed.at("gaussian").outputs.at("volume"));
    const at::Tensor all = volume(executor, graph(Filter::bypassed), "gaussian");
    const auto known = executor.known(graph(Filter::bypassed), "gaussian", "volume", slice).or_throw();
    QVERIFY(known.has_value() && at::equal(std::get<Volume>(*known).data, all));
    QCOMPARE(executor.peak(graph(Filter::bypassed), "gaussian", "volume", slice).or_throw(),
             executor.peak(graph(Filter::absent), "fbp", "volume", slice).or_throw());
  }

  void what_is_muted_cannot_be_asked_for() {
    const QTemporaryDir folder;
    Executor executor(test::registry(), options(folder.path().toStdString()));
    const Graph g = graph(Filter::muted);
    for (const Error& error : {executor.pull(g, "gaussian", "volume").error(), executor.infos(g, "gaussian").error(),
                               executor.run(g, {"save"}).error()})
      QVERIFY2(error.message().find("muted") != std::string::npos, error.message().c_str());
    Graph all = g;
    all.nodes["plain"].use = NodeUse::muted;
    QVERIFY(!executor.run(all).ok());
  }

  // The value that a driven parameter had before must not come back without a word.
  void a_driver_is_not_lost_in_silence() {
    Graph g;
    g.nodes["scan"] = {"test.phantom", 1, {}};
    g.nodes["finder"] = {"axis.wedge", 1, {}};
    g.nodes["geometry"] = {"geometry.set", 1, {{"axis", Number{17, Unit::px}}}};
    g.links = {{"scan", "projections", "finder", "projections"},
               {"scan", "projections", "geometry", "projections"},
               {"finder", "axis", "geometry", "axis"}};
    g.nodes["finder"].use = NodeUse::muted;
    QCOMPARE(used_graph(g, test::registry()).muted, (std::set<std::string>{"finder", "geometry"}));
    Executor executor(test::registry(), options());
    QVERIFY(!executor.pull(g, "geometry", "projections").ok());
    g.nodes["finder"].use = NodeUse::bypassed;
    QVERIFY(!may_bypass(g, test::registry(), "finder").ok());
    QVERIFY(!executor.pull(g, "geometry", "projections").ok());
  }
  void parameters_of_what_is_left_out_cannot_be_supplied() {
    Executor executor(test::registry(), options());
    const ParameterTensors supplied{{{"gaussian", "span"}, at::scalar_tensor(1, at::kDouble)}};
    const auto pulled = executor.pull(graph(Filter::bypassed), "fbp", "volume", {}, supplied);
    QVERIFY(!pulled.ok());
    QVERIFY(pulled.error().message().find("bypassed or muted") != std::string::npos);
  }
};

TL_TEST_CASE(BypassTest)

}  // namespace tl::bypass_test

#include "bypass.moc"
