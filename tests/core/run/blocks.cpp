// Block processing: a run within a small memory budget writes the same file as a run in one piece.
#include <ATen/Parallel.h>

#include <QTemporaryDir>
#include <filesystem>

#include "core/io/open_scan.h"
#include "core/run/executor.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/test_case.h"

namespace tl::blocks_test {

namespace fs = std::filesystem;

namespace {

// Acceptance C18: blocks change a volume by less than this share of its range.
constexpr double of_range = 1e-6;

struct Pipeline {
  Graph graph;
  std::vector<int64_t> shape;  // of the saved volume [z, y, x]
};

// scan -> the given nodes, one behind the other -> saved as a TIFF.
Pipeline chain(const std::string& kind, const std::string& beam,
               const std::vector<std::pair<std::string, std::map<std::string, ParamValue>>>& nodes) {
  Pipeline p;
  const int64_t views = 60, rows = 24, cols = 40;
  p.shape = {rows, cols, cols};
  p.graph.nodes["scan"] = {"test.phantom",
                           1,
                           {{"kind", kind},
                            {"beam", beam},
                            {"views", views},
                            {"rows", rows},
                            {"cols", cols},
                            {"density", Number{0.1, Unit::none}},
                            {"range", Number{beam == "cone" ? 360.0 : 180.0, Unit::deg}}}};
  std::string last = "scan";
  for (const auto& [type, params] : nodes) {
    p.graph.nodes[type] = {type, 1, params};
    const std::string port = type.starts_with("filter.") ? "volume" : "projections";
    p.graph.links.push_back({last, port, type, port});
    last = type;
  }
  p.graph.nodes["save"] = {"output.save_volume", 1, {}};
  p.graph.links.push_back({last, "volume", "save", "volume"});
  return p;
}

Pipeline pipeline(const std::string& name) {
  const std::string off = "off";
  if (name == "flat-field, FBP") return chain("counts", "parallel", {{"correct.flat_field", {}}, {"recon.fbp", {}}});
  if (name == "flat-field, Paganin, FBP")
    return chain("counts", "parallel",
                 {{"correct.flat_field", {{"logarithm", off}}}, {"phase.paganin", {}}, {"recon.fbp", {}}});
  if (name == "flat-field, stripes, FBP")
    return chain("counts", "parallel", {{"correct.flat_field", {}}, {"correct.stripe_removal", {}}, {"recon.fbp", {}}});
  if (name == "binned, flat-field, FBP") {
    Pipeline p = chain("counts", "parallel",
                       {{"correct.crop_bin", {{"bin_rows", int64_t{2}}, {"bin_cols", int64_t{2}}}},
                        {"correct.flat_field", {}},
                        {"recon.fbp", {}}});
    p.shape = {12, 20, 20};
    return p;
  }
  if (name == "whole views, flat-field, FBP")
    return chain("counts", "parallel", {{"test.per_view", {}}, {"correct.flat_field", {}}, {"recon.fbp", {}}});
  if (name == "FBP, filters")
    return chain("absorption", "parallel",
                 {{"recon.fbp", {}},
                  {"filter.median", {}},
                  {"filter.gaussian", {{"sigma", Number{0.6, Unit::px}}}},
                  {"filter.circular_mask", {}}});
  if (name == "FDK") return chain("absorption", "cone", {{"recon.fdk", {}}});
  return chain("counts", "cone",
               {{"correct.flat_field", {{"logarithm", off}}},
                {"phase.paganin", {}},
                {"recon.fdk", {{"outside", std::string("zero")}}}});
}

}  // namespace

class Blocks : public QObject {
  Q_OBJECT

  // Runs within a budget; the saved volume read back as frames.
  static at::Tensor saved(const Graph& g, int64_t memory, RunReport* report = nullptr) {
    const QTemporaryDir dir;
    const fs::path folder = dir.path().toStdString();
    Executor e(test::registry(), test::options_in(folder, memory));
    RunReport r = e.run(g).or_throw();
    const auto reader = io::open_scan(r.files.at(0), "tiff_stack").or_throw();
    const io::ScanInfo& info = reader->info();
    at::Tensor pages = reader->read({{0, info.views}, {0, info.rows}, {0, info.cols}}).or_throw();
    if (report != nullptr) *report = std::move(r);
    return pages;
  }
  static int64_t smallest_budget(const Graph& g) {
    int64_t low = 1000, high = int64_t{1} << 28;
    while (high - low > high / 50) {
      const int64_t middle = (low + high) / 2;
      Executor e(test::registry(), test::options_in({}, middle));
      (e.plan(g).ok() ? high : low) = middle;
    }
    return high;
  }

 private Q_SLOTS:
  void initTestCase() {
    at::set_num_threads(1);  // the pieces are tiny: waiting for each other would be all that threads do
  }

  void blocks_change_nothing_data() {
    QTest::addColumn<QString>("name");
    for (const char* name :
         {"flat-field, FBP", "flat-field, Paganin, FBP", "flat-field, stripes, FBP", "binned, flat-field, FBP",
          "whole views, flat-field, FBP", "FBP, filters", "FDK", "flat-field, Paganin, FDK"})
      QTest::newRow(name) << QString(name);
  }
  void blocks_change_nothing() {
    QFETCH(QString, name);
    const Pipeline p = pipeline(name.toStdString());
    std::string whole_views;
    for (const char* node : {"phase.paganin", "test.per_view"})
      if (p.graph.nodes.count(node) != 0) whole_views = node;
    RunReport roomy_report;
    const at::Tensor roomy = saved(p.graph, int64_t{1} << 28, &roomy_report);
    QVERIFY(roomy.sizes().equals(p.shape));
    QCOMPARE(roomy_report.plan.sections.size(), std::size_t{1});
    const int64_t least = smallest_budget(p.graph);
    bool stored = false, in_file = false;
    for (const double times : {1.0, 1.3, 2.0, 3.0, 4.5, 6.0}) {
      const auto budget = static_cast<int64_t>(static_cast<double>(least) * times);
      RunReport report;
      const at::Tensor tight = saved(p.graph, budget, &report);
      const Plan& plan = report.plan;
      for (const Section& s : plan.sections) {
        stored = stored || s.stored > 0;
        in_file = in_file || s.in_scratch_file;
        QVERIFY2(s.peak <= plan.budget, std::to_string(s.peak).c_str());
      }
      QVERIFY(plan.budget <= budget && plan.peak <= plan.budget);
      if (times == 1.0) QVERIFY2(plan.sections.back().blocks.size() > 1, "the budget did not force blocks");
      const double error = test::difference(tight, roomy);
      QVERIFY2(error < of_range, QByteArray::number(error).constData());
      // Whole views are computed once, not again for every block of slices.
      if (const int64_t voxels = report.nodes[whole_views].voxels; !whole_views.empty())
        QVERIFY2(voxels <= 60 * 24 * 40, std::to_string(voxels).c_str());
    }
    if (!whole_views.empty()) {
      QVERIFY2(stored, "no section was stored");
      QVERIFY2(in_file, "no scratch file was used");
    }
  }
};

TL_TEST_CASE(Blocks)

}  // namespace tl::blocks_test

#include "blocks.moc"
