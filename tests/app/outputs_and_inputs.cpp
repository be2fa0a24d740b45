// No command line replaces its own inputs: tests every option that names an output against every kind of input, under
// every path that leads to it, with and without --overwrite.
#include <ATen/Parallel.h>
#include <hdf5.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <nlohmann/json.hpp>

#include "core/io/output/volume_writer.h"
#include "tests/support/committed.h"
#include "tests/support/file_tree.h"
#include "tests/support/io/hdf5_maker.h"
#include "tests/support/io/output_options.h"
#include "tests/support/io/small_scan_files.h"
#include "tests/support/test_case.h"

namespace tl::outputs_and_inputs_test {

namespace fs = std::filesystem;
using namespace tl::test::outputs;
using namespace tl::test::small_scan;

namespace {

std::string pipeline_text() {
  return R"({"format": "tomoloom-pipeline", "schema_version": 1, "title": "",
    "nodes": {
      "load": {"type": "input.load_scan", "version": 1, "parameters": {"file": "scan.h5"}},
      "flat_field": {"type": "correct.flat_field", "version": 1, "parameters": {}},
      "set_geometry": {"type": "geometry.set", "version": 1, "parameters": {"axis": "0 px"}},
      "wedge": {"type": "objective.wedge", "version": 1, "parameters": {}},
      "fbp": {"type": "recon.fbp", "version": 1, "parameters": {}},
      "save": {"type": "output.save_volume", "version": 1, "parameters": {"file": "volume.tif"}}},
    "links": [
      {"from": "load.projections", "to": "flat_field.projections"},
      {"from": "flat_field.projections", "to": "set_geometry.projections"},
      {"from": "set_geometry.projections", "to": "wedge.projections"},
      {"from": "set_geometry.projections", "to": "fbp.projections"},
      {"from": "fbp.volume", "to": "save.volume"}]})";
}

}  // namespace

