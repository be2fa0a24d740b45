// Scans of phoenix scanners: a bead is found where it was, by distances, angles and the numbers of the frames; notes
// and errors.
#include <ATen/ATen.h>

#include <cmath>

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/open_scan.h"
#include "core/io/reader/describe.h"
#include "tests/support/file_tree.h"
#include "tests/support/io/bead_scan.h"
#include "tests/support/io/nikon_scan.h"
#include "tests/support/io/phoenix_scan.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/test_case.h"

namespace tl::phoenix_pca_test {

namespace fs = std::filesystem;
using test::mentions;
using test::reconstructed_bead;
using test::nikon::number_text;
using test::nikon::write_frame;
using namespace test::phoenix;

class PhoenixPcaTest : public test::ScanFolder {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    for (const auto& entry : fs::directory_iterator(folder())) fs::remove_all(entry.path());
  }

  // With the frame that repeats the first, and with a gap.
  void a_bead_is_found_where_it_was() {
    constexpr double near_to = 0.05, far_from = 0.15;  // [mm], a tenth and three tenths of a voxel
    for (const double sector : {360.0, -360.0}) {
      test::BeadScan s;
      s.step = sector / static_cast<double>(s.views);
      const at::Tensor counts = test::bead_counts(s);
      for (int64_t i = 0; i <= s.views; ++i) write_frame(path(frame_name(i + 1)), counts[i % s.views]);
      const Keys keys{{"NumberImages", std::to_string(s.views)}, {"RotationSector", number_text(sector)}};
      test::put(path("bead.pca"), pca_text(keys));
      for (const fs::path& given : {path("bead.pca"), folder()}) {
        const Vec3 found = reconstructed_bead(given);
        QVERIFY2(norm(found - test::bead_place) < near_to,
                 (number_text(found.x) + " " + number_text(found.y) + " " + number_text(found.z)).c_str());
      }
      QVERIFY(noted(io::open_scan(folder()).or_throw()->info(), "bead_0091.tif left out: it repeats the first view"));
      fs::remove(path(frame_name(8)));
      fs::remove(path(frame_name(s.views + 1)));
      const auto scan = io::open_scan(folder()).or_throw();
      QVERIFY(noted(scan->info(), "1 of 90 views are missing"));
      QVERIFY(std::abs(scan->info().angles.value[7] - 8 * s.step * pi / 180) < 1e-12);
      test::put(path("bead.pca"),
                pca_text({{"NumberImages", std::to_string(s.views)}, {"RotationSector", number_text(-sector)}}));
      QVERIFY(norm(reconstructed_bead(path("bead.pca")) - test::bead_place) > far_from);
    }
  }

  // Letters of either case, pixels that are not square, another TIFF next to the frames.
  void every_value_has_its_origin() {
    write_frame(path("preview.tif"), at::zeros({3, 5}));
    const fs::path file = write_small(folder(), {{"PixelsizeY", "1.5"}});
    test::put(file, lower_case(test::contents(file)));
    const auto scan = io::open_scan(file).or_throw();
    const io::ScanInfo& info = scan->info();
    QCOMPARE(info.format, std::string("phoenix_pca"));
    QVERIFY(info.beam == Beam::cone && info.kind == PixelKind::counts && info.views == 2);
    QVERIFY(info.source_to_axis->value == 60 && info.axis_to_detector->value == 60);
    QVERIFY(info.pixel_size_u.value == 1 && info.pixel_size_v.value == 1.5);
    QVERIFY(std::abs(info.angles.value[1] - pi) < 1e-12 && info.angles.origin == Origin::file);
    const std::string text = io::describe(info);
    QVERIFY2(mentions(text, {"first angle is not stated", "1 other TIFF file", "which count is air",
                             "the volume is mirrored"}),
             text.c_str());
  }

  void errors_say_what_to_do() {
    const auto refused = [&](const Keys& changed, std::initializer_list<std::string> words) {
      refuses(write_small(folder(), changed), ErrorKind::invalid, words);
    };
    refused({{"FDD", "50"}}, {"nearer to the source"});
    refused({{"FDD", "far"}}, {"not a number"});
    refused({{"NumberImages", ""}}, {"no line NumberImages"});
    refused({{"PixelsizeX", ""}}, {"no line PixelsizeX"});
    refused({{"RotationSector", "0"}}, {"RotationSector is 0"});
    refuses(write_small(folder()), ErrorKind::invalid, {"not sinograms"},
            {.choices = {.order = io::FrameOrder::sinograms}});
    for (int i = 0; i < 2; ++i) fs::remove(path(frame_name(i + 1)));
    refuses(path("bead.pca"), ErrorKind::invalid, {"no TIFF frames called bead_NUMBER"});
  }
};

TL_TEST_CASE(PhoenixPcaTest)

}  // namespace tl::phoenix_pca_test

#include "phoenix_pca.moc"
