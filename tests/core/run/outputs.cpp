// Every node that writes files: complete results with a record that opens as a pipeline, or nothing at all.
#include <ATen/Parallel.h>
#include <unistd.h>

#include <QJsonDocument>
#include <QTemporaryDir>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "core/graph/graph_json.h"
#include "core/graph/pipeline_paths.h"
#include "core/io/output/volume_writer.h"
#include "core/io/volumes/format.h"
#include "core/run/automatic/batch.h"
#include "tests/support/file_tree.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/test_case.h"

namespace tl::outputs_test {

using tl::test::contents;
using tl::test::put;
namespace fs = std::filesystem;

namespace {

struct CancelAtFirstBlock : EventSink {
  explicit CancelAtFirstBlock(CancelToken t) : token(std::move(t)) {}
  void run_progress(int64_t blocks, int64_t) override {
    if (blocks > 0) token.cancel();
  }
  CancelToken token;
};

// Somebody else is at work in the output folder while a run goes on: `act` is called after every block until it is
// true.
struct Meddler : EventSink {
  explicit Meddler(std::function<bool()> a) : act(std::move(a)) {}
  void run_progress(int64_t blocks, int64_t) override {
    if (blocks > 0 && !done) done = act();
  }
  std::function<bool()> act;
  bool done = false;
};

std::set<std::string> listing(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) names.insert(entry.path().string());
  return names;
}

std::string path_parameter(const NodeType& type) {
  for (const ParamDecl& p : type.params)
    if (p.path == PathRole::output) return p.name;
  return {};
}

// The smallest of a series of halved budgets with which the graph can be planned.
int64_t tight_budget(const Graph& g) {
  int64_t fits = int64_t{1} << 20;
  for (int64_t budget = fits; budget > 1000; budget /= 2) {
    Executor e(test::registry(), test::options_in({}, budget));
    if (!e.plan(g).ok()) break;
    fits = budget;
  }
  return fits;
}

// Whether the chosen format has room for the pipeline: MetaImage has not.
bool embeds_pipeline(const GraphNode& save) {
  const auto chosen = save.params.find("format");
  if (chosen == save.params.end()) return true;
  const io::VolumeFormat* format = io::find_volume_format(std::get<std::string>(chosen->second));
  return format == nullptr || format->lacks.empty();
}

}  // namespace

class Outputs : public QObject {
  Q_OBJECT

  static void rows() {
    QTest::addColumn<QString>("id");
    for (const NodeType& t : Registry::all().types())
      if (t.is_output) QTest::newRow(t.id.c_str()) << QString::fromStdString(t.id);
  }
  static const NodeType& type() {
    QFETCH(QString, id);
    return *Registry::all().find(id.toStdString());
  }
  // What was drawn: inputs relative to the folder, without their fingerprints.
  static Graph drawn_of(const Graph& graph, const fs::path& folder) {
    Graph g = with_relative_inputs(graph, test::registry(), folder);
    g.made_from.clear();
    return g;
  }
  // The pipeline with its parameters at their defaults, writing to `file`.
  static Graph writing_to(const std::string& file) {
    Graph g = test::default_trials(type(), {}).front().graph;
    g.nodes["node"].params[path_parameter(type())] = file;
    // The names here have no ending that would choose a format.
    if (type().id == "output.save_mesh") g.nodes["node"].params["format"] = std::string("stl");
    return g;
  }
  static Result<RunReport> run(const Graph& g, const fs::path& folder,
                               io::Overwrite overwrite = io::Overwrite::refuse) {
    RunOptions o = test::options_in(folder);
    o.overwrite = overwrite;
    return Executor(test::registry(), o).run(g);
  }

 private Q_SLOTS:
  void initTestCase() {
    at::set_num_threads(1);  // the pieces are tiny: waiting for each other would be all that threads do
  }

