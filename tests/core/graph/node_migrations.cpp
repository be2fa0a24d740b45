// Node migrations: pipelines of earlier node versions give the same results as before.
#include <map>

#include "core/graph/graph_json.h"
#include "core/node/registry.h"
#include "tests/support/test_case.h"

namespace tl::node_migrations_test {

class NodeMigrationsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // They changed every column before they had a choice of columns: so do pipelines from then; a choice that is there
  // stays.
  void pipelines_of_the_first_stripe_methods_change_all_columns_data() {
    QTest::addColumn<QString>("parameters");
    QTest::addColumn<int>("version");
    QTest::addColumn<QString>("columns");
    QTest::newRow("no parameters") << "" << 1 << "all";
    QTest::newRow("others") << R"(, "parameters": {OTHER})" << 1 << "all";
    QTest::newRow("chosen") << R"(, "parameters": {"columns": "found"})" << 1 << "found";
    QTest::newRow("now") << R"(, "parameters": {})" << 2 << "";
  }
  void pipelines_of_the_first_stripe_methods_change_all_columns() {
    QFETCH(QString, parameters);
    QFETCH(int, version);
    QFETCH(QString, columns);
    const std::map<std::string, QString> other{{"correct.stripe_removal", R"("order": 4)"},
                                               {"correct.stripe_fourier_wavelet", R"("moments": 4)"},
                                               {"correct.double_flat", R"("sigma": "4 px")"}};
    for (const auto& [type, param] : other) {
      const QString node = QString(R"({"type": "%1", "version": %2%3})")
                               .arg(QString::fromStdString(type))
                               .arg(version)
                               .arg(QString(parameters).replace("OTHER", param));
      const std::string text = R"({"format": "tomoloom-pipeline", "schema_version": 1, "nodes": {"n": )" +
                               node.toStdString() + R"(, "s": {"type": "input.simulate_scan", "version": 1}},
              "links": [{"from": "s.projections", "to": "n.projections"}]})";
      const auto read = graph_from_json(text, Registry::all());
      QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
      const GraphNode& n = read.value().nodes.at("n");
      QCOMPARE(n.version, 2);
      QCOMPARE(n.params.count("columns"), columns.isEmpty() ? std::size_t{0} : std::size_t{1});
      if (!columns.isEmpty()) QVERIFY(n.params.at("columns") == ParamValue(columns.toStdString()));
      QCOMPARE(n.params.count(param.section('"', 1, 1).toStdString()),
               parameters.contains("OTHER") ? std::size_t{1} : std::size_t{0});
    }
  }
};

TL_TEST_CASE(NodeMigrationsTest)

}  // namespace tl::node_migrations_test

#include "node_migrations.moc"
