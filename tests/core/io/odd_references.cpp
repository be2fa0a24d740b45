// References that are not what they seem, from the file to the slice: odd flats and darks are named and left out,
// series that do not fit together are reported, pixels of another kind and angles in radians too; sound scans have no
// doubt.
#include <ATen/ATen.h>

#include "core/base/units.h"
#include "core/io/open_scan.h"
#include "core/run/automatic/automatic.h"
#include "core/run/executor.h"
#include "core/run/hints/scan_hints.h"
#include "tests/support/given_scan.h"
#include "tests/support/io/hdf5_maker.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::odd_references_test {

using tl::test::Hdf5Maker;
namespace fs = std::filesystem;

namespace {

constexpr int64_t views = 48, rows = 3, cols = 64;
constexpr double dark = 100, beam = 60000, density = 0.02;  // per pixel
// Absorption of counts that are rounded to integers.
constexpr double rounding = 1e-3;

struct Given {
  std::vector<double> flats = {1, 1, 1}, darks = {0, 0};  // levels: 1 is the beam, 0 none
  double scale = 1, pixels_from = dark;                   // of the views: scale x transmission + pixels_from
  double range = 180;                                     // of the angles [numbers in the file]
  std::string unit = "deg";
};

// The absorption of a disc of a quarter of the columns, in all views.
at::Tensor disc() {
  const at::Tensor x = at::arange(cols, at::kDouble) - 0.5 * (cols - 1);
  return 2 * density * (256 - x.square()).clamp_min(0).sqrt().expand({views, rows, cols});
}

std::vector<float> floats_of(const at::Tensor& t) {
  const at::Tensor flat = t.to(at::kFloat).contiguous();
  return {flat.const_data_ptr<float>(), flat.const_data_ptr<float>() + flat.numel()};
}
at::Tensor levels_of(const std::vector<double>& levels) {
  return dark + (beam - dark) * at::tensor(levels, at::kDouble).reshape({-1, 1, 1}).expand({-1, rows, cols});
}

fs::path write(const fs::path& file, const Given& given) {
  Hdf5Maker h5(file.string());
  const double scale = given.scale == 1 ? beam - dark : given.scale;
  const at::Tensor data = (-disc()).exp() * scale + given.pixels_from;
  h5.numbers<float>("/exchange/data", {views, rows, cols}, floats_of(given.scale == 1 ? data.round() : data));
  if (!given.flats.empty())
    h5.numbers<float>("/exchange/data_white", {given.flats.size(), rows, cols}, floats_of(levels_of(given.flats)));
  if (!given.darks.empty())
    h5.numbers<float>("/exchange/data_dark", {given.darks.size(), rows, cols}, floats_of(levels_of(given.darks)));
  h5.numbers<double>("/exchange/theta", {views}, test::ramp(views, 0, given.range / views), given.unit);
  return file;
}

Graph loading(const fs::path& file, const std::map<std::string, ParamValue>& more = {}) {
  Graph graph;
  graph.nodes["load"] = {"input.load_scan", 1, {{"file", file.string()}}};
  for (const auto& [name, value] : more) graph.nodes["load"].params[name] = value;
  if (more.count("pixels") != 0) return graph;
  graph.nodes["flat_field"] = {"correct.flat_field", 1, {}};
  graph.links = {{"load", "projections", "flat_field", "projections"}};
  return graph;
}

struct Loaded {
  Projections scan, corrected;
  std::string warnings, hints, doubts;
};
Loaded load(const fs::path& file, const std::map<std::string, ParamValue>& more = {}) {
  test::HeardMessages heard;
  RunOptions options;
  options.events = &heard;
  Executor executor(Registry::all(), options);
  const Graph graph = loading(file, more);
  Loaded all;
  all.scan = std::get<Projections>(executor.pull(graph, "load", "projections").or_throw());
  if (more.count("pixels") == 0)
    all.corrected = std::get<Projections>(executor.pull(graph, "flat_field", "projections").or_throw());
  all.warnings = heard.warnings;
  for (const Hint& hint : scan_hints(executor, Registry::all(), graph, "load").or_throw())
    all.hints += std::string(to_string(hint.kind)) + ": " + hint_text(hint) + "\n";
  const NodeType& type = *Registry::all().find("input.load_scan");
  const auto info = type.scan_info(make_params(type, graph.nodes.at("load").params).get(), {}).or_throw();
  for (const io::Doubt& doubt : info.doubts) all.doubts += doubt.text() + "\n";
  return all;
}

double error_of(const Loaded& loaded) { return test::max_difference(loaded.corrected.data.to(at::kDouble), disc()); }

}  // namespace