  void result_and_record_open_again_data() { rows(); }
  void result_and_record_open_again() {
    QVERIFY2(!path_parameter(type()).empty(), "an output node without an output_file() parameter");
    for (const auto& trial : test::trials(type(), {})) {
      const QTemporaryDir dir;
      const fs::path folder = dir.path().toStdString();
      const auto report = run(trial.graph, folder);
      QVERIFY2(report.ok(), report.ok() ? "" : (trial.label + report.error().message()).c_str());
      QVERIFY(!report.value().files.empty());
      for (const fs::path& file : report.value().files) {
        QVERIFY(fs::exists(file));
        const fs::path record = file.string() + ".json";
        QJsonParseError problem;
        QJsonDocument::fromJson(QByteArray::fromStdString(contents(record)), &problem);
        QCOMPARE(problem.error, QJsonParseError::NoError);
        const auto again = load_pipeline(record.string(), test::registry());
        QVERIFY2(again.ok(), again.ok() ? "" : again.error().message().c_str());
        QVERIFY2(drawn_of(again.value(), folder) == drawn_of(trial.graph, folder), trial.label.c_str());
        if (type().inputs.front().type != PortType::volume || file.extension() == ".png") continue;
        if (!embeds_pipeline(trial.graph.nodes.at("node"))) continue;
        QVERIFY(io::read_description(file).ok());
        const auto embedded = load_pipeline(file.string(), test::registry());
        QVERIFY2(embedded.ok(), embedded.ok() ? "" : embedded.error().message().c_str());
        QVERIFY2(drawn_of(embedded.value(), folder) == drawn_of(trial.graph, folder), trial.label.c_str());
      }
      for (const std::string& name : listing(folder)) QVERIFY2(name.find(".part") == std::string::npos, name.c_str());
    }
  }

  void existing_outputs_are_kept_unless_replaced_data() { rows(); }
  void existing_outputs_are_kept_unless_replaced() {
    for (const char* existing : {"result", "result.json"}) {
      const QTemporaryDir dir;
      const fs::path folder = dir.path().toStdString(), old = folder / existing;
      put(old, "old");
      const auto before = listing(folder);
      const auto refused = run(writing_to("result"), folder);
      QVERIFY(!refused.ok());
      QCOMPARE(refused.error().kind, ErrorKind::invalid);
      QCOMPARE(contents(old), std::string("old"));
      QVERIFY(listing(folder) == before);
      const auto replaced = run(writing_to("result"), folder, io::Overwrite::replace);
      QVERIFY2(replaced.ok(), replaced.ok() ? "" : replaced.error().message().c_str());
      QVERIFY(contents(old) != "old");
      QVERIFY(
          (listing(folder) == std::set<std::string>{(folder / "result").string(), (folder / "result.json").string()}));
    }
  }

  void bad_places_leave_nothing_data() { rows(); }
  void bad_places_leave_nothing() {
    const QTemporaryDir dir;
    const fs::path folder = dir.path().toStdString();
    put(folder / "plain", "text");
    fs::create_directory(folder / "locked");
    fs::permissions(folder / "locked", fs::perms::owner_read | fs::perms::owner_exec);
    std::vector<std::string> names = {"missing/result", "plain/result", std::string(300, 'n'), "", "."};
    if (geteuid() != 0) names.push_back("locked/result");
    const auto before = listing(folder);
    for (const std::string& name : names) {
      for (const io::Overwrite overwrite : {io::Overwrite::refuse, io::Overwrite::replace}) {
        const auto r = run(writing_to(name), folder, overwrite);
        QVERIFY2(!r.ok(), name.c_str());
        QVERIFY2(r.error().kind == ErrorKind::io || r.error().kind == ErrorKind::invalid, r.error().message().c_str());
        QVERIFY2(!r.error().where.empty() && !r.error().hint.empty(), r.error().message().c_str());
        QVERIFY2(listing(folder) == before, name.c_str());
      }
    }
    fs::permissions(folder / "locked", fs::perms::owner_all);
  }

  void a_full_device_is_reported_data() { rows(); }
  void a_full_device_is_reported() {
    if (!fs::is_character_file("/dev/full")) QSKIP("this system has no /dev/full");
    const QTemporaryDir dir;
    const auto r = run(writing_to("/dev/full"), dir.path().toStdString(), io::Overwrite::replace);
    QVERIFY(!r.ok());
    QVERIFY2(r.error().kind == ErrorKind::io, r.error().message().c_str());
    QVERIFY(!fs::exists("/dev/full.json") && !fs::exists("/dev/full.part"));
    QVERIFY(fs::is_character_file("/dev/full"));
  }

