// Input paths of pipelines: absolute in a loaded graph, relative in files, so that a tree of scans and results can be
// moved.
#include "core/graph/pipeline_paths.h"

#include <ATen/Parallel.h>

#include <QTemporaryDir>
#include <fstream>
#include <sstream>

#include "core/graph/graph_json.h"
#include "core/run/automatic/batch.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/test_case.h"

namespace tl::pipeline_paths_test {

namespace fs = std::filesystem;

namespace {

Graph loading(const std::string& file) {
  Graph g;
  g.nodes["load"] = {"input.load_scan", 1, {{"file", file}}};
  g.nodes["flat"] = {"correct.flat_field", 1, {}};
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.nodes["save"] = {"output.save_volume", 1, {{"file", std::string("volume.tif")}}};
  g.nodes["slices"] = {
      "output.save_volume", 1, {{"file", std::string("slices")}, {"format", std::string("tiff_stack")}}};
  g.links = {{"load", "projections", "flat", "projections"},
             {"flat", "projections", "fbp", "projections"},
             {"fbp", "volume", "save", "volume"},
             {"fbp", "volume", "slices", "volume"}};
  return g;
}

std::string file_of(const Graph& g) { return std::get<std::string>(g.nodes.at("load").params.at("file")); }

std::string contents(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace

class PipelinePaths : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(1); }

  void a_way_from_a_folder_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("relative");
    QTest::newRow("below") << "/a/b/data/scan.h5"
                           << "/a/b"
                           << "data/scan.h5";
    QTest::newRow("next to it") << "/a/b/scan.h5"
                                << "/a/b/"
                                << "scan.h5";
    QTest::newRow("above") << "/a/data/scan.h5"
                           << "/a/b/c"
                           << "../../data/scan.h5";
    QTest::newRow("a name that begins with dots is below") << "/a/..b/scan.h5"
                                                           << "/a"
                                                           << "..b/scan.h5";
    QTest::newRow("not normal") << "/a/x/../b/scan.h5"
                                << "/a/./b"
                                << "scan.h5";
  }
  void a_way_from_a_folder() {
    QFETCH(QString, file);
    QFETCH(QString, folder);
    QFETCH(QString, relative);
    QCOMPARE(relative_input(file.toStdString(), folder.toStdString()), relative.toStdString());
  }

  // ".." of a linked folder leads from where the folder really is.
  void a_linked_folder_is_left_through_its_real_parent() {
    const QTemporaryDir dir;
    const fs::path root = fs::canonical(dir.path().toStdString());
    fs::create_directories(root / "real" / "deep" / "results");
    fs::create_directory_symlink(root / "real" / "deep" / "results", root / "results");
    std::ofstream(root / "scan.h5") << "x";
    const std::string relative = relative_input(root / "scan.h5", root / "results");
    QVERIFY2(fs::exists(root / "results" / relative), relative.c_str());
  }

  void a_pipeline_is_saved_relative_and_loaded_absolute() {
    const QTemporaryDir dir;
    const fs::path root = fs::canonical(dir.path().toStdString());
    fs::create_directories(root / "pipelines");
    const Graph graph = loading((root / "data" / "scan.h5").string());
    const std::string file = (root / "pipelines" / "p.json").string();
    QVERIFY(save_pipeline(graph, test::registry(), file, io::no_inputs(io::Overwrite::refuse)).ok());
    QVERIFY(contents(file).find("\"../data/scan.h5\"") != std::string::npos);
    QVERIFY(contents(file).find(root.string()) == std::string::npos);
    QVERIFY(!save_pipeline(graph, test::registry(), file, io::no_inputs(io::Overwrite::refuse)).ok());
    const auto loaded = load_pipeline(file, test::registry());
    QVERIFY(loaded.ok());
    QVERIFY(loaded.value() == graph);
    // Byte for byte again, and after the whole tree has moved.
    const std::string before = contents(file);
    QVERIFY(save_pipeline(loaded.value(), test::registry(), file, io::no_inputs(io::Overwrite::replace)).ok());
    QCOMPARE(contents(file), before);
    fs::rename(root / "pipelines", root / "elsewhere");
    QCOMPARE(file_of(load_pipeline((root / "elsewhere" / "p.json").string(), test::registry()).value()),
             file_of(graph));
  }

  // The record, the file that embeds the pipeline, and the folder of slices, each names the scan by its own relative
  // path.
  void results_move_with_their_scan() {
    const QTemporaryDir dir;
    const fs::path root = fs::canonical(dir.path().toStdString());
    fs::create_directories(root / "tree" / "data");
    fs::create_directories(root / "tree" / "out");
    test::write_inputs(root / "tree" / "data", {});
    RunOptions options;
    options.output_dir = root / "tree" / "out";
    Executor executor(test::registry(), options);
    const auto done = run_batch(executor, loading((root / "tree" / "data" / "scan.nx").string()), test::registry());
    QVERIFY2(done.ok(), done.ok() ? "" : done.error().message().c_str());
    QVERIFY(contents(root / "tree" / "out" / "volume.tif.json").find(root.string()) == std::string::npos);
    fs::rename(root / "tree", root / "moved");
    for (const char* result : {"volume.tif", "volume.tif.json", "slices", "slices.json"}) {
      const auto again = load_pipeline((root / "moved" / "out" / result).string(), test::registry());
      QVERIFY2(again.ok(), again.ok() ? "" : again.error().message().c_str());
      QCOMPARE(file_of(again.value()), (root / "moved" / "data" / "scan.nx").string());
    }
  }
};

TL_TEST_CASE(PipelinePaths)

}  // namespace tl::pipeline_paths_test

#include "pipeline_paths.moc"
