// Files of the history: a recorded run of a pipeline, its thumbnail, what deleting frees, and files that were moved.
#include "core/history/kept_files.h"

#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <fstream>

#include "core/graph/graph_json.h"
#include "core/history/comparison.h"
#include "core/history/recorder.h"
#include "core/run/automatic/batch.h"
#include "tests/support/linear_volume.h"
#include "tests/support/test_case.h"

namespace tl::history {
namespace kept_files_test {

namespace {

void write(const std::filesystem::path& file, const std::string& text) { std::ofstream(file) << text; }

}  // namespace

class KeptFilesTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    said_.clear();
    folder_ = std::make_unique<QTemporaryDir>();
    root_ = folder_->path().toStdString();
  }

  // A phantom is computed and saved; the row says with what.
  void a_run_is_recorded() {
    const Recorder recorder = made();
    const Entry first = run("first.tif", 24), second = run("second.tif", 24), third = run("third.tif", 20);
    const Store store = recorder.store();
    const Entry e = store.get(first.id).value();
    QCOMPARE(e.state, State::done);
    QCOMPARE(e.outputs.size(), 1U);
    QCOMPARE(e.outputs[0].path, (root_ / "first.tif").string());
    QVERIFY(e.outputs[0].fingerprint.starts_with("xxh128:"));
    QCOMPARE(e.outputs[0].bytes, static_cast<int64_t>(std::filesystem::file_size(root_ / "first.tif")));
    QVERIFY(!e.version.empty() && !e.device.empty());
    QCOMPARE(e.thumbnail.rows, 24);
    // The middle of the phantom is brighter than the corner of its square.
    QVERIFY(static_cast<unsigned char>(e.thumbnail.pixels[12 * 24 + 12]) >
            static_cast<unsigned char>(e.thumbnail.pixels[0]));
    QVERIFY(std::any_of(e.values.begin(), e.values.end(), [](const Value& v) { return v.node == "phantom"; }));
    QCOMPARE(second.digest, first.digest);  // names of outputs do not count
    QVERIFY(third.digest != first.digest);
    QVERIFY(pipeline_of(e, Registry::all()).ok());

    const auto equal = compare(store.get(first.id).value(), store.get(second.id).value(), Registry::all());
    QVERIFY2(equal.ok(), equal.ok() ? "" : equal.error().message().c_str());
    QVERIFY(equal.value().voxels.has_value());
    QCOMPARE(equal.value().voxels->differing, 0);
    const auto apart = compare(store.get(first.id).value(), store.get(third.id).value(), Registry::all());
    QVERIFY(apart.ok() && !apart.value().voxels && !apart.value().why_no_voxels.empty());  // of other sizes
    QVERIFY(!apart.value().record.parameters.empty());
    QVERIFY(said_.empty());
  }

  void failures_and_stops_are_recorded() {
    const Recorder recorder = made();
    Entry failed, stopped;
    recorder.begin(failed);
    recorder.begin(stopped);
    recorder.end(failed, {{}, 1, invalid("no flat frames", "scan.nx", "Choose flats")});
    recorder.end(stopped, {{}, 2, cancelled()});
    QCOMPARE(recorder.store().get(failed.id).value().state, State::failed);
    QVERIFY(recorder.store().get(failed.id).value().error.starts_with("no flat frames"));
    QCOMPARE(recorder.store().get(stopped.id).value().state, State::cancelled);
  }

  // The work goes on, and hears once that it is not recorded.
  void a_damaged_history_is_said_once() {
    const Recorder recorder = made();
    write(recorder.store().file(), "not a data base at all, only text");
    for (int i = 0; i < 3; ++i) {
      Entry e;
      recorder.begin(e);
      recorder.end(e, {});
    }
    QCOMPARE(said_.size(), 1U);
    QVERIFY(said_[0].find("damaged") != std::string::npos);
  }

  void moved_files_are_found_by_content() {
    const Recorder recorder = made();
    const Entry e = run("volume.tif", 16);
    const Store store = recorder.store();
    std::filesystem::create_directories(root_ / "archive" / "deep");
    write(root_ / "archive" / "decoy.tif",
          std::string(std::filesystem::file_size(root_ / "volume.tif"), 'x'));  // of the same size
    std::filesystem::rename(root_ / "volume.tif", root_ / "archive" / "deep" / "renamed.tif");
    QCOMPARE(presence_of_outputs(store.get(e.id).value()), Presence::missing);
    QCOMPARE(locate(store, e.id, root_ / "archive").value(), 1);
    const Entry found = store.get(e.id).value();
    QCOMPARE(found.outputs[0].path, (root_ / "archive" / "deep" / "renamed.tif").string());
    QCOMPARE(presence_of_outputs(found), Presence::there);
    QCOMPARE(found.record, store.get(e.id).value().record);
    QCOMPARE(locate(store, e.id, root_).value(), 0);  // nothing is missing
  }

