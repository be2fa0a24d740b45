// Nikon X-Tek scans: a bead is found where it was, whatever axis, detector and angles the file states; counts, notes
// and errors.
#include <ATen/ATen.h>

#include <cmath>

#include "core/io/open_scan.h"
#include "core/io/reader/describe.h"
#include "core/run/executor.h"
#include "gpu/simulate/phantom.h"
#include "tests/support/io/bead_scan.h"
#include "tests/support/io/nikon_scan.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/test_case.h"

namespace tl::nikon_xtekct_test {

using namespace tl::test::nikon;
using test::reconstructed_bead;
namespace fs = std::filesystem;

namespace {

constexpr double degree = pi / 180;

// The scan that the laboratory makes: x to the right as seen from the source, y along the beam, z up. Object
// coordinates are those of the axis at theta = 0. Rows and columns are those of the files.
ScanGeometry laboratory(const Scanner& s) {
  const double roll = s.object_roll * degree;
  const Vec3 on_axis{-s.object_offset_x, 0, 0};
  const Vec3 across{std::cos(roll), 0, -std::sin(roll)}, along{std::sin(roll), 0, std::cos(roll)};
  std::vector<View> all;
  for (int64_t i = 0; i < views; ++i) {
    const double theta = pi - degree * (s.initial_angle + static_cast<double>(i) * s.angular_step);
    const auto turned_back = [&](Vec3 p) {
      const double a = dot(p, across), b = p.y;
      return Vec3{std::cos(theta) * a + std::sin(theta) * b, std::cos(theta) * b - std::sin(theta) * a, dot(p, along)};
    };
    const Vec3 source{0, -source_to_object, 0};
    const Vec3 detector{-s.detector_offset_x, source_to_detector - source_to_object, s.detector_offset_y};
    all.push_back({turned_back(source - on_axis), turned_back(detector - on_axis), turned_back({-pixel_x, 0, 0}),
                   turned_back({0, 0, pixel_y})});
  }
  return ScanGeometry::from_views(Beam::cone, {rows, cols, pixel_x, pixel_y}, std::move(all)).or_throw();
}

// The same axis in the words of older files: where it meets the edges of the detector.
Keys with_centres_of_rotation(Keys keys, const Scanner& s) {
  const double middle = s.object_offset_x * source_to_detector / source_to_object;
  const double half = -0.5 * static_cast<double>(rows) * pixel_y * std::tan(s.object_roll * degree);
  keys.erase("ObjectOffsetX");
  keys.erase("ObjectRoll");
  keys["CentreOfRotationTop"] = number_text(middle + half);
  keys["CentreOfRotationBottom"] = number_text(middle - half);
  return keys;
}

const Vec3 bead{6, -3.5, 4.5};  // in object coordinates [mm]

// Frames of a small bead, and their file.
void write_bead(const fs::path& folder, const Scanner& s, const Keys& keys) {
  const ops::Phantom phantom{{{ops::Solid::ellipsoid, bead, {1.2, 1.2, 1.2}, 0.2}}};
  const at::Tensor lines = ops::phantom_projections(phantom, laboratory(s), {at::kDouble, 3, {}});
  for (int64_t i = 0; i < views; ++i)
    write_frame(folder / ("bead_" + std::to_string(1001 + i) + ".tif"), white * at::exp(-lines[i]));
  test::put(folder / "bead.xtekct", xtekct_text(keys));
}

// Voxels are half as large as pixels. A bead is found to a tenth of one. A wrong sign of an offset or of the roll
// smears it more than it displaces it, but still by more than three tenths.
constexpr double near_to = 0.1 * 0.5 * pixel_x, far_from = 3 * near_to;  // [mm]

std::string coordinates_text(Vec3 found) {
  return number_text(found.x) + " " + number_text(found.y) + " " + number_text(found.z);
}

}  // namespace

class NikonXtekctTest : public test::ScanFolder {
  Q_OBJECT
  [[nodiscard]] fs::path small_scan(const Keys& changed = {}) const { return write_small_scan(folder(), changed); }

