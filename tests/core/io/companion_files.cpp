// What lies next to frames and is not a frame: companions of macOS, files of other systems, folders of other scans;
// whole words and signed numbers in names.
#include <ATen/ATen.h>

#include "core/io/open_scan.h"
#include "core/io/text/frame_names.h"
#include "tests/support/io/edf_maker.h"
#include "tests/support/io/hdf5_maker.h"
#include "tests/support/io/nikon_scan.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/test_case.h"

namespace tl::companion_files_test {

namespace fs = std::filesystem;

namespace {

constexpr int views = 4;

at::Tensor frame(double first) { return first + at::arange(15, at::kDouble).reshape({3, 5}); }

void put_frames(const fs::path& folder, const std::string& name, int count, double first = 1000) {
  fs::create_directories(folder);
  for (int i = 0; i < count; ++i)
    test::nikon::write_frame(folder / (name + "_000" + std::to_string(i) + ".tif"), frame(first + 100 * i));
}

// What macOS, Windows and file managers leave in a folder: a companion of every file, and some files of their own.
void put_companions(const fs::path& folder) {
  const std::string apple_double("\0\x05\x16\x07\0\x02\0\0Mac OS X        ", 24);
  for (const fs::path& file : io::visible_members(folder)) {
    if (fs::is_directory(file)) put_companions(file);
    if (fs::is_regular_file(file)) test::put(folder / ("._" + file.filename().string()), apple_double);
  }
  for (const char* name : {".DS_Store", "Thumbs.db", "desktop.ini", ".hidden.tif", ".directory"})
    test::put(folder / name, "not an image");
}

std::string state(io::ScanReader& scan) {
  const io::ScanInfo& info = scan.info();
  const at::Tensor first = scan.read({{0, info.views}, {0, 1}, {0, 1}}).or_throw();
  std::string text = info.format + " " + std::to_string(info.views) + " " + std::to_string(info.flats) + " " +
                     std::to_string(info.darks);
  for (int64_t i = 0; i < info.views; ++i) text += " " + std::to_string(first[i].item<float>());
  return text;
}

std::vector<std::string> sorted(const std::vector<std::string>& names) {
  std::vector<fs::path> files(names.begin(), names.end());
  io::sort_naturally(files);
  return {files.begin(), files.end()};
}
using Names = std::vector<std::string>;

}  // namespace

class CompanionFilesTest : public test::ScanFolder {
  Q_OBJECT

 private Q_SLOTS:
  // Every format of scans that are folders: companions change nothing.
  void companions_are_not_frames() {
    put_frames(path("tiff/scan"), "proj", views);
    put_frames(path("tiff/flat"), "flat", 2);
    put_frames(path("tiff/dark"), "dark", 1, 20);
    fs::create_directories(path("edf"));
    const fs::path edf = test::edf::write_scan(path("edf"));
    fs::create_directories(path("nikon"));
    test::nikon::write_small_scan(path("nikon"));
    fs::create_directories(path("raw"));
    for (const char* name : {"view_0.raw", "view_1.raw", "flat_0.raw"})
      test::put(path("raw") / name, std::string(2 * 15, '\x07'));
    io::ScanChoices choices{.angle_step = 0.1};
    io::ScanChoices raw = choices;
    raw.raw.size = "5x3";
    raw.raw.type = "uint16";
    for (const auto& [scan, given] : std::vector<std::pair<fs::path, io::ScanChoices>>{
             {path("tiff/scan"), choices}, {edf, choices}, {path("nikon"), {}}, {path("raw"), raw}}) {
      const std::string before = state(*io::open_scan(scan, {}, {.choices = given}).or_throw());
      put_companions(scan);
      if (scan.parent_path() != folder()) put_companions(scan.parent_path());
      const auto after = io::open_scan(scan, {}, {.choices = given});
      QVERIFY2(after.ok(), after.ok() ? "" : after.error().message().c_str());
      QCOMPARE(state(*after.value()), before);
    }
    io::ScanChoices named = choices;
    named.flats_file = path("tiff/flat");
    QCOMPARE(io::open_scan(path("tiff/scan"), {}, {.choices = named}).or_throw()->info().flats, 2);
  }

  void kinds_are_whole_words_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("kind");
    for (const char* name : {"flat", "Flats", "flat_0001", "FLAT-before", "flatfield3", "FlatField_1", "flatBefore",
                             "sample_flats_after", "white", "whitefield", "bright_12", "refHST0000", "io_1"})
      QTest::newRow(name) << name << static_cast<int>(io::FrameKind::flat);
    for (const char* name :
         {"dark", "Darks", "dark0001", "darkend0000", "darkHST", "DarkField", "dark_current", "di_3"})
      QTest::newRow(name) << name << static_cast<int>(io::FrameKind::dark);
    for (const char* name :
         {"whitefly_scan", "flatworm_0001", "darkroom", "brightness_0", "flattened", "whiteboard", "proj_1"})
      QTest::newRow(name) << name << static_cast<int>(io::FrameKind::projection);
  }
  void kinds_are_whole_words() {
    QFETCH(QString, name);
    QFETCH(int, kind);
    QCOMPARE(static_cast<int>(io::frame_kind(name.toStdString())), kind);
  }
  void references_after_the_scan_are_known_by_words() {
    for (const char* name : {"flat_after", "FlatAfter", "flatafter_001", "darkend0000", "post_flat"})
      QVERIFY2(io::is_taken_after_scan(name), name);
    for (const char* name : {"flat", "flat_before", "flat_lender"}) QVERIFY2(!io::is_taken_after_scan(name), name);
  }