  void a_device_gets_no_record_data() { rows(); }
  void a_device_gets_no_record() {
    const QTemporaryDir dir;
    (void)run(writing_to("/dev/null"), dir.path().toStdString(), io::Overwrite::replace);
    QVERIFY(fs::is_character_file("/dev/null"));
    QVERIFY(!fs::exists("/dev/null.json") && !fs::exists("/dev/null.part"));
  }

  void cancelled_runs_leave_nothing_data() { rows(); }
  void cancelled_runs_leave_nothing() {
    for (auto& trial : test::trials(type(), {}, {40, 16, 24})) {
      const QTemporaryDir dir;
      const fs::path folder = dir.path().toStdString();
      // Reading labels needs some memory whatever their size.
      const PortType input = type().inputs.front().type;
      const bool reads = input == PortType::labels || input == PortType::model;  // a model is trained by labels
      RunOptions o = reads ? test::options_in(folder) : test::options_in(folder, tight_budget(trial.graph));
      CancelAtFirstBlock sink(o.cancel);
      o.events = &sink;
      Executor e(test::registry(), o);
      int64_t blocks = 0;
      for (const Section& s : e.plan(trial.graph).or_throw().sections) blocks += static_cast<int64_t>(s.blocks.size());
      if (type().id == "output.save_volume") QVERIFY2(blocks > 1, "the budget did not force blocks");
      const auto r = e.run(trial.graph);
      QVERIFY(!r.ok());
      QVERIFY2(r.error().kind == ErrorKind::cancelled, (trial.label + r.error().message()).c_str());
      QVERIFY2(listing(folder).empty(), listing(folder).empty() ? "" : listing(folder).begin()->c_str());
    }
  }

  // The record cannot be written: neither the output appears, nor does an old one change.
  void output_and_record_appear_together_data() { rows(); }
  void output_and_record_appear_together() {
    for (const io::Overwrite overwrite : {io::Overwrite::refuse, io::Overwrite::replace}) {
      const QTemporaryDir dir;
      const fs::path folder = dir.path().toStdString();
      if (overwrite == io::Overwrite::replace) put(folder / "result", "old");
      Meddler meddler([&] { return fs::create_directory(folder / "result.json"); });
      RunOptions o = test::options_in(folder);
      o.overwrite = overwrite;
      o.events = &meddler;
      const auto r = Executor(test::registry(), o).run(writing_to("result"));
      QVERIFY(meddler.done && !r.ok());
      std::set<std::string> left = {(folder / "result.json").string()};
      if (overwrite == io::Overwrite::replace) left.insert((folder / "result").string());
      QVERIFY(listing(folder) == left);
      if (overwrite == io::Overwrite::replace) QCOMPARE(contents(folder / "result"), std::string("old"));
    }
  }

  // All outputs of a run appear together.
  void of_two_outputs_none_appears_alone() {
    const QTemporaryDir dir;
    const fs::path folder = dir.path().toStdString();
    Graph g = test::default_trials(*Registry::all().find("output.save_picture"), {}).front().graph;
    g.nodes["node"].params["file"] = std::string("picture.png");
    g.nodes["second"] = {"output.save_volume", 1, {{"file", std::string("volume.tif")}}};
    for (const Link& link : std::vector<Link>(g.links))
      if (link.to_node == "node") g.links.push_back({link.from_node, link.from_port, "second", link.to_port});
    Meddler meddler([&] { return fs::create_directory(folder / "volume.tif.json"); });
    RunOptions o = test::options_in(folder);
    o.events = &meddler;
    QVERIFY(!Executor(test::registry(), o).run(g).ok());
    QVERIFY((listing(folder) == std::set<std::string>{(folder / "volume.tif.json").string()}));
    fs::remove(folder / "volume.tif.json");
    QVERIFY(Executor(test::registry(), test::options_in(folder)).run(g).ok());
    QCOMPARE(listing(folder).size(), std::size_t{4});
  }