 private Q_SLOTS:
  void init() {
    for (const auto& entry : fs::directory_iterator(folder())) fs::remove_all(entry.path());
  }

  void a_bead_is_found_where_it_was_data() {
    QTest::addColumn<QString>("key");  // whose sign matters; none: the row is about all of them
    QTest::addColumn<double>("value");
    QTest::newRow("centred") << "" << 0.0;
    const std::pair<const char*, double> all[] = {{"InitialAngle", 35},     {"AngularStep", 4},
                                                  {"ObjectOffsetX", 1.5},   {"ObjectRoll", 8},
                                                  {"DetectorOffsetX", 3.5}, {"DetectorOffsetY", 5}};
    for (const auto& [key, value] : all)
      for (const double sign : {1.0, -1.0}) QTest::addRow("%s %g", key, sign * value) << key << sign * value;
  }
  void a_bead_is_found_where_it_was() {
    QFETCH(QString, key);
    QFETCH(double, value);
    Scanner s;
    if (key == "InitialAngle") s.initial_angle = value;
    if (key == "AngularStep") s.angular_step = value;
    if (key == "ObjectOffsetX") s.object_offset_x = value;
    if (key == "ObjectRoll") s.object_roll = value;
    if (key == "DetectorOffsetX") s.detector_offset_x = value;
    if (key == "DetectorOffsetY") s.detector_offset_y = value;
    Keys keys = keys_of(s);
    write_bead(folder(), s, keys);
    const Vec3 found = reconstructed_bead(path("bead.xtekct"));
    QVERIFY2(norm(found - bead) < near_to, coordinates_text(found).c_str());
    if (key.isEmpty()) return;
    keys[key.toStdString()] = number_text(-value);
    test::put(path("bead.xtekct"), xtekct_text(keys));
    const Vec3 elsewhere = reconstructed_bead(path("bead.xtekct"));
    QVERIFY2(norm(elsewhere - bead) > far_from, coordinates_text(elsewhere).c_str());
  }

  // Everything at once, in the words of newer and older files; also mirrored by the load node.
  void offsets_go_together() {
    const Scanner s{-70, 4, 1.2, -6, -2.5, 4};
    write_bead(folder(), s, keys_of(s));
    const fs::path file = path("bead.xtekct");
    const Vec3 found = reconstructed_bead(file);
    QVERIFY2(norm(found - bead) < near_to, coordinates_text(found).c_str());
    const Vec3 upside_down = reconstructed_bead(file, {{"flip_v", std::string("mirror")}});
    QVERIFY2(norm(upside_down - Vec3{bead.x, bead.y, -bead.z}) < near_to, coordinates_text(upside_down).c_str());
    const Vec3 mirrored =
        reconstructed_bead(file, {{"flip_u", std::string("mirror")}, {"rotation", std::string("reversed")}});
    QVERIFY2(norm(mirrored - Vec3{-bead.x, bead.y, bead.z}) < near_to, coordinates_text(mirrored).c_str());
    Keys older = with_centres_of_rotation(keys_of(s), s);
    test::put(file, xtekct_text(older));
    const Vec3 the_same = reconstructed_bead(file);
    QVERIFY2(norm(the_same - bead) < near_to, coordinates_text(the_same).c_str());
    std::swap(older["CentreOfRotationTop"], older["CentreOfRotationBottom"]);
    test::put(file, xtekct_text(older));
    QVERIFY(norm(reconstructed_bead(file) - bead) > far_from);
  }
  void rows_and_columns_are_not_exchanged() {
    Graph graph;
    graph.nodes["load"] = {"input.load_scan", 1, {{"file", small_scan().string()}, {"axes", std::string("transpose")}}};
    const auto refused = Executor(Registry::all(), {}).infos(graph, "load");
    QVERIFY(!refused.ok() && test::mentions(refused.error().message(), {"rotation axis", "Keep rows and columns"}));
  }