class OutputsAndInputs : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> dir_;
  fs::path root_, inputs_;
  std::vector<Input> scans_, pipelines_;
  fs::path pipeline_;

  void make_scans() {
    for (const char* folder : {"frames", "frames/flats", "pages/flats", "h5"}) fs::create_directories(inputs_ / folder);
    for (int i = 0; i < views; ++i) write_tiff(inputs_ / "frames" / ("p_" + std::to_string(10 + i) + ".tif"), 1, 0.9F);
    write_tiff(inputs_ / "frames/flats/flat_1.tif", 1, 0.95F);
    write_tiff(inputs_ / "pages/pages.tif", views, 0.9F);
    write_tiff(inputs_ / "pages/flats/flat_1.tif", 1, 0.95F);
    const auto at = [&](const char* name) { return (inputs_ / "h5" / name).string(); };
    {
      test::Hdf5Maker h5(at("scan.h5"));
      h5.numbers<uint16_t>("/exchange/data", {views, rows, cols}, counts(views));
      add_rest(h5);
    }
    { test::Hdf5Maker(at("raw.h5")).numbers<uint16_t>("/raw", {views, rows, cols}, counts(views)); }
    {
      test::Hdf5Maker h5(at("linked.h5"));
      h5.external_link("raw.h5", "/raw", "/exchange/data");
      add_rest(h5);
    }
    {
      test::Hdf5Maker h5(at("virtual.h5"));
      add_data(h5, [&](hid_t plist, hid_t space) { H5Pset_virtual(plist, space, "raw.h5", "/raw", space); });
      add_rest(h5);
    }
    const std::vector<uint16_t> pixels = counts(views);
    test::put(at("pixels.raw"), {reinterpret_cast<const char*>(pixels.data()), pixels.size() * sizeof(uint16_t)});
    {
      test::Hdf5Maker h5(at("external.h5"));
      add_data(h5, [&](hid_t plist, hid_t) { H5Pset_external(plist, at("pixels.raw").c_str(), 0, H5F_UNLIMITED); });
      add_rest(h5);
    }
    const auto add = [&](const char* name, const char* scan, const char* target) {
      scans_.push_back({name, inputs_ / scan, pipeline_, inputs_ / target});
    };
    add("folder of frames", "frames", "frames");
    add("a frame of the folder", "frames", "frames/p_15.tif");
    add("a flat next to them", "frames", "frames/flats/flat_1.tif");
    add("a frame that was named", "frames/p_15.tif", "frames/p_11.tif");
    add("one TIFF", "pages/pages.tif", "pages/pages.tif");
    add("HDF5 scan", "h5/scan.h5", "h5/scan.h5");
    add("target of an external link", "h5/linked.h5", "h5/raw.h5");
    add("virtual source", "h5/virtual.h5", "h5/raw.h5");
    add("external storage", "h5/external.h5", "h5/pixels.raw");
  }

  void make_results() {
    fs::create_directories(inputs_ / "results/stack");
    const fs::path results = inputs_ / "results";
    const std::string scan = (inputs_ / "h5/scan.h5").string();
    command({"run", pipeline_, "--input", scan, "--out", results}).or_throw();
    // A folder of that name: a pipeline that is read from it writes to the same name again.
    command({"run", pipeline_, "--input", scan, "--out", results / "stack", "--set", "save.format=tiff_stack", "--set",
             "save.file=volume"})
        .or_throw();
    const auto add = [&](const char* name, const fs::path& pipeline, const fs::path& target) {
      pipelines_.push_back({name, {}, pipeline, target});
    };
    add("pipeline", pipeline_, pipeline_);
    add("scan of the pipeline", pipeline_, inputs_ / "pipeline/scan.h5");
    add("record as pipeline", results / "volume.tif.json", results / "volume.tif.json");
    add("result as pipeline", results / "volume.tif", results / "volume.tif");
    add("stack as pipeline", results / "stack/volume", results / "stack/volume");
    add("a slice of that stack", results / "stack/volume", results / "stack/volume/volume_00001.tif");
  }

  // The names by which the target can be reached, with the ending that an option demands. All spellings of a path are
  // tried with the first option of a list: what they lead to does not depend on the option.
  enum class Spellings { usual, all };
  std::vector<fs::path> names(const Input& input, const std::string& ending, const fs::path& folder, Spellings which) {
    fs::create_directory(folder);
    const fs::path& target = input.target;
    std::vector<fs::path> found;
    if (ending.empty()) found = {target};
    if (ending.empty() && which == Spellings::all)
      found.push_back(target.parent_path() / ".." / target.parent_path().filename() / target.filename());
    const std::string tail = ending.empty() ? target.extension().string() : ending;
    const auto alias = [&](const char* name) {
      const fs::path in = folder / name;
      fs::create_directory(in);
      return in / (tail.starts_with('.') || tail.empty() ? "x" + tail : tail);
    };
    found.push_back(alias("symbolic"));
    fs::create_symlink(target, found.back());
    if (which == Spellings::all) {
      found.push_back(alias("twice"));
      fs::create_symlink(found[found.size() - 2], found.back());
    }
    if (!fs::is_directory(target)) {
      found.push_back(alias("hard"));
      fs::create_hard_link(target, found.back());
    }
    return found;
  }

  int walk(const std::vector<Input>& inputs, const std::vector<Option>& options) {
    int refused = 0;
    for (const Input& input : inputs)
      for (const Option& option : options) {
        const fs::path aliases = root_ / "aliases";
        const Spellings which = &option == &options.front() ? Spellings::all : Spellings::usual;
        // A pipeline that writes slices names their folder.
        std::string ending = option.ending;
        if (const std::size_t at = ending.find("volume.tif"); at == 0 && fs::is_directory(input.pipeline))
          ending.erase(6, 4);
        const auto all = names(input, ending, aliases, which);
        const test::Tree before = test::tree_of(root_);
        for (const fs::path& name : all)
          for (const char* more : {"", "--overwrite"}) {
            if (*more == 0 && name != all.front()) continue;  // refused as what exists already, if not as an input
            Words words = option.words(input, name);
            if (*more != 0) words.emplace_back(more);
            const Result<void> result = command(words);
            const std::string what = option.name + " " + name.string() + " " + more + ": " + input.name;
            if (result.ok()) {
              QTest::qFail((what + " was accepted").c_str(), __FILE__, __LINE__);
              return -1;
            }
            const std::string changed = test::difference(before, test::tree_of(root_));
            if (!changed.empty()) {
              QTest::qFail((what + " changed " + changed + ": " + result.error().message()).c_str(), __FILE__,
                           __LINE__);
              return -1;
            }
            // Refused for that reason: the message says that it is an input, or that nothing of that name is written.
            // What the pipeline alone reads is known after it was opened; what exists is refused before.
            const std::string text = result.error().message();
            const auto says = [&](const char* part) { return text.find(part) != std::string::npos; };
            const bool is_refused_before = *more == 0 && says("exists already");
            if (!is_refused_before && !says(io::is_an_input) && !says("frames of") && !says("cannot be written as") &&
                !says("is named like") && !says("does not end like")) {
              QTest::qFail((what + " was refused for another reason: " + text).c_str(), __FILE__, __LINE__);
              return -1;
            }
            ++refused;
          }
        fs::remove_all(aliases);
      }
    return refused;
  }

 private Q_SLOTS:
  void initTestCase() {
    at::set_num_threads(1);
    dir_ = std::make_unique<QTemporaryDir>();
    root_ = fs::canonical(dir_->path().toStdString());
    inputs_ = root_ / "inputs";
    fs::create_directories(inputs_ / "pipeline");
    pipeline_ = inputs_ / "pipeline/pipeline.json";
    test::put(pipeline_, pipeline_text());
    make_scans();
    fs::copy_file(inputs_ / "h5/scan.h5", inputs_ / "pipeline/scan.h5");
    make_results();
  }

  void harmless_outputs_are_written_data() {
    QTest::addColumn<int>("scan");
    for (std::size_t i = 0; i < scans_.size(); ++i) QTest::newRow(scans_[i].name.c_str()) << static_cast<int>(i);
  }
  void harmless_outputs_are_written() {
    QFETCH(int, scan);
    const Input& input = scans_[static_cast<std::size_t>(scan)];
    const test::Tree before = test::tree_of(inputs_);
    const fs::path out = root_ / "out";
    fs::create_directory(out);
    Input own = input;
    own.target = out / "v.tif";
    for (const auto& options : {options_reading_scans(), options_reading_pipelines(), options_of_learning()})
      for (const Option& option : options) {
        if (input.name != "HDF5 scan" && option.name != "reconstruct -o" && option.name != "run --out") continue;
        const bool is_picture = option.ending.empty() && option.name.find("--picture") != std::string::npos;
        const std::string ending = is_picture ? ".png" : option.ending.empty() ? ".tif" : option.ending;
        const auto result = command(option.words(input, out / (ending.starts_with('.') ? "x" + ending : ending)));
        QVERIFY2(result.ok(), result.ok() ? "" : (option.name + ": " + result.error().message()).c_str());
        QVERIFY(!fs::is_empty(out));
        fs::remove_all(out);
        fs::create_directory(out);
      }
    QCOMPARE(test::difference(before, test::tree_of(inputs_)), std::string());
    fs::remove_all(out);
  }

  void scans_are_never_replaced() {
    const int refused = walk(scans_, options_reading_scans());
    QVERIFY(refused > 200);
  }
  void scans_of_pipelines_are_never_replaced() { QVERIFY(walk(scans_, options_reading_pipelines()) > 190); }
  void scans_of_learning_are_never_replaced() { QVERIFY(walk(scans_, options_of_learning()) > 110); }
  void pipelines_are_never_replaced() {
    QVERIFY(walk(pipelines_, options_reading_pipelines()) > 120);
    QVERIFY(walk({pipelines_[0], pipelines_[1]}, options_of_learning()) > 20);
  }

  void nothing_new_appears_among_the_frames() {
    const test::Tree before = test::tree_of(inputs_);
    const fs::path frames = inputs_ / "frames";
    for (const fs::path& name :
         {frames / "volume.tif", frames / "p_99.tiff", frames / "flats/more.tif", frames / "dark_corrected"}) {
      const auto result = command({"reconstruct", frames, "-o", name, "--axis", "0"});
      QVERIFY2(!result.ok() && result.error().message().find("taken for frames") != std::string::npos, name.c_str());
      QCOMPARE(test::difference(before, test::tree_of(inputs_)), std::string());
    }
    // What no reader takes for a frame may lie there.
    const auto result = command({"reconstruct", frames, "-o", frames / "result", "--axis", "0"});
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().message().c_str());
    fs::remove_all(frames / "result");
    fs::remove(frames / "result.json");
    QCOMPARE(test::difference(before, test::tree_of(inputs_)), std::string());
  }

  void accepting_writes_the_pipeline_that_was_asked_for() {
    const fs::path out = root_ / "accept";
    fs::create_directory(out);
    fs::copy_file(pipeline_, out / "p.json");
    const Words words{"learn",       out / "p.json",        "--input",     inputs_ / "h5/scan.h5",
                      "--learn",     "set_geometry.axis=0", "--objective", "wedge.loss",
                      "--no-survey", "--no-errors",         "-o",          out / "found.json",
                      "--accept"};
    const auto result = command(words);
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().message().c_str());
    QVERIFY(fs::exists(out / "found.json"));
    // A result or a record embeds a pipeline, and is none that could be written.
    for (const char* name : {"results/volume.tif", "results/volume.tif.json", "results/stack/volume"}) {
      const test::Tree before = test::tree_of(inputs_);
      const auto refused = command({"learn", inputs_ / name, "--learn", "set_geometry.axis=0", "--objective",
                                    "wedge.loss", "-o", out / "other.json", "--accept"});
      QVERIFY2(!refused.ok() && refused.error().where == "--accept", name);
      QCOMPARE(test::difference(before, test::tree_of(inputs_)), std::string());
    }
  }

  void a_link_that_leads_nowhere_is_not_an_output() {
    const fs::path out = root_ / "dangling";
    fs::create_directory(out);
    for (const auto& options : {options_reading_scans(), options_reading_pipelines(), options_of_learning()})
      for (const Option& option : options) {
        const std::string ending = option.ending.empty() ? ".tif" : option.ending;
        const fs::path name = out / (ending.starts_with('.') ? "x" + ending : ending);
        fs::create_symlink(root_ / "nowhere", name);
        for (const char* more : {"", "--overwrite"}) {
          Words words = option.words(scans_[5], name);
          if (*more != 0) words.emplace_back(more);
          const auto result = command(words);
          QVERIFY2(!result.ok(), option.name.c_str());
          QVERIFY2(!fs::exists(root_ / "nowhere"), option.name.c_str());
          QVERIFY(fs::is_symlink(name));
        }
        fs::remove_all(out);
        fs::create_directory(out);
      }
  }
};

TL_TEST_CASE(OutputsAndInputs)

}  // namespace tl::outputs_and_inputs_test

#include "outputs_and_inputs.moc"
