// Exports: every format of the registry is offered, written and read again; shares are those of a plain count; what
// cannot be exported is refused before anything is computed.
#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/exports/plan.h"
#include "core/exports/sorted_values.h"
#include "core/graph/output_names.h"
#include "core/io/open_volume.h"
#include "core/io/text/csv.h"
#include "core/io/volumes/clipped_voxels.h"
#include "core/run/executor.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/test_case.h"

namespace tl::exports_test {
namespace {

namespace fs = std::filesystem;
using exports::Format;
using exports::Settings;
using exports::Source;

constexpr int64_t width = 24, height = 10;

// A volume with its true classes, and a table of them.
Graph phantom() {
  Graph g;
  g.title = "phantom";
  g.nodes["phantom"] = {"input.labelled_phantom",
                        1,
                        {{"width", width}, {"height", height}, {"bodies", int64_t{6}}, {"seed", int64_t{3}}}};
  g.nodes["table"] = {"measure.regions", 1, {}};
  g.links = {{"phantom", "labels", "table", "labels"}};
  return g;
}
const Source volume{"phantom", "volume"};

at::Tensor computed(const Graph& graph, const Source& source, const fs::path& folder) {
  Executor executor(Registry::all(), test::options_in(folder));
  return test::numbers_of(executor.pull(graph, source.node, source.port).or_throw());
}

Result<RunReport> run(const exports::Plan& plan, const fs::path& folder) {
  Executor executor(Registry::all(), test::options_in(folder));
  return executor.run(plan.graph, plan.outputs);
}

at::Tensor read_volume(const fs::path& file) {
  const auto reader = io::open_volume(file).or_throw();
  const VolumeGrid& g = reader->info().grid;
  return reader->read({{0, g.nz}, {0, g.ny}, {0, g.nx}}).or_throw();
}
at::Tensor read_labels(const fs::path& file) {
  const auto reader = io::open_volume(file).or_throw();
  reader->read_labels();
  const VolumeGrid& g = reader->info().grid;
  return reader->read({{0, g.nz}, {0, g.ny}, {0, g.nx}}).or_throw();
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

class ExportsTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void every_format_of_the_registry_is_offered() {
    const QTemporaryDir dir;
    for (const NodeType& type : Registry::all().types()) {
      if (!type.is_output) continue;
      const auto trials = test::default_trials(type, dir.path().toStdString());
      QVERIFY2(!trials.empty(), type.id.c_str());
      const Graph& graph = trials.front().graph;
      const Link* const link = graph.link_into("node", type.inputs.front().name);
      QVERIFY(link != nullptr);
      const auto formats = exports::formats_of(graph, test::registry(), {link->from_node, link->from_port});
      for (const OutputFormat& known : output_formats(type)) {
        const bool is_offered = std::any_of(formats.begin(), formats.end(), [&](const Format& f) {
          return f.node_type == type.id && f.choice == known.choice && !f.title.empty();
        });
        QVERIFY2(is_offered, (type.id + " " + known.choice).c_str());
      }
      // A node that writes stands for what it writes.
      QVERIFY(!exports::source_for(graph, test::registry(), "node").empty());
    }
  }

  void each_format_is_written_and_read_again_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("type");
    for (const Format& f : exports::formats_of(phantom(), Registry::all(), volume)) {
      const QString id = QString::fromStdString(f.id);
      if (f.sample_types.empty()) QTest::newRow(f.id.c_str()) << id << QString();
      for (const std::string& type : f.sample_types)
        QTest::newRow((f.id + " " + type).c_str()) << id << QString::fromStdString(type);
    }
  }
  void each_format_is_written_and_read_again() {
    QFETCH(QString, id);
    QFETCH(QString, type);
    const QTemporaryDir dir;
    const fs::path folder = dir.path().toStdString();
    const Graph graph = phantom();
    const auto formats = exports::formats_of(graph, Registry::all(), volume);
    const Format& format = *exports::find_format(formats, id.toStdString());
    Settings s;
    s.format = format.id;
    s.type = type.toStdString();
    s.file = (folder / ("out" + format.ending)).string();
    const at::Tensor values = computed(graph, volume, folder);
    s.low = values.min().item<double>();
    s.high = values.max().item<double>();
    const auto plan = exports::plan(graph, Registry::all(), volume, s);
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().message().c_str());
    const auto report = run(plan.value(), folder);
    QVERIFY2(report.ok(), report.ok() ? "" : report.error().message().c_str());
    QVERIFY(fs::exists(s.file) && fs::exists(s.file + ".json"));
    if (format.node_type == "output.save_volume") {
      const double step = exports::grey_step(s.type, {s.low, s.high});
      const at::Tensor read = read_volume(s.file);
      QCOMPARE(read.sizes(), values.sizes());
      QVERIFY((read - values).abs().max().item<double>() <= 0.51 * step + 1e-6 * std::abs(s.high));
    } else if (format.node_type == "output.save_labels") {
      QVERIFY(read_labels(s.file).equal(computed(graph, {"phantom", "labels"}, folder).to(at::kInt)));
    } else if (format.ending == ".json") {
      QVERIFY(nlohmann::json::parse(text_of(s.file)).contains("parameters"));
    } else if (format.ending == ".csv") {
      QVERIFY(io::read_csv(s.file).or_throw().size() > 1);
    } else if (format.ending == ".png") {
      QVERIFY(text_of(s.file).substr(1, 3) == "PNG");
    } else {
      QVERIFY2(fs::file_size(s.file) > 200, format.id.c_str());  // surfaces; their readers are tested with them
    }
  }

