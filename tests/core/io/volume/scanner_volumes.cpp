// Volumes that scanners and NRecon write, which are only read: order of voxels, sizes, greys as values, and errors.
#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/base/text.h"
#include "core/io/open_volume.h"
#include "tests/support/io/nikon_scan.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/io/scanner_volumes.h"
#include "tests/support/test_case.h"

namespace tl::scanner_volumes_test {

namespace fs = std::filesystem;
using test::mentions;
using namespace test::scanner_volumes;

namespace {

constexpr int64_t nz = 3, ny = 4, nx = 5;
at::Tensor numbers() { return at::arange(nz * ny * nx, at::kInt).reshape({nz, ny, nx}); }

}  // namespace

class ScannerVolumesTest : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;
  [[nodiscard]] fs::path folder() const { return dir_.path().toStdString(); }

  static at::Tensor read_all(const fs::path& file) {
    const auto volume = io::open_volume(file).or_throw();
    const VolumeGrid& g = volume->info().grid;
    return volume->read({{0, g.nz}, {0, g.ny}, {0, g.nx}}).or_throw();
  }
  static void refuses(const fs::path& file, ErrorKind kind, std::initializer_list<std::string> words) {
    const auto volume = io::open_volume(file);
    QVERIFY(!volume.ok());
    const std::string message = volume.error().message();
    QVERIFY2(volume.error().kind == kind && !volume.error().where.empty() && mentions(message, words), message.c_str());
  }
  static bool notes(const io::VolumeFileInfo& info, const std::string& words) {
    return std::any_of(info.notes.begin(), info.notes.end(),
                       [&](const std::string& note) { return mentions(note, {words}); });
  }

 private Q_SLOTS:
  void init() {
    for (const auto& entry : fs::directory_iterator(folder())) fs::remove_all(entry.path());
  }

  // Every type; the path of another computer, and none; letters of either case; decimal commas.
  void phoenix() {
    const std::tuple<const char*, at::ScalarType, const char*> types[] = {
        {"1", at::kByte, "uint8"}, {"5", at::kUInt16, "uint16"}, {"10", at::kFloat, "float32"}};
    for (const auto& [format, type, name] : types)
      for (const char* vol : {"D:\\scans\\v.vol", "/scans/other.vol", ""}) {
        const fs::path file = write_pcr(folder(), numbers().to(type), {{"Format", format}, {"VOL_File", vol}});
        const auto volume = io::open_volume(file).or_throw();
        const io::VolumeFileInfo& info = volume->info();
        QVERIFY(info.format == "pcr_vol" && info.voxel_type == name && info.voxel_size == Origin::file);
        QVERIFY(std::abs(info.grid.step_x.x - 0.02) < 1e-12 && std::abs(info.grid.step_z.z - 0.02) < 1e-12);
        QVERIFY(at::equal(read_all(file), numbers().to(at::kFloat)));
      }
    const fs::path file = write_pcr(folder(), numbers().to(at::kUInt16), {{"VoxelSizeRec", "0,04"}});
    test::put(file, lower_case(test::contents(file)));
    QVERIFY(std::abs(io::open_volume(file).or_throw()->info().grid.step_y.y - 0.04) < 1e-12);
    const at::Tensor part = io::open_volume(file).or_throw()->read({{1, 3}, {0, 2}, {2, 5}}).or_throw();
    QVERIFY(at::equal(part, numbers().slice(0, 1, 3).slice(1, 0, 2).slice(2, 2, 5).to(at::kFloat)));
    refuses(write_pcr(folder(), numbers().to(at::kUInt16), {{"Format", "7"}}), ErrorKind::unavailable, {"Format 7"});
    refuses(write_pcr(folder(), numbers().to(at::kUInt16), {{"Volume_SizeY", "x"}}), ErrorKind::invalid,
            {"Volume_SizeY is not a number", "v.pcr:"});
    refuses(write_pcr(folder(), numbers().to(at::kUInt16), {{"Volume_SizeY", "5"}}), ErrorKind::io,
            {"not all in the file"});
    refuses(write_pcr(folder(), numbers().to(at::kUInt16), {{"Volume_SizeZ", ""}}), ErrorKind::invalid,
            {"no line Volume_SizeZ"});
    fs::remove(folder() / "v.vol");
    refuses(folder() / "v.pcr", ErrorKind::invalid, {"v.vol into the folder"});
  }

