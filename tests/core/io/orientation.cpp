// Handedness: a right-handed helix stays right-handed in every file format, read along the axes that the file states.
#include <ATen/ATen.h>
#include <tiffio.h>

#include <QTemporaryDir>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/units.h"
#include "core/run/executor.h"
#include "gpu/simulate/phantom_library.h"
#include "tests/support/given_scan.h"
#include "tests/support/test_case.h"

namespace tl::orientation_test {

namespace fs = std::filesystem;

namespace {

constexpr int64_t size = 40;

// Spheres along (10 cos t, 10 sin t, t): seen from above it climbs against the clock.
void give_helix() {
  test::given_scan = {};
  Projections& scan = test::given_scan;
  scan.geometry = ScanGeometry::parallel(equidistant_angles(60, pi), {size, size, 1, 1}).or_throw();
  scan.kind = PixelKind::absorption;
  ops::Phantom helix;
  for (int i = -15; i <= 15; ++i) {
    const double t = 0.15 * i;
    ops::Primitive ball;
    ball.centre = {10 * std::cos(t), 10 * std::sin(t), static_cast<double>(i)};
    ball.half = {3, 3, 3};
    helix.parts.push_back(ball);
  }
  scan.data = ops::phantom_projections(helix, scan.geometry, {at::kFloat, 1, {}});
}

struct StoredVolume {
  std::vector<at::Tensor> pages;  // [row, col]
  std::string description;
};

void append(const fs::path& file, StoredVolume& stored) {
  TIFF* tiff = TIFFOpen(file.c_str(), "r");
  QVERIFY(tiff != nullptr);
  do {
    at::Tensor page = at::empty({size, size}, at::kFloat);
    char* text = nullptr;
    if (stored.description.empty() && TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &text) == 1)
      stored.description = text;
    for (uint32_t r = 0; r < size; ++r) TIFFReadScanline(tiff, page.mutable_data_ptr<float>() + r * size, r, 0);
    stored.pages.push_back(page);
  } while (TIFFReadDirectory(tiff) == 1);
  TIFFClose(tiff);
}

// Sense of the helix when column, row and page run along these signs of x, y and z: +1 right-handed, -1 left-handed.
int sense(const StoredVolume& stored, int column, int row, int page) {
  double turned = 0, last = 0;
  const auto weighted = [](const at::Tensor& image, int64_t across) {
    const at::Tensor line = image.clamp_min(0.2).sub(0.2).sum(across);
    return ((line * (at::arange(size, at::kFloat) - 0.5 * (size - 1))).sum() / line.sum()).item<double>();
  };
  for (int64_t k = 10; k < 30; ++k) {
    const at::Tensor& image = stored.pages[static_cast<std::size_t>(k)];
    const double t = std::atan2(row * weighted(image, 1), column * weighted(image, 0));
    if (k > 10) turned += std::remainder(t - last, 2 * pi);
    last = t;
  }
  return turned * page > 0 ? 1 : -1;
}

// The sign before an axis in "column +x, row -y, page +z".
int sign_of(const std::string& axes, const std::string& what) {
  const auto at = axes.find(what + " ");
  return at == std::string::npos ? 0 : axes.at(at + what.size() + 1) == '-' ? -1 : 1;
}

}  // namespace

class OrientationTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_helix_keeps_its_sense_data() {
    QTest::addColumn<QString>("format");
    for (const char* format : {"imagej_tiff", "tiff_stack"}) QTest::newRow(format) << format;
  }
  void a_helix_keeps_its_sense() {
    QFETCH(QString, format);
    give_helix();
    const QTemporaryDir dir;
    const fs::path out = dir.path().toStdString();
    Graph g;
    g.nodes["scan"] = {"test.given", 1, {}};
    g.nodes["fbp"] = {"recon.fbp", 1, {}};
    const std::string name = format == "imagej_tiff" ? "v.tif" : "v";
    g.nodes["save"] = {"output.save_volume", 1, {{"file", name}, {"format", format.toStdString()}}};
    g.links = {{"scan", "projections", "fbp", "projections"}, {"fbp", "volume", "save", "volume"}};
    RunOptions options;
    options.memory = int64_t{1} << 28;
    options.output_dir = out;
    Executor e(test::registry_with_given(), options);
    const auto ran = e.run(g);
    QVERIFY2(ran.ok(), ran.ok() ? "" : ran.error().message().c_str());
    StoredVolume stored;
    if (format == "imagej_tiff") {
      append(out / name, stored);
    } else {
      std::vector<fs::path> files;
      for (const auto& entry : fs::directory_iterator(out / name))
        if (entry.path().extension() == ".tif") files.push_back(entry.path());
      std::sort(files.begin(), files.end());
      for (const fs::path& file : files) append(file, stored);
    }
    QCOMPARE(stored.pages.size(), static_cast<std::size_t>(size));
    const auto line = stored.description.find("axes=");
    QVERIFY2(line != std::string::npos, stored.description.c_str());
    const std::string axes = stored.description.substr(line + 5, stored.description.find('\n', line) - line - 5);
    const int column = sign_of(axes, "column"), row = sign_of(axes, "row"), page = sign_of(axes, "page");
    QVERIFY2(column * row * page != 0, axes.c_str());
    QCOMPARE(sense(stored, column, row, page), 1);
    // Who takes (column, row, page) for right-handed axes sees the mirror image, as the text says.
    QCOMPARE(sense(stored, 1, 1, 1), -1);
    QVERIFY(axes.find("left-handed") != std::string::npos && column * row * page < 0);
    // The record says the same.
    std::ifstream record(out / (name + ".json"));
    const auto json = nlohmann::json::parse(record, nullptr, false);
    QVERIFY(json.is_object() && json.value("volume_axes", "") == axes);
  }
};

TL_TEST_CASE(OrientationTest)

}  // namespace tl::orientation_test

#include "orientation.moc"