  void region_and_binning_are_box_and_mean() {
    const QTemporaryDir dir;
    const fs::path folder = dir.path().toStdString();
    Settings s;
    s.format = "output.save_volume nrrd";
    s.type = "float32";
    s.file = (folder / "part.nrrd").string();
    s.box = GridBox{{1, 9}, {2, 21}, {4, 20}};
    s.bin = 2;
    s.labels = s.parameters = s.mesh = true;
    const Graph graph = phantom();
    const auto plan = exports::plan(graph, Registry::all(), volume, s).or_throw();
    QCOMPARE(plan.outputs.size(), std::size_t{4});
    const auto report = run(plan, folder);
    QVERIFY2(report.ok(), report.ok() ? "" : report.error().message().c_str());
    using at::indexing::Slice;
    const at::Tensor part = computed(graph, volume, folder).index({Slice(1, 9), Slice(2, 20), Slice(4, 20)});
    const at::Tensor mean = part.reshape({4, 2, 9, 2, 8, 2}).mean({1, 3, 5});
    const at::Tensor read = read_volume(s.file);
    QCOMPARE(read.sizes(), mean.sizes());
    QVERIFY((read - mean).abs().max().item<double>() < 1e-6);
    // Labels lie on the same grid; each is one of the block.
    const auto labels = io::open_volume(folder / "part_labels.nrrd").or_throw();
    const auto voxels = io::open_volume(s.file).or_throw();
    QVERIFY(box_in(voxels->info().grid, labels->info().grid).has_value());
    QCOMPARE(labels->info().grid.count(), mean.numel());
    const at::Tensor blocks = computed(graph, {"phantom", "labels"}, folder)
                                  .to(at::kInt)
                                  .index({Slice(1, 9), Slice(2, 20), Slice(4, 20)})
                                  .reshape({4, 2, 9, 2, 8, 2})
                                  .permute({0, 2, 4, 1, 3, 5})
                                  .reshape({4, 9, 8, 8});
    const at::Tensor found = read_labels(folder / "part_labels.nrrd");
    QVERIFY(blocks.eq(found.unsqueeze(-1)).any(-1).all().item<bool>());
    QVERIFY(fs::exists(folder / "part.stl") && fs::exists(folder / "part_parameters.csv"));
    const VolumeGrid whole = VolumeGrid::cubic(height, width, width, 1);
    QCOMPARE(exports::bytes_of(whole, s, "uint16"), 2 * mean.numel());
  }

