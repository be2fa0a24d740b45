// Scans of RTK: pixels lie where the matrices of RTK's own documentation project points to, for every parameter; a bead
// is found where it was; what contradicts the geometry is refused.
#include <ATen/ATen.h>

#include <cmath>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/open_scan.h"
#include "core/io/reader/describe.h"
#include "tests/support/file_tree.h"
#include "tests/support/io/bead_scan.h"
#include "tests/support/io/rtk_scan.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/test_case.h"

namespace tl::rtk_geometry_test {

namespace fs = std::filesystem;
using test::mentions;
using test::reconstructed_bead;
using namespace test::rtk;

namespace {

// Where a matrix of RTK [row, 4] projects a point of its fixed axes to [mm].
std::pair<double, double> projected(const std::vector<double>& m, Vec3 p) {
  const auto row = [&](std::size_t i) {
    return m[4 * i] * p.x + m[4 * i + 1] * p.y + m[4 * i + 2] * p.z + m[4 * i + 3];
  };
  return {row(0) / row(2), row(1) / row(2)};
}

ScanGeometry geometry_of(const fs::path& file) {
  const io::ScanInfo info = io::open_scan(file).or_throw()->info();
  const DetectorShape detector{info.rows, info.cols, info.pixel_size_u.value, info.pixel_size_v.value};
  return ScanGeometry::from_vectors(info.beam, detector, info.vectors->value).or_throw();
}

// Rows and columns of the projections, their pitch and the position of their centre [mm].
constexpr int64_t rows = 6, cols = 9;
constexpr double pitch = 2, centre_u = 3, centre_v = -4;

}  // namespace

class RtkGeometryTest : public test::ScanFolder {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    for (const auto& entry : fs::directory_iterator(folder())) fs::remove_all(entry.path());
  }

