// ScanQueue: order, parameters, pauses, repeated tries, tables in and out, two programs, a killed one.
#include "core/run/many/scan_queue.h"

#include <unistd.h>

#include <QProcess>
#include <QTemporaryDir>

#include "core/graph/graph_json.h"
#include "core/io/text/csv.h"
#include "core/run/many/many_scans.h"
#include "tests/support/disc_scan.h"
#include "tests/support/file_tree.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/test_case.h"

namespace tl::scan_queue_test {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

namespace {

constexpr const char* queue_variable = "TL_TEST_QUEUE";

}  // namespace

class ScanQueueTest : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> dir_;
  [[nodiscard]] fs::path path(const std::string& name) const { return fs::path(dir_->path().toStdString()) / name; }
  fs::path scan(const std::string& name, int views = 12) const {
    fs::create_directories(path(name).parent_path());
    test::write_disc_scan(path(name).string(), {views, 2, 32});
    return path(name);
  }
  [[nodiscard]] std::unique_ptr<ScanQueue> open() const {
    return ScanQueue::open(Registry::all(), path("out")).or_throw();
  }
  static Names add(ScanQueue& queue, const std::vector<ScanTask>& tasks) {
    const std::string pipeline = queue.keep_pipeline(test::disc_pipeline(), "foam.json").or_throw();
    return queue.add(tasks, pipeline).or_throw();
  }
  static Names names(const ScanQueue& queue) {
    Names all;
    for (const ScanRow& row : queue.rows()) all.push_back(row.name);
    return all;
  }
  // Runs all that waits; the names in the order of their runs.
  static Names run_all(ScanQueue& queue) {
    Names ran;
    while (const auto row = queue.take_next()) {
      ran.push_back(row->name);
      queue.run(*row, {}).or_throw();
    }
    return ran;
  }

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void rows_run_in_their_order_with_their_own_parameters() {
    const auto queue = open();
    const fs::path a = scan("in/a.nx"), b = scan("in/b.nx");
    QVERIFY((add(*queue, {{"a", a, {}}, {"b", b, {}}, {"a", a, {"fbp.cutoff=0.5"}}}) == Names{"a", "b", "a-2"}));
    queue->move({"a-2"}, 0).or_throw();
    QVERIFY((names(*queue) == Names{"a-2", "a", "b"}));
    queue->move({"a-2", "b"}, 2).or_throw();
    QVERIFY((names(*queue) == Names{"a", "a-2", "b"}));
    queue->move({"a"}, 99).or_throw();
    QVERIFY((names(*queue) == Names{"a-2", "b", "a"}));
    QVERIFY((run_all(*queue) == Names{"a-2", "b", "a"}));
    for (const ScanRow& row : queue->rows()) {
      QVERIFY2(row.state == ScanState::done, row.error.c_str());
      QVERIFY(row.found.contains("axis.axis [px]"));
      QVERIFY(fs::exists(path("out") / row.name / "volume.tif"));
    }
    QVERIFY(test::contents(path("out/a/volume.tif")) != test::contents(path("out/a-2/volume.tif")));
    QVERIFY(test::contents(path("out/a-2/volume.tif.json")).find("\"cutoff\"") != std::string::npos);
    QVERIFY(!queue->take_next());
  }

  // A failed row stays and says why; the others run. It runs again when its cause is gone.
  void a_scan_that_fails_does_not_stop_the_rest() {
    const auto queue = open();
    test::put(scan("in/b.nx"), "no scan");
    add(*queue, {{"b", path("in/b.nx"), {}}, {"gone", path("in/gone.nx"), {}}, {"a", scan("in/a.nx"), {}}});
    QVERIFY((run_all(*queue) == Names{"b", "gone", "a"}));
    QVERIFY(queue->find("b")->state == ScanState::failed && test::mentions(queue->find("b")->error, {"b.nx"}));
    QVERIFY(queue->find("gone")->state == ScanState::failed && test::mentions(queue->find("gone")->error, {"gone.nx"}));
    QVERIFY(queue->find("a")->state == ScanState::done);
    scan("in/b.nx");
    queue->retry({"b", "a"}).or_throw();
    QVERIFY(queue->find("b")->error.empty() && queue->find("a")->state == ScanState::done);
    QVERIFY((run_all(*queue) == Names{"b"}));
    QVERIFY(queue->find("b")->state == ScanState::done);
  }