  void deleting_frees_what_it_says_and_spares_the_rest() {
    const Recorder recorder = made();
    const Entry mine = run("mine.tif", 16), replaced = run("replaced.tif", 16), link = run("linked.tif", 16);
    const Store store = recorder.store();
    write(root_ / "replaced.tif", "somebody's notes");
    std::filesystem::rename(root_ / "linked.tif", root_ / "elsewhere.tif");
    std::filesystem::create_symlink(root_ / "elsewhere.tif", root_ / "linked.tif");
    const DeletionPlan planned = plan_deletion(store, {mine.id, replaced.id, link.id}).value();
    QCOMPARE(planned.files.size(), 2U);  // the volume and its record
    QCOMPARE(planned.not_deleted.size(), 2U);
    QCOMPARE(planned.bytes, static_cast<int64_t>(std::filesystem::file_size(root_ / "mine.tif") +
                                                 std::filesystem::file_size(root_ / "mine.tif.json")));
    QVERIFY(std::filesystem::exists(root_ / "mine.tif"));  // a plan deletes nothing
    const DeletionPlan done = delete_entries_with_files(store, {mine.id, replaced.id, link.id}).value();
    QCOMPARE(done.bytes, planned.bytes);
    QVERIFY(!std::filesystem::exists(root_ / "mine.tif") && !std::filesystem::exists(root_ / "mine.tif.json"));
    QVERIFY(std::filesystem::exists(root_ / "replaced.tif") && std::filesystem::exists(root_ / "elsewhere.tif"));
    QCOMPARE(store.list().value().all, 0);
  }

  // Two runs that wrote the same to one place: the file stays as long as one of them is in the history.
  void files_of_other_entries_stay() {
    const Recorder recorder = made();
    const Entry once = run("v.tif", 16), again = run("v.tif", 16);
    const Store store = recorder.store();
    QCOMPARE(delete_entries_with_files(store, {once.id}).value().not_deleted.size(), 1U);
    QVERIFY(std::filesystem::exists(root_ / "v.tif"));
    QVERIFY(delete_entries_with_files(store, {again.id}).value().bytes > 0);
    QVERIFY(!std::filesystem::exists(root_ / "v.tif"));
  }

 private:
  Recorder made() {
    return Recorder(Store(root_ / "history.sqlite"), "test", Registry::all(),
                    [this](const Error& e) { said_.push_back(e.message()); });
  }

  // A phantom of so many voxels across, saved under this name.
  Entry run(const std::string& name, int edge) {
    const std::string text =
        "{\"format\": \"tomoloom-pipeline\", \"schema_version\": 1, \"nodes\": { \"phantom\": {\"type\": "
        "\"input.simulate_scan\", \"version\": 1, \"parameters\": {\"views\": 12, \"rows\": 4, \"cols\": " +
        std::to_string(edge) +
        "}}, \"save\": {\"type\": \"output.save_volume\", \"version\": 1, \"parameters\": {\"file\": \"" + name +
        "\"}}}, \"links\": [{\"from\": \"phantom.truth\", \"to\": \"save.volume\"}]}";
    auto graph = graph_from_json(text, Registry::all());
    if (!graph.ok()) {
      said_.push_back(graph.error().message());
      qWarning("%s", graph.error().message().c_str());
      return {};
    }
    const Recorder recorder = made();
    Entry entry = entry_of(Kind::run, graph.value(), Registry::all());
    recorder.begin(entry);
    RunOptions options;
    options.output_dir = root_;
    options.overwrite = io::Overwrite::replace;
    Executor executor(Registry::all(), options);
    const auto report = run_batch(executor, graph.value(), Registry::all());
    if (!report.ok()) qWarning("%s", report.error().message().c_str());
    recorder.end(entry, {report.ok() ? report.value().files : std::vector<std::filesystem::path>(), 1,
                         report.ok() ? std::nullopt : std::optional(report.error())});
    return entry;
  }

  std::unique_ptr<QTemporaryDir> folder_;
  std::filesystem::path root_;
  std::vector<std::string> said_;
};

TL_TEST_CASE(KeptFilesTest)

}  // namespace kept_files_test
}  // namespace tl::history

#include "kept_files.moc"
