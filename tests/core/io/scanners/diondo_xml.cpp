// Scans of Diondo scanners: a bead is found where it was, by distances and the numbers of raw frames; notes and errors.
#include <ATen/ATen.h>

#include <cmath>

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/open_scan.h"
#include "core/io/reader/describe.h"
#include "tests/support/file_tree.h"
#include "tests/support/io/bead_scan.h"
#include "tests/support/io/diondo_scan.h"
#include "tests/support/io/nikon_scan.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/test_case.h"

namespace tl::diondo_xml_test {

namespace fs = std::filesystem;
using test::mentions;
using test::reconstructed_bead;
using test::write_raw_frame;
using test::nikon::number_text;
using namespace test::diondo;

class DiondoXmlTest : public test::ScanFolder {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    for (const auto& entry : fs::directory_iterator(folder())) fs::remove_all(entry.path());
  }

  void a_bead_is_found_where_it_was() {
    constexpr double near_to = 0.05, far_from = 0.15;  // [mm], a tenth and three tenths of a voxel
    test::BeadScan s;
    s.air = 65535;
    const at::Tensor counts = test::bead_counts(s);
    fs::create_directories(path("Projection"));
    for (int64_t i = 0; i < s.views; ++i) write_raw_frame(path("Projection") / frame_name(i), counts[i]);
    const Keys keys{{"ProjectionDimX", std::to_string(s.cols)},
                    {"ProjectionDimY", std::to_string(s.rows)},
                    {"ProjectionCount", std::to_string(s.views)}};
    test::put(path("bead.xml"), xml_text(keys));
    for (const fs::path& given : {path("bead.xml"), folder()}) {
      const Vec3 found = reconstructed_bead(given);
      QVERIFY2(norm(found - test::bead_place) < near_to,
               (number_text(found.x) + " " + number_text(found.y) + " " + number_text(found.z)).c_str());
    }
    QVERIFY(norm(reconstructed_bead(folder(), {{"rotation", std::string("reversed")}}) - test::bead_place) > far_from);
    // A view that is missing leaves the angles of the others.
    fs::remove(path("Projection") / frame_name(5));
    const auto scan = io::open_scan(folder()).or_throw();
    QVERIFY(noted(scan->info(), "1 of 90 views are missing"));
    QVERIFY(std::abs(scan->info().angles.value[5] - 6 * s.step * pi / 180) < 1e-12);
    const at::Tensor part = scan->read({{5, 7}, {3, 9}, {2, 30}}).or_throw();
    QVERIFY(at::equal(part, counts.slice(0, 6, 8).slice(1, 3, 9).slice(2, 2, 30).round().to(at::kFloat)));
  }

  // Letters of either case, points and commas, an offset whose sign is not public.
  void every_value_has_its_origin() {
    const fs::path file = write_small(folder(), {{"ProjectionPixelSizeY", "1.5"}, {"ProjectionCenterOffsetX", "-2,5"}});
    test::put(file, lower_case(test::contents(file)));
    const auto scan = io::open_scan(file).or_throw();
    const io::ScanInfo& info = scan->info();
    QCOMPARE(info.format, std::string("diondo_xml"));
    QVERIFY(info.beam == Beam::cone && info.kind == PixelKind::counts && info.views == 2 && info.flats == 1);
    QVERIFY(info.source_to_axis->value == 60 && info.axis_to_detector->value == 60);
    QVERIFY(info.pixel_size_u.value == 1 && info.pixel_size_v.value == 1.5);
    QVERIFY(info.angles.origin == Origin::guessed && !info.offsets.any());
    const std::string text = io::describe(info);
    QVERIFY2(mentions(text, {"ProjectionCenterOffsetX = -2.5", "taken as a full turn", "which count is air",
                             "volume is mirrored"}),
             text.c_str());
  }

  void errors_say_what_to_do() {
    const auto refused = [&](const Keys& changed, std::initializer_list<std::string> words,
                             ErrorKind kind = ErrorKind::invalid) {
      const auto scan = io::open_scan(write_small(folder(), changed));
      QVERIFY2(!scan.ok(), words.begin()->c_str());
      QVERIFY2(scan.error().kind == kind && mentions(scan.error().message(), words), scan.error().message().c_str());
      QVERIFY(!scan.error().hint.empty());
    };
    refused({{"SourceDetectorDist", "50"}}, {"nearer to the source"});
    refused({{"SourceDetectorDist", "weit"}}, {"Geometrie/SourceDetectorDist is not a number", "bead.xml:"});
    refused({{"ProjectionCount", ""}}, {"does not state Recon/ProjectionCount"});
    refused({{"HelixMode", "true"}}, {"HelixMode is true"}, ErrorKind::unavailable);
    refused({{"Laminography", "True"}}, {"Laminography is true"}, ErrorKind::unavailable);
    refused({{"ProjectionDimX", "6"}}, {"not all in the file"}, ErrorKind::io);
    write_raw_frame(path("Projection") / "_0020,00_0000.raw", at::zeros({3, 5}));
    refused({}, {"2 heights", "_0012,50_"});
    fs::remove_all(path("Projection"));
    refuses(path("bead.xml"), ErrorKind::invalid, {"no .raw frames"});
  }
};

TL_TEST_CASE(DiondoXmlTest)

}  // namespace tl::diondo_xml_test

#include "diondo_xml.moc"