  void a_pipeline_that_does_not_fit_is_named_before_the_run() {
    const auto queue = open();
    Graph graph = test::disc_pipeline();
    graph.nodes.erase("load");
    std::erase_if(graph.links, [](const Link& link) { return link.from_node == "load"; });
    graph.nodes["volume"] = {"input.load_volume", 1, {}};
    test::put(path("p.json"), to_json(graph));
    add(*queue, {{"a", scan("in/a.nx"), {}, path("p.json").string()}, {"b", path("in/a.nx"), {"fbp.nothing=1"}}});
    const auto wrong = queue->check(*queue->find("a"), {}), unknown = queue->check(*queue->find("b"), {});
    QVERIFY(!wrong.ok() && !unknown.ok());
    QVERIFY2(test::mentions(unknown.error().message(), {"nothing"}), unknown.error().message().c_str());
    run_all(*queue);
    for (const char* name : {"a", "b"}) QVERIFY(queue->find(name)->state == ScanState::failed);
  }

  void paused_rows_are_left_out_until_they_go_on() {
    const auto queue = open();
    add(*queue, {{"a", scan("in/a.nx"), {}}, {"b", scan("in/b.nx"), {}}});
    queue->hold({"a"}, ScanQueue::Hold::paused).or_throw();
    QVERIFY((run_all(*queue) == Names{"b"}));
    QVERIFY(queue->find("a")->state == ScanState::paused);
    queue->hold({"a", "b"}, ScanQueue::Hold::waiting).or_throw();
    QVERIFY(queue->find("b")->state == ScanState::done);
    QVERIFY((run_all(*queue) == Names{"a"}));
  }

  // Results are never thrown away by a change: another row gets it.
  void a_change_of_a_row_with_results_is_a_row_of_its_own() {
    const auto queue = open();
    add(*queue, {{"a", scan("in/a.nx"), {}}, {"b", scan("in/b.nx"), {}}});
    QCOMPARE(queue->set("a", "fbp.cutoff", "0.5").or_throw(), std::string("a"));
    QCOMPARE(queue->set("a", "fbp.cutoff", "0.6").or_throw(), std::string("a"));
    QVERIFY((queue->find("a")->settings == Names{"fbp.cutoff=0.6"}));
    run_all(*queue);
    const std::string before = test::contents(path("out/a/volume.tif"));
    QCOMPARE(queue->set("a", "fbp.cutoff", "0.3").or_throw(), std::string("a-2"));
    QVERIFY((names(*queue) == Names{"a", "a-2", "b"}));
    QVERIFY((run_all(*queue) == Names{"a-2"}));
    QCOMPARE(test::contents(path("out/a/volume.tif")), before);
    QVERIFY(test::contents(path("out/a-2/volume.tif")) != before);
    const auto refused = queue->set("b", "fbp.cutof", "1");
    QVERIFY2(!refused.ok() && test::mentions(refused.error().message(), {"cutoff"}), "the nearest name is proposed");
    QVERIFY(!queue->set("b", "cutoff", "1").ok() && !queue->set("b", "fbp.cutoff", "many").ok());
    QCOMPARE(queue->rows().size(), std::size_t{3});
  }

  // The pipeline of a row is that of the moment at which it was added.
  void later_changes_of_the_pipeline_do_not_change_rows_that_wait() {
    const auto queue = open();
    add(*queue, {{"a", scan("in/a.nx"), {}}});
    Graph other = test::disc_pipeline();
    other.nodes["fbp"].params["cutoff"] = Number{0.4, Unit::none};
    const std::string first = queue->find("a")->pipeline;
    const std::string second = queue->keep_pipeline(other, "foam.json").or_throw();
    QVERIFY(first != second && queue->keep_pipeline(other, "foam.json").or_throw() == second);
    queue->use_pipeline({"a"}, second).or_throw();
    QCOMPARE(queue->find("a")->pipeline, second);
  }

