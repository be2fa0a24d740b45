// Scans of North Star Imaging scanners: a bead is found where it was, by the vectors of source, axis, normal and rows,
// with an axis and a detector that lean, flips and turns of the frames; notes and errors.
#include <ATen/ATen.h>

#include <cmath>

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/open_scan.h"
#include "core/io/reader/describe.h"
#include "tests/support/file_tree.h"
#include "tests/support/io/bead_scan.h"
#include "tests/support/io/nsi_scan.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/test_case.h"

namespace tl::nsi_project_test {

namespace fs = std::filesystem;
using test::mentions;
using test::reconstructed_bead;
using test::nikon::number_text;
using test::nikon::write_frame;
using namespace test::nsi;

namespace {

constexpr int64_t views = 60, rows = 40, cols = 64;

// The first view in our axes: the beam's horizontal part along y, the axis along z. The detector leans and is turned in
// its plane, and source and detector stand off the middle.
View leaning_view() {
  const double lean = 0.06, roll = -0.03;
  const Vec3 row{1, 0, 0}, column{0, -std::sin(lean), std::cos(lean)};
  return {{0.7, -60, 0.4},
          {2, 60, -1.5},
          std::cos(roll) * row + std::sin(roll) * column,
          std::cos(roll) * column - std::sin(roll) * row};
}

Vec3 turned(Vec3 p, double t) {
  return {std::cos(t) * p.x - std::sin(t) * p.y, std::sin(t) * p.x + std::cos(t) * p.y, p.z};
}

ScanGeometry scan_of(const View& first, double step) {
  std::vector<View> all;
  for (int64_t i = 0; i < views; ++i) {
    const double t = step * pi / 180 * static_cast<double>(i);
    all.push_back({turned(first.beam, t), turned(first.detector, t), turned(first.u, t), turned(first.v, t)});
  }
  return ScanGeometry::from_views(Beam::cone, {rows, cols, 1, 1}, std::move(all)).or_throw();
}

// In the scanner's axes: our x, y, z are its -x, z, y, turned a little, so that its axis leans.
Vec3 scanners(Vec3 p) {
  const double lean = 0.04;
  const Vec3 q{-p.x, p.z, p.y};
  return {q.x, std::cos(lean) * q.y - std::sin(lean) * q.z, std::sin(lean) * q.y + std::cos(lean) * q.z};
}
std::string text_of(Vec3 p) { return number_text(p.x) + " " + number_text(p.y) + " " + number_text(p.z); }

Vec3 reference_of(const View& v) { return scanners(v.detector - 0.5 * (cols - 1) * v.u + 0.5 * (rows - 1) * v.v); }

Keys keys_of(const View& v, double step) {
  return {{"Object Radiograph/number", std::to_string(views)},
          {"Object Radiograph/angleStep", number_text(std::abs(step))},
          {"Processed/clockwise", step > 0 ? "True" : "False"},
          {"Result/source", text_of(scanners(v.beam))},
          {"Result/reference", text_of(reference_of(v))},
          {"Result/axis", text_of(scanners({0, 0, -1}))},
          {"Result/normal", text_of(scanners(cross(v.v, v.u)))},
          {"Result/horizontal", text_of(scanners(v.u))}};
}

}  // namespace

class NsiProjectTest : public test::ScanFolder {
  Q_OBJECT
  void write_frames(const at::Tensor& frames) const {
    constexpr double dark = 300, air = 50000;
    for (const char* name : {"Radiographs", "Corrections"}) fs::create_directories(path(name));
    for (int64_t i = 0; i < frames.size(0); ++i)
      write_frame(path("Radiographs") / frame_name(i), (air * frames[i] + dark).contiguous());
    write_frame(path("Corrections/offset.tif"), at::full(frames[0].sizes(), dark));
    write_frame(path("Corrections/gain0.tif"), at::full(frames[0].sizes(), air + dark));
  }

 private Q_SLOTS:
  void init() {
    for (const auto& entry : fs::directory_iterator(folder())) fs::remove_all(entry.path());
  }

  void a_bead_is_found_where_it_was() {
    const ScanGeometry scan = scan_of(leaning_view(), 6);
    write_frames(test::bead_counts(scan, 1));
    test::put(path("bead.nsipro"), project_text(keys_of(leaning_view(), 6)));
    const Vec3 found = reconstructed_bead(folder(), {}, "recon.sirt");
    constexpr double near_to = 0.15;  // [mm], a fourth of a voxel
    QVERIFY2(norm(found - test::bead_place) < near_to, text_of(found).c_str());
  }

