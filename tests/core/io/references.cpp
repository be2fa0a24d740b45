// Flats and darks of other files, for scans of every format: NXtomo, TIFF and EDF in all pairs; parts of the same file;
// what has none of its own; and what is refused.
#include <ATen/ATen.h>

#include "core/graph/graph_json.h"
#include "core/io/open_scan.h"
#include "core/run/executor.h"
#include "tests/support/file_tree.h"
#include "tests/support/io/edf_maker.h"
#include "tests/support/io/first_pixels.h"
#include "tests/support/io/hdf5_maker.h"
#include "tests/support/io/nikon_scan.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/test_case.h"

namespace tl::references_test {

using tl::test::Hdf5Maker;
using tl::test::ramp;
namespace fs = std::filesystem;

namespace {

constexpr int rows = test::edf::rows, cols = test::edf::cols, views = 4;

// Pixel (r, c) is first + 10 r + c.
at::Tensor frame(double first) {
  return first + 10 * at::arange(rows, at::kDouble).unsqueeze(1) + at::arange(cols, at::kDouble);
}

// An NXtomo of frames with these keys; frame i begins with first + 100 i.
void write_nxtomo(const fs::path& file, const std::vector<int32_t>& keys, uint16_t first) {
  Hdf5Maker h5(file.string());
  const std::string detector = "/entry0000/instrument/detector";
  h5.text("/entry0000/definition", "NXtomo");
  h5.frames<uint16_t>(detector + "/data", keys.size(), rows, cols, first);
  h5.numbers<int32_t>(detector + "/image_key", {keys.size()}, keys);
  h5.numbers<double>("/entry0000/sample/rotation_angle", {keys.size()}, ramp(static_cast<int>(keys.size()), 0, 30),
                     "deg");
}

io::ScanChoices flats_of(const fs::path& file, const std::string& dataset = {}) {
  io::ScanChoices choices;
  choices.flats_file = file;
  choices.flats = dataset;
  return choices;
}

Result<std::unique_ptr<io::ScanReader>> open(const fs::path& file, const io::ScanChoices& choices) {
  return io::open_scan(file, {}, {.choices = choices});
}

std::vector<float> flats_in(io::ScanReader& scan) {
  return test::first_pixels<float>(scan.read_flats({0, 1}, {0, 1}).or_throw());
}

}  // namespace

class ReferencesTest : public test::ScanFolder {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    for (const char* name : {"tiff", "edf", "beam_tiff", "beam_edf", "mixed"}) fs::create_directories(path(name));
    write_nxtomo(path("scan.nx"), std::vector<int32_t>(views, 0), 2000);
    write_nxtomo(path("with_flats.nx"), {2, 1, 0, 0, 0, 0, 1}, 100);
    write_nxtomo(path("flats_only.nx"), {1, 1}, 500);
    for (int i = 0; i < views; ++i) {
      test::nikon::write_frame(path("tiff/view_" + std::to_string(i) + ".tif"), frame(2000 + 100 * i));
      test::put(path("edf") / test::edf::numbered("scan_", i), test::edf::image(2000 + 100 * i));
    }
    for (int i = 0; i < 2; ++i) {
      test::nikon::write_frame(path("beam_tiff/image_" + std::to_string(i) + ".tif"), frame(500 + 100 * i));
      test::put(path("beam_edf") / test::edf::numbered("image_", i), test::edf::image(500 + 100 * i));
      test::nikon::write_frame(path("mixed/flat_" + std::to_string(i) + ".tif"), frame(500 + 100 * i));
      test::nikon::write_frame(path("mixed/dark_" + std::to_string(i) + ".tif"), frame(20 + i));
    }
    Hdf5Maker h5(path("plain.h5").string());
    h5.frames<uint16_t>("/deep/open", 2, rows, cols, 500);
  }

