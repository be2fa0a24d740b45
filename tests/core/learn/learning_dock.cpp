// What the learning dock asks of the core: which objective fits, what a pipeline remembers of its runs, the laws of a
// node.
#include <cmath>
#include <set>

#include "core/graph/edit.h"
#include "core/graph/graph_json.h"
#include "core/learn/history.h"
#include "core/learn/learner/learner.h"
#include "core/learn/learner/learning_candidates.h"
#include "core/learn/learner/suggest.h"
#include "core/learn/learning.h"
#include "core/learn/node_check.h"
#include "core/run/executor.h"
#include "tests/support/test_case.h"

namespace tl::learning_dock_test {

namespace {

Graph pipeline(double degrees) {
  Graph g;
  g.nodes["scan"] = {"input.simulate_scan",
                     1,
                     {{"views", int64_t{60}},
                      {"rows", int64_t{4}},
                      {"cols", int64_t{48}},
                      {"range", Number{degrees, Unit::deg}},
                      {"axis", Number{2.3, Unit::px}}}};
  g.nodes["flat"] = {"correct.flat_field", 1, {}};
  g.nodes["axis"] = {"geometry.set", 1, {}};
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.links = {{"scan", "projections", "flat", "projections"},
             {"flat", "projections", "axis", "projections"},
             {"axis", "projections", "fbp", "projections"}};
  return g;
}

learn::Target axis() {
  learn::Target t;
  t.node = "axis";
  t.name = "axis";
  return t;
}

std::map<std::string, Infos> known(const Graph& g) {
  std::map<std::string, Infos> all;
  Executor e(Registry::all(), {});
  for (const auto& [id, look] : e.look(g)) all[id] = look.outputs;
  return all;
}

std::vector<learn::ObjectiveChoice> choices(const Graph& g, const std::vector<learn::Target>& targets) {
  const auto all = known(g);
  return learn::objective_choices(
      g, Registry::all(),
      [&](const std::string& node, const std::string& port) -> const Info* {
        const auto outputs = all.find(node);
        if (outputs == all.end()) return nullptr;
        const auto info = outputs->second.find(port);
        return info == outputs->second.end() ? nullptr : &info->second;
      },
      targets);
}

learn::RunRecord record() {
  learn::Settings settings;
  settings.targets = {axis()};
  settings.objective = {"variance", "loss"};
  learn::Learned learned;
  learned.found = {{"axis",
                    "axis",
                    Unit::px,
                    {0},
                    {2.31},
                    {0.02},
                    learn::Trust::resolved,
                    learn::Derivative::backward,
                    "One minimum."}};
  learned.loss = -0.5;
  learned.reason = learn::StopReason::converged;
  learned.iterations = 900;
  for (int i = 0; i < 900; ++i) {
    learn::Progress p;
    p.iteration = i;
    p.loss = -0.5 * (1 - std::exp(-i / 100.0));
    p.best = p.loss;
    p.values = {{"axis", "axis", Unit::px, {2.31 * (1 - std::exp(-i / 100.0))}}};
    learned.history.push_back(p);
  }
  return learn::record_of(settings, learned, learn::Decision::accepted, "2026-11-21T22:50:00Z");
}

}  // namespace

class LearningDock : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_full_turn_gets_the_variance_and_half_a_turn_the_wedge() {
    const auto full = choices(pipeline(360), {axis()}), half = choices(pipeline(180), {axis()});
    QCOMPARE(QString::fromStdString(full.front().type), QString("objective.variance"));
    QVERIFY(!full.front().obstacle);
    QCOMPARE(QString::fromStdString(half.front().type), QString("objective.wedge"));
    QVERIFY(!half.front().obstacle);
    // The other one is there too, and says why it does not fit.
    bool reported = false;
    for (const auto& choice : half) reported = reported || (choice.type == "objective.variance" && choice.obstacle);
    QVERIFY(reported);
  }

  // A link into an objective was just removed, and what is known is still that of the graph before.
  void an_objective_that_lost_an_input_is_passed_over() {
    Graph whole = pipeline(180);
    whole.nodes["objective"] = {"objective.reprojection", 1, {}};
    whole.links.push_back({"axis", "projections", "objective", "projections"});
    whole.links.push_back({"fbp", "volume", "objective", "volume"});
    const auto all = known(whole);
    QVERIFY(all.at("objective").contains("loss"));
    for (const char* lost : {"projections", "volume"}) {
      Graph g = whole;
      std::erase_if(g.links, [&](const Link& l) { return l.to_node == "objective" && l.to_port == lost; });
      const auto found = learn::objective_choices(
          g, Registry::all(),
          [&](const std::string& node, const std::string& port) -> const Info* {
            return all.contains(node) && all.at(node).contains(port) ? &all.at(node).at(port) : nullptr;
          },
          {axis()});
      QVERIFY(!found.empty());
    }
  }