class OddReferencesTest : public test::ScanFolder {
  Q_OBJECT

  // The doubt is among those of the scan, in the warnings of a run and, of its kind, in the hints.
  static void says(const Loaded& loaded, const std::string& kind, const std::string& words) {
    for (const std::string& text : {loaded.doubts, loaded.warnings, loaded.hints})
      QVERIFY2(test::mentions(text, {words}), (words + " is not in: " + text).c_str());
    QVERIFY2(test::mentions(loaded.hints, {kind + ": "}), loaded.hints.c_str());
  }

 private Q_SLOTS:
  void a_sound_scan_has_no_doubt() {
    const Loaded sound = load(write(path("sound.h5"), {}));
    QCOMPARE(sound.doubts, std::string());
    QCOMPARE(sound.warnings, std::string());
    QVERIFY2(!test::mentions(sound.hints, {"references"}), sound.hints.c_str());
    QCOMPARE(sound.scan.references.flats.size(0), 3);
    QVERIFY(error_of(sound) < rounding);
  }

  void a_flat_with_closed_shutter_is_left_out() {
    const fs::path file = write(path("closed.h5"), {.flats = {1, 1, 1, 1, 0, 1, 1, 1, 1}});
    const Loaded loaded = load(file);
    says(loaded, "references", "1 of 9 flats is left out");
    says(loaded, "references", "number 5");
    QCOMPARE(loaded.scan.references.flats.size(0), 8);
    QCOMPARE(loaded.scan.references.flat_positions.size(), std::size_t(8));
    const auto chosen = automatic_pipeline(scan_with_settings(file, {}, {}).or_throw(),
                                           {.output = path("v.tif"), .picture = {}, .axis = 0.0})
                            .or_throw();
    QVERIFY(std::any_of(chosen.reasons.begin(), chosen.reasons.end(), [](const std::string& reason) {
      return test::mentions(reason, {"flat-field with 8 flats and 2 darks"});
    }));
    QVERIFY(error_of(loaded) < rounding);
    // All of them, if asked for: the error that the odd one makes.
    const Loaded kept = load(file, {{"odd_references", std::string("keep")}});
    says(kept, "references", "1 of 9 flats is used, as asked for");
    QCOMPARE(kept.scan.references.flats.size(0), 9);
    QVERIFY(std::abs(error_of(kept) + std::log(8.0 / 9)) < rounding);
  }

  // Blocks of rows agree on which are left out, and so does a scan of which only some views are used.
  void blocks_use_the_same_references() {
    const fs::path file = write(path("blocks.h5"), {.flats = {1, 0.5, 1, 1, 1}, .darks = {0, 0, 1, 0}});
    const Graph graph = loading(file, {{"view_step", int64_t{3}}});
    Executor executor(Registry::all(), {});
    for (int64_t row = 0; row < rows; ++row) {
      const Value value =
          executor.pull(graph, "load", "projections", ScanRegion{{0, 4}, {row, row + 1}, {0, cols}}).or_throw();
      const References& references = std::get<Projections>(value).references;
      QCOMPARE(references.flats.size(0), 4);
      QCOMPARE(references.darks.size(0), 3);
    }
  }

  void an_open_shutter_in_one_dark_is_left_out() {
    const Loaded loaded = load(write(path("open.h5"), {.darks = {0, 0, 0.9, 0, 0}}));
    says(loaded, "references", "1 of 5 darks is left out");
    QCOMPARE(loaded.scan.references.darks.size(0), 4);
    QVERIFY(error_of(loaded) < rounding);
  }

