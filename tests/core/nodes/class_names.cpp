// Names of classes as a parameter of nodes that make labels: they reach infos and what follows, and nothing is computed
// again for them. Several given thresholds.
#include <ATen/ATen.h>

#include "core/run/executor.h"
#include "tests/support/test_case.h"

namespace tl::class_names_test {

namespace {

Graph segmented(const std::string& type, const std::map<std::string, ParamValue>& params) {
  Graph g;
  g.nodes["phantom"] = {"input.labelled_phantom", 1, {{"width", int64_t{24}}, {"height", int64_t{10}}}};
  g.nodes["node"] = {type, 1, params};
  for (const PortDecl& port : Registry::all().find(type)->inputs)
    g.links.push_back({"phantom", port.type == PortType::volume ? "volume" : "labels", "node", port.name});
  return g;
}

LabelTable table_of(Executor& e, const Graph& g) {
  return std::get<LabelsInfo>(e.check(g).or_throw().at("node").at("labels")).table;
}

}  // namespace

class ClassNamesTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // Every node with such a parameter, by its declaration.
  void every_node_passes_names_on_and_computes_nothing_again_data() {
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("param");
    for (const NodeType& type : Registry::all().types())
      for (const ParamDecl& decl : type.params)
        if (decl.names_only)
          QTest::addRow("%s", type.id.c_str()) << QString::fromStdString(type.id) << QString::fromStdString(decl.name);
  }
  void every_node_passes_names_on_and_computes_nothing_again() {
    QFETCH(QString, type);
    QFETCH(QString, param);
    const std::string name = param.toStdString();
    Graph g = segmented(type.toStdString(), {});
    Executor e(Registry::all(), {});
    const LabelTable before = table_of(e, g);
    const at::Tensor first = std::get<Labels>(e.pull(g, "node", "labels").or_throw()).data;
    const auto calls = [&e] { return e.stats().at("node").calls; };
    const int64_t needed = calls();
    QVERIFY(needed > 0);
    g.nodes["node"].params[name] = std::string("1 enamel #112233; 2 soft dentine");
    const LabelTable named = table_of(e, g);
    QCOMPARE(named.classes.size(), std::size_t{2});
    QVERIFY((named.classes[0] == LabelClass{1, "enamel", "#112233"} &&
             named.classes[1] == LabelClass{2, "soft dentine", ""}));
    // What is left out of scores, for one, does not hang on names.
    QVERIFY(named.not_labelled == before.not_labelled);
    const at::Tensor again = std::get<Labels>(e.pull(g, "node", "labels").or_throw()).data;
    QVERIFY(again.equal(first));
    QCOMPARE(calls(), needed);
    g.nodes["node"].params[name] = std::string("1 enamel; 1 dentine");
    const auto refused = e.check(g);
    QVERIFY(!refused.ok());
    QVERIFY2(refused.error().message().find("1") != std::string::npos, refused.error().message().c_str());
  }

  void several_given_thresholds_number_their_classes() {
    Executor e(Registry::all(), {});
    const auto pulled = [&](const std::map<std::string, ParamValue>& params, const char* port) {
      std::map<std::string, ParamValue> all = params;
      all["method"] = std::string("manual");
      return e.pull(segmented("segment.threshold", all), "node", port).or_throw();
    };
    const auto labels = [&](const std::map<std::string, ParamValue>& params) {
      return std::get<Labels>(pulled(params, "labels")).data;
    };
    const auto one = [&](double t) { return labels({{"value", Number{t, Unit::none}}}); };
    const std::map<std::string, ParamValue> three{{"values", NumberList{{0.08, 0.02, 0.05}, Unit::none}}};
    QVERIFY(labels(three).equal(one(0.02) + one(0.05) + one(0.08)));
    QVERIFY(labels(three).max().item<int>() == 3);
    const Table found = std::get<Table>(pulled(three, "thresholds"));
    QCOMPARE(found.columns[0].values, (std::vector<double>{0.02, 0.05, 0.08}));
    // A list of one is that one, also for what lies below it.
    QVERIFY(labels({{"values", NumberList{{0.05}, Unit::none}}, {"keep", std::string("dark")}}).equal(1 - one(0.05)));
  }
};

TL_TEST_CASE(ClassNamesTest)

}  // namespace tl::class_names_test

#include "class_names.moc"
