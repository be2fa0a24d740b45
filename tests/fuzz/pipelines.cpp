// Damaged pipelines and results: thousands of wrong texts are opened, checked and forecast; what opens is written back
// and opens as the same, the rest is refused with what and where.
#include <ATen/Parallel.h>

#include <QTemporaryDir>
#include <fstream>

#include "core/graph/graph_json.h"
#include "core/node/registry.h"
#include "core/run/automatic/batch.h"
#include "tests/fuzz/many_trials.h"
#include "tests/fuzz/mutations.h"
#include "tests/support/file_tree.h"
#include "tests/support/test_case.h"

namespace tl::pipelines_test {

using tl::fuzz::complaint_about;
using tl::test::contents;
namespace fs = std::filesystem;

namespace {

// What `tomoloom check` does with a pipeline, within a small budget of memory.
std::string check(const Graph& graph) {
  RunOptions options;
  options.memory = int64_t{64} << 20;
  Executor executor(Registry::all(), options);
  const auto infos = executor.check(graph);
  if (!infos.ok()) return complaint_about(infos.error());
  const auto plan = executor.forecast(graph);
  return plan.ok() ? "" : complaint_about(plan.error());
}

std::string open_and_check(const std::string& text) {
  for (const Completeness completeness : {Completeness::draft, Completeness::whole}) {
    const auto graph = graph_from_json(text, Registry::all(), "damaged.json", completeness);
    if (!graph.ok()) {
      const std::string complaint = complaint_about(graph.error());
      return complaint.empty() && graph.error().where.empty() ? "an error without a location" : complaint;
    }
    const std::string written = to_json(graph.value());
    const auto again = graph_from_json(written, Registry::all(), "written.json", completeness);
    if (!again.ok()) return "what was written is refused: " + again.error().message();
    if (to_json(again.value()) != written) return "what was written reads back as another pipeline";
    if (completeness == Completeness::whole) return check(graph.value());
  }
  return {};
}

// A small run whose record and volume are opened as pipelines.
void make_result(const fs::path& folder) {
  const std::string text = contents(fs::path(TL_SOURCE_DIR) / "resources/pipelines/example.json");
  Graph graph = graph_from_json(text, Registry::all()).or_throw();
  for (const char* setting : {"simulate.cols=16", "simulate.views=12", "simulate.rays=1", "save.file=volume.tif"})
    QVERIFY(apply_settings(graph, Registry::all(), {setting}).ok());
  RunOptions options;
  options.memory = int64_t{256} << 20;
  options.output_dir = folder;
  Executor executor(Registry::all(), options);
  const auto report = run_batch(executor, graph, Registry::all());
  QVERIFY2(report.ok(), report.ok() ? "" : report.error().message().c_str());
}

}  // namespace

class PipelinesFuzz : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(1); }

  void damaged_pipelines_are_refused_or_kept() {
    std::vector<std::string> all;
    for (const auto& file : fs::directory_iterator(fs::path(TL_SOURCE_DIR) / "resources/pipelines"))
      all.push_back(contents(file.path()));
    std::sort(all.begin(), all.end());  // not in the order of the folder: the same trial is the same text
    QVERIFY(all.size() >= 5);
    const auto failures = fuzz::run_trials(fuzz::trials(2000), [&](int64_t trial) {
      fuzz::Random random(fuzz::seed() * 1'000'003 + static_cast<uint64_t>(trial));
      return open_and_check(fuzz::damaged_text(all[static_cast<std::size_t>(trial) % all.size()], random));
    });
    QVERIFY2(failures.empty(), fuzz::describe(failures).c_str());
  }

  void damaged_results_are_refused_or_opened_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"volume.tif.json", "volume.tif"}) QTest::newRow(name) << name;
  }
  void damaged_results_are_refused_or_opened() {
    QFETCH(QString, name);
    const QTemporaryDir dir;
    make_result(dir.path().toStdString());
    const std::string good = contents(dir.filePath(name).toStdString());
    QVERIFY(!good.empty());
    const fs::path damaged = dir.filePath("damaged_" + name).toStdString();
    const bool text = name.endsWith(".json");
    const auto failures = fuzz::run_trials(fuzz::trials(2000) / 2, [&](int64_t trial) {
      fuzz::Random random(fuzz::seed() * 1'000'003 + static_cast<uint64_t>(trial));
      std::ofstream(damaged, std::ios::binary)
          << (text ? fuzz::damaged_text(good, random) : fuzz::damaged_bytes(good, random));
      const auto graph = load_pipeline(damaged.string(), Registry::all());
      return graph.ok() ? check(graph.value()) : complaint_about(graph.error());
    });
    QVERIFY2(failures.empty(), fuzz::describe(failures).c_str());
  }
};

TL_TEST_CASE(PipelinesFuzz)

}  // namespace tl::pipelines_test

#include "pipelines.moc"
