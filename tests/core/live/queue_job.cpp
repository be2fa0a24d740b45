// QueueJob and QueueForecastJob: a queue as a job: pause between blocks, go on, cancel, errors, rates; and what is said
// of its rows before they run.
#include "core/live/jobs/queue_job.h"

#include <QTemporaryDir>

#include "core/io/open_volume.h"
#include "core/live/jobs/queue_forecast_job.h"
#include "core/live/jobs/queue_rates.h"
#include "core/run/many/scan_queue.h"
#include "core/run/many/scan_table.h"
#include "tests/support/disc_scan.h"
#include "tests/support/file_tree.h"
#include "tests/support/heard_job.h"
#include "tests/support/small_disk.h"
#include "tests/support/test_case.h"

namespace tl::queue_job_test {

using namespace jobs;
namespace fs = std::filesystem;
using Heard = test::HeardJob<QueueJob>;
using Forecasts = test::HeardJob<QueueForecastJob>;

namespace {

Graph job_pipeline() {
  Graph g;
  g.nodes["load"] = {"input.load_scan", 1, {}};
  g.nodes["flat"] = {"correct.flat_field", 1, {}};
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.nodes["save"] = {"output.save_volume", 1, {{"file", std::string("volume.tif")}}};
  g.links = {{"load", "projections", "flat", "projections"},
             {"flat", "projections", "fbp", "projections"},
             {"fbp", "volume", "save", "volume"}};
  return g;
}

}  // namespace

class QueueJobTest final : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> dir_;
  [[nodiscard]] fs::path path(const std::string& name) const { return fs::path(dir_->path().toStdString()) / name; }
  [[nodiscard]] QueueJob::Settings queue_of(int scans, const test::DiscScan& size = {24, 4, 32}) const {
    QueueJob::Settings s;
    s.queue = ScanQueue::open(Registry::all(), path("out")).or_throw();
    s.rates = std::make_shared<QueueRates>();
    s.threads = 1;
    std::vector<ScanTask> tasks;
    for (int i = 0; i < scans; ++i) {
      const std::string name = "s" + std::to_string(i);
      test::write_disc_scan(path(name + ".nx").string(), size);
      tasks.push_back({name, path(name + ".nx"), {}});
    }
    s.queue->add(tasks, s.queue->keep_pipeline(job_pipeline(), "p").or_throw()).or_throw();
    return s;
  }
  static int done(const ScanQueue& queue) {
    int count = 0;
    for (const ScanRow& row : queue.rows()) count += row.state == ScanState::done ? 1 : 0;
    return count;
  }
  static std::map<std::string, RowForecast> forecasts(const QueueJob::Settings& of) {
    QueueForecastJob::Settings s;
    static_cast<JobPipeline&>(s) = of;
    s.queue = of.queue;
    s.rates = of.rates;
    Forecasts heard;
    const QueueForecastJob job(Registry::all(), s, heard);
    if (!heard.wait_for_end() || heard.end->error) return {};
    return heard.last.rows;
  }

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void all_scans_run_and_the_one_that_fails_is_counted() {
    const QueueJob::Settings s = queue_of(3);
    test::put(path("s1.nx"), "no scan");
    Heard heard;
    const QueueJob job(Registry::all(), s, heard);
    QVERIFY(heard.wait_for_end());
    QVERIFY2(!heard.end->error, heard.end->error ? heard.end->error->message().c_str() : "");
    QCOMPARE(heard.last.scans, int64_t{3});
    QCOMPARE(heard.last.failed, int64_t{1});
    QCOMPARE(done(*s.queue), 2);
    QVERIFY(heard.last.bytes_per_second > 0 && heard.last.running.empty());
    QVERIFY(s.queue->find("s1")->state == ScanState::failed);
  }

  // A pause within a scan keeps its work; what is added meanwhile runs too.
  void it_pauses_within_a_scan_and_goes_on() {
    const QueueJob::Settings s = queue_of(2, {60, 24, 96});
    Heard heard;
    QueueJob job(Registry::all(), s, heard);
    job.pause();
    QVERIFY(heard.wait([&] { return heard.last.phase == JobPhase::paused; }));
    const std::string at = heard.last.running;
    QVERIFY(!at.empty());
    QTest::qWait(200);
    QCOMPARE(done(*s.queue), 0);
    test::write_disc_scan(path("late.nx").string(), {24, 4, 32});
    s.queue->add({{"late", path("late.nx"), {}}}, s.queue->find("s0")->pipeline).or_throw();
    job.go_on();
    QVERIFY(heard.wait_for_end());
    QVERIFY(!heard.end->error);
    QCOMPARE(done(*s.queue), 3);
    QCOMPARE(heard.last.scans, int64_t{3});
  }