  // Where no single frame is known to be wrong, the series is reported.
  void series_that_do_not_fit_are_said() {
    says(load(write(path("two.h5"), {.flats = {1, 0.4}})), "references", "differ by");
    says(load(write(path("darks.h5"), {.darks = {0.8, 0.8, 0.8}})), "references", "darker than the darks");
    says(load(write(path("dim.h5"), {.flats = {0.3, 0.3, 0.3}})), "references", "brighter than the flats");
  }
  void darks_as_bright_as_flats_are_said() {
    const fs::path file = write(path("equal.h5"), {.darks = {1.01, 1.01}});
    test::HeardMessages heard;
    RunOptions options;
    options.events = &heard;
    Executor executor(Registry::all(), options);
    (void)executor.pull(loading(file), "load", "projections").or_throw();
    QVERIFY2(heard.warned("darks are as bright as the flats"), heard.warnings.c_str());
    QVERIFY2(heard.warned("--set load.use_darks=none takes the dark signal as 0"), heard.warnings.c_str());
  }

  // With the dark signal 0, where the detector has one of 100 in 60000 counts.
  void darks_with_open_shutter_can_be_left_out() {
    const fs::path file = write(path("left_out.h5"), {.darks = {0.8, 0.8}});
    const Loaded loaded = load(file, {{"use_darks", std::string("none")}});
    QVERIFY2(!test::mentions(loaded.doubts, {"dark"}), loaded.doubts.c_str());
    QVERIFY(!loaded.scan.references.darks.defined());
    const double dark_signal = dark / beam * std::exp(disc().max().item<double>());
    QVERIFY(error_of(loaded) < dark_signal + rounding);
    QVERIFY(error_of(load(file)) > 10 * dark_signal);
  }

  void transmission_in_percent_is_said() {
    const Given percent{.flats = {}, .darks = {}, .scale = 100, .pixels_from = 0};
    const std::map<std::string, ParamValue> transmission = {{"pixels", std::string("transmission")}};
    const fs::path file = write(path("percent.h5"), percent);
    says(load(file, transmission), "pixel_values", "--set load.pixels=percent divides them by 100");
    const Loaded divided = load(file, {{"pixels", std::string("percent")}});
    QCOMPARE(divided.doubts, std::string());
    QVERIFY(divided.scan.kind == PixelKind::transmission);
    QVERIFY(test::max_difference(-divided.scan.data.to(at::kDouble).log(), disc()) < rounding);
    const Given counts{.flats = {}, .darks = {}, .scale = 59000, .pixels_from = 0};
    says(load(write(path("counts.h5"), counts), transmission), "pixel_values", "reach 5.9e+04");
    says(load(path("counts.h5"), {{"pixels", std::string("absorption")}}), "pixel_values", "absorption");
    const Given sound{.flats = {}, .darks = {}, .scale = 0.98, .pixels_from = 0};
    QCOMPARE(load(write(path("fraction.h5"), sound), transmission).doubts, std::string());
  }

  // Angles of 0 to pi without a unit are radians: that is proposed, and nothing else; and done, if asked for.
  void angles_in_radians_are_proposed() {
    const fs::path file = write(path("radians.h5"), {.range = pi, .unit = ""});
    const Loaded loaded = load(file);
    says(loaded, "angle_unit", "radians");
    QVERIFY2(!test::mentions(loaded.hints, {"SIRT"}), loaded.hints.c_str());
    const auto scan = scan_with_settings(file, {}, {}).or_throw();
    const auto made = automatic_pipeline(scan, {.output = path("v.tif"), .picture = {}, .axis = 0.0}).or_throw();
    std::string doubts;
    for (const std::string& doubt : made.doubts) doubts += doubt + "\n";
    QVERIFY2(test::mentions(doubts, {"radians"}) && !test::mentions(doubts, {"of half a turn are missing"}),
             doubts.c_str());
    const Loaded right = load(file, {{"angle_unit", std::string("radians")}});
    QCOMPARE(right.doubts, std::string());
    const auto orbit = right.scan.geometry.orbit();
    QVERIFY(std::abs(orbit->angles.back() - pi * (views - 1) / views) < 1e-9);
    const auto twice =
        io::open_scan(write(path("degrees.h5"), {}), {}, {.choices = {.angle_unit = io::AngleUnit::radians}});
    QVERIFY(!twice.ok() && test::mentions(twice.error().message(), {"turns"}));
  }
};

TL_TEST_CASE(OddReferencesTest)

}  // namespace tl::odd_references_test

#include "odd_references.moc"
