// Scans of YXLON scanners: a bead is found where it was, with TIFF and raw frames, offsets and tilts of the detector;
// what is a guess is said; errors.
#include <ATen/ATen.h>

#include <cmath>

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/open_scan.h"
#include "core/io/reader/describe.h"
#include "tests/support/file_tree.h"
#include "tests/support/io/bead_scan.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/io/yxlon_scan.h"
#include "tests/support/test_case.h"

namespace tl::yxlon_xml_test {

namespace fs = std::filesystem;
using test::mentions;
using test::reconstructed_bead;
using test::write_raw_frame;
using test::nikon::number_text;
using test::nikon::write_frame;
using namespace test::yxlon;

namespace {

constexpr int64_t views = 60, rows = 40, cols = 64;
constexpr double pitch = 0.8, pixel = 1, near_to = 0.08, far_from = 0.25;  // [mm]; a voxel is half a pixel
constexpr double tilt_a = 4, tilt_b = -4, tilt_c = 3;                      // [deg], within what FDK takes

// The detector is displaced by -across and -along pitches, and turned about its rows, columns and normal.
ScanGeometry leaning(double across, double along, double a, double b, double c, double start) {
  std::vector<View> all;
  const double deg = pi / 180;
  for (int64_t i = 0; i < views; ++i) {
    const double t = (6.0 * static_cast<double>(i) - start) * deg;
    const Vec3 beam{-std::sin(t), std::cos(t), 0}, row{std::cos(t), std::sin(t), 0}, column{0, 0, 1};
    // About its columns, then about its rows, then in its plane.
    const Vec3 u1 = std::cos(b * deg) * row + std::sin(b * deg) * beam,
               n1 = std::cos(b * deg) * beam - std::sin(b * deg) * row;
    const Vec3 v1 = std::cos(a * deg) * column + std::sin(a * deg) * n1;
    const Vec3 u = std::cos(c * deg) * u1 + std::sin(c * deg) * v1, v = std::cos(c * deg) * v1 - std::sin(c * deg) * u1;
    all.push_back({-60.0 * beam, 60.0 * beam - across * pitch * u - along * pitch * v, pixel * u, pixel * v});
  }
  return ScanGeometry::from_views(Beam::cone, {rows, cols, pixel, pixel}, std::move(all)).or_throw();
}

Keys keys_of(double across, double along, double a, double b, double c, double start) {
  return {{"Rows", std::to_string(rows)},
          {"Columns", std::to_string(cols)},
          {"NumberOfProjections", std::to_string(views)},
          {"PixelPitch", number_text(pitch)},
          {"Fod", number_text(60 / pitch)},
          {"Fdd", number_text(120 / pitch)},
          {"StartAngle", number_text(start)},
          {"HorizontalDetectorOffset", number_text(across)},
          {"VerticalDetectorOffset", number_text(along)},
          {"DetectorTiltA", number_text(a)},
          {"DetectorTiltB", number_text(b)},
          {"DetectorTiltC", number_text(c)}};
}

}  // namespace

class YxlonXmlTest : public test::ScanFolder {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    for (const auto& entry : fs::directory_iterator(folder())) fs::remove_all(entry.path());
  }

