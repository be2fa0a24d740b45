// Batch runs: settings and inputs set the right parameter; unusable names are refused before work starts.
#include "core/run/automatic/batch.h"

#include <QTemporaryDir>
#include <fstream>

#include "tests/support/test_case.h"

namespace tl::batch_test {

namespace fs = std::filesystem;

namespace {

Graph graph() {
  Graph g;
  g.nodes["load"] = {"input.load_scan", 1, {{"file", std::string("data/scan.h5")}}};
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.nodes["picture"] = {"output.save_picture", 1, {{"file", std::string("out/slice.png")}}};
  g.nodes["save"] = {"output.save_volume", 1, {{"file", std::string("out/volume.tif")}}};
  g.links = {{"load", "projections", "fbp", "projections"},
             {"fbp", "volume", "picture", "volume"},
             {"fbp", "volume", "save", "volume"}};
  return g;
}

const Registry& all() { return Registry::all(); }

void touch(const fs::path& file) { std::ofstream(file) << "x"; }

}  // namespace

class BatchTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void settings_are_applied_or_refused() {
    Graph g = graph();
    QVERIFY(apply_settings(g, all(), {"fbp.cutoff=0.25"}).ok());
    QCOMPARE(std::get<Number>(g.nodes["fbp"].params["cutoff"]).value, 0.25);
    for (const char* bad : {"", "=", "fbp", "fbp=1", ".cutoff=1", "fbp.=1", "fbp.cutof=1", "fpb.cutoff=1",
                            "fbp.cutoff=99", "fbp.cutoff=x"}) {
      Graph changed = g;
      QVERIFY2(!apply_settings(changed, all(), {bad}).ok(), bad);
      QVERIFY(changed == g);
    }
  }
  void a_value_may_hold_dots_and_equal_signs() {
    Graph g = graph();
    QVERIFY(apply_settings(g, all(), {"save.file=a=b.c.tif"}).ok());
    QCOMPARE(std::get<std::string>(g.nodes["save"].params["file"]), std::string("a=b.c.tif"));
  }
  void the_input_replaces_the_file() {
    Graph g = graph();
    QVERIFY(set_input(g, all(), "/data/other.h5").ok());
    QCOMPARE(std::get<std::string>(g.nodes["load"].params["file"]), std::string("/data/other.h5"));
    g.nodes["load_2"] = {"input.load_scan", 1, {}};
    QVERIFY(set_input(g, all(), "/data/another.h5").ok());  // the only one that has no file yet
    QCOMPARE(std::get<std::string>(g.nodes["load_2"].params["file"]), std::string("/data/another.h5"));
    QCOMPARE(std::get<std::string>(g.nodes["load"].params["file"]), std::string("/data/other.h5"));
    const auto two = set_input(g, all(), "/data/third.h5");
    QVERIFY(!two.ok() && two.error().where.find("load_2.file") != std::string::npos);
    Graph none;
    QVERIFY(!set_input(none, all(), "x").ok());
  }
  void the_record_is_written_next_to_the_volume() {
    RunOptions options;
    options.output_dir = "results";
    const auto outputs = output_paths(graph(), all(), options);
    QCOMPARE(outputs.size(), std::size_t{2});
    QCOMPARE(record_path(outputs), fs::path("results/out/volume.tif.json"));
    QCOMPARE(record_path({"a.png"}), fs::path("a.png.json"));
    QCOMPARE(record_path({"stack"}), fs::path("stack.json"));
    QVERIFY(record_path({}).empty());
  }
  void outputs_outside_of_the_folder_are_found() {
    const QTemporaryDir folder;
    const fs::path dir = fs::canonical(folder.path().toStdString());
    fs::create_directories(dir / "out/inner");
    fs::create_directory(dir / "else");
    fs::create_directory_symlink(dir / "else", dir / "out/link");
    RunOptions options;
    options.output_dir = dir / "out";
    const auto outside = [&](const std::string& file, const std::vector<std::string>& settings = {}) {
      Graph g = graph();
      g.nodes["save"].params["file"] = file;
      g.nodes["picture"].params["file"] = std::string("slice.png");
      const auto found = outputs_outside(g, all(), options, settings);
      if (check_outputs_inside(g, all(), options, settings).ok() != found.empty()) return std::string("no error");
      return found.empty() ? std::string() : found.front().parameter;
    };
    for (const std::string file : {"v.tif", "inner/v.tif", "inner/../v.tif", "new/v.tif"})
      QVERIFY2(outside(file).empty(), file.c_str());
    QVERIFY(outside((dir / "out/v.tif").string()).empty());
    for (const std::string file :
         {"../v.tif", "inner/../../v.tif", "link/v.tif", "link/../v.tif", "/v.tif", "../out.tif"})
      QCOMPARE(outside(file), std::string("save.file"));
    // What the user names is meant.
    QVERIFY(outside("../v.tif", {"save.file=../v.tif"}).empty());
    QCOMPARE(outside("../v.tif", {"save.type=uint8", "save.filename=x"}), std::string("save.file"));
    options.output_dir.clear();
    QVERIFY(outside("v.tif").empty());
    QCOMPARE(outside("../v.tif"), std::string("save.file"));
  }
  void names_are_checked_before_the_start() {
    const QTemporaryDir folder;
    const fs::path dir = folder.path().toStdString();
    QVERIFY(check_writable({dir / "new.tif"}, io::no_inputs(io::Overwrite::refuse)).ok());
    touch(dir / "old.tif");
    QCOMPARE(check_writable({dir / "old.tif"}, io::no_inputs(io::Overwrite::refuse)).error().kind, ErrorKind::invalid);
    QVERIFY(check_writable({dir / "old.tif"}, io::no_inputs(io::Overwrite::replace)).ok());
    QCOMPARE(check_writable({dir / "no" / "such.tif"}, io::no_inputs(io::Overwrite::refuse)).error().kind,
             ErrorKind::io);
    for (const auto overwrite : {io::Overwrite::refuse, io::Overwrite::replace})
      QCOMPARE(check_writable({"/dev/full"}, io::no_inputs(overwrite)).error().kind, ErrorKind::io);
    const io::OutputRules replace = io::no_inputs(io::Overwrite::replace);
    QCOMPARE(check_writable({dir / "a.tif", dir / "a.tif"}, replace).error().kind, ErrorKind::invalid);
    // Two names of one file, and a link that leads nowhere.
    fs::create_directory_symlink(dir, dir / "again");
    fs::create_hard_link(dir / "old.tif", dir / "hard.tif");
    fs::create_symlink(dir / "nowhere", dir / "dangling.tif");
    QCOMPARE(check_writable({dir / "a.tif", dir / "again/a.tif"}, replace).error().kind, ErrorKind::invalid);
    QCOMPARE(check_writable({dir / "old.tif", dir / "hard.tif"}, replace).error().kind, ErrorKind::invalid);
    QCOMPARE(check_writable({dir / "dangling.tif"}, replace).error().kind, ErrorKind::invalid);
  }
};

TL_TEST_CASE(BatchTest)

}  // namespace tl::batch_test

#include "batch.moc"