  // Source, detector and its steps in every view, with everything that the files may say.
  void positions_are_those_of_the_scan() {
    constexpr double rounding = 1e-6, far_from = 0.1;  // [mm], of numbers of 12 digits; a tenth of a pixel
    write_frames(at::ones({views, rows, cols}));
    const View first = leaning_view();
    for (const double step : {6.0, -6.0}) {
      const ScanGeometry scan = scan_of(first, step);
      const auto is_found = [&](const std::map<std::string, ParamValue>& load = {}) {
        return test::difference(test::loaded_geometry(folder(), load), scan);
      };
      Keys keys = keys_of(first, step);
      fs::remove(path("Geometry Report.rtf"));
      test::put(path("bead.nsipro"), project_text(keys));
      QVERIFY(is_found() < rounding);
      // The axis may point up or down; the report goes first.
      keys["Result/axis"] = text_of(scanners({0, 0, 1}));
      test::put(path("bead.nsipro"), project_text(keys));
      QVERIFY(is_found() < rounding);
      const Vec3 reference = reference_of(first);
      keys["Result/reference"] = text_of(reference + Vec3{3, 2, 0});
      test::put(path("bead.nsipro"), project_text(keys));
      QVERIFY(is_found() > far_from);
      test::put(path("Geometry Report.rtf"), report_text(reference.x, reference.y));
      QVERIFY(is_found() < rounding);
      // The other sense of rotation, which the user may reverse.
      keys["Processed/clockwise"] = step > 0 ? "False" : "True";
      test::put(path("bead.nsipro"), project_text(keys));
      QVERIFY(is_found() > far_from);
      QVERIFY(is_found({{"rotation", std::string("reversed")}}) < rounding);
    }
  }

  // As the reader of mbirjax does it: flipV, flipH, then turned clockwise.
  void frames_are_turned_upright_data() {
    QTest::addColumn<bool>("across");
    QTest::addColumn<bool>("along");
    QTest::addColumn<int>("turn");
    for (const bool across : {false, true})
      for (const bool along : {false, true})
        for (const int turn : {0, 180})
          QTest::addRow("flipH %d flipV %d rotate %d", int{across}, int{along}, turn) << across << along << turn;
    QTest::newRow("rotate 90") << false << false << 90;
  }
  void frames_are_turned_upright() {
    QFETCH(bool, across);
    QFETCH(bool, along);
    QFETCH(int, turn);
    write_small(folder(), {{"Correction/flipH", across ? "True" : "False"},
                           {"Correction/flipV", along ? "True" : "False"},
                           {"Correction/rotate", std::to_string(turn)}});
    at::Tensor wanted = at::arange(15, at::kFloat).reshape({3, 5});
    if (along) wanted = wanted.flip(0);
    if (across) wanted = wanted.flip(1);
    if (turn == 90) wanted = wanted.flip(0).transpose(0, 1);
    if (turn == 180) wanted = wanted.flip(0).flip(1);
    const auto scan = io::open_scan(folder()).or_throw();
    QCOMPARE(scan->info().rows, wanted.size(0));
    for (const Samples samples : {Samples::floats, Samples::counts}) {
      const at::Tensor whole = scan->read({{0, 1}, {0, wanted.size(0)}, {0, wanted.size(1)}}, samples).or_throw()[0];
      QVERIFY(at::equal(whole.to(at::kFloat), wanted));
      const at::Tensor part = scan->read({{0, 1}, {1, 3}, {0, 2}}, samples).or_throw()[0];
      QVERIFY(at::equal(part.to(at::kFloat), wanted.slice(0, 1, 3).slice(1, 0, 2)));
    }
  }

  void every_value_has_its_origin() {
    const fs::path file = write_small(folder());
    test::put(file, lower_case(test::contents(file)));
    const auto scan = io::open_scan(file).or_throw();
    const io::ScanInfo& info = scan->info();
    QCOMPARE(info.format, std::string("nsi_project"));
    QVERIFY(info.views == 2 && info.flats == 1 && info.darks == 1 && info.vectors->origin == Origin::guessed);
    QVERIFY(std::abs(info.source_to_axis->value - 60) < 1e-9 && info.pixel_size_u.value == 1);
    const std::string text = io::describe(info);
    QVERIFY2(mentions(text, {"no geometry report", "is a guess", "defective"}), text.c_str());
  }

  void errors_say_what_to_do() {
    const auto refused = [&](const Keys& changed, std::initializer_list<std::string> words,
                             ErrorKind kind = ErrorKind::invalid) {
      const auto scan = io::open_scan(write_small(folder(), changed));
      QVERIFY2(!scan.ok(), words.begin()->c_str());
      QVERIFY2(scan.error().kind == kind && mentions(scan.error().message(), words), scan.error().message().c_str());
      QVERIFY(!scan.error().hint.empty());
    };
    refused({{"Result/source", ""}}, {"does not state Result/source"});
    refused({{"Result/source", "0 0"}}, {"Result/source is not 3 numbers: 0 0"});
    refused({{"Result/normal", "0 0 0"}}, {"has no direction"});
    refused({{"Result/normal", "0 1 0"}}, {"not across each other"});
    refused({{"Result/horizontal", "0 0 1"}}, {"not across each other"});
    refused({{"Object Radiograph/number", "3"}}, {"3 views", "are 2 frames"});
    refused({{"Correction/rotate", "90"}, {"Correction/flipH", "True"}}, {"turned by 90 degrees and mirrored"},
            ErrorKind::unavailable);
    refuses(write_small(folder()), ErrorKind::invalid, {"where source and detector are"},
            {.choices = {.angle_step = 0.1}});
    fs::remove_all(path("Radiographs"));
    refuses(path("bead.nsipro"), ErrorKind::invalid, {"no TIFF frames in a folder Radiographs"});
  }
};

TL_TEST_CASE(NsiProjectTest)

}  // namespace tl::nsi_project_test

#include "nsi_project.moc"
