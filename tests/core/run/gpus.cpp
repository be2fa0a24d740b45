// Pipelines on a GPU: where nodes run, which values are moved, what is reported, and what happens if the GPU has too
// little memory.
#include <ATen/Parallel.h>

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <filesystem>
#include <fstream>

#include "core/run/executor.h"
#include "gpu/device/device.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/stand_in_gpu.h"
#include "tests/support/test_case.h"

namespace tl::gpus_test {

namespace fs = std::filesystem;

namespace {

constexpr double parity = 1e-5;  // of the range: the bound of the operators' own table over devices

struct Messages : EventSink {
  void message(LogLevel level, std::string_view node, std::string_view text) override {
    all.push_back({level, std::string(node), std::string(text)});
  }
  [[nodiscard]] int count(LogLevel level, const std::string& node, const std::string& part) const {
    int found = 0;
    for (const auto& m : all) found += m.level == level && m.node == node && m.text.find(part) != std::string::npos;
    return found;
  }
  struct Message {
    LogLevel level;
    std::string node, text;
  };
  std::vector<Message> all;
};

RunOptions on_gpu(const fs::path& folder, int64_t gpu_memory = int64_t{1} << 28) {
  RunOptions o = test::options_in(folder);
  o.device = test::stand_in_device;
  o.gpu_memory = gpu_memory;
  return o;
}

// Counts -> flat-field (GPU) -> bad pixels (processor) -> stripe sorting (GPU) -> FBP (GPU) -> a TIFF.
Graph pipeline(int64_t views = 24, int64_t rows = 40, int64_t cols = 32) {
  Graph g;
  g.nodes["scan"] = {"test.phantom",
                     1,
                     {{"views", views},
                      {"rows", rows},
                      {"cols", cols},
                      {"kind", std::string("counts")},
                      {"density", Number{0.1, Unit::none}}}};
  g.nodes["bad"] = {"correct.bad_pixels", 1, {}};
  g.nodes["flat"] = {"correct.flat_field", 1, {}};
  // The paper's form: which columns hold a stripe is looked for on the processor, and noise-free views leave that open.
  g.nodes["stripes"] = {"correct.stripe_removal", 2, {{"columns", std::string("all")}}};
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.nodes["save"] = {"output.save_volume", 1, {{"file", std::string("volume.tif")}}};
  g.links = {{"scan", "projections", "bad", "projections"},
             {"bad", "projections", "flat", "projections"},
             {"flat", "projections", "stripes", "projections"},
             {"stripes", "projections", "fbp", "projections"},
             {"fbp", "volume", "save", "volume"}};
  return g;
}

at::Tensor volume_of(Executor& e, const Graph& g) {
  const Value v = e.pull(g, "fbp", "volume").or_throw();
  return std::get<Volume>(v).data;
}

QJsonObject record_in(const fs::path& folder) {
  std::ifstream in(folder / "volume.tif.json");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

}  // namespace

class GpusTest : public QObject {
  Q_OBJECT

  QTemporaryDir dir_;
  fs::path folder_;
  int runs_ = 0;

  fs::path fresh_folder() { return folder_ / ("run_" + std::to_string(runs_++)); }

  static void nodes_on_gpus() {
    QTest::addColumn<QString>("id");
    for (const NodeType& t : Registry::all().types())
      if (t.compute_on != ComputeOn::cpu) QTest::newRow(t.id.c_str()) << QString::fromStdString(t.id);
  }

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(dir_.isValid());
    at::set_num_threads(1);
    folder_ = dir_.path().toStdString();
    test::write_inputs(folder_);
  }

  // Every node that says so, with every choice of each parameter, gives there what it gives on the processor.
  void nodes_give_the_same_there_data() { nodes_on_gpus(); }
  void nodes_give_the_same_there() {
    QFETCH(QString, id);
    const NodeType& type = *Registry::all().find(id.toStdString());
    int there = 0;
    for (const auto& trial : test::trials(type, folder_)) {
      Executor plain(test::registry(), test::options_in(folder_));
      const test::StandIn gpu;
      Executor e(test::registry(), on_gpu(folder_));
      for (const PortDecl& port : type.outputs) {
        const auto expected = plain.pull(trial.graph, "node", port.name);
        QVERIFY2(expected.ok(), (trial.label + ": " + (expected.ok() ? "" : expected.error().message())).c_str());
        const auto found = e.pull(trial.graph, "node", port.name);
        QVERIFY2(found.ok(), (trial.label + ": " + (found.ok() ? "" : found.error().message())).c_str());
        const at::Tensor a = test::numbers_of(found.value()), b = test::numbers_of(expected.value());
        QVERIFY2(a.device().is_cpu(), "results are handed out on the processor");
        // Rounding to integers makes a whole step of the smallest difference.
        const double difference = type.id == "correct.rescale_integers" && port.name == "volume"
                                      ? (a - b).abs().max().item<double>() / 1e6
                                      : test::difference(a, b);
        QVERIFY2(difference <= parity,
                 (trial.label + ", " + port.name + ": differs by " + std::to_string(difference)).c_str());
      }
      const auto stats = e.stats().find("node");
      if (stats == e.stats().end()) continue;
      if (stats->second.device == test::stand_in_device) ++there;
      // On the processor only for a reason, or because the values were there.
      if (type.compute_on == ComputeOn::gpu)
        QVERIFY2(stats->second.device == test::stand_in_device || !stats->second.why.empty(), trial.label.c_str());
    }
    if (type.compute_on == ComputeOn::gpu) QVERIFY2(there > 0, "it never ran on the GPU");
  }