  // The law: shares are those of a plain count of the image, however it is cut, and of io::clipped_voxels().
  void clipped_shares_are_those_of_a_plain_count() {
    const at::Tensor values = 3 * at::sin(1.7F * at::arange(3200, at::kFloat)).reshape({64, 50});
    values[3][4] = std::numeric_limits<float>::quiet_NaN();
    values[5][6] = std::numeric_limits<float>::infinity();
    values[7][8] = -std::numeric_limits<float>::infinity();
    const picture::Image image{64, 50, {values.const_data_ptr<float>(), values.const_data_ptr<float>() + 3200}};
    const exports::SortedValues sorted(image);
    for (const char* type : {"uint8", "uint16", "float32"})
      for (const double low : {-5.0, -1.03, 0.007})
        for (const double high : {0.0113, 1.7, 6.0}) {
          const exports::Clipped found = sorted.clipped(type, {low, high});
          const io::ClippedVoxels law = io::clipped_voxels(values, {*io::sample_type_named(type), low, high});
          QCOMPARE(found.values, int64_t{3200});
          QCOMPARE(found.below, law.below);
          QCOMPARE(found.above, law.above);
          QCOMPARE(found.not_numbers, law.not_numbers);
          QCOMPARE(found.share(), law.share());
        }
    const picture::Levels middle = sorted.percentiles(10, 90);
    const exports::Clipped outside = sorted.clipped("uint16", middle);
    QVERIFY(std::abs(outside.share() - 0.2) < 0.002);
    const picture::Levels all = sorted.full();
    QVERIFY(std::isfinite(all.low) && std::isfinite(all.high));
    int64_t counted = 0;
    for (const int64_t n : sorted.histogram(all, 37).counts) counted += n;
    QCOMPARE(counted, int64_t{3197});  // all but NaN and the infinite ones
  }

  void binned_images_are_means_of_blocks() {
    // Rows of images run from the largest index to the smallest.
    const at::Tensor box = at::arange(5 * 7 * 9, at::kFloat).reshape({5, 7, 9});
    const at::Tensor stack = box.flip(1).contiguous();
    const picture::Image image{35, 9, {stack.const_data_ptr<float>(), stack.const_data_ptr<float>() + stack.numel()}};
    const picture::Image binned = exports::binned(image, 5, 2);
    using at::indexing::Slice;
    const at::Tensor mean = box.index({Slice(0, 4), Slice(0, 6), Slice(0, 8)})
                                .reshape({2, 2, 3, 2, 4, 2})
                                .mean({1, 3, 5})
                                .flip(1)
                                .contiguous();
    QCOMPARE(binned.rows, int64_t{6});
    QCOMPARE(binned.cols, int64_t{4});
    for (int64_t i = 0; i < mean.numel(); ++i)
      QVERIFY(std::abs(binned.pixels[static_cast<std::size_t>(i)] - mean.const_data_ptr<float>()[i]) < 1e-3F);
  }

