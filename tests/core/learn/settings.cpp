// Settings of learning: as JSON and back, in a pipeline, with key and line in every error; accepting and recording.
#include "core/learn/learning.h"

#include "core/graph/graph_json.h"
#include "core/graph/templates.h"
#include "tests/support/test_case.h"

namespace tl::settings_test {

using learn::Settings;

namespace {

Settings full() {
  Settings s;
  learn::Target axis, ratio;
  axis.node = axis.name = "axis";
  axis.start = Number{0.1, Unit::px};
  axis.low = Number{-50, Unit::px};
  axis.high = Number{50, Unit::px};
  axis.reach = Number{20, Unit::px};
  ratio.node = "paganin";
  ratio.name = "delta_over_beta";
  ratio.scale = learn::Scale::logarithmic;
  ratio.start = Number{1.0 / 3, Unit::none};
  s.targets = {axis, ratio};
  s.objective = {"variance", "loss"};
  s.fallback_objectives = {{"wedge", "loss"}};
  s.method = learn::Method::nesterov;
  s.rate = 0.25;
  s.stop = {12, 5, 1e-3, 60};
  s.subsets = {0.5, 0.25};
  s.restarts = 3;
  s.survey = learn::Survey::none;
  s.errors = learn::Errors::none;
  s.seed = 18446744073709551615ULL;
  return s;
}

Graph template_graph() {
  for (const Template& t : templates())
    if (t.name == "axis-by-gradient") return graph_from_json(t.text, Registry::all(), "template").or_throw();
  qFatal("the template axis-by-gradient is gone: its name is a promise");
}

}  // namespace

class LearnSettingsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void settings_come_back() {
    const Settings s = full();
    const auto read = learn::settings_from_json(to_json(s));
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
    QVERIFY(read.value() == s);
    QCOMPARE(to_json(read.value()), to_json(s));
  }

  void a_pipeline_keeps_them() {
    Graph g = learn::with_settings(template_graph(), full());
    g = learn::with_run(g, R"({"verdict":"resolved"})");
    const std::string text = tl::to_json(g);
    const Graph again = graph_from_json(text, Registry::all()).or_throw();
    QVERIFY(again == g);
    QCOMPARE(tl::to_json(again), text);
    QVERIFY(learn::settings_of(again).or_throw() == full());
    QCOMPARE(learn::runs_of(again).size(), std::size_t{1});
    // New settings leave the history alone.
    const Graph other = learn::with_settings(again, Settings{});
    QCOMPARE(learn::runs_of(other), learn::runs_of(again));
    QVERIFY(!learn::settings_of(Graph{}).ok());
  }

  void errors_name_what_is_wrong_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("what");
    QTest::newRow("method") << R"({"targets":[],"objective":"a.b","method":"adm"})"
                            << "adam";
    QTest::newRow("key") << R"({"targets":[],"objective":"a.b","metod":"adam"})"
                         << "method";
    QTest::newRow("no targets") << R"({"objective":"a.b"})"
                                << "targets";
    QTest::newRow("objective") << R"({"targets":[],"objective":"ab"})"
                               << "node.port";
    QTest::newRow("unit") << R"({"targets":[{"node":"a","parameter":"b","start":"3 furlong"}],"objective":"a.b"})"
                          << "furlong";
    QTest::newRow("number") << R"({"targets":[{"node":"a","parameter":"b","start":"px"}],"objective":"a.b"})"
                            << "1.5 px";
    QTest::newRow("range") << R"({"targets":[],"objective":"a.b","subsets":{"views":0}})"
                           << "views";
    QTest::newRow("seed") << R"({"targets":[],"objective":"a.b","seed":-1})"
                          << "seed";
    QTest::newRow("json") << R"({"targets":)"
                          << "learning settings";
  }
  void errors_name_what_is_wrong() {
    QFETCH(QString, text);
    QFETCH(QString, what);
    const auto read = learn::settings_from_json(text.toStdString());
    QVERIFY(!read.ok());
    QVERIFY2(read.error().message().find(what.toStdString()) != std::string::npos, read.error().message().c_str());
  }

  void the_template_can_learn() {
    const Graph g = template_graph();
    const Settings s = learn::settings_of(g).or_throw();
    const auto sound = learn::check(s, g, Registry::all());
    QVERIFY2(sound.ok(), sound.ok() ? "" : sound.error().message().c_str());
    const auto all = learn::candidates(g, Registry::all());
    QVERIFY(std::any_of(all.begin(), all.end(), [](const auto& c) { return c.node == "axis" && c.name == "axis"; }));
    QCOMPARE(learn::objectives(g, Registry::all()).size(), std::size_t{2});
  }

  void what_is_accepted_stands_in_the_graph() {
    learn::Learned l;
    learn::Found f;
    f.node = "axis";
    f.name = "axis";
    f.unit = Unit::px;
    f.value = {2.75};
    l.found = {f};
    const Graph g = learn::accept(template_graph(), l);
    QVERIFY(g.nodes.at("axis").params.at("axis") == ParamValue(Number{2.75, Unit::px}));
    f.trust = learn::Trust::not_identifiable;
    l.found.push_back(f);
    QCOMPARE(l.trust(), learn::Trust::not_identifiable);
    QVERIFY(to_json(l, full()).find("\"verdict\": \"not identifiable\"") != std::string::npos);
  }
};

TL_TEST_CASE(LearnSettingsTest)

}  // namespace tl::settings_test

#include "settings.moc"
