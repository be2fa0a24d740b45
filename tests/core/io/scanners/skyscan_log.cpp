// Bruker SkyScan scans: a bead is found where it was, whatever the log states; keys of all versions; counts, notes and
// errors.
#include <ATen/ATen.h>

#include <cmath>

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/open_scan.h"
#include "core/io/reader/describe.h"
#include "tests/support/io/bead_scan.h"
#include "tests/support/io/nikon_scan.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/io/skyscan_scan.h"
#include "tests/support/test_case.h"

namespace tl::skyscan_log_test {

namespace fs = std::filesystem;
using test::mentions;
using test::reconstructed_bead;
using test::nikon::number_text;
using test::nikon::write_frame;
using namespace test::skyscan;

namespace {

void write_bead(const fs::path& folder, const test::BeadScan& s) {
  const at::Tensor counts = test::bead_counts(s);
  for (int64_t i = 0; i < s.views; ++i) write_frame(folder / frame_name(i), counts[i]);
}

// A voxel is as large as a pixel at the object. A wrong sign moves the bead by more than two.
constexpr double near_to = 0.1 * at_object, far_from = 3 * near_to;  // [mm]

}  // namespace

class SkyscanLogTest : public test::ScanFolder {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    for (const auto& entry : fs::directory_iterator(folder())) fs::remove_all(entry.path());
  }

  void a_bead_is_found_where_it_was_data() {
    QTest::addColumn<QString>("key");  // what is wrong in a second log
    QTest::addColumn<double>("start");
    QTest::addColumn<double>("step");
    QTest::addColumn<double>("line");
    const double middle = 0.5 * (rows - 1);
    QTest::newRow("centred") << "" << 0.0 << 4.0 << middle;
    for (const double sign : {1.0, -1.0}) {
      QTest::addRow("start %g", sign) << "Scanning Start Angle" << sign * 35 << 4.0 << middle;
      QTest::addRow("step %g", sign) << "Rotation Step (deg)" << 0.0 << sign * 4 << middle;
      QTest::addRow("line %g", sign) << "Optical Axis (line)" << 0.0 << 4.0 << middle + sign * 6;
    }
  }
  void a_bead_is_found_where_it_was() {
    QFETCH(QString, key);
    QFETCH(double, start);
    QFETCH(double, step);
    QFETCH(double, line);
    test::BeadScan scan;
    scan.start = start;
    scan.step = step;
    scan.line = line;
    write_bead(folder(), scan);
    const Lines stated{{"Scanning Start Angle", number_text(start)},
                       {"Rotation Step (deg)", number_text(step)},
                       {"Optical Axis (line)", number_text(line)}};
    test::put(path("bead_~00.log"), log_text(stated));
    for (const fs::path& given : {path("bead_~00.log"), folder()}) {
      const Vec3 found = reconstructed_bead(given);
      QVERIFY2(norm(found - test::bead_place) < near_to,
               (number_text(found.x) + " " + number_text(found.y) + " " + number_text(found.z)).c_str());
    }
    if (key.isEmpty()) return;
    const double wrong = key.startsWith("Optical")    ? static_cast<double>(rows - 1) - line
                         : key.startsWith("Rotation") ? -step
                                                      : -start;
    Lines other = stated;
    other.emplace_back(key.toStdString(), number_text(wrong));
    test::put(path("bead_~00.log"), log_text(other));
    QVERIFY(norm(reconstructed_bead(path("bead_~00.log")) - test::bead_place) > far_from);
  }

  // Without the camera's distance the detector stands at the axis: the same rays.
  void the_camera_may_be_anywhere() {
    write_bead(folder(), {});
    test::put(path("bead_~00.log"), log_text({{"Camera to Source (mm)", ""}}));
    QVERIFY(norm(reconstructed_bead(path("bead_~00.log")) - test::bead_place) < near_to);
    QVERIFY(noted(io::open_scan(path("bead_~00.log")).or_throw()->info(), "does not say where the camera is"));
  }

  void every_value_has_its_origin() {
    test::put(path("bead_~00.csv"), "0,1,2\n");
    write_frame(path("bead_~00_arc.tif"), at::zeros({3, 5}));
    const auto scan = io::open_scan(write_small(folder(), {{"Image Rotation", "0.321"},
                                                           {"Camera X/Y Ratio", "1.05"},
                                                           {"Scanning Start Angle", "30"}}))
                          .or_throw();
    const io::ScanInfo& info = scan->info();
    QCOMPARE(info.format, std::string("skyscan_log"));
    QVERIFY(info.beam == Beam::cone && info.kind == PixelKind::counts && info.pixel_type == "uint16");
    QCOMPARE(info.views, int64_t{2});
    QCOMPARE(info.source_to_axis->value, to_object);
    QCOMPARE(info.axis_to_detector->value, to_camera - to_object);
    QCOMPARE(info.pixel_size_u.value, at_object * to_camera / to_object);
    QVERIFY(info.pixel_size_u.origin == Origin::file && info.pixel_size_v.origin == Origin::guessed);
    QVERIFY(std::abs(info.angles.value[1] - 34 * pi / 180) < 1e-12 && info.angles.origin == Origin::file);
    QVERIFY(at::equal(scan->read_flats({0, 3}, {1, 4}).or_throw(), at::full({1, 3, 3}, air, at::kFloat)));
    QVERIFY(at::equal(scan->read({{1, 2}, {0, 3}, {0, 5}}).or_throw()[0],
                      (at::arange(15) + 100).reshape({3, 5}).to(at::kFloat)));
    const std::string text = io::describe(info);
    QVERIFY2(mentions(text, {"Image Rotation, 0.321 deg", "is not applied", "Reference Intensity, 58000", "square",
                             "bead_~00.csv", "1 other TIFF file", "the volume is mirrored"}),
             text.c_str());
  }

