// A run reads the files of its next block while it computes one: in the order of the blocks, within the budget, and
// without any effect on the result.
#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <filesystem>

#include "core/io/open_scan.h"
#include "core/run/executor.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/test_case.h"

namespace tl::reading_ahead_test {

namespace fs = std::filesystem;

namespace {

struct Request {
  ScanRegion region;
  std::optional<Region> next;
};
std::vector<Request> requests;

// All nodes; "input.load_scan" notes what it is asked for.
const Registry& noting_registry() {
  static const Registry all = [] {
    std::vector<NodeType> types = test::registry().types();
    for (NodeType& type : types)
      if (type.id == "input.load_scan")
        type.run = [run = type.run](const void* params, NodeRun& r) {
          requests.push_back({std::get<ScanRegion>(r.region), r.next});
          return run(params, r);
        };
    return Registry(std::move(types));
  }();
  return all;
}

using Loading = std::map<std::string, ParamValue>;

struct Saved {
  at::Tensor volume;
  RunReport report;
};

}  // namespace

class ReadingAheadTest final : public QObject {
  Q_OBJECT
  static constexpr int64_t views = 36, rows = 96, cols = 32;

  QTemporaryDir dir_;
  [[nodiscard]] fs::path folder() const { return dir_.path().toStdString(); }

  [[nodiscard]] Graph graph(const Loading& loading, bool stripes) const {
    Graph g;
    g.nodes["scan"] = {"input.load_scan", 1, loading};
    g.nodes["scan"].params["file"] = (folder() / "scan.nx").string();
    g.nodes["flat"] = {"correct.flat_field", 1, {}};
    g.nodes["recon"] = {"recon.fbp", 1, {}};
    g.nodes["save"] = {"output.save_volume", 1, {}};
    g.links = {{"scan", "projections", "flat", "projections"}, {"recon", "volume", "save", "volume"}};
    if (stripes) {
      g.nodes["whole"] = {"test.per_view", 1, {}};
      g.links.push_back({"flat", "projections", "whole", "projections"});
      g.links.push_back({"whole", "projections", "recon", "projections"});
    } else {
      g.links.push_back({"flat", "projections", "recon", "projections"});
    }
    return g;
  }
  static Saved saved(const Graph& g, int64_t memory) {
    const QTemporaryDir out;
    Executor e(noting_registry(), test::options_in(out.path().toStdString(), memory));
    Saved s;
    requests.clear();
    s.report = e.run(g).or_throw();
    const auto reader = io::open_scan(s.report.files.at(0), "tiff_stack").or_throw();
    const io::ScanInfo& info = reader->info();
    s.volume = reader->read({{0, info.views}, {0, info.rows}, {0, info.cols}}).or_throw();
    return s;
  }

 private Q_SLOTS:
  void initTestCase() { test::write_inputs(folder(), {views, rows, cols}); }
  void blocks_change_nothing_data();
  void blocks_change_nothing();
};

void ReadingAheadTest::blocks_change_nothing_data() {
  QTest::addColumn<Loading>("loading");
  QTest::addColumn<bool>("stored");
  QTest::newRow("rows") << Loading{} << false;
  QTest::newRow("some of the views") << Loading{{"view_step", int64_t{2}}, {"exclude", NumberList{{4, 5}, Unit::none}}}
                                     << false;
  QTest::newRow("mirrored") << Loading{{"flip_u", std::string("mirror")}, {"flip_v", std::string("mirror")}} << false;
  QTest::newRow("transposed") << Loading{{"axes", std::string("transpose")}} << false;
  QTest::newRow("whole views, stored") << Loading{} << true;
}

void ReadingAheadTest::blocks_change_nothing() {
  QFETCH(Loading, loading);
  QFETCH(bool, stored);
  const Graph g = graph(loading, stored);
  const Saved whole = saved(g, int64_t{1} << 28);
  QCOMPARE(whole.report.plan.sections.back().blocks.size(), std::size_t{1});
  QVERIFY(!whole.report.plan.sections.back().overlaps);
  QVERIFY(!requests.empty());
  for (const Request& r : requests) QVERIFY2(!r.next, "there is nothing to read ahead");

  bool ahead = false;
  for (int64_t budget = 500'000; budget < 12'000'000; budget = budget * 5 / 4) {
    if (!Executor(noting_registry(), test::options_in({}, budget)).plan(g).ok()) continue;
    const Saved blocks = saved(g, budget);
    const Plan& plan = blocks.report.plan;
    QVERIFY(plan.peak <= plan.budget);
    QVERIFY2(test::difference(blocks.volume, whole.volume) < 1e-6, "blocks changed the volume (acceptance C18)");
    const Section& first = plan.sections.front();
    if (!first.overlaps) continue;
    ahead = true;
    // Whatever is announced is what comes next, and the last block announces nothing.
    std::size_t announced = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (!requests[i].next) continue;
      ++announced;
      QVERIFY2(i + 1 < requests.size(), "something is read ahead that nobody wants");
      QCOMPARE(std::get<ScanRegion>(*requests[i].next), requests[i + 1].region);
    }
    std::size_t blocks_of_sections = 0;
    for (const Section& s : plan.sections)
      if (s.overlaps && (plan.sections.size() == 1 || !s.port.empty()))  // the last one reads what was stored
        blocks_of_sections += s.blocks.size() - 1;
    QCOMPARE(announced, blocks_of_sections);
  }
  QVERIFY2(ahead, "no budget was enough to read ahead, and small enough for blocks");
}

TL_TEST_CASE(ReadingAheadTest)

}  // namespace tl::reading_ahead_test

#include "reading_ahead.moc"