  void vgstudio() {
    const fs::path file = write_vgi(folder(), numbers().to(at::kUInt16));
    const auto volume = io::open_volume(file).or_throw();
    const io::VolumeFileInfo& info = volume->info();
    QVERIFY(info.format == "vgi_vol" && info.voxel_type == "uint16" && info.voxel_size == Origin::file);
    const Vec3 steps{info.grid.step_x.x, info.grid.step_y.y, info.grid.step_z.z};
    QVERIFY(norm(steps - Vec3{0.01, 0.02, 0.03}) < 1e-12);
    QVERIFY(at::equal(read_all(file), numbers().to(at::kFloat)));
    // Behind a header, in um, as floats.
    write_vgi(folder(), numbers().to(at::kFloat),
              {{"Datatype", "float"}, {"BitsPerElement", "32"}, {"SkipHeader", "16"}},
              {{"resolution", "10 20 30"}, {"unit", "um"}});
    const std::string behind = test::contents(folder() / "v.vol");
    test::put(folder() / "v.vol", std::string(16, 'x') + behind);
    QVERIFY(at::equal(read_all(file), numbers().to(at::kFloat)));
    QVERIFY(std::abs(io::open_volume(file).or_throw()->info().grid.step_z.z - 0.03) < 1e-12);
    write_vgi(folder(), numbers().to(at::kUInt16), {}, {{"resolution", ""}});
    QVERIFY(io::open_volume(file).or_throw()->info().voxel_size == Origin::guessed);
    refuses(write_vgi(folder(), numbers(), {{"BitsPerElement", "24"}}), ErrorKind::unavailable, {"24 bits"});
    refuses(write_vgi(folder(), numbers(), {{"Datatype", "rgb"}}), ErrorKind::unavailable, {"rgb"});
    refuses(write_vgi(folder(), numbers().to(at::kUInt16), {{"Size", "5 4 4"}}), ErrorKind::io,
            {"not all in the file"});
    refuses(write_vgi(folder(), numbers().to(at::kUInt16), {{"BitsPerElement", ""}}), ErrorKind::invalid,
            {"BitsPerElement"});
  }

  void pictures_data() {
    QTest::addColumn<QString>("ending");
    QTest::addColumn<int>("bits");
    QTest::newRow("bmp") << ".bmp" << 8;
    QTest::newRow("png 8") << ".png" << 8;
    QTest::newRow("png 16") << ".png" << 16;
    QTest::newRow("tiff 16") << ".tif" << 16;
  }
  // Row 0 is the top, at the largest y.
  void pictures() {
    QFETCH(QString, ending);
    QFETCH(int, bits);
    const at::Tensor greys = bits == 16 ? numbers() * 1000 : numbers() * 4;
    for (int64_t k = 0; k < nz; ++k) {
      const fs::path file = folder() / slice_name(k + 1, ending.toStdString());
      if (ending == ".bmp") write_bmp(file, greys[k], k == 1 ? BmpRows::from_top : BmpRows::from_bottom, k == 2);
      if (ending == ".png") write_png(file, greys[k], bits);
      if (ending == ".tif") test::nikon::write_frame(file, greys[k]);
    }
    write_bmp(folder() / "bead_rec_spr.bmp", numbers()[0]);
    test::put(folder() / "bead_rec.log", rec_log_text({{"Minimum for CS to Image Conversion", "-0,01"}}));
    const double step = 0.09 / (bits == 16 ? 65535 : 255);
    for (const fs::path& given : {folder(), folder() / "bead_rec.log"}) {
      const auto volume = io::open_volume(given).or_throw();
      const io::VolumeFileInfo& info = volume->info();
      QVERIFY(info.format == "picture_slices" && info.voxel_size == Origin::file && info.unit == Unit::per_mm);
      QCOMPARE(info.voxel_type, bits == 16 ? std::string("uint16") : std::string("uint8"));
      QVERIFY(std::abs(info.grid.step_x.x - 0.0075) < 1e-12 && std::abs(info.grid.step_z.z - 0.0075) < 1e-12);
      constexpr double rounding = 1e-6;  // of float32
      const at::Tensor wanted = -0.01 + step * greys.to(at::kDouble).flip(1);
      QVERIFY((read_all(given) - wanted).abs().max().item<double>() < rounding);
      const at::Tensor part = volume->read({{1, 3}, {0, 2}, {2, 5}}).or_throw();
      QVERIFY((part - wanted.slice(0, 1, 3).slice(1, 0, 2).slice(2, 2, 5)).abs().max().item<double>() < rounding);
    }
    // What is neither a slice by its name nor of the slices' kind.
    if (ending != ".tif")
      QVERIFY(notes(io::open_volume(folder()).or_throw()->info(), "1 other picture next to the slices"));
  }