  // Each number alone, with a file that states it with the other sign.
  void a_bead_is_found_where_it_was_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QList<double>>("numbers");  // across, along, A, B, C, start
    QTest::newRow("centred") << "" << QList<double>{0, 0, 0, 0, 0, 0};
    QTest::newRow("across") << "HorizontalDetectorOffset" << QList<double>{4, 0, 0, 0, 0, 0};
    QTest::newRow("along") << "VerticalDetectorOffset" << QList<double>{0, 3, 0, 0, 0, 0};
    QTest::newRow("A") << "DetectorTiltA" << QList<double>{0, 0, tilt_a, 0, 0, 0};
    QTest::newRow("B") << "DetectorTiltB" << QList<double>{0, 0, 0, tilt_b, 0, 0};
    QTest::newRow("C") << "DetectorTiltC" << QList<double>{0, 0, 0, 0, tilt_c, 0};
    QTest::newRow("start") << "StartAngle" << QList<double>{0, 0, 0, 0, 0, 20};
    QTest::newRow("all") << "Rotation" << QList<double>{4, 3, tilt_a, tilt_b, tilt_c, 20};
  }
  void a_bead_is_found_where_it_was() {
    QFETCH(QString, key);
    QFETCH(QList<double>, numbers);
    const auto with = [&](const auto& make) {
      return make(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]);
    };
    const at::Tensor counts = test::bead_counts(with(leaning), 65535);
    fs::create_directories(path("Projections"));
    for (int64_t i = 0; i < views; ++i) write_frame(path("Projections") / frame_name(i, ".tif"), counts[i]);
    Keys keys = with(keys_of);
    test::put(path("ScanParameter.xml"), xml_text(keys));
    for (const fs::path& given : {path("ScanParameter.xml"), folder()}) {
      const Vec3 found = reconstructed_bead(given);
      QVERIFY2(norm(found - test::bead_place) < near_to,
               (number_text(found.x) + " " + number_text(found.y) + " " + number_text(found.z)).c_str());
    }
    // [mm]: rounding of numbers of 12 digits; half of what a tilt of the other sign changes in the step of a pixel.
    constexpr double rounding = 1e-6, other_sign = 0.05;
    QVERIFY(test::difference(test::loaded_geometry(folder()), with(leaning)) < rounding);
    const bool guesses = !key.isEmpty() && key != "StartAngle";
    const io::ScanInfo info = io::open_scan(folder()).or_throw()->info();
    QVERIFY(std::abs(info.source_to_axis->value - 60) < 1e-9);
    QCOMPARE(noted(info, "a guess."), guesses);
    if (key.isEmpty()) return;
    std::string& stated = keys[key.toStdString()];
    stated = key == "Rotation" ? "-360" : stated.starts_with('-') ? stated.substr(1) : "-" + stated;
    test::put(path("ScanParameter.xml"), xml_text(keys));
    QVERIFY(test::difference(test::loaded_geometry(folder()), with(leaning)) > other_sign);
    // The sense of rotation is a guess, which the user may reverse, also where every view has a position.
    if (key == "Rotation") {
      keys["StartAngle"] = "-20";  // the first view stays where it was
      test::put(path("ScanParameter.xml"), xml_text(keys));
      QVERIFY(norm(reconstructed_bead(folder(), {{"rotation", std::string("reversed")}}) - test::bead_place) >
              far_from);
      keys["StartAngle"] = "20";
      test::put(path("ScanParameter.xml"), xml_text(keys));
      QVERIFY(norm(reconstructed_bead(folder(), {{"rotation", std::string("reversed")}}) - test::bead_place) < near_to);
    }
  }

  // Raw frames begin at the bottom; a view that is missing leaves the angles of the others.
  void raw_frames_begin_at_the_bottom() {
    const at::Tensor counts = test::bead_counts(leaning(0, 0, 0, 0, 0, 0), 65535);
    fs::create_directories(path("Projektionen"));
    for (int64_t i = 0; i < views; ++i)
      write_raw_frame(path("Projektionen") / frame_name(i, ".raw"), counts[i].flip(0));
    test::put(path("ScanParameter.xml"), xml_text(keys_of(0, 0, 0, 0, 0, 0)));
    QVERIFY(norm(reconstructed_bead(folder()) - test::bead_place) < near_to);
    fs::remove(path("Projektionen") / frame_name(5, ".raw"));
    const auto scan = io::open_scan(folder()).or_throw();
    QVERIFY(noted(scan->info(), "1 of 60 views are missing"));
    QVERIFY(std::abs(scan->info().angles.value[5] - 36 * pi / 180) < 1e-12);
    const at::Tensor part = scan->read({{5, 7}, {3, 9}, {2, 30}}).or_throw();
    QVERIFY(at::equal(part, counts.slice(0, 6, 8).slice(1, 3, 9).slice(2, 2, 30).round().to(at::kFloat)));
  }

  void every_value_has_its_origin() {
    const fs::path file = write_small(folder(), {{"PixelHeight", "1,5"},
                                                 {"DetectorOrientation", "Rotate90"},
                                                 {"DetectorFlipDirections", "Horizontal"},
                                                 {"YoCenter", "3"},
                                                 {"PixelPitch", "0,5"}});
    test::put(file, lower_case(test::contents(file)));
    const auto scan = io::open_scan(file).or_throw();
    const io::ScanInfo& info = scan->info();
    QCOMPARE(info.format, std::string("yxlon_xml"));
    QVERIFY(info.beam == Beam::cone && info.kind == PixelKind::counts && info.views == 2 && info.flats == 1);
    QVERIFY(info.source_to_axis->value == 30 && info.axis_to_detector->value == 30);
    QVERIFY(info.pixel_size_u.value == 1 && info.pixel_size_v.value == 1.5);
    QVERIFY(info.angles.origin == Origin::file && !info.offsets.any() && !info.vectors);
    const std::string text = io::describe(info);
    QVERIFY2(mentions(text, {"DetectorOrientation is rotate90", "DetectorFlipDirections is horizontal", "YoCenter = 3",
                             "which count is air", "volume is mirrored"}),
             text.c_str());
    QCOMPARE(info.outside.size(), std::size_t{2});
  }

  void errors_say_what_to_do() {
    const auto refused = [&](const Keys& changed, std::initializer_list<std::string> words,
                             ErrorKind kind = ErrorKind::invalid) {
      const auto scan = io::open_scan(write_small(folder(), changed));
      QVERIFY2(!scan.ok(), words.begin()->c_str());
      QVERIFY2(scan.error().kind == kind && mentions(scan.error().message(), words), scan.error().message().c_str());
      QVERIFY(!scan.error().hint.empty());
    };
    refused({{"Fdd", "50"}}, {"nearer to the source"});
    refused({{"Fdd", "far"}}, {"ScanTrajectory/Fdd is not a number", "ScanParameter.xml:"});
    refused({{"NumberOfProjections", ""}}, {"does not state ScanTrajectory/NumberOfProjections"});
    refused({{"Rotation", "0"}}, {"Rotation is 0"});
    refused({{"DetectorTiltA", "90"}}, {"not between"});
    refused({{"Rows", "4"}}, {"the file says 5 x 4"});
    refused({{"type", "HelixTrajectory"}}, {"not a circle: HelixTrajectory"}, ErrorKind::unavailable);
    refuses(write_small(folder(), {{"DetectorTiltA", "1"}}), ErrorKind::invalid, {"where source and detector are"},
            {.choices = {.source_to_axis = 50.0}});
    fs::remove_all(path("Projections"));
    refuses(path("ScanParameter.xml"), ErrorKind::invalid, {"no frames in a folder Projections"});
  }
};

TL_TEST_CASE(YxlonXmlTest)

}  // namespace tl::yxlon_xml_test

#include "yxlon_xml.moc"
