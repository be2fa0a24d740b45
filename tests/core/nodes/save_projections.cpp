// Corrected projections are written, and read back as the same scan: pixels, geometry and what the pixels are; whole,
// in blocks, and through the reconstruction that follows.
#include <ATen/Parallel.h>

#include <QTemporaryDir>

#include "core/io/open_scan.h"
#include "core/run/automatic/batch.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/test_case.h"

namespace tl::save_projections_test {

namespace fs = std::filesystem;

namespace {

// A simulated scan of counts, corrected to absorption and saved.
Graph saving(double axis) {
  Graph g;
  g.nodes["simulate"] = {
      "input.simulate_scan",
      1,
      {{"views", int64_t{40}}, {"rows", int64_t{3}}, {"cols", int64_t{24}}, {"axis", Number{axis, Unit::px}}}};
  g.nodes["flat"] = {"correct.flat_field", 1, {}};
  g.nodes["save"] = {"output.save_projections", 1, {{"file", std::string("views.nx")}}};
  g.links = {{"simulate", "projections", "flat", "projections"}, {"flat", "projections", "save", "projections"}};
  return g;
}

}  // namespace

class SaveProjectionsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(1); }

  void what_was_written_reads_back_data() {
    QTest::addColumn<int>("kilobytes");
    QTest::newRow("whole") << (1 << 18);
    QTest::newRow("in blocks") << 64;
  }
  void what_was_written_reads_back() {
    QFETCH(int, kilobytes);
    const QTemporaryDir dir;
    const fs::path folder = dir.path().toStdString();
    const Graph g = saving(1.5);
    RunOptions options;
    options.memory = int64_t{1024} * kilobytes;
    options.output_dir = folder;
    Executor executor(Registry::all(), options);
    const auto report = run_batch(executor, g, Registry::all());
    QVERIFY2(report.ok(), report.ok() ? "" : report.error().message().c_str());
    QVERIFY(fs::exists(folder / "views.nx.json"));
    const auto written = std::get<Projections>(executor.pull(g, "flat", "projections").or_throw());
    const auto scan = io::open_scan(folder / "views.nx").or_throw();
    const io::ScanInfo& info = scan->info();
    QCOMPARE(info.kind, PixelKind::absorption);
    QCOMPARE(info.flats, int64_t{0});
    const at::Tensor read = scan->read({{0, info.views}, {0, info.rows}, {0, info.cols}}).or_throw();
    QVERIFY(at::equal(read, written.data));
    const auto orbit = written.geometry.orbit();
    QVERIFY(orbit.has_value());
    for (std::size_t i = 0; i < orbit->angles.size(); ++i)
      QVERIFY(std::abs(info.angles.value.at(i) - orbit->angles[i]) < 1e-12);
    QVERIFY(std::abs(info.axis_hint->value - 1.5) < 1e-9);
    QVERIFY(std::abs(info.pixel_size_u.value - written.geometry.detector().pitch_u) < 1e-12);
  }
};

TL_TEST_CASE(SaveProjectionsTest)

}  // namespace tl::save_projections_test

#include "save_projections.moc"