  // The rest says that it runs on the processor, and why.
  void other_nodes_say_where_they_run() {
    const test::StandIn gpu;
    for (const NodeType& type : Registry::all().types()) {
      if (type.compute_on != ComputeOn::cpu || type.inputs.empty() || type.is_output || type.outputs.empty()) continue;
      const auto trials = test::default_trials(type, folder_);
      QVERIFY2(!trials.empty(), type.id.c_str());
      Messages said;
      RunOptions o = on_gpu(folder_);
      o.events = &said;
      Executor e(test::registry(), o);
      const auto value = e.pull(trials.front().graph, "node", type.outputs.front().name);
      QVERIFY2(value.ok(), (type.id + ": " + (value.ok() ? "" : value.error().message())).c_str());
      QVERIFY2(said.count(LogLevel::info, "node", "runs on the CPU, not on privateuseone:0") == 1, type.id.c_str());
      QCOMPARE(e.stats().at("node").device, std::string("cpu"));
    }
  }

  void a_run_moves_values_only_where_the_place_changes() {
    const fs::path folder = fresh_folder();
    const Graph g = pipeline();
    Executor plain(test::registry(), test::options_in(fresh_folder()));
    const at::Tensor expected = volume_of(plain, g);
    const test::StandIn gpu;
    Messages said;
    RunOptions o = on_gpu(folder);
    o.events = &said;
    Executor e(test::registry(), o);
    const auto report = e.run(g);
    QVERIFY2(report.ok(), report.ok() ? "" : report.error().message().c_str());
    // Up: the views with flats and darks. Down: the volume. Frames of single numbers and tables come on top; the views
    // a second time, or brought back between, would be much more.
    const int64_t frame = 40 * 32 * 4, up = (24 + 6) * frame, down = 32 * frame;
    const auto moved_once = [](int64_t found, int64_t wanted) { return wanted <= found && found < wanted / 10 * 14; };
    QVERIFY2(moved_once(test::StandIn::uploaded(), up), std::to_string(test::StandIn::uploaded()).c_str());
    QVERIFY2(moved_once(test::StandIn::downloaded(), down), std::to_string(test::StandIn::downloaded()).c_str());
    for (const char* node : {"flat", "stripes", "fbp"})
      QCOMPARE(report.value().nodes.at(node).device, std::string(test::stand_in_device));
    for (const char* node : {"scan", "bad", "save"}) QCOMPARE(report.value().nodes.at(node).device, std::string("cpu"));
    QCOMPARE(said.count(LogLevel::info, "bad", "runs on the CPU"), 1);
    QVERIFY(report.value().plan.gpu_peak > 0 && report.value().plan.gpu_peak <= report.value().plan.gpu_budget);
    QVERIFY(test::difference(volume_of(e, g), expected) <= parity);
  }

  void the_record_names_the_device_of_each_node() {
    const fs::path folder = fresh_folder();
    const test::StandIn gpu;
    Executor(test::registry(), on_gpu(folder)).run(pipeline()).or_throw();
    const QJsonObject run = record_in(folder)["run"].toObject(), nodes = run["nodes"].toObject();
    QCOMPARE(run["device"].toObject()["id"].toString(), QString(test::stand_in_device));
    QCOMPARE(nodes["fbp"].toObject()["device"].toString(), QString(test::stand_in_device));
    QVERIFY(!nodes["fbp"].toObject().contains("not_on_gpu"));
    QCOMPARE(nodes["bad"].toObject()["device"].toString(), QString("cpu"));
    QVERIFY(!nodes["bad"].toObject()["not_on_gpu"].toString().isEmpty());
    QVERIFY(run["gpu_budget_bytes"].toDouble() > 0);
  }

  // A small GPU gets small blocks, and the same volume.
  void blocks_fit_the_gpu() {
    const Graph g = pipeline(24, 64, 32);
    Executor plain(test::registry(), test::options_in(fresh_folder()));
    const at::Tensor expected = volume_of(plain, g);
    const test::StandIn gpu;
    const auto blocks = [&](int64_t memory) {
      Executor e(test::registry(), on_gpu(fresh_folder(), memory));
      const RunReport report = e.run(g).or_throw();
      [&] { QVERIFY(report.plan.gpu_peak <= report.plan.gpu_budget); }();
      [&] { QVERIFY(test::difference(volume_of(e, g), expected) <= parity); }();
      return report.plan.sections.back().blocks.size();
    };
    const std::size_t few = blocks(int64_t{1} << 28), many = blocks(int64_t{1} << 20);
    QVERIFY2(many > few, (std::to_string(many) + " and " + std::to_string(few)).c_str());
  }

