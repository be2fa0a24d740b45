// Scans of Tescan UniTOM scanners: a bead is found where it was, by distances, angles and the numbers of the frames, of
// which the file counts one too many; flats, darks, notes and errors.
#include <ATen/ATen.h>

#include <cmath>

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/open_scan.h"
#include "core/io/reader/describe.h"
#include "tests/support/file_tree.h"
#include "tests/support/io/bead_scan.h"
#include "tests/support/io/nikon_scan.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/io/tescan_scan.h"
#include "tests/support/test_case.h"

namespace tl::tescan_txt_test {

namespace fs = std::filesystem;
using test::mentions;
using test::reconstructed_bead;
using test::nikon::number_text;
using test::nikon::write_frame;
using namespace test::tescan;

class TescanTxtTest : public test::ScanFolder {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    for (const auto& entry : fs::directory_iterator(folder())) fs::remove_all(entry.path());
  }

  void a_bead_is_found_where_it_was() {
    constexpr double near_to = 0.05, far_from = 0.15, dark = 300;  // [mm], a tenth and three tenths of a voxel; counts
    for (const double start : {0.0, 25.0}) {
      test::BeadScan s;
      s.step = -4;  // minus the scanner's
      s.start = -start;
      const at::Tensor counts = test::bead_counts(s);
      for (int64_t i = 0; i < s.views; ++i) write_frame(path(frame_name(i)), counts[i] + dark);
      write_frame(path("di000000.tif"), at::full({s.rows, s.cols}, dark));
      write_frame(path("io000000.tif"), at::full({s.rows, s.cols}, s.air + dark));
      Keys keys{{"total projections", std::to_string(s.views + 1)},
                {"Rows", std::to_string(s.rows)},
                {"Columns", std::to_string(s.cols)},
                {"CT start angle", number_text(start)},
                {"CT stop angle", number_text(start + 360)}};
      test::put(path("settings.txt"), txt_text(keys));
      for (const fs::path& given : {path("settings.txt"), folder()}) {
        const Vec3 found = reconstructed_bead(given);
        QVERIFY2(norm(found - test::bead_place) < near_to,
                 (number_text(found.x) + " " + number_text(found.y) + " " + number_text(found.z)).c_str());
      }
      // The frame that is one too many, and a gap.
      write_frame(path(frame_name(s.views)), counts[0] + dark);
      fs::remove(path(frame_name(7)));
      const io::ScanInfo gap = io::open_scan(folder()).or_throw()->info();
      QVERIFY(noted(gap, "1 of 90 views are missing"));
      write_frame(path(frame_name(7)), counts[7] + dark);
      const io::ScanInfo all = io::open_scan(folder()).or_throw()->info();
      QVERIFY(all.views == s.views && noted(all, "bead_000090.tif left out"));
      QVERIFY(std::abs(all.angles.value[8] + (start + 32) * pi / 180) < 1e-12);
      keys["CT stop angle"] = number_text(start - 360);
      test::put(path("settings.txt"), txt_text(keys));
      QVERIFY(norm(reconstructed_bead(folder()) - test::bead_place) > far_from);
    }
  }

  // Letters of either case, decimal commas, another TIFF next to the frames.
  void every_value_has_its_origin() {
    write_small(folder(), {{"SDD", "\"120,5\""}, {"basename", ""}});
    write_frame(path("preview.tif"), at::zeros({3, 5}));
    for (int i = 0; i < 2; ++i) fs::rename(path(frame_name(i)), path("settings_" + std::to_string(i) + ".tif"));
    test::put(path("settings.txt"), lower_case(test::contents(path("settings.txt"))));
    const auto scan = io::open_scan(folder()).or_throw();
    const io::ScanInfo& info = scan->info();
    QCOMPARE(info.format, std::string("tescan_txt"));
    QVERIFY(info.beam == Beam::cone && info.kind == PixelKind::counts && info.views == 2);
    QVERIFY(info.flats == 1 && info.darks == 1);
    QVERIFY(info.source_to_axis->value == 60 && info.axis_to_detector->value == 60.5);
    QVERIFY(info.pixel_size_u.value == 1 && info.pixel_size_u.origin == Origin::file);
    const std::string text = io::describe(info);
    QVERIFY2(mentions(text, {"1 other TIFF file", "mirrored left to right", "volume is mirrored"}), text.c_str());
  }

  void errors_say_what_to_do() {
    const auto refused = [&](const Keys& changed, std::initializer_list<std::string> words) {
      const auto scan = io::open_scan(write_small(folder(), changed));
      QVERIFY2(!scan.ok(), words.begin()->c_str());
      QVERIFY2(scan.error().kind == ErrorKind::invalid && mentions(scan.error().message(), words),
               scan.error().message().c_str());
      QVERIFY(!scan.error().hint.empty());
    };
    refused({{"SDD", "50"}}, {"nearer to the source"});
    refused({{"SDD", "far"}}, {"not a number"});
    refused({{"total projections", ""}}, {"no line total projections"});
    refused({{"total projections", "2.5"}}, {"not an integer"});
    refused({{"CT stop angle", "0"}}, {"all views have the same angle"});
    refused({{"Rows", "4"}}, {"the file says 5 x 4"});
    refused({{"basename", "other"}}, {"no TIFF frames called other"});
    write_frame(path("bead_1.tif"), at::zeros({3, 5}));
    refused({}, {"two frames have one number"});
  }
};

TL_TEST_CASE(TescanTxtTest)

}  // namespace tl::tescan_txt_test

#include "tescan_txt.moc"
