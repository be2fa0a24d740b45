// One pipeline over many scans: lists and tables of them, what becomes of each, errors, interruption, folders watched.
#include "core/run/many/many_scans.h"

#include <QTemporaryDir>
#include <fstream>

#include "core/io/text/csv.h"
#include "core/run/many/scan_watch.h"
#include "tests/support/disc_scan.h"
#include "tests/support/file_tree.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/test_case.h"

namespace tl::many_scans_test {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class ManyScansTest : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> dir_;
  [[nodiscard]] fs::path path(const std::string& name) const { return fs::path(dir_->path().toStdString()) / name; }
  fs::path scan(const std::string& name, int views = 12) const {
    fs::create_directories(path(name).parent_path());
    test::DiscScan small{views, 2, 32};
    test::write_disc_scan(path(name).string(), small);
    return path(name);
  }
  [[nodiscard]] Result<ManyScans> open(const std::vector<std::string>& settings = {}) const {
    ManyScansRequest request{test::disc_pipeline(), settings, path("out"), {}, false, {}};
    return ManyScans::open(Registry::all(), std::move(request));
  }
  static std::vector<std::string> names(const std::vector<ScanTask>& tasks) {
    std::vector<std::string> all;
    for (const ScanTask& task : tasks) all.push_back(task.name);
    return all;
  }

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  // A series of volumes: each is compared with the first, from what was found of the one before.
  void a_series_goes_on_from_the_scan_before() {
    Graph series;
    series.nodes["fixed"] = {"input.load_volume", 1, {}};
    series.nodes["moving"] = {"input.load_volume", 1, {}};
    series.nodes["start"] = {"input.load_table", 1, {}};
    ManyScansRequest request{series, {"fixed.file=" + path("first.tif").string()}, path("out"), {}, false, {}};
    const auto file = [](const Graph& g, const std::string& node) {
      const auto set = g.nodes.at(node).params.find("file");
      const auto* text = set == g.nodes.at(node).params.end() ? nullptr : std::get_if<std::string>(&set->second);
      return text == nullptr ? std::string() : *text;
    };
    {
      const ManyScans runs = ManyScans::open(Registry::all(), request).or_throw();
      const Graph g = runs.graph_of({"second", path("second.tif"), {}}).or_throw();
      QVERIFY(file(g, "fixed") == path("first.tif").string() && file(g, "moving") == path("second.tif").string());
    }
    request.settings.push_back("start.file={before}/motion.csv");
    const ManyScans runs = ManyScans::open(Registry::all(), request).or_throw();
    ScanTask task{"second", path("second.tif"), {}};
    QVERIFY(file(runs.graph_of(task).or_throw(), "start").empty());
    task.before = path("out/first");
    QVERIFY(file(runs.graph_of(task).or_throw(), "start") == path("out/first/motion.csv").string());
    request.settings.clear();
    request.out = path("others");  // the first folder is in use
    const ManyScans undecided = ManyScans::open(Registry::all(), request).or_throw();
    QVERIFY(!undecided.graph_of(task).ok());  // two sources without a file
  }

  void csv_round_trip_data() {
    QTest::addColumn<QString>("field");
    for (const char* field : {"plain", "", "a,b", "say \"so\"", "two\nlines", " blanks ", "µm", "\"", "-1.5"})
      QTest::newRow(field) << QString::fromUtf8(field);
  }
  void csv_round_trip() {
    QFETCH(QString, field);
    const io::CsvRow row = {"first", field.toStdString(), "last"};
    const auto back = io::parse_csv(io::csv_line(row) + io::csv_line(row), "t.csv").or_throw();
    QCOMPARE(back.size(), std::size_t{2});
    QVERIFY(back[0] == row && back[1] == row);
  }
  void csv_of_other_programs() {
    const auto rows = io::parse_csv("\xef\xbb\xbfscan , fbp.cutoff\r\n\r\na.nx,\"0.5\" \r\nb.nx,", "t.csv").or_throw();
    QVERIFY((rows == std::vector<io::CsvRow>{{"scan", "fbp.cutoff"}, {"a.nx", "0.5"}, {"b.nx", ""}}));
    for (const char* bad : {"a,\"b\n", "a,b\"c\n", "a,\"b\"c\n"}) {
      const auto refused = io::parse_csv(bad, "t.csv");
      QVERIFY2(!refused.ok() && test::mentions(refused.error().where, {"t.csv", "line 1"}), bad);
    }
  }