  // Of an object that leaves the rows, and of half acquisition, every score would name a wrong axis: none is offered,
  // and the reason names the node that finds it.
  void objectives_that_would_be_wrong_are_not_offered_data() {
    QTest::addColumn<double>("size");
    QTest::addColumn<double>("axis");
    QTest::addColumn<double>("degrees");
    QTest::addColumn<bool>("offered");
    QTest::newRow("inside the rows, half a turn") << 0.7 << 2.3 << 180.0 << true;
    QTest::newRow("wider than the rows, half a turn") << 1.6 << 2.3 << 180.0 << false;
    QTest::newRow("wider than the rows, full turn") << 1.6 << 2.3 << 360.0 << false;
    QTest::newRow("half acquisition") << 1.9 << 18.0 << 360.0 << false;
  }
  void objectives_that_would_be_wrong_are_not_offered() {
    QFETCH(double, size);
    QFETCH(double, axis);
    QFETCH(double, degrees);
    QFETCH(bool, offered);
    Graph g = pipeline(degrees);
    g.nodes["scan"].params["size"] = Number{size, Unit::none};
    g.nodes["scan"].params["axis"] = Number{axis, Unit::px};
    const auto all = known(g);
    Executor e(Registry::all(), {});
    const auto scan = std::get<Projections>(e.pull(g, "axis", "projections").or_throw());
    const auto found = learn::objective_choices(
        g, Registry::all(),
        [&](const std::string& node, const std::string& port) -> const Info* {
          const auto outputs = all.find(node);
          if (outputs == all.end()) return nullptr;
          const auto info = outputs->second.find(port);
          return info == outputs->second.end() ? nullptr : &info->second;
        },
        {learning_dock_test::axis()},
        [&](const std::string& node, const std::string&) -> std::optional<learn::ScanTraits> {
          if (node != "axis") return {};
          return learn::traits_of(scan);
        });
    QCOMPARE(!found.front().obstacle, offered);
    if (offered) return;
    bool reported = false;
    for (const auto& choice : found) {
      QVERIFY(choice.obstacle);
      reported = reported || choice.obstacle->message().find("axis.automatic") != std::string::npos;
    }
    QVERIFY(reported);
  }

  void nothing_fits_where_nothing_is_marked() {
    for (const auto& choice : choices(pipeline(360), {})) QVERIFY(choice.obstacle);
  }

  void a_choice_puts_the_objective_behind_the_parameter() {
    const Graph g = pipeline(360);
    const auto made = learn::with_objective(g, Registry::all(), choices(g, {axis()}).front());
    QVERIFY(made.ok());
    const learn::WithObjective& with = made.value();
    const Link* link = with.graph.link_into(with.objective.node, "projections");
    QVERIFY(link != nullptr);
    QCOMPARE(QString::fromStdString(link->from_node), QString("axis"));
    // Now it is in the pipeline: it comes first, and choosing it again adds nothing.
    const auto again = choices(with.graph, {axis()});
    QVERIFY(again.front().existing == with.objective);
    QVERIFY(learn::with_objective(with.graph, Registry::all(), again.front()).value().graph == with.graph);
    learn::Settings settings;
    settings.targets = {axis()};
    settings.objective = with.objective;
    QVERIFY(learn::check(settings, with.graph, Registry::all()).ok());
  }

  // One that no row shows is refused before anything is computed.
  void what_the_rows_cannot_show_is_refused_before_the_run() {
    Graph g = pipeline(180);
    g.nodes["scan"].params["rows"] = int64_t{2};
    g.nodes["wedge"] = {"objective.wedge", 1, {{"where", std::string("spread")}}};
    g.links.push_back({"axis", "projections", "wedge", "projections"});
    learn::Settings settings;
    settings.targets = {axis()};
    settings.targets[0].name = "tilt";
    settings.objective = {"wedge", "loss"};
    Executor e(Registry::all(), {});
    const auto refused = learn::learn(e, Registry::all(), g, settings);
    QVERIFY(!refused.ok());
    QVERIFY2(refused.error().message().find("2 detector rows do not show") != std::string::npos,
             refused.error().message().c_str());
    // Neighbouring rows of a tall detector: the objective itself refuses every other tilt.
    g.nodes["scan"].params["rows"] = int64_t{32};
    g.nodes["wedge"].params.clear();
    const auto neighbours = learn::learn(e, Registry::all(), g, settings);
    QVERIFY(!neighbours.ok());
    QVERIFY2(neighbours.error().message().find("neighbouring rows") != std::string::npos,
             neighbours.error().message().c_str());
  }