  // Every format with the flats of every other: the views stay, the flats are those of the other file.
  void every_format_takes_flats_of_every_other_data() {
    QTest::addColumn<QString>("scan");
    QTest::addColumn<QString>("flats");
    for (const char* scan : {"scan.nx", "tiff", "edf"})
      for (const char* flats : {"flats_only.nx", "beam_tiff", "beam_edf", "plain.h5", "mixed"})
        QTest::addRow("%s with %s", scan, flats) << scan << flats;
  }
  void every_format_takes_flats_of_every_other() {
    QFETCH(QString, scan);
    QFETCH(QString, flats);
    const fs::path file = path(scan.toStdString());
    const auto without = open(file, {.angle_step = 0.1}).or_throw();
    QVERIFY(noted(without->info(), "There are no flats"));
    io::ScanChoices choices = flats_of(path(flats.toStdString()));
    choices.angle_step = 0.1;
    const auto with = open(file, choices).or_throw();
    QCOMPARE(with->info().format, without->info().format);
    QCOMPARE(with->info().flats, 2);
    QCOMPARE(with->info().darks, 0);
    QCOMPARE(with->info().flat_positions, (std::vector<double>{-0.5, -0.5}));
    QVERIFY(!noted(with->info(), "There are no flats") && noted(with->info(), "Flats come from"));
    QCOMPARE(flats_in(*with), (std::vector<float>{500, 600}));
    const at::Tensor part = with->read_flats({1, 3}, {2, 4}).or_throw();
    QVERIFY(at::equal(part[1], frame(600).slice(0, 1, 3).slice(1, 2, 4).to(at::kFloat)));
    for (const Samples samples : {Samples::floats, Samples::counts})
      QVERIFY(at::equal(with->read({{1, 4}, {0, rows}, {1, cols}}, samples).or_throw(),
                        without->read({{1, 4}, {0, rows}, {1, cols}}, samples).or_throw()));
    const auto files = with->files();
    QVERIFY(std::any_of(files.begin(), files.end(), [&](const fs::path& one) {
      return test::mentions(one.string(), {path(flats.toStdString()).string()});
    }));
  }

  void flats_of_the_scan_are_replaced_and_its_darks_stay() {
    const auto own = io::open_scan(path("with_flats.nx")).or_throw();
    QCOMPARE(flats_in(*own), (std::vector<float>{200, 700}));
    const auto other = open(path("with_flats.nx"), flats_of(path("flats_only.nx"))).or_throw();
    QCOMPARE(flats_in(*other), (std::vector<float>{500, 600}));
    QCOMPARE(test::first_pixels<float>(other->read_darks({0, 1}, {0, 1}).or_throw()), std::vector<float>{100});
    io::ScanChoices darks;
    darks.darks_file = path("mixed");
    const auto dark = open(path("with_flats.nx"), darks).or_throw();
    QCOMPARE(flats_in(*dark), (std::vector<float>{200, 700}));
    QCOMPARE(dark->info().flat_positions, own->info().flat_positions);
    QCOMPARE(test::first_pixels<float>(dark->read_darks({0, 1}, {0, 1}).or_throw()), (std::vector<float>{20, 21}));
  }

  // A file is itself, not its folder; a dataset may be any, also of the scan's file.
  void one_file_and_one_dataset() {
    QCOMPARE(flats_in(*open(path("tiff"), flats_of(path("mixed/flat_1.tif"))).or_throw()), std::vector<float>{600});
    QCOMPARE(flats_in(*open(path("tiff"), flats_of(path("beam_edf") / test::edf::numbered("image_", 1))).or_throw()),
             std::vector<float>{600});
    const std::string frames = "/entry0000/instrument/detector/data";
    QCOMPARE(flats_in(*open(path("tiff"), flats_of(path("flats_only.nx"), frames)).or_throw()),
             (std::vector<float>{500, 600}));
    QCOMPARE(flats_in(*open(path("scan.nx"), flats_of({}, frames)).or_throw()),
             (std::vector<float>{2000, 2100, 2200, 2300}));
    // A scan of nothing but air: its views are the flats.
    const auto air = open(path("tiff"), flats_of(path("scan.nx"))).or_throw();
    QCOMPARE(air->info().flats, views);
    QVERIFY(noted(air->info(), "its views, because it has no flats"));
  }

