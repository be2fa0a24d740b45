// Graph: problems are found and located; topological order, new ids, and setting parameters from text.
#include "core/graph/graph.h"

#include <algorithm>

#include "tests/support/sample_nodes.h"
#include "tests/support/test_case.h"

namespace tl::graph_test {

namespace {

const Registry& registry() {
  static const Registry r = sample::registry();
  return r;
}

// The only problem of a graph.
GraphProblem only_problem(const Graph& g) {
  const auto found = problems(g, registry());
  if (found.size() == 1) return found.front();
  std::string all = std::to_string(found.size()) + " problems:";
  for (const GraphProblem& p : found) all += "\n" + p.error.message();
  return {invalid(all), {}, {}};
}

void expect_problem(const Graph& g, const std::string& what, const std::string& node, const std::string& name,
                    std::optional<std::size_t> link = {}) {
  const GraphProblem p = only_problem(g);
  QVERIFY2(p.error.what.find(what) != std::string::npos, p.error.message().c_str());
  QCOMPARE(p.node, node);
  QCOMPARE(p.name, name);
  QVERIFY(p.link == link);
  QVERIFY2(!p.error.hint.empty() && !p.error.where.empty(), p.error.message().c_str());
}

}  // namespace

class GraphTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_sound_graph_has_no_problems() {
    QVERIFY(problems(sample::graph(), registry()).empty());
    QVERIFY(problems(Graph{}, registry()).empty());
  }
  void nodes_are_checked() {
    Graph g = sample::graph();
    g.nodes["extra"] = {"sample.sorce", 1, {}};
    expect_problem(g, "unknown node type", "extra", "type");
    g.nodes["extra"] = {"sample.source", 9, {}};
    expect_problem(g, "newer than this program's (1)", "extra", "version");
    g.nodes["extra"] = {"sample.source", 1, {{"view", int64_t{3}}}};
    expect_problem(g, "no parameter \"view\"", "extra", "view");
    g.nodes["extra"] = {"sample.source", 1, {{"views", int64_t{0}}}};
    expect_problem(g, "out of range", "extra", "views");
    g.nodes["extra"] = {"sample.sink", 1, {}};
    expect_problem(g, "not linked", "extra", "volume");
  }
  void links_are_checked() {
    const auto with = [](const Link& link) {
      Graph g = sample::graph();
      g.links.push_back(link);
      return g;
    };
    expect_problem(with({"lod", "angle", "filter", "count"}), "unknown node \"lod\"", "filter", "count", 2);
    expect_problem(with({"load", "angle", "filtr", "count"}), "unknown node \"filtr\"", "filtr", "count", 2);
    expect_problem(with({"load", "angel", "filter", "count"}), "no output \"angel\"", "filter", "count", 2);
    expect_problem(with({"load", "angle", "filter", "cuont"}), "no input or parameter", "filter", "cuont", 2);
    expect_problem(with({"load", "angle", "filter", "flag"}), "drive a numeric", "filter", "flag", 2);
    expect_problem(with({"load", "projections", "filter", "count"}), "drive a numeric", "filter", "count", 2);
    expect_problem(with({"load", "projections", "filter", "hint"}), "cannot feed the scalar", "filter", "hint", 2);
    expect_problem(with({"load", "angle", "filter", "factor"}), "two links", "filter", "factor", 2);
    QVERIFY(problems(with({"load", "angle", "filter", "hint"}), registry()).empty());
    QVERIFY(problems(with({"load", "angle", "filter", "count"}), registry()).empty());
  }
  void cycles_are_found() {
    Graph g;
    for (const char* id : {"a", "b", "c"}) g.nodes[id] = {"sample.filter", 2, {}};
    g.links = {{"a", "projections", "b", "projections"}, {"b", "projections", "c", "projections"}};
    g.links.push_back({"c", "projections", "a", "projections"});
    const GraphProblem p = only_problem(g);
    QVERIFY2(p.error.what.find("cycle") != std::string::npos, p.error.message().c_str());
    QCOMPARE(p.error.where, std::string("nodes a, b, c"));
    QVERIFY(!topological_order(g).ok());
  }
  void every_node_follows_its_inputs() {
    Graph g;  // a chain with shortcuts, whose ids run against it
    for (int i = 0; i < 30; ++i) g.nodes["n" + std::to_string(99 - i)] = {"sample.filter", 2, {}};
    for (int i = 1; i < 30; ++i)
      for (const int back : {1, 7})
        if (i >= back)
          g.links.push_back({"n" + std::to_string(99 - i + back), "projections", "n" + std::to_string(99 - i), "x"});
    const auto order = topological_order(g);
    QVERIFY(order.ok());
    QCOMPARE(order.value().size(), std::size_t{30});
    const auto at = [&](const std::string& id) {
      return std::find(order.value().begin(), order.value().end(), id) - order.value().begin();
    };
    for (const Link& l : g.links) QVERIFY(at(l.from_node) < at(l.to_node));
  }
  void ids_and_links_are_looked_up() {
    Graph g = sample::graph();
    QCOMPARE(g.free_id("sample.sink"), std::string("sink"));
    QCOMPARE(g.free_id("sample.filter"), std::string("filter_2"));
    g.nodes["filter_2"] = g.nodes["filter"];
    QCOMPARE(g.free_id("sample.filter"), std::string("filter_3"));
    QVERIFY(g.link_into("filter", "factor") == &g.links[1]);
    QVERIFY(g.link_into("filter", "count") == nullptr);
  }
  void a_graph_is_a_value() {
    const Graph g = sample::graph();
    Graph copy = g;
    QVERIFY(copy == g);
    copy.nodes["filter"].params["count"] = int64_t{1};
    QVERIFY(!(copy == g));
    QVERIFY(g.nodes.at("filter").params.empty());
  }
  void parameters_are_set_from_text() {
    Graph g = sample::graph();
    QVERIFY(set_param(g, registry(), "filter", "pixel", "2 mm").ok() == false);
    QVERIFY(set_param(g, registry(), "filter", "pixel", "0.5 mm").ok());
    QVERIFY(g.nodes["filter"].params["pixel"] == ParamValue(Number{0.5, Unit::mm}));
    QVERIFY(set_param(g, registry(), "filter", "energy", "auto").ok());
    QVERIFY(g.nodes["filter"].params["energy"] == ParamValue{});
    const Graph before = g;
    const auto refused = [&](const char* node, const char* name, const char* text, const std::string& part) {
      const auto r = set_param(g, registry(), node, name, text);
      QVERIFY(!r.ok());
      QVERIFY2(r.error().message().find(part) != std::string::npos, r.error().message().c_str());
      QVERIFY(!r.error().where.empty() && !r.error().hint.empty());
    };
    refused("filtr", "pixel", "1 um", "\"filter\"");
    refused("filter", "pixl", "1 um", "\"pixel\"");
    refused("filter", "pixel", "1 furlong", "node \"filter\", pixel");
    refused("filter", "pixel", "-1 um", "out of range");
    refused("filter", "mode", "fency", "\"fancy\"");
    QVERIFY(g == before);
  }
  void the_registry_refuses_twins_and_suggests() {
    QVERIFY_THROWS_EXCEPTION(Failure, Registry({*registry().find("sample.sink"), *registry().find("sample.sink")}));
    QVERIFY(registry().find("sample.sinc") == nullptr);
    QVERIFY(registry().unknown("sample.sinc").hint.find("sample.sink") != std::string::npos);
  }
};

TL_TEST_CASE(GraphTest)

}  // namespace tl::graph_test

#include "graph.moc"