  // Counts come as they are stored, from the right end of a row to its left, in any region.
  void counts_are_mirrored_and_not_altered() {
    const auto scan = io::open_scan(small_scan()).or_throw();
    QCOMPARE(scan->info().pixel_type, std::string("uint16"));
    const at::Tensor expected = at::stack({at::arange(15), at::arange(15) + 100}).reshape({2, 3, 5}).flip(2);
    for (const Samples samples : {Samples::floats, Samples::counts}) {
      const at::Tensor all = scan->read({{0, 2}, {0, 3}, {0, 5}}, samples).or_throw();
      QCOMPARE(all.scalar_type(), samples == Samples::counts ? at::kUInt16 : at::kFloat);
      QVERIFY(at::equal(all.to(at::kLong), expected));
      const at::Tensor part = scan->read({{1, 2}, {1, 3}, {1, 3}}, samples).or_throw();
      QVERIFY(at::equal(part.to(at::kLong), expected.slice(0, 1, 2).slice(1, 1, 3).slice(2, 1, 3)));
    }
    QVERIFY(at::equal(scan->read_flats({0, 3}, {1, 4}).or_throw(), at::full({1, 3, 3}, white, at::kFloat)));
    QVERIFY(at::equal(scan->read_darks({0, 2}, {0, 5}).or_throw(), at::zeros({1, 2, 5}, at::kFloat)));
    QCOMPARE(scan->files().size(), std::size_t{3});
    QCOMPARE(scan->files().front(), path("bead.xtekct"));
  }

  void every_value_has_its_origin() {
    test::put(path("bead.ang"), "1: 17.0\n2: 18.0\n");
    test::put(path("bead_ctdata.txt"), "1\t17.0\t0\n2\t18.0\t0\n");
    const auto scan = io::open_scan(small_scan({{"InitialAngle", "30"},
                                                {"AngularStep", "0.5"},
                                                {"ObjectOffsetX", "-0.25"},
                                                {"ObjectRoll", "2"},
                                                {"ObjectTilt", "3.5"},
                                                {"DetectorOffsetX", "0.5"},
                                                {"DetectorOffsetY", "-2.5"}}))
                          .or_throw();
    const io::ScanInfo& info = scan->info();
    QCOMPARE(info.format, std::string("nikon_xtekct"));
    QVERIFY(info.beam == Beam::cone && info.kind == PixelKind::counts);
    QCOMPARE(info.views, int64_t{2});
    QCOMPARE(info.flats + info.darks, int64_t{2});
    QVERIFY(std::abs(info.angles.value[0] + 150 * degree) < 1e-12);
    QVERIFY(std::abs(info.angles.value[1] + 149.5 * degree) < 1e-12);
    QCOMPARE(info.source_to_axis->value, source_to_object);
    QCOMPARE(info.axis_to_detector->value, source_to_detector - source_to_object);
    QCOMPARE(info.offsets.axis->value, (0.5 + 0.25) / pixel_x);
    QCOMPARE(info.offsets.tilt->value, 2 * degree);
    QCOMPARE(info.offsets.source_shift_u->value, -0.25 * std::cos(2 * degree));
    QCOMPARE(info.offsets.source_shift_v->value, -0.25 * std::sin(2 * degree));
    QCOMPARE(info.shift_v->value.size(), static_cast<std::size_t>(info.views));
    for (const double shift : info.shift_v->value) QCOMPARE(shift, 2.5 / pixel_y);
    for (const io::Fact& fact : io::facts(info))
      if (fact.origin) QVERIFY2(*fact.origin == Origin::file && !fact.source.empty(), fact.name.c_str());
    const std::string text = io::describe(info);
    QVERIFY2(test::mentions(text, {"ObjectTilt, 3.5 deg", "is not used", "WhiteLevel, 60000", "mirrored left to right",
                                   "clockwise", "*.ang", "DetectorOffsetX, ObjectOffsetX", "tilt of the axis"}),
             text.c_str());
    QVERIFY(test::mentions(io::describe_json(info), {"\"axis_px\"", "\"tilt_rad\"", "ObjectRoll"}));
  }
  void what_the_file_leaves_out_is_guessed() {
    const auto scan = io::open_scan(small_scan({{"ObjectOffsetX", ""},
                                                {"ObjectRoll", ""},
                                                {"ObjectTilt", ""},
                                                {"DetectorOffsetX", ""},
                                                {"DetectorOffsetY", ""},
                                                {"InputFolderName", ""}}))
                          .or_throw();
    const io::StatedOffsets& o = scan->info().offsets;
    QVERIFY(o.axis && o.axis->value == 0 && o.axis->origin == Origin::guessed);
    QVERIFY(!o.tilt && !o.source_shift_u && !o.source_shift_v && !scan->info().shift_v);
  }

