// Re-running a result: no message for the same input, a warning for a changed input, none if another input was
// requested.
#include <ATen/Parallel.h>

#include <QTemporaryDir>
#include <fstream>

#include "core/graph/graph_json.h"
#include "core/io/reader/scan_info.h"
#include "core/run/automatic/automatic.h"
#include "core/run/automatic/batch.h"
#include "tests/support/io/hdf5_maker.h"
#include "tests/support/test_case.h"

namespace tl::rerun_test {

namespace fs = std::filesystem;

namespace {

struct Warnings : EventSink {
  void message(LogLevel level, std::string_view, std::string_view text) override {
    if (level == LogLevel::warning) all += std::string(text) + "\n";
  }
  std::string all;
};

void make_scan(const fs::path& file, float brightness) {
  test::Hdf5Maker h5(file.string());
  h5.frames<float>("/exchange/data", 12, 2, 16, brightness);
  h5.numbers<double>("/exchange/theta", {12}, test::ramp(12, 0, 15), "degree");
}

}  // namespace

class RerunTest : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;
  [[nodiscard]] fs::path path(const char* name) const { return dir_.filePath(name).toStdString(); }

  // The warnings of a run into `folder`.
  [[nodiscard]] std::string warnings(const Graph& graph, const char* folder) const {
    Warnings sink;
    RunOptions options;
    options.memory = int64_t{256} << 20;
    options.output_dir = path(folder);
    fs::create_directory(options.output_dir);
    options.events = &sink;
    Executor executor(Registry::all(), options);
    const auto report = run_batch(executor, graph, Registry::all());
    return report.ok() ? sink.all : "failed: " + report.error().message();
  }

 private Q_SLOTS:
  void a_changed_input_is_reported() {
    at::set_num_threads(1);
    fs::create_directory(path("out"));
    make_scan(path("scan.h5"), 1);
    make_scan(path("other.h5"), 2);
    const std::vector<std::string> load = {"pixels=absorption"};
    const io::ScanInfo scan = scan_with_settings(path("scan.h5"), load).or_throw();
    const Graph first = automatic_pipeline(scan, {"v.tif", {}, 0.0, load}).or_throw().graph;
    std::string said = warnings(first, "first");
    QVERIFY2(!said.starts_with("failed"), said.c_str());
    for (const char* result : {"first/v.tif", "first/v.tif.json"}) {
      make_scan(path("scan.h5"), 1);
      const Graph again = load_pipeline(path(result).string(), Registry::all()).or_throw();
      const std::string folder = std::string("again_") + (fs::path(result).extension() == ".json" ? "json" : "tif");
      said = warnings(again, folder.c_str());
      QVERIFY2(said.find("fingerprint") == std::string::npos && !said.starts_with("failed"), said.c_str());
      make_scan(path("scan.h5"), 3);
      said = warnings(again, (folder + "_changed").c_str());
      QVERIFY2(said.find("\"load\"") != std::string::npos && said.find("fingerprint") != std::string::npos,
               said.c_str());
      Graph other = again;
      QVERIFY(set_input(other, Registry::all(), path("other.h5")).ok());
      said = warnings(other, (folder + "_other").c_str());
      QVERIFY2(said.find("fingerprint") == std::string::npos && !said.starts_with("failed"), said.c_str());
    }
  }
};

TL_TEST_CASE(RerunTest)

}  // namespace tl::rerun_test

#include "rerun.moc"