  // A folder of EDF named by hand is sorted as a scan is: averages before what they were made of, a sum divided.
  void edf_follows_the_names_of_the_esrf() {
    const fs::path edf_folder = test::edf::write_scan(path("."));  // a dark of 7, flats of 1000 and 2000, DARK_N = 4
    const auto darks_in = [&](const fs::path& file) {
      io::ScanChoices choices;
      choices.darks_file = file;
      auto scan = open(path("tiff"), choices).or_throw();
      return std::pair(test::first_pixels<float>(scan->read_darks({0, 1}, {0, 1}).or_throw()), scan->info());
    };
    test::put(edf_folder / "darkend0000.edf", test::edf::image(28));
    test::put(edf_folder / "ref0000_0000.edf", test::edf::image(990));
    const auto [averages, info] = darks_in(edf_folder);
    QCOMPARE(averages, std::vector<float>{7});
    QVERIFY(noted(info, "1 file darkend*.edf"));
    const auto flat = open(path("tiff"), flats_of(edf_folder)).or_throw();
    QCOMPARE(flats_in(*flat), (std::vector<float>{1000, 2000}));
    QVERIFY(noted(flat->info(), "1 file ref*_*.edf") && !noted(flat->info(), "darkend"));
    // The sum of four darks, named itself and as the only dark of the folder.
    const auto [named, of_named] = darks_in(edf_folder / "darkend0000.edf");
    QCOMPARE(named, std::vector<float>{7});
    QVERIFY(noted(of_named, "sum of DARK_N = 4 darks"));
    fs::remove(edf_folder / "dark.edf");
    test::put(edf_folder / "darkend0000.edf", test::edf::image(40));
    QCOMPARE(darks_in(edf_folder).first, std::vector<float>{10});
    fs::remove(edf_folder / "scan_.info");
    const auto [one, unknown] = darks_in(edf_folder / "darkend0000.edf");
    QCOMPARE(one, std::vector<float>{40});
    QVERIFY(noted(unknown, "may be the sum of several darks"));
    // Words of the folder's name make no view a dark.
    fs::create_directories(path("dark_rock"));
    for (int i = 0; i < 3; ++i)
      test::put(path("dark_rock") / test::edf::numbered("dark_rock_", i), test::edf::image(2000));
    test::put(path("dark_rock/dark.edf"), test::edf::image(9));
    QCOMPARE(darks_in(path("dark_rock")).first, std::vector<float>{9});
  }

  void a_file_without_them_is_refused() {
    io::ScanChoices darks;
    darks.darks_file = path("flats_only.nx");
    write_nxtomo(path("darks_only.nx"), {2, 2}, 30);
    for (const auto& [choices, word] :
         {std::pair(darks, "has no darks"), std::pair(flats_of(path("darks_only.nx")), "has no flats")}) {
      const auto scan = open(path("tiff"), choices);
      QVERIFY(!scan.ok() && scan.error().kind == ErrorKind::invalid);
      QVERIFY2(test::mentions(scan.error().message(), {word, "_only.nx"}), scan.error().message().c_str());
    }
  }

  void the_load_node_has_them() {
    Graph graph;
    graph.nodes["load"] = {"input.load_scan",
                           1,
                           {{"file", path("scan.nx").string()},
                            {"flats_file", path("mixed").string()},
                            {"darks_file", path("mixed").string()}}};
    Executor executor(Registry::all(), {});
    const auto scan = std::get<Projections>(executor.pull(graph, "load", "projections").or_throw());
    QCOMPARE(test::first_pixels<float>(scan.references.flats), (std::vector<float>{500, 600}));
    QCOMPARE(test::first_pixels<float>(scan.references.darks), (std::vector<float>{20, 21}));
  }

  void what_cannot_be_flats_is_refused() {
    const auto refused = [&](const io::ScanChoices& choices, std::initializer_list<std::string> words) {
      const auto scan = open(path("tiff"), choices);
      QVERIFY(!scan.ok());
      QVERIFY2(test::mentions(scan.error().message(), words), scan.error().message().c_str());
    };
    refused(flats_of(path("nothing.nx")), {"file with flats does not exist", "nothing.nx"});
    refused(flats_of(path("plain.h5"), "/none"), {"plain.h5:/none"});
    refused(flats_of({}, "/data"), {"tiff"});
    test::put(path("noise.bin"), "not an image");
    refused(flats_of(path("noise.bin")), {"noise.bin"});
    {
      Hdf5Maker h5(path("several.h5").string());
      for (const char* name : {"/a", "/b"}) h5.frames<uint16_t>(name, 2, rows, cols, 500);
      Hdf5Maker small(path("small.h5").string());
      small.frames<uint16_t>("/a", 2, rows, cols - 1, 500);
    }
    refused(flats_of(path("several.h5")), {"several.h5", "which of its datasets are the flats", "/a, /b"});
    refused(flats_of(path("small.h5")), {"small.h5", "3 x 4 pixels", "3 x 5"});
    // A change of the flats while the scan is open.
    fs::copy_file(path("plain.h5"), path("changing.h5"));
    const auto scan = open(path("tiff"), flats_of(path("changing.h5"))).or_throw();
    test::put(path("changing.h5"), test::contents(path("changing.h5")) + "more");
    const auto read = scan->read_flats({0, 1}, {0, 1});
    QVERIFY(!read.ok() && test::mentions(read.error().message(), {"changing.h5"}));
  }
};

TL_TEST_CASE(ReferencesTest)

}  // namespace tl::references_test

#include "references.moc"