  // Letters of either case, no flat-field level, a parallel beam, and frames under the name of the log.
  void versions_differ() {
    std::string text = log_text({{"Number Of Files", "2"},
                                 {"Number Of Rows", "3"},
                                 {"Number Of Columns", "5"},
                                 {"Reference Intensity", ""},
                                 {"Object to Source (mm)", "1000000"},
                                 {"Filename Prefix", "elsewhere"}});
    write_small(folder());
    test::put(path("bead_~00.log"), lower_case(text));
    const auto scan = io::open_scan(folder()).or_throw();
    QVERIFY(scan->info().beam == Beam::parallel && !scan->info().source_to_axis);
    QCOMPARE(scan->info().pixel_size_u.value, at_object);
    QVERIFY(noted(scan->info(), "does not say which count is air"));
    write_small(folder(), {{"Flat Field Correction", "OFF"}});
    const auto raw = io::open_scan(folder()).or_throw();
    QVERIFY(raw->info().flats == 0 && noted(raw->info(), "give flats"));
  }

  void missing_views_keep_the_angles_of_the_others() {
    write_small(folder(), {{"Number Of Files", "9"}});
    for (const int64_t i : {2, 3, 5, 6, 7}) write_frame(path(frame_name(i)), at::zeros({3, 5}));
    const auto scan = io::open_scan(folder()).or_throw();
    const io::ScanInfo& info = scan->info();
    QCOMPARE(info.views, int64_t{7});
    QVERIFY(std::abs(info.angles.value[4] - 20 * pi / 180) < 1e-12);
    QVERIFY(noted(info, "1 of 8 views are missing") && noted(info, "The file says 9 frames"));
    QCOMPARE(info.outside.size(), std::size_t{2});
  }

  // Also where most are left out; no two frames have one number.
  void every_third_view_keeps_its_angle() {
    write_small(folder(), {{"Number Of Files", "30"}});
    fs::remove(path(frame_name(1)));
    for (const int64_t i : {3, 6, 9, 12}) write_frame(path(frame_name(i)), at::zeros({3, 5}));
    const auto scan = io::open_scan(folder()).or_throw();
    QCOMPARE(scan->info().views, int64_t{5});
    QVERIFY(std::abs(scan->info().angles.value[4] - 48 * pi / 180) < 1e-12);
    QVERIFY(noted(scan->info(), "8 of 13 views are missing"));
    write_frame(path("bead_~0012.tif"), at::zeros({3, 5}));
    refuses(path("bead_~00.log"), ErrorKind::invalid, {"two frames have one number", "bead_~0012.tif"});
  }

  void errors_say_what_to_do() {
    const auto refused = [&](const Lines& changed, std::initializer_list<std::string> words) {
      refuses(write_small(folder(), changed), ErrorKind::invalid, words);
    };
    refused({{"Number Of Rows", "4"}}, {"5 x 3 pixels", "5 x 4", "Number of Rows"});
    refused({{"Number Of Files", ""}}, {"no line Number of Files"});
    refused({{"Rotation Step (deg)", "0"}}, {"Rotation Step is 0"});
    refused({{"Rotation Step (deg)", ""}}, {"no line Rotation Step"});
    refused({{"Object to Source (mm)", "nan"}}, {"not a number"});
    refused({{"Camera to Source (mm)", "20"}}, {"nearer to the source"});
    refuses(write_small(folder(), {{"Scanning Trajectory", "SPIRAL"}}), ErrorKind::unavailable, {"SPIRAL", "ROUND"});
    refuses(write_small(folder()), ErrorKind::invalid, {"not sinograms"},
            {.choices = {.order = io::FrameOrder::sinograms}});
    write_small(folder());
    fs::copy_file(path("bead_~00.log"), path("bead_~01.log"));
    refuses(folder(), ErrorKind::invalid, {"2 SkyScan .log files", "bead_~00.log"});
    fs::remove(path("bead_~01.log"));
    for (int i = 0; i < 2; ++i) fs::remove(path(frame_name(i)));
    refuses(path("bead_~00.log"), ErrorKind::invalid, {"no TIFF frames called bead_~00NUMBER"});
    // What NRecon wrote next to slices describes no scan.
    fs::rename(path("bead_~00.log"), path("bead_rec.log"));
    write_frame(path("bead_rec00000000.tif"), at::zeros({3, 5}));
    QCOMPARE(io::open_scan(folder()).or_throw()->info().format, std::string("tiff_stack"));
  }
};

TL_TEST_CASE(SkyscanLogTest)

}  // namespace tl::skyscan_log_test

#include "skyscan_log.moc"