  void folders_and_files_are_listed() {
    scan("day/s10.nx");
    scan("day/s2.nx");
    scan("other/s2.nx");
    std::ofstream(path("day/notes.txt")) << "x";
    std::ofstream(path("day/.hidden.nx")) << "x";
    fs::create_directories(path("day/stack"));
    std::ofstream(path("day/stack/f_1.tif")) << "x";
    for (const char* text : {"day/run.log", "day/shifts.csv", "day/rig.xml"}) std::ofstream(path(text)) << "x";
    const auto tasks = scan_list({path("day/"), path("other/s2.nx")}).or_throw();
    QVERIFY((names(tasks) == std::vector<std::string>{"s2", "s10", "stack", "s2-2"}));
    QCOMPARE(tasks[3].scan, path("other/s2.nx"));
    // Of a laboratory scanner whose frames are in a folder of their own: not a table of scans.
    fs::create_directories(path("lab/walnut/Proj"));
    std::ofstream(path("lab/walnut/geom.csv")) << "x";
    QVERIFY((names(scan_list({path("lab")}).or_throw()) == std::vector<std::string>{"walnut"}));
    QCOMPARE(scan_list({path("lab/walnut/geom.csv")}).or_throw().size(), std::size_t{1});
    QVERIFY(!scan_list({path("nowhere")}).ok());
    fs::create_directories(path("empty"));
    const auto none = scan_list({path("empty")});
    QVERIFY(!none.ok() && test::mentions(none.error().message(), {"looks like a scan"}));
  }

  void a_table_has_parameters_for_each_scan() {
    scan("a.nx");
    std::ofstream(path("list.csv")) << "scan,fbp.cutoff,save.file\na.nx,0.5,\na.nx,,\"b, c.tif\"\n";
    const auto tasks = scan_list({path("list.csv")}).or_throw();
    QVERIFY((names(tasks) == std::vector<std::string>{"a", "a-2"}));
    QVERIFY((tasks[0].settings == std::vector<std::string>{"fbp.cutoff=0.5"}));
    QVERIFY((tasks[1].settings == std::vector<std::string>{"save.file=b, c.tif"}));
    for (const char* bad : {"", "file\na.nx\n", "scan\n", "scan,x\n,1\n", "scan\na.nx,1\n"}) {
      std::ofstream(path("bad.csv")) << bad;
      QVERIFY2(!scan_list({path("bad.csv")}).ok(), bad);
    }
  }

  // One of three cannot be read: reported in the table, the others are done.
  void errors_do_not_stop_the_others() {
    scan("scans/a.nx");
    std::ofstream(path("scans/b.nx")) << "no scan";
    scan("scans/c.nx");
    const auto tasks = scan_list({path("scans")}).or_throw();
    {
      ManyScans runs = open().or_throw();
      QVERIFY(runs.expect(tasks).ok());
      for (const ScanTask& task : tasks) {
        const ScanRow row = runs.run(task).or_throw().row;
        QVERIFY2((row.state == ScanState::failed) == (row.name == "b"), row.error.c_str());
      }
      QVERIFY(test::mentions(runs.table().find("b")->error, {"b.nx"}));
      const ScanRow a = *runs.table().find("a");
      QVERIFY((a.files == std::vector<std::string>{"a/volume.tif"}));
      QVERIFY(a.found.count("axis.axis [px]") == 1);
    }
    QVERIFY(fs::exists(path("out/a/volume.tif")) && fs::exists(path("out/a/volume.tif.json")));
    QVERIFY(!fs::exists(path("out/.scans.lock")));
    // What is done is not done again; what failed is tried again.
    const auto written = fs::last_write_time(path("out/a/volume.tif"));
    scan("scans/b.nx");
    ManyScans again = open().or_throw();
    for (const ScanTask& task : tasks) {
      const ScanOutcome outcome = again.run(task).or_throw();
      QVERIFY(outcome.row.state == ScanState::done);
      QCOMPARE(outcome.was_done, task.name != "b");
    }
    QVERIFY(fs::last_write_time(path("out/a/volume.tif")) == written);
  }

  void another_setting_scan_or_a_missing_result_is_another_run() {
    const ScanTask task{"a", scan("a.nx"), {}};
    const auto outcome = [&](const std::vector<std::string>& settings) {
      return open(settings).or_throw().run(task).or_throw();
    };
    const auto repeated = [&] {
      const ScanOutcome one = outcome({});
      return one.row.state == ScanState::done && !one.was_done;
    };
    QVERIFY(repeated());
    QVERIFY(outcome({}).was_done);
    // Nothing is replaced without being asked, and what is refused is not entered as begun.
    const ScanOutcome refused = outcome({"fbp.cutoff=0.5"});
    QVERIFY(refused.row.state == ScanState::failed &&
            test::mentions(refused.row.error, {"exists already", "--overwrite"}));
    fs::remove_all(path("out"));
    QVERIFY(repeated());
    fs::remove(path("out/a/volume.tif"));
    fs::remove(path("out/a/volume.tif.json"));
    QVERIFY(repeated());
    fs::remove_all(path("out"));
    QVERIFY(repeated());
    scan("a.nx", 13);
    QVERIFY(!outcome({}).was_done);
  }

