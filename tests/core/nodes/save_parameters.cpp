// The node that saves parameters: the CSV table holds what the JSON list holds.
#include <QTemporaryDir>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/io/text/csv.h"
#include "core/run/executor.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/test_case.h"

namespace tl::save_parameters_test {

namespace fs = std::filesystem;

class SaveParametersTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void the_table_is_the_list() {
    const QTemporaryDir dir;
    const fs::path folder = dir.path().toStdString();
    const NodeType& type = *Registry::all().find("output.save_parameters");
    for (const char* name : {"p.json", "p.CSV"}) {
      Graph g = test::default_trials(type, folder).front().graph;
      g.nodes["node"].params["file"] = std::string(name);
      const auto report = Executor(test::registry(), test::options_in(folder)).run(g);
      QVERIFY2(report.ok(), report.ok() ? "" : report.error().message().c_str());
    }
    std::ifstream in(folder / "p.json");
    const auto list = nlohmann::json::parse(std::string{std::istreambuf_iterator<char>(in), {}}).at("parameters");
    const std::vector<io::CsvRow> rows = io::read_csv(folder / "p.CSV").or_throw();
    QCOMPARE(rows.size(), list.size() + 1);
    QVERIFY((rows.front() == io::CsvRow{"node", "name", "value", "unit", "uncertainty", "verdict"}));
    for (std::size_t i = 0; i < list.size(); ++i) {
      const io::CsvRow& row = rows[i + 1];
      QCOMPARE(row.size(), std::size_t{6});
      QCOMPARE(row[0], list[i].at("node").get<std::string>());
      QCOMPARE(row[1], list[i].at("name").get<std::string>());
      const auto& value = list[i].at("value");
      if (row[1] == "file") continue;  // the two runs have names of their own
      QCOMPARE(row[2], value.is_string() ? value.get<std::string>() : value.dump());
      QCOMPARE(row[3], list[i].at("unit").get<std::string>());
      QCOMPARE(row[4].empty(), list[i].at("uncertainty").is_null());
    }
    // A found value comes first.
    QVERIFY(std::stod(rows[1][2]) != 0);
  }
};

TL_TEST_CASE(SaveParametersTest)

}  // namespace tl::save_parameters_test

#include "save_parameters.moc"
