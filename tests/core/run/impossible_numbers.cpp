// Non-finite and other impossible pixels: reported with fraction and first position, kept from spreading, refused if
// nothing else is left.
#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <cmath>
#include <limits>

#include "core/base/units.h"
#include "core/run/executor.h"
#include "gpu/simulate/phantom_library.h"
#include "tests/support/given_scan.h"
#include "tests/support/io/hdf5_maker.h"
#include "tests/support/test_case.h"

namespace tl::impossible_numbers_test {

namespace {

constexpr int64_t views = 60, rows = 6, cols = 48;
constexpr double inf = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
const std::vector<double> impossible = {none, inf, -inf, -1e30, 3e38, 4294967295.0};

// Counts with flats and darks, or absorption.
void give(PixelKind kind) {
  test::given_scan = {};
  Projections& scan = test::given_scan;
  scan.geometry = ScanGeometry::parallel(equidistant_angles(views, pi), {rows, cols, 1, 1}).or_throw();
  scan.kind = kind;
  scan.data = ops::phantom_projections(ops::disc(14, 0.05, 3, -2), scan.geometry, {at::kFloat, 2, {}});
  if (kind == PixelKind::absorption) return;
  scan.data = at::exp(-scan.data);
  if (kind == PixelKind::transmission) return;
  const at::Tensor flat = 1000 + 100 * at::sin(0.3 * at::arange(cols, at::kFloat));
  scan.data = 20 + flat * scan.data;
  scan.references.flats = (20 + flat).expand({4, rows, cols}).contiguous();
  scan.references.darks = at::full({4, rows, cols}, 20, at::kFloat);
}

Graph graph(const std::string& recon) {
  Graph g;
  g.nodes["scan"] = {"test.given", 1, {}};
  g.nodes["recon"] = {recon, 1, {}};
  if (recon == "recon.sirt") g.nodes["recon"].params["iterations"] = int64_t{5};
  if (test::given_scan.kind == PixelKind::absorption) {
    g.links = {{"scan", "projections", "recon", "projections"}};
    return g;
  }
  g.nodes["flat"] = {"correct.flat_field", 1, {}};
  g.links = {{"scan", "projections", "flat", "projections"}, {"flat", "projections", "recon", "projections"}};
  return g;
}

struct Made {
  Result<at::Tensor> volume;
  test::HeardMessages heard;
};
Made made(const std::string& recon = "recon.fbp") {
  Made m{at::Tensor(), {}};
  RunOptions options;
  options.memory = int64_t{1} << 28;
  options.events = &m.heard;
  Executor e(test::registry_with_given(), options);
  const auto value = e.pull(graph(recon), "recon", "volume");
  if (value.ok())
    m.volume = std::get<Volume>(value.value()).data;
  else
    m.volume = value.error();
  return m;
}

// Of the reference's range.
double rms(const at::Tensor& a, const at::Tensor& reference) {
  return ((a - reference).square().mean().sqrt() / (reference.max() - reference.min())).item<double>();
}

}  // namespace

class ImpossibleNumbersTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // One pixel of a view changes next to nothing, wherever the number comes in, and is named.
  void single_pixels() {
    for (const PixelKind kind : {PixelKind::counts, PixelKind::transmission, PixelKind::absorption})
      for (const std::string recon : {"recon.fbp", "recon.gridrec", "recon.sirt"}) {
        if (recon != "recon.fbp" && kind != PixelKind::absorption) continue;
        give(kind);
        const at::Tensor good = made(recon).volume.or_throw();
        for (const double value : impossible) {
          give(kind);
          test::given_scan.data[17][3][20].fill_(value);
          Made m = made(recon);
          const at::Tensor found = std::move(m.volume).or_throw();
          const std::string text = recon + " " + std::to_string(value) + ": " + m.heard.warnings;
          QVERIFY2(at::isfinite(found).all().item<bool>(), text.c_str());
          QVERIFY2(rms(found, good) < 1e-3, (std::to_string(rms(found, good)) + text).c_str());
          QVERIFY2(m.heard.warned("1 of 17280"), text.c_str());
          QVERIFY2(m.heard.warned("view 17"), text.c_str());
          if (recon == "recon.fbp") QVERIFY2(m.heard.warned("view 17, row 3, column 20"), text.c_str());
        }
      }
  }
  // Views that hold one number: as if they had been taken between their neighbours.
  void dead_views() {
    for (const PixelKind kind : {PixelKind::counts, PixelKind::absorption}) {
      give(kind);
      const at::Tensor good = made().volume.or_throw();
      for (const double value : {0.0, 500.0, -1e30, 3e38, none, inf, -inf}) {
        if (kind == PixelKind::absorption && value == 0) continue;  // as empty beam is
        give(kind);
        for (const int64_t view : {10, 30, 31}) test::given_scan.data[view].fill_(value);
        Made m = made();
        const std::string text = std::to_string(value) + ": " + m.heard.warnings;
        const at::Tensor found = std::move(m.volume).or_throw();
        QVERIFY2(at::isfinite(found).all().item<bool>(), text.c_str());
        QVERIFY2(rms(found, good) < 0.01, (std::to_string(rms(found, good)) + text).c_str());
        const bool constant = std::abs(value) < 4e9;
        QVERIFY2(m.heard.warned(constant ? "3 of 60 (5 %) views" : "864 of 17280 (5 %) values"), text.c_str());
        QVERIFY2(m.heard.warned("first is view 10") || m.heard.warned("first in view 10"), text.c_str());
      }
    }
  }
  void nothing_usable_is_refused() {
    for (const double value : {0.0, -1e30, 3e38, none, inf, -inf}) {
      give(PixelKind::counts);
      test::given_scan.data.fill_(value);
      Made m = made();
      QVERIFY2(!m.volume.ok(), std::to_string(value).c_str());
      QVERIFY(m.volume.error().kind == ErrorKind::invalid && !m.volume.error().hint.empty());
      if (value == 0) continue;
      give(PixelKind::absorption);
      test::given_scan.data.fill_(value);
      QVERIFY2(!made().volume.ok(), std::to_string(value).c_str());
    }
  }
  // The shutter was closed: noise around the dark signal.
  void dark_views_are_named() {
    give(PixelKind::counts);
    for (const int64_t view : {5, 6}) {
      at::Tensor image = test::given_scan.data[view];
      image.fill_(19);
      image.select(1, 7).fill_(21);
    }
    Made m = made();
    QVERIFY(m.volume.ok());
    QVERIFY2(m.heard.warned("2 of 60 (3.3 %) views") && m.heard.warned("are dark") && m.heard.warned("first in view 5"),
             m.heard.warnings.c_str());
  }
  void flats_and_darks() {
    give(PixelKind::counts);
    const at::Tensor good = made().volume.or_throw();
    for (const double value : impossible) {
      give(PixelKind::counts);
      test::given_scan.references.flats[1][2][5].fill_(value);
      test::given_scan.references.darks[1][2][15].fill_(value);
      const at::Tensor found = made().volume.or_throw();
      QVERIFY2(at::isfinite(found).all().item<bool>() && rms(found, good) < 1e-5, std::to_string(value).c_str());
    }
  }
  void a_clean_scan_is_not_touched() {
    for (const PixelKind kind : {PixelKind::counts, PixelKind::transmission, PixelKind::absorption}) {
      give(kind);
      Made m = made();
      QVERIFY2(m.volume.ok() && m.heard.warnings.empty(), m.heard.warnings.c_str());
    }
  }
  void angles() {
    for (const double wrong : {none, inf, 1e300, -1e300, 2e6 * pi / 180}) {
      std::vector<double> angles = equidistant_angles(20, pi);
      angles[7] = wrong;
      for (const auto& scan :
           {ScanGeometry::parallel(angles, {2, 8, 1, 1}), ScanGeometry::cone(angles, {2, 8, 1, 1}, 9, 9)}) {
        QVERIFY(!scan.ok() && scan.error().kind == ErrorKind::invalid && !scan.error().hint.empty());
        QVERIFY2(scan.error().message().find("view 7") != std::string::npos, scan.error().message().c_str());
      }
    }
    std::vector<double> turns = equidistant_angles(20, pi);
    for (double& t : turns) t += 2000 * pi;
    QVERIFY(ScanGeometry::parallel(turns, {2, 8, 1, 1}).ok());
  }
  void angles_of_a_file() {
    const QTemporaryDir dir;
    const std::string file = dir.filePath("scan.nxs").toStdString();
    {
      test::Hdf5Maker h5(file);
      std::vector<double> angles = test::ramp(20, 0, 9);
      angles[3] = 1e300;
      h5.text("/entry/definition", "NXtomo");
      h5.numbers<float>("/entry/instrument/detector/data", {20, 2, 8}, std::vector<float>(320, 1));
      h5.numbers<int32_t>("/entry/instrument/detector/image_key", {20}, std::vector<int32_t>(20, 0));
      h5.numbers<double>("/entry/sample/rotation_angle", {20}, angles, "degree");
    }
    Graph g;
    g.nodes["load"] = {"input.load_scan", 1, {{"file", file}}};
    Executor e(Registry::all(), {});
    const auto info = e.infos(g, "load");
    QVERIFY(!info.ok() && info.error().message().find("view 3") != std::string::npos);
  }
};

TL_TEST_CASE(ImpossibleNumbersTest)

}  // namespace tl::impossible_numbers_test

#include "impossible_numbers.moc"