  void what_could_be_learned_is_listed_with_its_node() {
    Graph g = pipeline(180);
    const auto listed = [&](const Graph& graph) {
      const auto all = known(graph);
      return learn::learnables(graph, Registry::all(), [&](const std::string& node, const std::string& port) {
        const auto outputs = all.find(node);
        if (outputs == all.end()) return static_cast<const Info*>(nullptr);
        const auto info = outputs->second.find(port);
        return info == outputs->second.end() ? nullptr : &info->second;
      });
    };
    const auto here = listed(g);
    QVERIFY(!here.empty());
    QCOMPARE(here.front().node, std::string("axis"));
    QCOMPARE(here.front().name, std::string("axis"));
    QVERIFY(!here.front().obstacle && !here.front().insertion_link && here.front().present);
    // Another choice, or more rows, makes an objective show a tilt.
    learn::Target tilt = axis();
    tilt.name = "tilt";
    for (const double degrees : {180.0, 360.0}) {
      Graph tall = pipeline(degrees);
      tall.nodes["scan"].params["rows"] = int64_t{32};
      tall.nodes["scan"].params["cols"] = int64_t{192};
      const learn::ObjectiveChoice best = choices(tall, {axis(), tilt}).front();
      QVERIFY2(!best.obstacle && !best.params.empty(), best.type.c_str());
    }
    edit::remove_nodes(g, Registry::all(), {"axis"}, edit::Gap::reconnect);
    const auto inserted = listed(g);
    QVERIFY(!inserted.empty() && inserted.front().insertion_link);
    QCOMPARE(inserted.front().insertion_link->to_node, std::string("fbp"));
    const auto grown = learn::with_target(g, Registry::all(), inserted.front());
    QVERIFY2(grown.ok(), grown.ok() ? "" : grown.error().message().c_str());
    const Graph& with = grown.value().graph;
    QCOMPARE(with.link_into("fbp", "projections")->from_node, grown.value().target.node);
    QVERIFY(problems(with, Registry::all()).empty());
  }

  void a_draft_may_lack_its_objective() {
    learn::Settings settings;
    settings.targets = {axis()};
    const Graph g = learn::with_settings(pipeline(360), settings);
    QVERIFY(learn::settings_of(g).value() == settings);
    const auto read = graph_from_json(to_json(g), Registry::all());
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
    QVERIFY(read.value() == g);
    QVERIFY(!learn::check(settings, g, Registry::all()).ok());
  }

  void a_record_survives_its_file() {
    const learn::RunRecord before = record();
    QVERIFY(before.loss.value.size() <= 301);
    QCOMPARE(before.loss.iteration.back(), 899.0);
    const auto read = learn::run_from_json(learn::to_json(before));
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
    const learn::RunRecord& after = read.value();
    QVERIFY(after.settings == before.settings);
    QVERIFY(after.loss.value == before.loss.value && after.parameters[0].value == before.parameters[0].value);
    QCOMPARE(after.learned.found[0].value[0], 2.31);
    QVERIFY(after.learned.found[0].trust == learn::Trust::resolved);
    QVERIFY(after.decision == learn::Decision::accepted && after.learned.reason == learn::StopReason::converged);
    QVERIFY(!learn::run_from_json("{}").ok());
    QVERIFY(!learn::run_from_json(R"({"settings":{"targets":[]},"found":[{"node":"a"}]})").ok());
  }

  void a_value_keeps_its_verdict_until_it_is_changed() {
    const learn::RunRecord run = record();
    Graph g = learn::with_run(learn::accept(pipeline(360), run.learned), learn::to_json(run));
    const auto records = learn::records_of(g);
    QCOMPARE(records.size(), std::size_t{1});
    const auto value = learn::found_of(records, g, "axis", "axis");
    QVERIFY(value && value->trust == learn::Trust::resolved);
    QCOMPARE(value->uncertainty, std::vector{0.02});
    QVERIFY(!learn::found_of(records, g, "axis", "tilt"));
    g.nodes["axis"].params["axis"] = Number{2.4, Unit::px};
    QVERIFY(!learn::found_of(records, g, "axis", "axis"));
  }

  void the_laws_of_nodes_hold_data() {
    QTest::addColumn<QString>("node");
    for (const char* node : {"flat", "axis", "fbp"}) QTest::newRow(node) << node;
  }
  void the_laws_of_nodes_hold() {
    QFETCH(QString, node);
    const Graph g = pipeline(360);
    const auto all = known(g);
    Infos inputs;
    for (const Link& link : g.links)
      if (link.to_node == node.toStdString()) inputs[link.to_port] = all.at(link.from_node).at(link.from_port);
    const auto made = learn::check_node(Registry::all(), g, node.toStdString(), inputs, CancelToken());
    QVERIFY2(made.ok(), made.ok() ? "" : made.error().message().c_str());
    for (const auto& row : made.value().rows)
      qInfo("%s: %.9g %.9g, %.2g", row.what.c_str(), row.left, row.right, row.deviation);
    QVERIFY(made.value().rows.size() >= 3);
    QVERIFY(made.value().passed());
  }

  void what_has_no_backward_pass_says_so() {
    Graph g = pipeline(360);
    g.nodes["save"] = {"output.save_volume", 1, {}};
    g.links.push_back({"fbp", "volume", "save", "volume"});
    const auto made = learn::check_node(Registry::all(), g, "save", {{"volume", known(g).at("fbp").at("volume")}}, {});
    QVERIFY(!made.ok() && made.error().kind == ErrorKind::invalid);
    QVERIFY(!learn::check_node(Registry::all(), g, "scan", {}, {}).ok());
    QVERIFY(!learn::check_node(Registry::all(), g, "nobody", {}, {}).ok());
  }
};

TL_TEST_CASE(LearningDock)

}  // namespace tl::learning_dock_test

#include "learning_dock.moc"
