// Forecast of time: planned work is the work that a run does, and rates learned from images give the time of a whole
// run within a factor of two, also of one eight times as large. Times are made up: no clock is read.
#include "core/live/forecast.h"

#include "tests/support/live_record.h"
#include "tests/support/test_case.h"

namespace tl::forecast_test {

using namespace tl::test;
using live::Rates;

namespace {

// A machine on which the time of every node is known.
struct Costs {
  double call = 0, read = 0, made = 0;

  [[nodiscard]] double seconds(const NodeWork& w) const {
    return call * static_cast<double>(w.calls) + read * w.read + made * w.made;
  }
};

// A cubic scan of n columns as a reconstruction sees it.
struct Scan {
  double n = 0;

  [[nodiscard]] NodeWork work(int64_t calls, double rows, double voxels) const {
    return {calls, n * n * rows, n * voxels};
  }
  [[nodiscard]] NodeWork whole(int64_t blocks) const { return work(blocks, n, n * n * n); }
  // What the panes of the studio show: a coarse and a sharp slice, planes along the axis, a coarse volume. The filtered
  // views of a sharp image were there already.
  [[nodiscard]] std::vector<NodeWork> pictures() const {
    NodeWork sharp = work(1, 1, n * n), along = work(1, n, n * n), volume = work(1, n, n * n * n / 64);
    sharp.read = volume.read = 0;
    return {work(1, 1, n * n / 16), sharp, work(1, n, n * n / 16), along, volume};
  }
};

bool is_within_factor_two(double forecast, double real) { return forecast < 2 * real && real < 2 * forecast; }

// Scatter of a busy machine, the same at every run of the test.
double scatter(int64_t i) { return 1 + 0.4 * std::abs(std::sin(12.9898 * static_cast<double>(i))); }

QByteArray both(double forecast, double real) {
  return QByteArray::number(forecast) + " s forecast, " + QByteArray::number(real) + " s real";
}

bool same_amounts(const NodeWork& a, const NodeWork& b) {
  return a.calls == b.calls && std::abs(a.read - b.read) < 0.5 && std::abs(a.made - b.made) < 0.5;
}

}  // namespace

class ForecastTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void pictures_give_the_time_of_a_run_data() {
    QTest::addColumn<double>("call");
    QTest::addColumn<double>("read");
    QTest::addColumn<double>("made");
    QTest::newRow("filtering dominates planes") << 1e-4 << 1e-8 << 2e-10;
    QTest::newRow("back-projection dominates") << 1e-4 << 1e-10 << 2e-9;
    QTest::newRow("only what is read costs") << 0.0 << 1e-8 << 0.0;
    QTest::newRow("only what is made costs") << 0.0 << 0.0 << 1e-9;
  }
  void pictures_give_the_time_of_a_run() {
    QFETCH(double, call);
    QFETCH(double, read);
    QFETCH(double, made);
    const Costs costs{call, read, made};
    const Scan small{128}, large{256};
    for (const double first : {1.0, 50.0}) {  // the first call of all may be cold
      Rates rates;
      QVERIFY(rates.seconds("recon", small.whole(1)) < 0);
      int64_t i = 0;
      for (NodeWork w : small.pictures()) {
        w.seconds = costs.seconds(w) * scatter(i) * (i == 0 ? first : 1);
        rates.add("recon", w);
        ++i;
      }
      for (const auto& [scan, blocks] : {std::pair(small, int64_t{4}), std::pair(large, int64_t{8})}) {
        const NodeWork whole = scan.whole(blocks);
        const double forecast = rates.seconds("recon", whole), real = costs.seconds(whole);
        QVERIFY2(is_within_factor_two(forecast, real), both(forecast, real));
      }
    }
  }

  // Work on a machine that was slower then.
  void newer_work_counts_more() {
    const Costs slow{1e-3, 1e-8, 1e-9}, fast{1e-4, 1e-9, 1e-10};
    const Scan scan{128};
    Rates rates;
    for (const Costs& machine : {slow, fast})
      for (int round = 0; round < 10; ++round)
        for (NodeWork w : scan.pictures()) {
          w.seconds = machine.seconds(w);
          rates.add("recon", w);
        }
    const double forecast = rates.seconds("recon", scan.whole(4)), real = fast.seconds(scan.whole(4));
    QVERIFY2(is_within_factor_two(forecast, real), both(forecast, real));
  }

  // The end of work, such as closing a file, belongs to the work before it.
  void what_ends_later_is_added() {
    Rates rates;
    rates.add("save", {4, 0, 4e6, 1});
    rates.add("save", {0, 0, 0, 1});
    QVERIFY(std::abs(rates.seconds("save", {4, 0, 4e6}) - 2) < 0.02);
  }

