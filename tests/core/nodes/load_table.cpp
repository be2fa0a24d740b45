// Tables on disk: what Save table wrote comes back, other units are converted, and what is not a table is refused.
#include <cmath>
#include <fstream>

#include "core/base/units.h"
#include "core/io/text/csv.h"
#include "core/run/executor.h"
#include "tests/support/test_case.h"

namespace tl::load_table_test {

class LoadTableTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void a_table_comes_back() {
    const std::string text = "shift_x [mm],rotation_z [rad],\"open, or not\"\n0.1,-0.25,1\n3e-17,,0\n";
    write("in.csv", text);
    const Table table = load("in.csv").or_throw();
    QCOMPARE(table.columns.size(), std::size_t{3});
    QCOMPARE(table.columns[0].name, std::string("shift_x"));
    QVERIFY(table.columns[0].unit == Unit::mm && table.columns[1].unit == Unit::rad);
    QVERIFY(table.columns[0].values == (std::vector<double>{0.1, 3e-17}));
    QVERIFY(table.columns[1].values[0] == -0.25 && std::isnan(table.columns[1].values[1]));
    Graph g = loading("in.csv");
    g.nodes["save"] = {"output.save_table", 1, {{"file", std::string("out.csv")}}};
    g.links = {{"load", "table", "save", "table"}};
    RunOptions o;
    o.output_dir = path("results");
    Executor(Registry::all(), o).run(g).or_throw();
    QVERIFY(io::read_csv(o.output_dir / "out.csv").or_throw() == io::read_csv(path("in.csv")).or_throw());
  }

  void other_units_are_converted() {
    write("in.csv", "angle [deg],length [um]\n180,250\n");
    const Table table = load("in.csv").or_throw();
    QVERIFY(table.columns[0].unit == Unit::rad && table.columns[1].unit == Unit::mm);
    QVERIFY(std::abs(table.columns[0].values[0] - pi) < 1e-15 && std::abs(table.columns[1].values[0] - 0.25) < 1e-15);
  }

  void without_a_file_it_has_no_columns() {
    Graph g;
    g.nodes["load"] = {"input.load_table", 1, {}};
    Executor e(Registry::all(), {});
    QVERIFY(std::get<Table>(e.pull(g, "load", "table").or_throw()).columns.empty());
  }

  void what_is_no_table_is_refused_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("empty") << ""
                           << "empty";
    QTest::newRow("a word") << "x\nlong\n"
                            << "not a number";
    QTest::newRow("a number and a word") << "x\n3 mm\n"
                                         << "not a number";
    QTest::newRow("more cells than names") << "x\n1,2\n"
                                           << "more cells";
    QTest::newRow("an unknown unit") << "x [furlong]\n1\n"
                                     << "unit";
  }
  void what_is_no_table_is_refused() {
    QFETCH(QString, text);
    QFETCH(QString, says);
    write("in.csv", text.toStdString());
    const auto table = load("in.csv");
    QVERIFY(!table.ok());
    QVERIFY2(QString::fromStdString(table.error().message()).contains(says), table.error().message().c_str());
  }
  void a_missing_file_is_named() {
    const auto table = load("none.csv");
    QVERIFY(!table.ok());
    QVERIFY(table.error().message().find("none.csv") != std::string::npos);
  }

 private:
  std::filesystem::path path(const std::string& name) const { return dir_->filePath(name.c_str()).toStdString(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  Graph loading(const std::string& name) const {
    Graph g;
    g.nodes["load"] = {"input.load_table", 1, {{"file", path(name).string()}}};
    return g;
  }
  Result<Table> load(const std::string& name) const {
    Executor e(Registry::all(), {});
    const auto value = e.pull(loading(name), "load", "table");
    if (!value.ok()) return value.error();
    return std::get<Table>(value.value());
  }

  std::unique_ptr<QTemporaryDir> dir_;
};

TL_TEST_CASE(LoadTableTest)

}  // namespace tl::load_table_test

#include "load_table.moc"