  void a_gpu_without_room_for_a_block_is_an_error_or_left() {
    const test::StandIn gpu;
    RunOptions o = on_gpu(fresh_folder(), 20000);
    const auto refused = Executor(test::registry(), o).run(pipeline());
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().kind, ErrorKind::device);
    QVERIFY2(refused.error().what.find(test::stand_in_device) != std::string::npos &&
                 refused.error().where.find("save") != std::string::npos &&
                 refused.error().hint.find("--device cpu") != std::string::npos,
             refused.error().message().c_str());
    Messages said;
    o.output_dir = fresh_folder();
    o.device_fallback = DeviceFallback::allow;
    o.events = &said;
    Executor e(test::registry(), o);
    const auto report = e.run(pipeline());
    QVERIFY2(report.ok(), report.ok() ? "" : report.error().message().c_str());
    QCOMPARE(said.count(LogLevel::warning, "", "the rest runs on the CPU"), 1);
    QCOMPARE(report.value().nodes.at("fbp").device, std::string("cpu"));
    QCOMPARE(record_in(o.output_dir)["run"].toObject()["device"].toObject()["id"].toString(), QString("cpu"));
    QVERIFY(!record_in(o.output_dir)["run"].toObject()["device"].toObject()["reason"].toString().isEmpty());
  }

  // Whoever else uses the GPU: what the plan counted on is refused in the middle of the run.
  void refused_memory_halves_the_blocks() {
    const Graph g = pipeline(24, 64, 32);
    Executor plain(test::registry(), test::options_in(fresh_folder()));
    const at::Tensor expected = volume_of(plain, g);
    const test::StandIn gpu;
    Messages said;
    RunOptions o = on_gpu(fresh_folder(), int64_t{8} << 20);
    o.events = &said;
    Executor e(test::registry(), o);
    test::StandIn::limit_memory(int64_t{1} << 20);
    const auto report = e.run(g);
    QVERIFY2(report.ok(), report.ok() ? "" : report.error().message().c_str());
    QVERIFY(said.count(LogLevel::warning, "save", "out of memory") >= 1);
    QVERIFY(test::StandIn::peak() <= int64_t{1} << 20);
    QCOMPARE(report.value().nodes.at("fbp").device, std::string(test::stand_in_device));
    test::StandIn::limit_memory(int64_t{1} << 30);
    QVERIFY(test::difference(volume_of(e, g), expected) <= parity);
  }

  void a_full_gpu_is_an_error_or_left() {
    const test::StandIn gpu;
    RunOptions o = on_gpu(fresh_folder());
    test::StandIn::limit_memory(4096);
    const auto refused = Executor(test::registry(), o).run(pipeline());
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().kind, ErrorKind::device);
    QVERIFY2(refused.error().what.find("out of memory") != std::string::npos, refused.error().message().c_str());
    QVERIFY(!fs::exists(o.output_dir / "volume.tif") && !fs::exists(o.output_dir / "volume.tif.json"));
    o.device_fallback = DeviceFallback::allow;
    o.output_dir = fresh_folder();
    const RunReport report = Executor(test::registry(), o).run(pipeline()).or_throw();
    QCOMPARE(report.nodes.at("fbp").device, std::string("cpu"));
  }

  void automatic_leaves_a_gpu_that_no_node_could_use() {
    Graph g;
    g.nodes["scan"] = {"input.simulate_scan", 1, {}};
    g.nodes["save"] = {"output.save_volume", 1, {{"file", std::string("volume.tif")}}};
    g.links = {{"scan", "truth", "save", "volume"}};
    const test::StandIn gpu;
    Messages said;
    RunOptions o = on_gpu(fresh_folder());
    o.device_fallback = DeviceFallback::allow;
    o.events = &said;
    Executor(test::registry(), o).run(g).or_throw();
    QCOMPARE(said.count(LogLevel::warning, "", "no node of this pipeline has a version for GPUs"), 1);
    QCOMPARE(record_in(o.output_dir)["run"].toObject()["device"].toObject()["id"].toString(), QString("cpu"));
  }

  // On a machine without a GPU; where there is one, the refusal of one that is not there.
  void a_missing_gpu_is_named_with_the_reason() {
    const auto none = choose_device("cuda:17");
    QVERIFY(!none.ok());
    QCOMPARE(none.error().kind, ErrorKind::unavailable);
    QVERIFY(none.error().what.find("cuda:17") != std::string::npos);
    QVERIFY(none.error().where == "device" && none.error().hint.find("cpu") != std::string::npos);
    if (devices().size() > 1) return;
    QVERIFY(!why_no_gpu().empty());
    QVERIFY(none.error().what.find(why_no_gpu()) != std::string::npos);
    QCOMPARE(choose_device("auto").or_throw(), std::string("cpu"));
  }
};

TL_TEST_CASE(GpusTest)

}  // namespace tl::gpus_test

#include "gpus.moc"