  // The results of another scan stay, and so does what the table says of them.
  void another_scan_of_the_same_name_gets_results_of_its_own() {
    scan("night1/a.nx");
    scan("night2/a.nx", 14);
    const auto run = [&](const ScanTask& task, const std::vector<std::string>& settings = {}) {
      return open(settings).or_throw().run(task).or_throw();
    };
    const ScanTask first{"a", path("night1/a.nx"), {}}, second{"a", path("night2/a.nx"), {}};
    QCOMPARE(run(first).row.name, std::string("a"));
    const std::string volume = test::contents(path("out/a/volume.tif"));
    {
      ManyScans runs = open().or_throw();
      QVERIFY(runs.expect({second}).ok());
      QVERIFY(runs.table().find("a-2")->state == ScanState::waiting);
    }
    QCOMPARE(run(second).row.name, std::string("a-2"));
    // The file is replaced by a new scan.
    scan("night1/a.nx", 13);
    const ScanRow rescan = run(first).row;
    QVERIFY(rescan.state == ScanState::done);
    QCOMPARE(rescan.name, std::string("a-rescan-2"));
    QCOMPARE(rescan.files, (std::vector<std::string>{"a-rescan-2/volume.tif"}));
    for (const ScanTask& task : {first, second}) QVERIFY(run(task).was_done);
    QCOMPARE(open().or_throw().table().rows().size(), std::size_t{3});
    QCOMPARE(test::contents(path("out/a/volume.tif")), volume);
    // A run that is refused does not take the row of results that are there.
    const ScanOutcome refused = run(second, {"fbp.cutoff=0.5"});
    QVERIFY(refused.row.state == ScanState::failed);
    const ManyScans after = open().or_throw();
    for (const char* name : {"a", "a-2", "a-rescan-2"})
      QVERIFY2(after.table().find(name)->state == ScanState::done, name);
  }

  // Bytes of names that are not UTF-8, and what looks like their stand-ins.
  void the_table_is_text_whatever_the_names_are() {
    const std::vector<std::string> names = {"sc\xe4n", "sc\xc3\xa4n", "back\\slash", "\\xe4", "\\\\x", "end\\"};
    {
      ScanTable table = ScanTable::open(path("out"), {}).or_throw();
      for (const std::string& name : names)
        table.set({{name, path(name + ".nx"), ScanState::done, 1, {}, {name + "/v.tif"}, name, "key"}}).or_throw();
    }
    const std::string text = test::contents(path("out/scans.csv"));
    QCOMPARE(QString::fromUtf8(text.c_str()).toUtf8().toStdString(), text);
    const ScanTable table = ScanTable::open(path("out"), {}).or_throw();
    QCOMPARE(table.rows().size(), names.size());
    for (const std::string& name : names) {
      const auto row = table.find(name);
      QVERIFY2(row && row->scan == path(name + ".nx") && row->files.front() == name + "/v.tif" && row->error == name,
               name.c_str());
    }
  }

  // Moving a card on the canvas changes no result.
  void the_layout_of_the_pipeline_does_not_count() {
    const ScanTask task{"a", scan("a.nx"), {}};
    QVERIFY(!open().or_throw().run(task).or_throw().was_done);
    ManyScansRequest request{test::disc_pipeline(), {}, path("out"), {}, false, {}};
    request.pipeline.ui = R"({"cards": {"fbp": [10, 20]}})";
    QVERIFY(ManyScans::open(Registry::all(), request).or_throw().run(task).or_throw().was_done);
  }

  // Killed between the results and the table: they are replaced, since nobody else wrote them.
  void an_interrupted_scan_is_run_again() {
    const ScanTask task{"a", scan("a.nx"), {}};
    QVERIFY(open().or_throw().run(task).or_throw().row.state == ScanState::done);
    std::string interrupted = test::contents(path("out/scans.csv"));
    interrupted.replace(interrupted.find(",done,"), 6, ",running,");
    test::put(path("out/scans.csv"), interrupted);
    // With other settings it is not the same run.
    QVERIFY(open({"fbp.cutoff=0.5"}).or_throw().run(task).or_throw().row.state == ScanState::failed);
    test::put(path("out/scans.csv"), interrupted);
    const ScanOutcome again = open().or_throw().run(task).or_throw();
    QVERIFY(again.row.state == ScanState::done && !again.was_done);
  }