  // As the window makes the pipeline of a scan that was dropped: it writes next to that scan.
  void what_a_pipeline_writes_elsewhere_goes_into_the_folder_of_the_row() {
    Graph dropped = test::disc_pipeline();
    dropped.nodes["load"].params["file"] = scan("in/a.nx").string();
    dropped.nodes["save"].params["file"] = path("in/a_volume.tif").string();
    const auto queue = open();
    const std::string pipeline = queue->keep_pipeline(dropped, "a").or_throw();
    queue->add({{"a", path("in/a.nx"), {}}, {"b", scan("in/b.nx"), {}}}, pipeline).or_throw();
    run_all(*queue);
    for (const char* name : {"a", "b"}) {
      QVERIFY2(queue->find(name)->state == ScanState::done, queue->find(name)->error.c_str());
      QVERIFY(fs::exists(path("out") / name / "volume.tif"));
    }
    QVERIFY(!fs::exists(path("in/a_volume.tif")));
  }

  // scans.csv is a table that is read again as inputs, by the same reader; a table of the user's is, too.
  void the_table_is_that_of_run_inputs_in_both_directions() {
    scan("in/a.nx");
    scan("in/b.nx");
    test::put(path("list.csv"), "name,scan,fbp.cutoff,pipeline\nfirst,in/a.nx,0.5,\n,in/b.nx,,parallel\n");
    const auto tasks = scan_list({path("list.csv")}).or_throw();
    QCOMPARE(tasks[0].name, std::string("first"));
    QCOMPARE(tasks[1].name, std::string("b"));
    QCOMPARE(tasks[1].pipeline, std::string("parallel"));
    {
      const auto queue = open();
      add(*queue, tasks);
      const auto first = queue->take_next();
      queue->run(*first, {}).or_throw();
      QVERIFY2(queue->find("first")->state == ScanState::done, queue->find("first")->error.c_str());
    }
    const auto again = scan_list({path("out/scans.csv")}).or_throw();
    QCOMPARE(again.size(), std::size_t{2});
    QVERIFY(again[0].name == "first" && again[0].scan == path("in/a.nx"));
    QVERIFY((again[0].settings == Names{"fbp.cutoff=0.5"}) && again[1].settings.empty());
    QVERIFY(fs::path(again[0].pipeline).is_absolute() && fs::exists(again[0].pipeline));
    QCOMPARE(again[1].pipeline, std::string("parallel"));
    const auto rows = open()->rows();
    const auto parsed = result_rows(io::parse_csv(csv_of(rows), "t").or_throw());
    QVERIFY(parsed && *parsed == rows);
    for (const char* bad : {"name,scan\n../x,a.nx\n", "name,scan\n.x,a.nx\n", "name\na\n"}) {
      test::put(path("bad.csv"), bad);
      QVERIFY2(!scan_list({path("bad.csv")}).ok(), bad);
    }
  }

  // Also for what the command line wrote: its settings stand in the table.
  void a_run_over_many_scans_leaves_a_queue() {
    {
      ManyScansRequest request{test::disc_pipeline(), {"fbp.cutoff=0.7"}, path("out"), {}, false, {}};
      ManyScans runs = ManyScans::open(Registry::all(), std::move(request)).or_throw();
      runs.expect({{"a", scan("in/a.nx"), {}}}).or_throw();
    }
    const auto queue = open();
    QVERIFY((queue->find("a")->settings == Names{"fbp.cutoff=0.7"}));
    QVERIFY(run_all(*queue).size() == 1);
    QVERIFY(test::mentions(queue->find("a")->error, {"pipeline"}));
    queue->use_pipeline({"a"}, queue->keep_pipeline(test::disc_pipeline(), "p").or_throw()).or_throw();
    run_all(*queue);
    QVERIFY(queue->find("a")->state == ScanState::done);
  }

  void two_programs_do_not_share_a_queue() {
    const auto first = open();
    add(*first, {{"a", scan("in/a.nx"), {}}});
    const auto second = ScanQueue::open(Registry::all(), path("out"));
    QVERIFY(!second.ok() && second.error().kind == ErrorKind::io);
    QVERIFY(test::mentions(second.error().message(), {"process " + std::to_string(getpid())}));
    // It can look.
    QCOMPARE(read_scan_table(path("out") / scan_table_name()).or_throw().size(), std::size_t{1});
  }