  void settings_are_kept_with_the_pipeline() {
    Settings s;
    s.format = "output.save_volume nrrd";
    s.file = "/somewhere/else/a.nrrd";
    s.type = "uint16";
    s.range = exports::RangeMode::fixed;
    s.low = -0.25;
    s.high = 3;
    s.percent_below = 1;
    s.percent_above = 98;
    s.box = GridBox{{1, 2}, {3, 5}, {7, 11}};
    s.bin = 4;
    s.labels = s.parameters = s.mesh = true;
    const std::string ui = exports::with_settings(R"({"nodes": {"a": [1, 2]}})", s);
    QVERIFY(nlohmann::json::parse(ui).at("nodes").at("a") == nlohmann::json({1, 2}));
    const Settings read = exports::read_settings(ui);
    QCOMPARE(exports::with_settings("", read), exports::with_settings("", s));
    QCOMPARE(read.file, std::string("a.nrrd"));  // a pipeline has no absolute paths
    QVERIFY(read.box && read.box->y == (Range{3, 5}) && read.low == -0.25);
    // Files are untrusted.
    for (const char* bad : {"", "[]", "{\"export\": 3}", "{\"export\": {\"bin\": -2, \"box\": {\"x\": [5, 2]}}}",
                            "{\"export\": {\"percentiles\": [90, 10], \"range\": \"x\", \"low\": \"y\"}}"}) {
      const Settings plain = exports::read_settings(bad);
      QCOMPARE(exports::with_settings("", plain), exports::with_settings("", Settings()));
    }
  }

  void what_cannot_be_exported_is_refused_before() {
    const QTemporaryDir dir;
    const fs::path folder = dir.path().toStdString();
    Settings good;
    good.format = "output.save_volume imagej_tiff";
    good.type = "uint16";
    good.file = (folder / "a.tif").string();
    const auto refused = [&](const char* what, const std::function<void(Settings&)>& change) {
      Settings s = good;
      change(s);
      const auto plan = exports::plan(phantom(), Registry::all(), volume, s);
      QVERIFY2(!plan.ok() && !plan.error().hint.empty(), what);
    };
    QVERIFY(exports::plan(phantom(), Registry::all(), volume, good).ok());
    refused("format", [](Settings& s) { s.format = "no such"; });
    refused("name", [&](Settings& s) { s.file = folder.string() + "/"; });
    refused("ending", [&](Settings& s) { s.file = (folder / "a.nrrd").string(); });
    refused("type", [](Settings& s) { s.type = "int64"; });
    refused("range", [](Settings& s) { s.low = s.high = 2; });
    Settings box = good;
    box.box = GridBox{{0, 99}, {0, 1}, {0, 1}};
    QVERIFY(!exports::kept_grid(VolumeGrid::cubic(height, width, width, 1), box).ok());
    // Never over an input, never into a folder that is not there.
    const auto plan = exports::plan(phantom(), Registry::all(), volume, good).or_throw();
    std::ofstream(good.file) << "mine";
    io::ProtectedFiles inputs;
    inputs.add(good.file, "the scan");
    const io::OutputRules rules{io::Overwrite::replace, std::make_shared<const io::ProtectedFiles>(inputs)};
    QVERIFY(!exports::check_files(plan, rules).ok());
    QCOMPARE(exports::existing_files(plan).size(), std::size_t{1});
    QVERIFY(exports::check_files(plan, io::no_inputs(io::Overwrite::replace)).ok());
    good.file = (folder / "none" / "a.tif").string();
    const auto nowhere = exports::plan(phantom(), Registry::all(), volume, good).or_throw();
    QVERIFY(!exports::check_files(nowhere, io::no_inputs(io::Overwrite::replace)).ok());
    QCOMPARE(text_of(folder / "a.tif"), std::string("mine"));
  }

  void bypassed_nodes_pass_their_volume_on() {
    Graph g = phantom();
    g.nodes["smooth"] = {"filter.gaussian", 1, {}};
    g.nodes["smooth"].use = NodeUse::bypassed;
    g.links.push_back({"phantom", "volume", "smooth", "volume"});
    QVERIFY((exports::related(g, Registry::all(), {"smooth", "volume"}, is_volume) == volume));
    QVERIFY(!exports::formats_of(g, Registry::all(), {"smooth", "volume"}).empty());
    QVERIFY(exports::formats_of(Graph(), Registry::all(), {}).empty());
  }
};

TL_TEST_CASE(ExportsTest)

}  // namespace tl::exports_test

#include "exports.moc"
