// Scans of RX Solutions scanners: a bead is found where it was, by positions of every view and by a circle without a
// pixel size; numbers of every country, notes and errors.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/open_scan.h"
#include "core/io/reader/describe.h"
#include "tests/support/file_tree.h"
#include "tests/support/io/bead_scan.h"
#include "tests/support/io/nikon_scan.h"
#include "tests/support/io/rx_scan.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/test_case.h"

namespace tl::rx_solutions_test {

namespace fs = std::filesystem;
using test::mentions;
using test::reconstructed_bead;
using test::nikon::number_text;
using test::nikon::write_frame;
using namespace test::rx;

namespace {

constexpr double near_to = 0.15, far_from = 0.6;  // [mm], a fifth of a voxel and more than the next one

std::string text_of(Vec3 v) { return number_text(v.x) + " " + number_text(v.y) + " " + number_text(v.z); }

void write_frames(const fs::path& folder, const at::Tensor& counts) {
  fs::create_directories(folder);
  for (int64_t i = 0; i < counts.size(0); ++i) write_frame(folder / frame_name(i), counts[i]);
}

}  // namespace

class RxSolutionsTest : public test::ScanFolder {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    for (const auto& entry : fs::directory_iterator(folder())) fs::remove_all(entry.path());
  }

  // The detector is not square, so that edges are not taken for each other; the scan stands 40 mm up.
  void a_bead_is_found_by_the_positions_of_every_view() {
    constexpr double height = 40, air = 65535;
    const ScanGeometry scan = test::wobbling_geometry(45, 24, 40, 1.5);
    write_frames(path("Proj"), test::bead_counts(scan, air));
    for (const char decimal : {'.', ','}) {
      std::string text = geometry_text(scan, height);
      if (decimal == ',') std::replace(text.begin(), text.end(), '.', ',');
      test::put(path("geom.csv"), text);
      for (const fs::path& given : {path("geom.csv"), folder()}) {
        const Vec3 found = reconstructed_bead(given, {}, "recon.sirt");
        QVERIFY2(norm(found - test::bead_place) < near_to, text_of(found).c_str());
      }
    }
    const io::ScanInfo info = io::open_scan(folder()).or_throw()->info();
    QCOMPARE(info.format, std::string("rx_solutions"));
    QVERIFY(info.vectors && info.vectors->origin == Origin::file && info.beam == Beam::cone);
    QVERIFY(std::abs(info.pixel_size_u.value - 1.5) < 0.01 && std::abs(info.pixel_size_v.value - 1.5) < 0.01);
    QVERIFY(noted(info, "mean height of the detector") && !noted(info, "not square"));
    // The same lines in another order are another scan.
    const std::string good = geometry_text(scan, height);
    const std::size_t second = good.find("\r\n", good.find("\r\n") + 2) + 2;
    const std::size_t middle = good.find("\r\n", second + (good.size() - second) / 2) + 2;
    test::put(path("geom.csv"), good.substr(0, second) + good.substr(middle) + good.substr(second, middle - second));
    QVERIFY(norm(reconstructed_bead(folder(), {}, "recon.sirt") - test::bead_place) > far_from);
  }

