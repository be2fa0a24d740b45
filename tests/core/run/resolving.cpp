// Resolving of nodes over the calls of one executor: a node is resolved once for all images of a graph, and again when
// something that it depends on has changed.
#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <QThread>
#include <fstream>

#include "core/node/node_builder.h"
#include "core/run/executor.h"
#include "tests/support/phantom_source.h"
#include "tests/support/test_case.h"

namespace tl::resolving_test {

namespace {

// How often the functions of "test.counted" were called.
struct Calls {
  int checks = 0, infos = 0;
  friend bool operator==(const Calls&, const Calls&) = default;
} calls;

// "test.counted": hands projections on.
struct Counted {
  double setting = 1;
};
Result<void> check_counted(const Counted&, const Infos&) {
  ++calls.checks;
  return ok();
}
Result<Infos> infos_counted(const Counted&, const Infos& in, const Findings*) {
  ++calls.infos;
  return in;
}
Result<void> run_counted(const Counted&, NodeRun& r) {
  r.out("projections", r.in<Projections>("projections"));
  return ok();
}
void describe_counted(NodeBuilder<Counted>& n) {
  n.id("test.counted", 1)
      .title("Counted")
      .category("Correction")
      .summary("Test filter.")
      .partition(Partition::pointwise);
  n.input<Projections>("projections", "Any.").output<Projections>("projections", "The same.");
  n.param("setting", "Setting", &Counted::setting).range(0, 10).help("Has no effect.");
  n.check(check_counted).infos(infos_counted).run(run_counted);
}

// "test.number": the number in a text file.
struct NumberFile {
  std::string file;
};
Result<std::string> content(const NumberFile& p) {
  std::ifstream in(p.file);
  std::string text;
  if (!(in >> text)) return io_error("cannot read the number", p.file);
  return text;
}
Result<void> run_number(const NumberFile& p, NodeRun& r) {
  TL_TRY(const std::string text, content(p));
  r.out("value", Scalar{at::scalar_tensor(std::stod(text), at::kDouble), Unit::none});
  return ok();
}
void describe_number(NodeBuilder<NumberFile>& n) {
  n.id("test.number", 1).title("Number").category("Input").summary("Test source.");
  n.output<Scalar>("value", "The number in the file.");
  n.param("file", "File", &NumberFile::file).input_file().help("Text.");
  n.fingerprint(content).run(run_number);
}

const Registry& registry() {
  static const Registry all = [] {
    auto types = test::registry().types();
    types.push_back(NodeBuilder<Counted>::build(describe_counted));
    types.push_back(NodeBuilder<NumberFile>::build(describe_number));
    return Registry(std::move(types));
  }();
  return all;
}

Graph fbp_graph() {
  Graph g;
  g.nodes["scan"] = {"test.phantom", 1, {}};
  g.nodes["counted"] = {"test.counted", 1, {}};
  g.nodes["geometry"] = {"geometry.set", 1, {}};
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.links = {{"scan", "projections", "counted", "projections"},
             {"counted", "projections", "geometry", "projections"},
             {"geometry", "projections", "fbp", "projections"}};
  return g;
}

RunOptions options() {
  RunOptions o;
  o.memory = int64_t{1} << 30;
  return o;
}

at::Tensor slice(Executor& e, const Graph& g, int64_t z) {
  const auto infos = e.infos(g, "fbp").or_throw();
  const auto grid = std::get<VolumeGrid>(full_region(infos.at("volume")));
  return std::get<Volume>(e.pull(g, "fbp", "volume", grid.slab({z, z + 1})).or_throw()).data;
}

void write(const std::string& file, double number) { std::ofstream(file) << number << '\n'; }

double axis(Executor& e, const Graph& g) {
  const auto infos = e.infos(g, "geometry").or_throw();
  return std::get<ProjectionsInfo>(infos.at("projections")).geometry.orbit()->axis;
}

}  // namespace

class Resolving : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { calls = {}; }

  void all_pictures_of_a_graph_resolve_a_node_once() {
    const Graph g = fbp_graph();
    Executor e(registry(), options());
    for (int64_t z = 0; z < 8; ++z) slice(e, g, z);
    QCOMPARE(calls.checks, 1);
    QCOMPARE(calls.infos, 1);
    // Nor do other questions about the same graph resolve it again.
    e.look(g);
    e.peak(g, "geometry", "projections", full_region(e.infos(g, "counted").or_throw().at("projections"))).or_throw();
    QCOMPARE(calls.infos, 1);
  }

  void a_change_resolves_only_what_follows_it() {
    Graph g = fbp_graph();
    Executor e(registry(), options());
    const at::Tensor before = slice(e, g, 4);
    g.nodes["fbp"].params["filter"] = std::string("hann");
    QVERIFY(!slice(e, g, 4).equal(before));
    QCOMPARE(calls.infos, 1);
    g.nodes["counted"].params["setting"] = Number{2, Unit::none};
    slice(e, g, 4);
    QCOMPARE(calls.infos, 2);
  }

  void a_changed_input_file_is_noticed() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("number.txt").toStdString();
    Graph g = fbp_graph();
    g.nodes["number"] = {"test.number", 1, {{"file", file}}};
    g.links.push_back({"number", "value", "geometry", "axis"});
    write(file, 1.5);
    Executor e(registry(), options());
    QCOMPARE(axis(e, g), 1.5);
    const at::Tensor before = slice(e, g, 4);
    write(file, -2.25);
    QThread::msleep(1100);  // stamps of input files are trusted for a second
    QVERIFY(!slice(e, g, 4).equal(before));
    QCOMPARE(axis(e, g), -2.25);
    Executor fresh(registry(), options());
    QVERIFY(slice(e, g, 4).equal(slice(fresh, g, 4)));
  }

  void a_learned_parameter_leaves_no_trace() {
    const Graph g = fbp_graph();
    Executor e(registry(), options());
    const at::Tensor before = slice(e, g, 4);
    const at::Tensor supplied = at::scalar_tensor(3.7, at::kDouble).requires_grad_(true);
    const Value learned = e.pull(g, "fbp", "volume", {}, {{{"geometry", "axis"}, supplied}}).or_throw();
    QVERIFY(!std::get<Volume>(learned).data[4].equal(before[0]));
    QVERIFY(slice(e, g, 4).equal(before));
    QVERIFY(!slice(e, g, 4).requires_grad());
  }

  void a_cancelled_picture_is_computed_the_next_time() {
    const Graph g = fbp_graph();
    Executor e(registry(), options()), other(registry(), options());
    CallOptions cancelled_call;
    cancelled_call.cancel.cancel();
    const CallOptions usual = e.use(std::move(cancelled_call));
    QCOMPARE(e.pull(g, "fbp", "volume").error().kind, ErrorKind::cancelled);
    e.use(usual);
    QVERIFY(slice(e, g, 4).equal(slice(other, g, 4)));
  }
};

TL_TEST_CASE(Resolving)

}  // namespace tl::resolving_test

#include "resolving.moc"