  // The iterations of a reconstruction are parts of its block: per cent and time left are known before the first ends.
  void iterations_are_progress_of_the_scan() {
    QueueJob::Settings s = queue_of(0);
    Graph g = job_pipeline();
    constexpr int64_t iterations = 2000;  // so many that a pause comes before the last, however busy the machine is
    g.nodes["fbp"] = {"recon.sirt", 1, {{"iterations", iterations}}};
    test::write_disc_scan(path("it.nx").string(), {24, 4, 32});
    s.queue->add({{"it", path("it.nx"), {}}}, s.queue->keep_pipeline(g, "it").or_throw()).or_throw();
    Heard heard;
    QueueJob job(Registry::all(), s, heard);
    std::vector<QueueJob::Progress> iterating;
    // Each pause is reported: one for every iteration that it stops at.
    for (job.pause(); !heard.end && iterating.size() < 20; job.pause()) {
      QVERIFY(heard.wait([&] { return heard.end || heard.last.phase == JobPhase::paused; }));
      if (heard.end) break;
      if (heard.last.steps == iterations) iterating.push_back(heard.last);
      job.go_on();
      QVERIFY(heard.wait([&] { return heard.end || heard.last.phase != JobPhase::paused; }));
    }
    job.go_on();
    QVERIFY(heard.wait_for_end());
    QVERIFY2(!heard.end->error, heard.end->error ? heard.end->error->message().c_str() : "");
    QVERIFY(!iterating.empty());
    for (std::size_t i = 0; i < iterating.size(); ++i) {
      QCOMPARE(iterating[i].doing, std::string("SIRT"));
      if (i > 0) QVERIFY(iterating[i].scan_done > 0 && iterating[i].scan_seconds_left >= 0);
    }
  }

  // Nothing of the scan that ran is kept, and it waits again.
  void cancelled_while_it_runs_the_scan_waits_again() {
    const QueueJob::Settings s = queue_of(2, {60, 24, 96});
    Heard heard;
    QueueJob job(Registry::all(), s, heard);
    job.pause();
    QVERIFY(heard.wait([&] { return heard.last.phase == JobPhase::paused; }));
    job.cancel();
    QVERIFY(heard.wait_for_end());
    QVERIFY(heard.end->error && heard.end->error->kind == ErrorKind::cancelled);
    for (const ScanRow& row : s.queue->rows()) {
      QVERIFY(row.state == ScanState::waiting);
      QVERIFY(!fs::exists(path("out") / row.name / "volume.tif"));
    }
    QVERIFY(s.queue->running().empty());
  }