  // The file has no pixel size, which the user gives, and no sense of rotation.
  void a_bead_is_found_on_a_circle() {
    test::BeadScan s;
    s.views = 60;
    s.step = 6;
    s.pitch = 0.75;
    s.air = 65535;
    write_frames(path("PROJ"), test::bead_counts(s));
    test::put(path("UniReconstruction.xml"), circle_text(s.to_object, s.to_detector, s.views));
    const std::map<std::string, ParamValue> with_size{{"pixel_size", Number{s.pitch, Unit::mm}}};
    for (const fs::path& given : {path("UniReconstruction.xml"), folder()}) {
      const Vec3 found = reconstructed_bead(given, with_size);
      QVERIFY2(norm(found - test::bead_place) < near_to, text_of(found).c_str());
    }
    QVERIFY(norm(reconstructed_bead(folder()) - test::bead_place) > far_from);
    auto reversed = with_size;
    reversed["rotation"] = std::string("reversed");
    QVERIFY(norm(reconstructed_bead(folder(), reversed) - test::bead_place) > far_from);
    const io::ScanInfo info = io::open_scan(folder()).or_throw()->info();
    QVERIFY(!info.has_pixel_size() && info.angles.origin == Origin::guessed);
    QVERIFY(info.source_to_axis->value == s.to_object && info.source_to_axis->origin == Origin::file);
    QVERIFY2(mentions(io::describe(info), {"does not state the size of the detector's pixels", "offsetX = -1.5",
                                           "full turn in equal steps is guessed", "which count is air"}),
             io::describe(info).c_str());
    QVERIFY(!info.outside.empty());
  }

  void errors_say_what_to_do() {
    const ScanGeometry scan = test::wobbling_geometry(2, 3, 5, 1);
    write_small(folder(), scan);
    const std::string good = test::contents(path("geom.csv"));
    const auto refused = [&](const std::string& text, std::initializer_list<std::string> words) {
      test::put(path("geom.csv"), text);
      refuses(folder(), ErrorKind::invalid, words);
    };
    const auto refused_line = [&](const std::string& text, std::initializer_list<std::string> words) {
      test::put(path("geom.csv"), text);
      const auto scan_or = io::open_scan(folder());
      QVERIFY(!scan_or.ok());
      QVERIFY2(mentions(scan_or.error().message(), words), scan_or.error().message().c_str());
    };
    refused(good + geometry_line(2, scan.view(1), scan.detector(), 0), {"3 views", "2 frames"});
    refused_line(good + "2;1;2;3\r\n", {"4 fields instead of 13", "geom.csv:5"});
    refused_line(good + "2;1;2;x;4;5;6;7;8;9;10;11;12\r\n", {"field 4 is not a number", "geom.csv:5"});
    refused_line(good + "2;1;2;1e30;4;5;6;7;8;9;10;11;12\r\n", {"field 4", "not between"});
    refused_line("a\r\nb\r\n", {"holds no view"});
    test::put(path("geom.csv"), good);
    refuses(folder(), ErrorKind::invalid, {"where source and detector are"}, {.choices = {.angle_step = 0.1}});
    refuses(folder(), ErrorKind::invalid, {"not sinograms"}, {.choices = {.order = io::FrameOrder::sinograms}});
    write_frame(path("Proj") / frame_name(1), at::zeros({4, 5}));
    const auto other_size = io::open_scan(folder());
    QVERIFY(!other_size.ok() && mentions(other_size.error().message(), {"the first one 3 x 5"}));
    fs::remove(path("Proj") / frame_name(1));
    refuses(folder(), ErrorKind::invalid, {"2 views", "is 1 frame"});
    fs::remove(path("geom.csv"));
    const auto refused_xml = [&](const std::string& text, std::initializer_list<std::string> words) {
      test::put(path("unireconstruction.xml"), text);
      const auto scan_or = io::open_scan(folder());
      QVERIFY(!scan_or.ok() && scan_or.error().kind == ErrorKind::invalid);
      QVERIFY2(mentions(scan_or.error().message(), words), scan_or.error().message().c_str());
    };
    refused_xml(circle_text(60, 50, 1), {"nearer to the source"});
    refused_xml(circle_text(60, 120, 7), {"7 views", "is 1 frame"});
    refused_xml("<unireconstruction><conebeam></unireconstruction>", {"was not opened last", "xml:1"});
    refused_xml("<unireconstruction/>", {"does not state conebeam/acquisitioninfo/geometry@sod"});
    refused_xml("<!DOCTYPE a [<!ENTITY b \"c\">]><a/>", {"defines entities"});
  }
};

TL_TEST_CASE(RxSolutionsTest)

}  // namespace tl::rx_solutions_test

#include "rx_solutions.moc"