  // The first two are printed in RTK's documentation, the others are those of itk-rtk 2.7.0.
  void pixels_are_where_the_matrices_project_to_data() {
    QTest::addColumn<QString>("parameters");
    QTest::addColumn<QList<double>>("matrix");
    const auto given = [](std::initializer_list<std::pair<const char*, double>> all) {
      std::string text;
      for (const auto& [name, value] : all) text += element(name, QByteArray::number(value, 'g', 15).toStdString());
      return QString::fromStdString(text);
    };
    QTest::newRow("documentation, first")
        << given({{"SourceToIsocenterDistance", 1000},
                  {"SourceToDetectorDistance", 1536},
                  {"GantryAngle", 271.847274780273},
                  {"ProjectionOffsetX", -117.056503295898},
                  {"ProjectionOffsetY", -1.01195001602173}})
        << QList<double>{-166.5093078829,    0,     -1531.42837748039,  -117056.503295898,
                         -1.01142410874151,  -1536, 0.0326206557691505, -1011.95001602173,
                         -0.999480303105996, 0,     0.0322354417240802, -1000};
    QTest::newRow("documentation, second")
        << given({{"SourceToIsocenterDistance", 1000},
                  {"SourceToDetectorDistance", 1536},
                  {"GantryAngle", 271.852905273438},
                  {"ProjectionOffsetX", -117.056831359863},
                  {"ProjectionOffsetY", -1.01187002658844}})
        << QList<double>{-166.660129424325,  0,     -1531.41199650136,  -117056.831359863,
                         -1.01134095059569,  -1536, 0.0327174625589984, -1011.87002658844,
                         -0.999477130482326, 0,     0.0323336611415466, -1000};
    QTest::newRow("gantry")
        << given({{"SourceToIsocenterDistance", 60}, {"SourceToDetectorDistance", 120}, {"GantryAngle", 30}})
        << QList<double>{-103.923048454133, 0, 60, 0, 0, -120, 0, 0, 0.5, 0, 0.866025403784439, -60};
    QTest::newRow("detector off centre")
        << given({{"SourceToIsocenterDistance", 60},
                  {"SourceToDetectorDistance", 120},
                  {"GantryAngle", 30},
                  {"ProjectionOffsetX", 3},
                  {"ProjectionOffsetY", -2}})
        << QList<double>{-105.423048454133, 0,  57.4019237886467, 180, 1, -120, 1.73205080756888, -120, 0.5, 0,
                         0.866025403784439, -60};
    QTest::newRow("out of plane") << given({{"SourceToIsocenterDistance", 60},
                                            {"SourceToDetectorDistance", 120},
                                            {"GantryAngle", 200},
                                            {"ProjectionOffsetX", 0},
                                            {"ProjectionOffsetY", 0},
                                            {"OutOfPlaneAngle", 10},
                                            {"InPlaneAngle", 0}})
                                  << QList<double>{112.763114494309,   0,
                                                   -41.0424171990802,  0,
                                                   7.12694095366616,   -118.176930361465,
                                                   19.5811093399842,   0,
                                                   -0.336824088833465, -0.17364817766693,
                                                   -0.925416578398323, -60};
    QTest::newRow("in plane") << given({{"SourceToIsocenterDistance", 60},
                                        {"SourceToDetectorDistance", 120},
                                        {"GantryAngle", 200},
                                        {"ProjectionOffsetX", 0},
                                        {"ProjectionOffsetY", 0},
                                        {"OutOfPlaneAngle", 0},
                                        {"InPlaneAngle", 15}})
                              << QList<double>{108.920804542844,   -31.0582854123025,
                                               -39.6439307459222,  0,
                                               -29.1852416162033,  -115.911099154688,
                                               10.6225592281652,   0,
                                               -0.342020143325669, 0,
                                               -0.939692620785908, -60};
    QTest::newRow("source off centre") << given({{"SourceToIsocenterDistance", 60},
                                                 {"SourceToDetectorDistance", 120},
                                                 {"GantryAngle", 70},
                                                 {"ProjectionOffsetX", 0},
                                                 {"ProjectionOffsetY", 0},
                                                 {"OutOfPlaneAngle", 0},
                                                 {"InPlaneAngle", 0},
                                                 {"SourceOffsetX", 1.5},
                                                 {"SourceOffsetY", -2.5}})
                                       << QList<double>{-39.6328782679014, 0,    113.276144709297,   90,
                                                        -2.34923155196477, -120, -0.855050358314172, -150,
                                                        0.939692620785908, 0,    0.342020143325669,  -60};
    QTest::newRow("all") << given({{"SourceToIsocenterDistance", 61},
                                   {"SourceToDetectorDistance", 123},
                                   {"GantryAngle", 310},
                                   {"ProjectionOffsetX", 3},
                                   {"ProjectionOffsetY", -2},
                                   {"OutOfPlaneAngle", 8},
                                   {"InPlaneAngle", -12},
                                   {"SourceOffsetX", 1.5},
                                   {"SourceOffsetY", -2.5}})
                         << QList<double>{-78.9237017795357,  25.5330216012324,   -90.831514934663,  276,
                                          -3.23198817718064,  -119.071698718833,  -30.6714006304593, -277,
                                          -0.758589351257642, -0.139173100960065, 0.6365320448553,   -61};
    QTest::newRow("parallel") << given({{"SourceToIsocenterDistance", 60},
                                        {"SourceToDetectorDistance", 0},
                                        {"GantryAngle", 40},
                                        {"ProjectionOffsetX", 3},
                                        {"ProjectionOffsetY", -2},
                                        {"OutOfPlaneAngle", 8},
                                        {"InPlaneAngle", -12}})
                              << QList<double>{0.730705015181952,
                                               -0.205888308534897,
                                               -0.650907201678229,
                                               -3,
                                               0.246773452097819,
                                               0.968628335522866,
                                               -0.0293600231935729,
                                               2,
                                               0,
                                               0,
                                               0,
                                               1};
  }
  void pixels_are_where_the_matrices_project_to() {
    QFETCH(QString, parameters);
    QFETCH(QList<double>, matrix);
    const std::vector<double> m(matrix.begin(), matrix.end());
    std::string stated;
    for (const double number : m) stated += " " + QByteArray::number(number, 'g', 15).toStdString();
    write_projections(path("p.mha"), at::zeros({1, rows, cols}), pitch, centre_u, centre_v);
    test::put(path("g.xml"), geometry_text({}, {parameters.toStdString() + element("Matrix", "\n" + stated + "\n")}));
    const ScanGeometry geometry = geometry_of(path("g.xml"));
    for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{11, -7, 5}, Vec3{-20, 3, 17}}) {
      const auto [u, v] = projected(m, p);
      const ScanGeometry::Hit hit = geometry.project(0, {p.x, -p.z, p.y});
      constexpr double rounding = 1e-6;  // [px], of 12 digits of 1 m and more
      QVERIFY(std::abs(hit.col - 0.5 * (cols - 1) - (u - centre_u) / pitch) < rounding);
      QVERIFY(std::abs(0.5 * (rows - 1) - hit.row - (v - centre_v) / pitch) < rounding);
    }
  }

  void a_bead_is_found_where_it_was() {
    constexpr double near_to = 0.05, far_from = 0.15;  // [mm], a tenth and three tenths of a voxel
    test::BeadScan s;
    const at::Tensor absorption = test::bead_absorption(test::bead_geometry(s));
    std::vector<std::string> angles, mirrored;
    for (int64_t i = 0; i < s.views; ++i) {
      angles.push_back(element("GantryAngle", number_text(s.step * static_cast<double>(i))));
      mirrored.push_back(element("GantryAngle", number_text(-s.step * static_cast<double>(i))));
    }
    const std::string distances = element("SourceToIsocenterDistance", number_text(s.to_object)) +
                                  element("SourceToDetectorDistance", number_text(s.to_detector));
    write_projections(path("p.mha"), absorption, s.pitch);
    test::put(path("geometry.xml"), geometry_text(distances, angles));
    for (const fs::path& given : {path("geometry.xml"), folder()}) {
      const Vec3 found = reconstructed_bead(given);
      QVERIFY2(norm(found - test::bead_place) < near_to,
               (number_text(found.x) + " " + number_text(found.y) + " " + number_text(found.z)).c_str());
    }
    const io::ScanInfo info = io::open_scan(folder()).or_throw()->info();
    QVERIFY(info.format == "rtk_geometry" && info.kind == PixelKind::absorption && info.views == s.views);
    QVERIFY(noted(info, "taken as absorption") && noted(info, "begin at the bottom"));
    test::put(path("geometry.xml"), geometry_text(distances, mirrored));
    QVERIFY(norm(reconstructed_bead(folder()) - test::bead_place) > far_from);
    // The detector's position is that of the geometry and of the projections together.
    constexpr double rounding = 1e-6, moved = 3;  // [mm], of numbers of 12 digits
    const auto difference = [&] { return test::difference(test::loaded_geometry(folder()), test::bead_geometry(s)); };
    test::put(path("geometry.xml"), geometry_text(distances, angles));
    QVERIFY(difference() < rounding);
    test::put(path("geometry.xml"), geometry_text(distances + element("ProjectionOffsetX", "3"), angles));
    QVERIFY(std::abs(difference() - moved) < rounding);
    write_projections(path("p.mha"), absorption, s.pitch, -moved);
    QVERIFY(difference() < rounding);
  }

  // Counts in an .mhd with a file of its own, of which parts are read; row 0 is the top.
  void regions_are_those_of_the_views() {
    const at::Tensor views = at::arange(2 * rows * cols, at::kInt).reshape({2, rows, cols});
    write_projections(path("p.mha"), views, 1);
    test::put(path("g.xml"),
              geometry_text(element("SourceToIsocenterDistance", "60") + element("sourcetodetectordistance", "120"),
                            {element("GANTRYANGLE", "0,5"), element("GantryAngle", "90")}));
    const auto scan = io::open_scan(path("g.xml")).or_throw();
    QVERIFY(scan->info().kind == PixelKind::counts && noted(scan->info(), "There are no flats"));
    QVERIFY(std::abs(scan->info().angles.value[0] - 0.5 * pi / 180) < 1e-12);
    for (const Samples samples : {Samples::floats, Samples::counts}) {
      const at::Tensor part = scan->read({{0, 2}, {1, 4}, {2, 7}}, samples).or_throw().to(at::kInt);
      QVERIFY(at::equal(part, views.slice(1, 1, 4).slice(2, 2, 7)));
    }
  }

  void a_parallel_beam() {
    write_small(folder());
    test::put(path("geometry.xml"),
              geometry_text(element("SourceToIsocenterDistance", "60") + element("SourceToDetectorDistance", "0"),
                            {element("GantryAngle", "10"), element("GantryAngle", "100")}));
    const ScanGeometry geometry = geometry_of(path("geometry.xml"));
    QVERIFY(geometry.is_parallel() && geometry.is_plain_circular());
    QVERIFY(std::abs(geometry.orbit()->angles[0] - 10 * pi / 180) < 1e-9);
  }

  void errors_say_what_to_do() {
    const auto refused = [&](const std::string& text, std::initializer_list<std::string> words,
                             ErrorKind kind = ErrorKind::invalid) {
      write_small(folder());
      test::put(path("geometry.xml"), text);
      const auto scan = io::open_scan(folder());
      QVERIFY(!scan.ok());
      QVERIFY2(scan.error().kind == kind && mentions(scan.error().message(), words), scan.error().message().c_str());
    };
    const std::string two = element("SourceToIsocenterDistance", "60") + element("SourceToDetectorDistance", "120");
    const std::string view = element("GantryAngle", "0");
    refused(geometry_text(two, {view}), {"1 projection", "projections.mha has 2"});
    refused(geometry_text(two, {}), {"no projection"});
    refused(geometry_text(two, {view, element("GantryAngle", "x")}), {"GantryAngle is not a number", "geometry.xml:"});
    refused(geometry_text(two, {view, view + element("Matrix", "1 2 3")}), {"not 12 numbers"});
    refused(geometry_text(two, {view, view + element("Matrix", "1 0 0 0 0 1 0 0 0 0 0 1")}),
            {"is not that of its parameters"});
    refused(geometry_text(two, {view, view + element("SourceToDetectorDistance", "0")}), {"parallel beam"});
    refused(geometry_text(two + element("RadiusCylindricalDetector", "100"), {view, view}), {"cylinder"},
            ErrorKind::unavailable);
    write_small(folder());
    refuses(folder(), ErrorKind::invalid, {"where source and detector are"}, {.choices = {.source_to_axis = 50.0}});
    refuses(folder(), ErrorKind::invalid, {"where source and detector are"}, {.choices = {.beam = Beam::parallel}});
    write_projections(path("other.mha"), at::zeros({2, 3, 5}), 1);
    refuses(folder(), ErrorKind::invalid, {"2 MetaImage"});
    fs::remove(path("other.mha"));
    fs::remove(path("projections.mha"));
    refuses(folder(), ErrorKind::invalid, {"there is no MetaImage"});
  }
};

TL_TEST_CASE(RtkGeometryTest)

}  // namespace tl::rtk_geometry_test

#include "rtk_geometry.moc"