  // Issue: a slice removed from the unfinished folder gave 63 of 64 slices without a word.
  void a_slice_that_vanishes_is_noticed() {
    const NodeType& save = *Registry::all().find("output.save_volume");
    for (auto& trial : test::default_trials(save, {}, {40, 16, 24})) {
      const QTemporaryDir dir;
      const fs::path folder = dir.path().toStdString();
      trial.graph.nodes["node"].params["file"] = std::string("stack");
      trial.graph.nodes["node"].params["format"] = std::string("tiff_stack");
      Meddler meddler([&] {
        for (const std::string& name : listing(folder))
          if (fs::path(name).extension() == ".tif") return fs::remove(name);
        return false;
      });
      RunOptions o = test::options_in(folder, tight_budget(trial.graph));
      o.events = &meddler;
      const auto r = Executor(test::registry(), o).run(trial.graph);
      QVERIFY2(meddler.done, "no slice was there to be removed");
      QVERIFY(!r.ok());
      QCOMPARE(r.error().kind, ErrorKind::io);
      QVERIFY2(listing(folder).empty(), listing(folder).empty() ? "" : listing(folder).begin()->c_str());
    }
  }

  void clipped_voxels_are_counted_in_the_record() {
    const QTemporaryDir dir;
    const fs::path folder = dir.path().toStdString();
    Graph g;
    g.nodes["scan"] = {"test.phantom", 1, {}};
    g.nodes["recon"] = {"recon.fbp", 1, {}};
    g.nodes["save"] = {"output.save_volume", 1, {{"type", std::string("uint16")}}};
    g.links = {{"scan", "projections", "recon", "projections"}, {"recon", "volume", "save", "volume"}};
    Executor e(test::registry(), test::options_in(folder));
    const at::Tensor v = std::get<Volume>(e.pull(g, "recon", "volume").or_throw()).data;
    const double high = 0.5 * v.max().item<double>();
    g.nodes["save"].params["low"] = Number{0, Unit::none};
    g.nodes["save"].params["high"] = Number{high, Unit::none};
    const RunReport report = e.run(g).or_throw();
    const double expected = v.lt(0).logical_or(v.gt(high)).to(at::kDouble).mean().item<double>();
    QVERIFY2(expected > 0.01, "the range clips nothing");
    // Values within half a step of the range are rounded, not clipped.
    constexpr double rounded = 0.02;
    const auto found = report.findings.at("save").values.find("clipped_share");
    QVERIFY(found != report.findings.at("save").values.end());
    const auto& share = std::get<Scalar>(found->second);
    QVERIFY2(std::abs(share.value.item<double>() - expected) < rounded, qPrintable(QString::number(expected)));
    const auto record = nlohmann::json::parse(std::ifstream(report.files.at(0).string() + ".json"));
    bool is_there = false;
    for (const auto& p : record.at("parameters")) {
      if (p.at("name") != "clipped_share") continue;
      is_there = true;
      QCOMPARE(p.at("unit").get<std::string>(), std::string("%"));
      QVERIFY(std::abs(p.at("value").get<double>() - 100 * share.value.item<double>()) < 1e-9);
    }
    QVERIFY(is_there);
  }
  void batch_runs_write_the_same_record_data() { rows(); }
  void batch_runs_write_the_same_record() {
    const QTemporaryDir dir;
    const fs::path folder = dir.path().toStdString();
    Executor e(test::registry(), test::options_in(folder));
    const Graph g = writing_to("result");
    const auto done = run_batch(e, g, test::registry());
    QVERIFY2(done.ok(), done.ok() ? "" : done.error().message().c_str());
    QVERIFY(fs::exists(folder / "result"));
    const auto again = load_pipeline((folder / "result.json").string(), test::registry());
    QVERIFY2(again.ok(), again.ok() ? "" : again.error().message().c_str());
    QVERIFY(drawn_of(again.value(), folder) == drawn_of(g, folder));
  }
};

TL_TEST_CASE(Outputs)

}  // namespace tl::outputs_test

#include "outputs.moc"
