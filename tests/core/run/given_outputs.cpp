// Outputs that an executor is given with keys: what follows is cached as if it were computed from a file, what lies
// upstream is not looked at, and what was measured holds until it is asked for again.
#include <ATen/ATen.h>

#include "core/node/node_builder.h"
#include "core/run/executor.h"
#include "tests/support/test_case.h"

namespace tl::given_outputs_test {

namespace {

int runs = 0, measurements = 0;

struct None {};

double number_of(const Value& value) { return std::get<Scalar>(value).value.item<double>(); }
Scalar scalar(double number) { return {at::scalar_tensor(number, at::kDouble), Unit::none}; }

// "test.absent": a source whose file is not there.
Result<Infos> absent(const None&, const Infos&, const Findings*) { return io_error("the file is not there", "absent"); }
Result<void> run_absent(const None&, NodeRun&) { return io_error("the file is not there", "absent"); }
void describe_absent(NodeBuilder<None>& n) {
  n.id("test.absent", 1).title("Absent").category("Input").summary("Test source.");
  n.output<Scalar>("value", "Nothing.");
  n.infos(absent).run(run_absent);
}

// "test.doubled": twice its input.
Result<void> run_doubled(const None&, NodeRun& r) {
  ++runs;
  r.out("value", scalar(2 * number_of(r.inputs.at("value"))));
  return ok();
}
void describe_doubled(NodeBuilder<None>& n) {
  n.id("test.doubled", 1).title("Doubled").category("Correction").summary("Test node.");
  n.input<Scalar>("value", "Any.").output<Scalar>("value", "Twice that.");
  n.run(run_doubled);
}

// "test.finder": measures its input.
Result<Regions> finder_needs(const None&, const Infos&) { return Regions{{"value", WholeRegion{}}}; }
Result<Findings> find(const None&, NodeRun& r) {
  ++measurements;
  return Findings{{{"found", r.inputs.at("value")}}, {}, 0};
}
Result<void> run_finder(const None&, NodeRun&) { return ok(); }
void describe_finder(NodeBuilder<None>& n) {
  n.id("test.finder", 1).title("Finder").category("Measure").summary("Test node.");
  n.input<Scalar>("value", "Any.").output<Scalar>("found", "What was measured.");
  n.measure(finder_needs, find).run(run_finder).keep_found([](None&, const Infos&, const Findings&) {});
}

// "test.prober": the same, but no parameter can give what it has measured.
void describe_prober(NodeBuilder<None>& n) {
  n.id("test.prober", 1).title("Prober").category("Measure").summary("Test node.");
  n.input<Scalar>("value", "Any.").output<Scalar>("found", "What was measured.");
  n.measure(finder_needs, find).run(run_finder);
}

const Registry& registry() {
  static const Registry all = [] {
    std::vector<NodeType> types;
    types.push_back(NodeBuilder<None>::build(describe_absent));
    types.push_back(NodeBuilder<None>::build(describe_doubled));
    types.push_back(NodeBuilder<None>::build(describe_finder));
    types.push_back(NodeBuilder<None>::build(describe_prober));
    return Registry(std::move(types));
  }();
  return all;
}

Graph graph() {
  Graph g;
  g.nodes["source"] = {"test.absent", 1, {}};
  g.nodes["first"] = {"test.doubled", 1, {}};
  g.nodes["second"] = {"test.doubled", 1, {}};
  g.nodes["finder"] = {"test.finder", 1, {}};
  g.nodes["prober"] = {"test.prober", 1, {}};
  g.links = {{"source", "value", "first", "value"},
             {"first", "value", "second", "value"},
             {"second", "value", "finder", "value"},
             {"second", "value", "prober", "value"}};
  return g;
}

// As the output of "first".
GivenOutputs given(double number, int64_t epoch, int64_t lasting = 1) {
  GivenOutput output;
  output.value = scalar(number);
  output.region = WholeRegion{};
  output.info = PlainInfo{};
  output.key = Hasher().add(epoch).digest();
  output.lasting = Hasher().add(lasting).digest();
  return {{{"first", "value"}, std::move(output)}};
}

}  // namespace

class GivenOutputsTest : public QObject {
  Q_OBJECT
  Executor executor_{registry(), RunOptions{}};
  const Graph graph_ = graph();

  double pulled(const char* node, const char* port = "value") {
    return number_of(executor_.pull(graph_, node, port).or_throw());
  }

 private Q_SLOTS:
  void init() {
    executor_.give({});
    executor_.free_cache();
    runs = measurements = 0;
  }

  void what_follows_is_cached_by_the_key() {
    QVERIFY(!executor_.pull(graph_, "second", "value").ok());
    executor_.give(given(3, 1));
    QCOMPARE(pulled("second"), 6.0);
    QCOMPARE(pulled("second"), 6.0);
    QCOMPARE(runs, 1);
    QVERIFY(executor_.known(graph_, "second", "value", WholeRegion{}).or_throw().has_value());
    executor_.give(given(5, 2));
    QCOMPARE(pulled("second"), 10.0);
    QCOMPARE(runs, 2);
  }

  void values_of_the_former_outputs_are_dropped() {
    executor_.give(given(3, 1));
    (void)pulled("second");
    QVERIFY(executor_.cache_by_node().count("second") != 0);
    executor_.give(given(5, 2));
    QVERIFY(executor_.cache_by_node().count("second") == 0);
  }

  void the_given_node_and_what_is_upstream_are_not_evaluated() {
    executor_.give(given(3, 1));
    QCOMPARE(pulled("first"), 3.0);
    QCOMPARE(runs, 0);
    QVERIFY(executor_.known(graph_, "first", "value", WholeRegion{}).or_throw().has_value());
    const auto checked = executor_.check(graph_);
    QVERIFY2(checked.ok(), checked.ok() ? "" : checked.error().message().c_str());
    for (const auto& [id, look] : executor_.look(graph_)) QVERIFY2(!look.error && look.waits_for.empty(), id.c_str());
    executor_.give({});
    QVERIFY(!executor_.check(graph_).ok());
  }

  void what_was_measured_holds_until_it_is_asked_for_again() {
    executor_.give(given(3, 1));
    QCOMPARE(pulled("finder", "found"), 6.0);
    executor_.give(given(5, 2));
    QCOMPARE(pulled("finder", "found"), 6.0);
    QCOMPARE(measurements, 1);
    executor_.give(given(5, 2, 2));
    QCOMPARE(pulled("finder", "found"), 10.0);
    QCOMPARE(measurements, 2);
  }

  // A run over one window could not use what was measured in another.
  void what_no_parameter_can_give_is_measured_each_time() {
    executor_.give(given(3, 1));
    QCOMPARE(pulled("prober", "found"), 6.0);
    QCOMPARE(pulled("prober", "found"), 6.0);
    QCOMPARE(measurements, 1);
    executor_.give(given(5, 2));
    QCOMPARE(pulled("prober", "found"), 10.0);
    QCOMPARE(measurements, 2);
  }

  void an_output_of_one_call_wins() {
    executor_.give(given(3, 1));
    const Value value = executor_.pull(graph_, "second", "value", {}, ExternalValues{{}, given(7, 9)}).or_throw();
    QCOMPARE(number_of(value), 14.0);
    QCOMPARE(pulled("second"), 6.0);
  }
};

TL_TEST_CASE(GivenOutputsTest)

}  // namespace tl::given_outputs_test

#include "given_outputs.moc"