  // Without a log: greys, and voxels of an unknown size; gaps in the numbers.
  void pictures_without_a_log() {
    for (const int64_t k : {0, 1, 3}) write_png(folder() / slice_name(k, ".png"), numbers()[k % nz], 8);
    const auto volume = io::open_volume(folder()).or_throw();
    QVERIFY(volume->info().voxel_size == Origin::guessed && !volume->info().scale && volume->info().grid.nz == 3);
    QVERIFY(notes(volume->info(), "1 of 4 slices are missing"));
    QVERIFY(at::equal(read_all(folder())[1], numbers()[1].flip(0).to(at::kFloat)));
  }

  void pictures_that_are_refused() {
    const auto first = [&](const char* ending) { return folder() / slice_name(0, ending); };
    write_png(first(".png"), numbers()[0], 8, PNG_COLOR_TYPE_RGB);
    refuses(folder(), ErrorKind::unavailable, {"colours"});
    write_png(first(".png"), numbers()[0], 8);
    const std::string png = test::contents(first(".png"));
    test::put(first(".png"), png.substr(0, png.size() / 2));
    refuses(folder(), ErrorKind::invalid, {"damaged or cut off"});
    test::put(first(".png"), "no picture");
    refuses(folder(), ErrorKind::invalid, {"damaged or cut off"});
    fs::remove(first(".png"));
    write_bmp(first(".bmp"), numbers()[0]);
    const std::string bmp = test::contents(first(".bmp"));
    test::put(first(".bmp"), bmp.substr(0, bmp.size() - 1));
    refuses(folder(), ErrorKind::invalid, {"damaged or cut off"});
    std::string coloured = bmp;
    coloured[54 + 4 * 7] = 99;
    test::put(first(".bmp"), coloured);
    refuses(folder(), ErrorKind::unavailable, {"colours"});
    test::put(first(".bmp"), bmp);
    write_bmp(folder() / slice_name(1, ".bmp"), numbers()[0].slice(0, 0, 2));
    const auto volume = io::open_volume(folder()).or_throw();
    const auto voxels = volume->read({{0, 2}, {0, ny}, {0, nx}});
    QVERIFY(!voxels.ok() && mentions(voxels.error().message(), {"2 x 5 pixels", "the first one 4 x 5"}));
    fs::remove_all(folder() / slice_name(0, ".bmp"));
    fs::remove_all(folder() / slice_name(1, ".bmp"));
    write_bmp(folder() / "other.bmp", numbers()[0]);
    refuses(folder(), ErrorKind::invalid, {"no slices"});
  }
};

TL_TEST_CASE(ScannerVolumesTest)

}  // namespace tl::scanner_volumes_test

#include "scanner_volumes.moc"