  void planned_work_is_the_work_done_data() {
    QTest::addColumn<qint64>("memory");
    QTest::newRow("one block") << (qint64{1} << 30);
    QTest::newRow("many blocks") << (qint64{3} << 20);
  }
  void planned_work_is_the_work_done() {
    QFETCH(qint64, memory);
    const QTemporaryDir folder;
    Graph g = save_graph(folder, 96);
    g.nodes["scan"].params["rows"] = int64_t{64};
    g.nodes["scan"].params["kind"] = std::string("counts");
    g.nodes["flat"] = {"correct.flat_field", 1, {}};
    g.links[0] = {"scan", "projections", "flat", "projections"};
    g.links.push_back({"flat", "projections", "geometry", "projections"});
    RunOptions o;
    o.memory = memory;
    Executor e(registry(), o);
    const Plan plan = e.forecast(g).or_throw();
    const RunReport report = e.run(g).or_throw();
    for (const auto& [node, stats] : report.nodes) {
      const auto planned = plan.work.find(node);
      if (planned == plan.work.end()) {
        QCOMPARE(stats.work.calls, int64_t{0});
        continue;
      }
      const std::string what = node + ": planned " + std::to_string(planned->second.calls) + " calls, " +
                               std::to_string(planned->second.read) + " read, " + std::to_string(planned->second.made) +
                               " made; done " + std::to_string(stats.work.calls) + ", " +
                               std::to_string(stats.work.read) + ", " + std::to_string(stats.work.made);
      QVERIFY2(same_amounts(planned->second, stats.work), what.c_str());
    }
    for (const char* node : {"scan", "flat", "fbp", "save"}) QVERIFY(plan.work.count(node) != 0);
    QCOMPARE(plan.work.at("fbp").made, 60.0 * 96 * 96 * 64);  // every voxel sums 60 views
  }

  void cached_outputs_cost_no_time() {
    const QTemporaryDir folder;
    const Graph g = save_graph(folder);
    Executor e(registry(), direct());
    QVERIFY(e.forecast(g).or_throw().work.count("scan") != 0);
    QVERIFY(e.pull(g, "geometry", "projections").ok());
    const auto work = e.forecast(g).or_throw().work;
    QVERIFY(work.count("scan") == 0 && work.count("geometry") == 0);
    QVERIFY(work.count("fbp") != 0 && work.count("save") != 0);
  }

  // An image whose filtered views are there reads nothing for the rates.
  void what_a_memo_spares_is_not_read() {
    const Graph g = scan_graph();
    Executor e(registry(), direct());
    const VolumeGrid slice = grid_of(g).slab({4, 5});
    QVERIFY(e.pull(g, "fbp", "volume", slice.sub({0, 1}, {0, 10}, {0, slice.nx})).ok());
    const double read = e.stats().at("fbp").work.read;
    QVERIFY(read > 0);
    QVERIFY(e.pull(g, "fbp", "volume", slice.sub({0, 1}, {10, 20}, {0, slice.nx})).ok());
    QCOMPARE(e.stats().at("fbp").work.read, read);
    QCOMPARE(e.stats().at("fbp").work.calls, int64_t{2});
  }

  // The studio gets a new time whenever images have shown how fast the nodes are.
  void pictures_improve_the_forecast() {
    const QTemporaryDir folder;
    Record record;
    live::Engine engine(registry(), options(), record);
    const Graph g = save_graph(folder);
    engine.set_graph(g);
    QVERIFY(record.wait([&] { return !record.forecasts.empty(); }));
    QVERIFY(record.look([&] { return record.forecasts.back().seconds; }) < 0);
    engine.request("a", slice_of("fbp", grid_of(g).slab({4, 5}), 1));
    QVERIFY(record.sharp("a", 1));
    QVERIFY(record.wait([&] { return record.forecasts.back().seconds > 0; }));
    QCOMPARE(record.look([&] { return record.forecasts.back().unmeasured; }), std::vector<std::string>{"Save volume"});
    const std::size_t before = record.look([&] { return record.forecasts.size(); });
    engine.request("a", slice_of("fbp", grid_of(g).slab({0, 1}), 2));
    QVERIFY(record.sharp("a", 2));
    QVERIFY(record.wait([&] { return record.forecasts.size() > before; }));
  }
};

TL_TEST_CASE(ForecastTest)

}  // namespace tl::forecast_test

#include "forecast.moc"