  // Frames called after an animal, next to a scan of another one.
  void another_scan_is_not_a_reference() {
    put_frames(path("beetles/scan"), "proj", views);
    put_frames(path("beetles/flat"), "flat", 2);
    put_frames(path("beetles/whitefly_scan"), "proj", 3, 5000);
    const auto scan = io::open_scan(path("beetles/scan")).or_throw();
    QCOMPARE(scan->info().flats, 2);
    put_frames(path("worms"), "flatworm", views);
    put_frames(path("worms"), "flat", 2);
    const auto worms = io::open_scan(path("worms")).or_throw();
    QCOMPARE(worms->info().views, views);
    QCOMPARE(worms->info().flats, 2);
  }

  void a_folder_of_two_stacks_names_both() {
    put_frames(path("sample/Tomo"), "Tomo", views);
    put_frames(path("sample/180deg"), "180deg", 1);
    put_frames(path("sample/Flat_Before"), "Flat", 1);
    refuses(path("sample"), ErrorKind::invalid, {"180deg", "Tomo", "2 folders of frames"});
    fs::remove_all(path("sample/180deg"));
    QCOMPARE(io::open_scan(path("sample")).or_throw()->info().views, views);
  }

  // "-" is a sign where other names have none at that position, or where it follows no letter; not in dates and names.
  void signed_numbers_sort_by_value() {
    QCOMPARE(sorted({"a_10.tif", "a_-9.tif", "a_-10.tif", "a_0.tif", "a_9.tif"}),
             (Names{"a_-10.tif", "a_-9.tif", "a_0.tif", "a_9.tif", "a_10.tif"}));
    QCOMPARE(sorted({"a_-9.tif", "a_-10.tif"}), (Names{"a_-10.tif", "a_-9.tif"}));
    QCOMPARE(sorted({"a1.tif", "a-2.tif", "a-10.tif"}), (Names{"a-10.tif", "a-2.tif", "a1.tif"}));
    QCOMPARE(sorted({"-5.tif", "-40.tif", "5.tif"}), (Names{"-40.tif", "-5.tif", "5.tif"}));
    QCOMPARE(sorted({"scan-10.tif", "scan-9.tif", "scan-1.tif"}), (Names{"scan-1.tif", "scan-9.tif", "scan-10.tif"}));
    QCOMPARE(sorted({"scan_-0010.tif", "scan_-0009.tif"}), (Names{"scan_-0009.tif", "scan_-0010.tif"}));
    QCOMPARE(sorted({"s_2024-10-02_1.tif", "s_2024-9-30_1.tif"}), (Names{"s_2024-9-30_1.tif", "s_2024-10-02_1.tif"}));
    QCOMPARE(sorted({"x2_-1.tif", "x1_-3.tif", "x1_-20.tif"}), (Names{"x1_-20.tif", "x1_-3.tif", "x2_-1.tif"}));
  }

  // The number of frames that the user gives is that of the views.
  void raw_references_have_their_own_number_of_frames() {
    test::put(path("views.raw"), std::string(2 * 15 * 6, '\x03'));
    test::put(path("air.raw"), std::string(2 * 15 * 2, '\x07'));
    io::ScanChoices choices{.flats_file = path("air.raw"), .angle_step = 0.1};
    choices.raw.size = "5x3x6";
    choices.raw.type = "uint16";
    const auto scan = io::open_scan(path("views.raw"), {}, {.choices = choices}).or_throw();
    QCOMPARE(scan->info().views, 6);
    QCOMPARE(scan->info().flats, 2);
    fs::create_directories(path("rawfolder"));
    fs::copy_file(path("views.raw"), path("rawfolder/views.raw"));
    fs::copy_file(path("air.raw"), path("rawfolder/flat.raw"));
    choices.flats_file.clear();
    const auto all = io::open_scan(path("rawfolder"), {}, {.choices = choices}).or_throw();
    QCOMPARE(all->info().views, 6);
    QCOMPARE(all->info().flats, 2);
  }

  // References that were declared and never taken are as if they were absent; those that the user names are not.
  void empty_references_are_absent() {
    {
      test::Hdf5Maker h5(path("empty.h5"));
      h5.frames<uint16_t>("/exchange/data", 5, 3, 4, 7);
      h5.numbers<uint16_t>("/exchange/data_white", {0, 3, 4}, {});
      h5.frames<uint16_t>("/process/acquisition/flat_fields/flat_field_value", 2, 3, 4, 50);
      h5.numbers<uint16_t>("/exchange/data_dark", {0, 3, 4}, {});
      h5.numbers<double>("/exchange/theta", {5}, test::ramp(5, 0, 0.5), "rad");
    }
    const auto scan = io::open_scan(path("empty.h5")).or_throw();
    QCOMPARE(scan->info().flats, 2);
    QCOMPARE(scan->info().darks, 0);
    QVERIFY(noted(scan->info(), "/exchange/data_dark is empty") && noted(scan->info(), "no darks"));
    io::ScanChoices named;
    named.darks = "/exchange/data_dark";
    refuses(path("empty.h5"), ErrorKind::invalid, {"no elements"}, {.choices = named});
  }
};

TL_TEST_CASE(CompanionFilesTest)

}  // namespace tl::companion_files_test

#include "companion_files.moc"