  void results_do_not_lie_among_the_scans() {
    scan("scans/a.nx");
    ManyScansRequest request{test::disc_pipeline(), {}, path("scans/../scans"), {path("scans")}, false, {}};
    const auto refused = ManyScans::open(Registry::all(), request);
    QVERIFY(!refused.ok() && test::mentions(refused.error().message(), {"among the scans"}));
    request.out = path("scans/results");
    QVERIFY(ManyScans::open(Registry::all(), request).ok());
    // Its folder of results is not a scan.
    QCOMPARE(scan_list({path("scans")}).or_throw().size(), std::size_t{1});
  }

  void cancelled_scans_wait() {
    const ScanTask task{"a", scan("a.nx"), {}};
    ManyScansRequest request{test::disc_pipeline(), {}, path("out"), {}, false, {}};
    request.options.cancel.cancel();
    ManyScans cancelled = ManyScans::open(Registry::all(), request).or_throw();
    const auto result = cancelled.run(task);
    QVERIFY(!result.ok() && result.error().kind == ErrorKind::cancelled);
    QVERIFY(cancelled.table().find("a")->state == ScanState::waiting);
  }

  void a_table_of_the_users_is_kept() {
    fs::create_directories(path("out"));
    const std::string own = "scan,fbp.cutoff\na.nx,0.5\n";
    test::put(path("out/scans.csv"), own);
    const auto refused = open();
    QVERIFY(!refused.ok() && test::mentions(refused.error().message(), {"scans.csv", "kept"}));
    QCOMPARE(test::contents(path("out/scans.csv")), own);
  }

  void a_folder_takes_one_run_at_a_time() {
    const ManyScans first = open().or_throw();
    const auto second = open();
    QVERIFY(!second.ok() && second.error().kind == ErrorKind::io);
    QVERIFY2(test::mentions(second.error().message(), {"process " + std::to_string(getpid()) + " on "}),
             second.error().message().c_str());
  }

  void outputs_elsewhere_are_refused() {
    const ScanTask task{"a", scan("a.nx"), {}};
    ManyScansRequest request{test::disc_pipeline(), {}, path("out"), {}, false, {}};
    request.pipeline.nodes["save"].params["file"] = path("elsewhere.tif").string();
    const ScanRow row = ManyScans::open(Registry::all(), request).or_throw().run(task).or_throw().row;
    QVERIFY(row.state == ScanState::failed && test::mentions(row.error, {"outside", "--allow-outside"}));
    QVERIFY(!fs::exists(path("elsewhere.tif")));
  }

  // The watch gets its times from the test: nothing waits here.
  void a_scan_is_taken_once_when_it_has_come_to_rest() {
    fs::create_directories(path("in"));
    ScanWatch watch(path("in"), 10s);
    auto now = ScanWatch::Clock::now();
    const auto look_after = [&](std::chrono::seconds passed) {
      now += passed;
      return watch.finished(now, {});
    };
    QVERIFY(look_after(0s).empty());
    const fs::path file = scan("in/a.nx");
    const std::string whole = test::contents(file);
    test::put(file, whole.substr(0, whole.size() / 2));
    QVERIFY(look_after(0s).empty());
    QCOMPARE(watch.unfinished(), int64_t{1});
    // It rests and cannot be opened: half of it.
    QVERIFY(look_after(20s).empty());
    test::put(file, whole);
    QVERIFY(look_after(1s).empty());
    QVERIFY(look_after(9s).empty());
    QVERIFY((look_after(2s) == std::vector<fs::path>{file}));
    QCOMPARE(watch.unfinished(), int64_t{0});
    QVERIFY(look_after(60s).empty());
    // Another scan under its name is a new one.
    scan("in/a.nx", 13);
    QVERIFY(look_after(1s).empty());
    QCOMPARE(watch.unfinished(), int64_t{1});
    QVERIFY((look_after(11s) == std::vector<fs::path>{file}));
    QVERIFY(look_after(60s).empty());
    // One that vanishes is waited for no longer.
    std::ofstream(path("in/b.nx")) << "x";
    QVERIFY(look_after(0s).empty());
    QCOMPARE(watch.unfinished(), int64_t{1});
    fs::remove(path("in/b.nx"));
    QVERIFY(look_after(60s).empty());
    QCOMPARE(watch.unfinished(), int64_t{0});
  }
};

TL_TEST_CASE(ManyScansTest)

}  // namespace tl::many_scans_test

#include "many_scans.moc"