  void what_runs_is_not_changed() {
    const auto queue = open();
    add(*queue, {{"a", scan("in/a.nx"), {}}, {"b", scan("in/b.nx"), {}}});
    const auto row = queue->take_next();
    QCOMPARE(queue->running(), std::string("a"));
    QVERIFY(!queue->remove({"b", "a"}).ok());
    QCOMPARE(queue->rows().size(), std::size_t{2});
    queue->hold({"a"}, ScanQueue::Hold::paused).or_throw();
    QVERIFY(queue->find("a")->state == ScanState::waiting);
    QCOMPARE(queue->set("a", "fbp.cutoff", "0.5").or_throw(), std::string("a-2"));
    RunOptions cancelled;
    cancelled.cancel.cancel();
    const auto ended = queue->run(*row, cancelled);
    QVERIFY(!ended.ok() && ended.error().kind == ErrorKind::cancelled);
    QVERIFY(queue->running().empty() && queue->find("a")->state == ScanState::waiting);
  }

  // What the test below starts as a process of its own; nothing is to be done elsewhere.
  void the_queue_of_another_process() {
    const QString folder = qEnvironmentVariable(queue_variable);
    if (folder.isEmpty()) return;
    const auto queue = ScanQueue::open(Registry::all(), folder.toStdString()).or_throw();
    run_all(*queue);
  }

  // Killed at many moments of a run: every scan has one whole result at the end, and none is computed twice once the
  // table says that it is done.
  void a_killed_queue_goes_on_without_running_twice() {
    constexpr int scans = 3;
    {
      const auto queue = open();
      std::vector<ScanTask> tasks;
      for (int i = 0; i < scans; ++i)
        tasks.push_back({"s" + std::to_string(i), scan("in/s" + std::to_string(i) + ".nx", 40), {}});
      add(*queue, tasks);
    }
    std::map<std::string, fs::file_time_type> done;
    const auto table = [&] { return read_scan_table(path("out") / scan_table_name()).or_throw(); };
    for (int round = 0; round < 10; ++round) {
      QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
      environment.insert(queue_variable, QString::fromStdString(path("out").string()));
      QProcess child;
      child.setProcessEnvironment(environment);
      child.start(QCoreApplication::applicationFilePath(), {"scan_queue", "the_queue_of_another_process"});
      // Until it has marked the scan that it begins with, and a moment longer each time.
      const auto before = fs::last_write_time(path("out") / scan_table_name());
      const auto has_begun = [&] { return fs::last_write_time(path("out") / scan_table_name()) != before; };
      QVERIFY(QTest::qWaitFor([&] { return has_begun() || child.state() == QProcess::NotRunning; }, test::patience_ms));
      QTest::qWait(12 * round);
      child.kill();
      QVERIFY(child.waitForFinished(test::patience_ms));
      const std::vector<ScanRow> rows = table();
      QCOMPARE(rows.size(), std::size_t{scans});
      for (const ScanRow& row : rows) {
        if (row.state != ScanState::done) continue;
        const fs::path volume = path("out") / row.name / "volume.tif";
        QVERIFY2(fs::exists(volume), row.name.c_str());
        const auto [at, is_new] = done.try_emplace(row.name, fs::last_write_time(volume));
        QVERIFY2(is_new || at->second == fs::last_write_time(volume), "it was computed twice");
      }
    }
    const auto queue = open();
    run_all(*queue);
    std::string bytes;
    for (const ScanRow& row : queue->rows()) {
      QVERIFY2(row.state == ScanState::done, row.error.c_str());
      const std::string now = test::contents(path("out") / row.name / "volume.tif");
      QVERIFY(!now.empty() && (bytes.empty() || now.size() == bytes.size()));
      bytes = now;
    }
    qInfo("%d of %d scans were done before the last kill", static_cast<int>(done.size()), scans);
  }
};

TL_TEST_CASE(ScanQueueTest)

}  // namespace tl::scan_queue_test

#include "scan_queue.moc"