  // Memory, disk and time are known before the start, and the time is of the order of the true one.
  void needs_are_forecast_before_the_start() {
    const QueueJob::Settings s = queue_of(3, {90, 16, 128});
    const auto before = forecasts(s);
    QCOMPARE(before.size(), std::size_t{3});
    for (const auto& [name, row] : before) {
      QVERIFY2(row.error.empty(), row.error.c_str());
      QVERIFY(row.peak > 0 && row.seconds >= 0);
      QCOMPARE(row.disk, int64_t{16 * 128 * 128 * 4});
      QVERIFY2(row.scan.find("90 x 16 x 128") != std::string::npos, row.scan.c_str());
      QVERIFY(row.thumbnail == nullptr);
    }
    Heard heard;
    const QueueJob job(Registry::all(), s, heard);
    QVERIFY(heard.wait_for_end());
    for (const ScanRow& row : s.queue->rows()) {
      const auto bytes = static_cast<int64_t>(fs::file_size(path("out") / row.name / "volume.tif"));
      QVERIFY(bytes >= before.at(row.name).disk && bytes < before.at(row.name).disk + 100'000);
    }
    const auto after = forecasts(s);
    for (const auto& [name, row] : after) {
      QVERIFY(row.thumbnail != nullptr && row.thumbnail->rows == row.thumbnail->cols && row.thumbnail->rows <= 96);
      QVERIFY(row.error.empty() && row.seconds < 0);
    }
  }

  // Missing, changed, double, half-written scans, and a parameter that the pipeline does not have.
  void what_is_wrong_with_a_row_is_said() {
    const QueueJob::Settings s = queue_of(3);
    {
      Heard heard;
      const QueueJob job(Registry::all(), s, heard);
      QVERIFY(heard.wait_for_end());
    }
    const auto says = [&](const std::map<std::string, RowForecast>& rows, const std::string& name, const char* words) {
      const RowForecast& row = rows.at(name);
      const auto has = [&](const std::string& text) { return text.find(words) != std::string::npos; };
      return has(row.error) || std::any_of(row.notes.begin(), row.notes.end(), has);
    };
    test::write_disc_scan(path("s0.nx").string(), {25, 4, 32});
    fs::remove(path("out/s1/volume.tif"));
    const std::string whole = test::contents(path("s2.nx"));
    test::put(path("half.nx"), whole.substr(0, whole.size() / 2));
    const std::string pipeline = s.queue->find("s0")->pipeline;
    s.queue
        ->add({{"half", path("half.nx"), {}},
               {"gone", path("gone.nx"), {}},
               {"fresh", path("s2.nx"), {"fbp.cutoff=0.5"}},
               {"fresh", path("s2.nx"), {"fbp.cutoff=0.5"}},
               {"misfit", path("s2.nx"), {"fbp.nothing=1"}}},
              pipeline)
        .or_throw();
    // As if it was written while the forecast looks at it, however long that takes.
    fs::last_write_time(path("s2.nx"), fs::file_time_type::clock::now() + std::chrono::minutes(10));
    const auto rows = forecasts(s);
    QCOMPARE(rows.size(), std::size_t{8});
    QVERIFY(says(rows, "s0", "has changed since its results"));
    QVERIFY(says(rows, "s1", "results are missing"));
    QVERIFY(rows.at("s2").error.empty());
    QVERIFY(says(rows, "half", "half.nx") && !rows.at("half").error.empty());
    QVERIFY(says(rows, "gone", "missing") && !rows.at("gone").error.empty());
    QVERIFY(says(rows, "fresh", "may still be being written"));
    QVERIFY(says(rows, "fresh-2", "duplicate of row 6"));
    QVERIFY(says(rows, "misfit", "nothing") && !rows.at("misfit").error.empty());
  }

  // Whatever the disk has no room for: what is done is whole, what failed says why, nothing is half there, and with
  // room again all of it runs.
  void a_full_disk_leaves_whole_results_alone() {
    test::write_disc_scan(path("a.nx").string(), {24, 6, 48});
    const auto is_whole = [](const fs::path& volume) {
      const auto opened = io::open_volume(volume);
      if (!opened.ok()) return false;
      const VolumeGrid& g = opened.value()->info().grid;
      return g.nz == 6 && opened.value()->read({{0, g.nz}, {0, g.ny}, {0, g.nx}}).ok();
    };
    int failed = 0, refused = 0, whole = 0;
    for (int64_t kilobytes = 24; kilobytes <= 240; kilobytes += 24) {
      const test::SmallDisk disk(test::Shortage::disk, kilobytes << 10);
      if (!disk.is_made()) QSKIP("no file system may be mounted here");
      QueueJob::Settings s;
      auto opened = ScanQueue::open(Registry::all(), disk.folder());
      if (!opened.ok()) continue;
      s.queue = std::move(opened).value();
      s.rates = std::make_shared<QueueRates>();
      s.threads = 1;
      const auto pipeline = s.queue->keep_pipeline(job_pipeline(), "p");
      if (!pipeline.ok() ||
          !s.queue->add({{"a", path("a.nx"), {}}, {"b", path("a.nx"), {"fbp.cutoff=0.5"}}}, pipeline.value()).ok()) {
        ++refused;
        continue;
      }
      {
        Heard heard;
        const QueueJob job(Registry::all(), s, heard);
        QVERIFY(heard.wait_for_end());
        if (heard.end->error) QCOMPARE(heard.end->error->kind, ErrorKind::io);
      }
      for (const ScanRow& row : s.queue->rows()) {
        const fs::path volume = disk.folder() / row.name / "volume.tif";
        const bool is_there = fs::exists(volume);
        if (is_there) QVERIFY2(is_whole(volume), row.name.c_str());
        if (row.state == ScanState::done) QVERIFY(is_there);
        if (row.state == ScanState::failed)
          QVERIFY2(row.error.find("space") != std::string::npos || row.error.find("full") != std::string::npos,
                   row.error.c_str());
        whole += row.state == ScanState::done ? 1 : 0;
        failed += row.state == ScanState::failed ? 1 : 0;
      }
      // The table can be read whatever happened.
      QVERIFY(read_scan_table(disk.folder() / scan_table_name()).ok());
    }
    qInfo("%d results, %d failed for room, %d queues without room for their table", whole, failed, refused);
    QVERIFY(whole > 0 && failed > 0);
  }

  // A table that cannot be written ends the queue: nothing runs whose end could not be noted.
  void a_table_that_cannot_be_written_ends_the_queue() {
    if (geteuid() == 0) {
      // Root may write anywhere: a folder in the place of the table is in its way.
      const QueueJob::Settings s = queue_of(1);
      fs::remove(path("out/scans.csv"));
      fs::create_directories(path("out/scans.csv/x"));
      Heard heard;
      const QueueJob job(Registry::all(), s, heard);
      QVERIFY(heard.wait_for_end());
      QVERIFY(heard.end->error && heard.end->error->kind != ErrorKind::cancelled);
      QVERIFY(!fs::exists(path("out/s0/volume.tif")));
      return;
    }
    const QueueJob::Settings s = queue_of(1);
    fs::permissions(path("out"), fs::perms::owner_read | fs::perms::owner_exec);
    Heard heard;
    const QueueJob job(Registry::all(), s, heard);
    QVERIFY(heard.wait_for_end());
    fs::permissions(path("out"), fs::perms::owner_all);
    QVERIFY(heard.end->error && heard.end->error->kind != ErrorKind::cancelled);
  }
};

TL_TEST_CASE(QueueJobTest)

}  // namespace tl::queue_job_test

#include "queue_job.moc"