  void the_user_s_values_replace_those_of_the_file() {
    io::OpenOptions options;
    options.choices.pixels = io::ScanPixels::transmission;
    options.choices.angle_step = 0.25;
    options.choices.source_to_axis = 10;
    const auto scan =
        io::open_scan(small_scan({{"WhiteLevel", ""}, {"AngularStep", ""}, {"InitialAngle", ""}}), {}, options)
            .or_throw();
    const io::ScanInfo& info = scan->info();
    QVERIFY(info.kind == PixelKind::transmission && info.flats == 0 && info.darks == 0);
    QVERIFY(info.angles.origin == Origin::user && info.angles.value[1] == 0.25);
    QCOMPARE(info.source_to_axis->value, 10.0);
    options.choices = {};
    options.choices.order = io::FrameOrder::sinograms;
    refuses(path("bead.xtekct"), ErrorKind::invalid, {"views, not sinograms"}, options);
    options.choices = {};
    options.choices.angles_dataset = "/entry/angles";
    refuses(small_scan(), ErrorKind::invalid, {"hold no datasets"}, options);
  }

  void frames_are_found_in_their_folder() {
    const fs::path file = small_scan({{"InputFolderName", "frames\\first"}});
    const auto notes = [&](const io::OpenOptions& options = {}) {
      const auto scan = io::open_scan(file, {}, options);
      return scan.ok() ? io::describe(scan.value()->info()) : scan.error().message();
    };
    QVERIFY2(test::mentions(notes(), {"no TIFF frames in the folder frames/first", "next to the file are read"}),
             notes().c_str());
    fs::create_directories(path("frames/first"));
    for (const char* frame : {"bead_0001.tif", "bead_0002.tif"}) fs::rename(path(frame), path("frames/first") / frame);
    QVERIFY2(!test::mentions(notes(), {"next to the file are read"}), notes().c_str());
    QCOMPARE(io::open_scan(file).or_throw()->files().at(1), path("frames/first/bead_0001.tif"));
    // Images next to the frames are not frames.
    fs::copy_file(path("frames/first/bead_0001.tif"), path("frames/first/overview.tif"));
    fs::copy_file(path("frames/first/bead_0001.tif"), path("frames/first/bead_mean.tif"));
    QVERIFY2(test::mentions(notes(), {"2 TIFF files next to the frames"}), notes().c_str());
    // Files elsewhere need consent.
    fs::create_directories(path("scan"));
    const std::string text = test::contents(file);
    test::put(path("scan/bead.xtekct"), std::string(text).replace(text.find("frames\\first"), 12, "../frames/first"));
    refuses(path("scan/bead.xtekct"), ErrorKind::io, {"outside its own folder", "bead_0001.tif"});
    io::OpenOptions follow;
    follow.choices.outside_links = io::OutsideLinks::follow;
    const auto scan = io::open_scan(path("scan/bead.xtekct"), {}, follow).or_throw();
    QVERIFY(scan->info().outside.size() == 1 &&
            test::mentions(scan->info().outside.front(), {"outside", "frames/first"}));
  }
};

TL_TEST_CASE(NikonXtekctTest)

}  // namespace tl::nikon_xtekct_test

#include "nikon_xtekct.moc"
