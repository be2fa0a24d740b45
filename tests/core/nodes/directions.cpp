// Directions of views from STAR files and back, shifts of frames as .xf and back, and Fourier reconstruction of views
// in any direction by their Euler angles.
#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <cmath>

#include "core/base/grid_box.h"
#include "core/base/random.h"
#include "core/base/units.h"
#include "core/io/text/star_file.h"
#include "core/io/text/xf_file.h"
#include "core/nodes/view_directions.h"
#include "core/run/executor.h"
#include "tests/support/file_tree.h"
#include "tests/support/frames/burst.h"
#include "tests/support/given_scan.h"
#include "tests/support/test_case.h"

namespace tl::directions_test {

namespace fs = std::filesystem;

namespace {

const std::string labels = "data_particles\nloop_\n_rlnAngleRot\n_rlnAngleTilt\n_rlnAnglePsi\n";

Projections stack(int64_t views, int64_t rows, int64_t cols) {
  Projections p;
  p.data = at::arange(views, at::kFloat).view({views, 1, 1}).expand({views, rows, cols}).contiguous();
  p.kind = PixelKind::absorption;
  p.geometry =
      ScanGeometry::parallel(std::vector<double>(static_cast<std::size_t>(views), 0.0), {rows, cols, 1e-6, 1e-6})
          .or_throw();
  return p;
}

double degrees(double radians) { return from_stored(radians, Unit::deg); }

}  // namespace

class DirectionsTest : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;

  [[nodiscard]] fs::path path(const std::string& name) const {
    return dir_.filePath(QString::fromStdString(name)).toStdString();
  }
  [[nodiscard]] Graph graph(const std::string& star) const {
    test::put(path("d.star"), star);
    Graph g;
    g.nodes["scan"] = {"test.given", 1, {}};
    g.nodes["directions"] = {"geometry.directions", 1, {{"file", path("d.star").string()}}};
    g.links = {{"scan", "projections", "directions", "projections"}};
    return g;
  }
  Result<Projections> directed(const std::string& star, test::HeardMessages* heard = nullptr) const {
    RunOptions options;
    options.events = heard;
    Executor e(test::registry_with_given(), options);
    TL_TRY(const Value v, e.pull(graph(star), "directions", "projections"));
    return std::get<Projections>(v);
  }
  [[nodiscard]] std::string refusal(const std::string& star) const {
    const auto found = directed(star);
    return found.ok() ? "was read" : found.error().message();
  }
  [[nodiscard]] bool refuses(const std::string& star, const std::string& words) const {
    const std::string text = refusal(star);
    if (text.find(words) == std::string::npos) qWarning("%s", text.c_str());
    return text.find(words) != std::string::npos;
  }

 private Q_SLOTS:
  // Known directions: the image of no rotation looks down the z axis; a tilt of 90 degrees is our view at some angle.
  void conventions() {
    const DetectorShape d{5, 7, 1, 1};  // odd: the origin is in the middle
    const auto near = [](Vec3 a, Vec3 b) { return norm(a - b) < 1e-12; };
    const View plain = view_of({}, d);
    QVERIFY(near(plain.u, {1, 0, 0}) && near(plain.v, {0, 1, 0}) && near(plain.beam, {0, 0, -1}));
    QVERIFY(near(plain.detector, {0, 0, 0}));
    // Rotated in the plane by psi: the matrix of J. B. Heymann et al., eq. for Rz(psi) alone.
    const View turned = view_of({0, 0, pi / 2}, d);
    QVERIFY(near(turned.u, {0, 1, 0}) && near(turned.v, {-1, 0, 0}));
    // A scan about z: tilt 90 degrees, psi 90 degrees lower, so that v is +z.
    const ScanGeometry scan = ScanGeometry::parallel({0.3}, d).or_throw();
    const ViewDirection found = direction_of(scan.view(0), d).or_throw();
    QVERIFY(std::abs(degrees(found.tilt) - 90) < 1e-9);
    const View back = view_of(found, d);
    QVERIFY(near(back.u, scan.view(0).u) && near(back.v, scan.view(0).v) && near(back.v, {0, 0, 1}));
    // By (x, y) the image is moved until the origin is in the middle: it lies at -x, -y before.
    const View moved = view_of({0, 0, 0, 2, -1}, d);
    QVERIFY(near(moved.detector, {2, -1, 0}));
    const View even = view_of({}, {6, 8, 1, 1});
    QVERIFY(near(even.detector, {-0.5, -0.5, 0}));  // pixel n / 2 is half a pixel beyond the middle
  }
  void angles_round_trip() {
    const Philox random{4, 4};
    const DetectorShape d{6, 9, 0.5, 0.7};
    for (uint64_t i = 0; i < 200; ++i) {
      ViewDirection in{2 * pi * (random.uniform(8 * i) - 0.5), pi * random.uniform(8 * i + 1),
                       2 * pi * (random.uniform(8 * i + 2) - 0.5), random.normal(8 * i + 3), random.normal(8 * i + 4)};
      if (i % 10 == 0) in.tilt = 0, in.rot = 0;
      if (i % 10 == 1) in.tilt = pi, in.rot = 0;
      const ViewDirection out = direction_of(view_of(in, d), d).or_throw();
      for (const auto& [a, b] : {std::pair(in.rot, out.rot), std::pair(in.tilt, out.tilt), std::pair(in.psi, out.psi)})
        QVERIFY2(std::abs(std::remainder(a - b, 2 * pi)) < 1e-7, std::to_string(i).c_str());
      QVERIFY(std::abs(in.x - out.x) < 1e-9 && std::abs(in.y - out.y) < 1e-9);
    }
    View sheared = view_of({}, d);
    sheared.u = sheared.u + 0.1 * sheared.v;
    QVERIFY(!direction_of(sheared, d).ok());
  }
  void rows_and_views() {
    test::given_scan = stack(4, 4, 6);
    const Projections all = directed(labels + "10 20 30\n40 50 60\n70 80 90\n100 110 120\n").or_throw();
    QVERIFY(at::equal(all.data, test::given_scan.data));
    const ViewDirection second = direction_of(all.geometry.view(1), all.geometry.detector()).or_throw();
    QVERIFY(std::abs(degrees(second.rot) - 40) < 1e-9 && std::abs(degrees(second.psi) - 60) < 1e-9);
    // By names of images, in any order; views without a row are left out.
    const std::string named =
        "data_\nloop_\n_rlnImageName\n_rlnAngleRot\n_rlnAngleTilt\n_rlnAnglePsi\n_rlnOriginXAngst\n"
        "_rlnOriginYAngst\n";
    const Projections some = directed(named + "4@a.mrcs 1 2 3 20 -10\n000002@a.mrcs 4 5 6 0 0\n").or_throw();
    QVERIFY(at::equal(some.data.select(1, 0).select(1, 0), at::tensor({1.0F, 3.0F})));
    const ViewDirection last = direction_of(some.geometry.view(1), some.geometry.detector()).or_throw();
    QVERIFY(std::abs(degrees(last.tilt) - 2) < 1e-9);
    QVERIFY(std::abs(last.x - 2) < 1e-9 && std::abs(last.y + 1) < 1e-9);  // pixels of 10 angstrom
    QVERIFY(refuses(named + "4@a.mrcs 1 2 3 0 0\n1@b.mrcs 1 2 3 0 0\n", "several stacks"));
    QVERIFY(refuses(named + "5@a.mrcs 1 2 3 0 0\n", "the scan has 4"));
    QVERIFY(refuses(named + "1@a.mrcs 1 2 3 0 0\n1@a.mrcs 1 2 3 0 0\n", "two rows"));
    QVERIFY(refuses(named + "a.mrcs 1 2 3 0 0\n", "no image of a stack"));
  }
  void gaps() {
    test::given_scan = stack(4, 4, 6);
    test::HeardMessages heard;
    const Projections some = directed(labels + "10 20 30\n-9999 50 60\n70 80 None\n100 110 120\n", &heard).or_throw();
    QVERIFY(at::equal(some.data.select(1, 0).select(1, 0), at::tensor({0.0F, 3.0F})));
    QVERIFY2(heard.warned("2 of 4 rows have no direction") && heard.warned("is 1"), heard.warnings.c_str());
    QVERIFY(refuses(labels + "-9999 50 60\n", "no row has a direction"));
    QVERIFY(refuses("data_\nloop_\n_rlnAngleRot\n_rlnAngleTilt\n1 2\n", "rlnAnglePsi is missing"));
    QVERIFY(refuses("data_\nloop_\n_rlnX\n1\n", "no table has the columns"));
    QVERIFY(refuses(labels + "1 2 x\n", "not a number: x"));
    QVERIFY(refuses(labels + "1 2\n", "1 row") || refuses(labels + "1 2\n", "2 of 3 fields"));
  }
  // From a file to a scan, to a table, to a file.
  void star_round_trip() {
    test::given_scan = stack(3, 4, 6);
    Graph g = graph(
        "data_\nloop_\n_rlnAngleRot\n_rlnAngleTilt\n_rlnAnglePsi\n_rlnOriginXAngst\n_rlnOriginYAngst\n"
        "10 20 30 5.5 -2\n-170 90 175 0 0\n0 45 -60 1 1\n");
    g.nodes["table"] = {"measure.directions", 1, {}};
    g.nodes["save"] = {"output.save_table", 1, {{"file", std::string("out.star")}}};
    g.links.push_back({"directions", "projections", "table", "projections"});
    g.links.push_back({"table", "directions", "save", "table"});
    RunOptions options;
    options.output_dir = dir_.path().toStdString();
    Executor e(test::registry_with_given(), options);
    e.run(g).or_throw();
    const auto tables = io::read_star_file(path("out.star")).or_throw();
    QCOMPARE(tables.size(), std::size_t{1});
    QCOMPARE(tables[0].columns.at(3), std::string("rlnOriginXAngst"));
    const std::vector<std::vector<double>> expected = {
        {10, 20, 30, 5.5, -2}, {-170, 90, 175, 0, 0}, {0, 45, -60, 1, 1}};
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t c = 0; c < 5; ++c)
        QVERIFY(std::abs(std::stod(tables[0].rows.at(r).at(c)) - expected[r][c]) < 1e-7);
  }
  // Two balls seen from random directions by their Euler angles and origins: where they are in the volume.
  void reconstructed_by_euler_angles() {
    constexpr int64_t n = 24, views = 300;
    constexpr double pixel = 1e-6;
    const std::vector<std::pair<Vec3, double>> balls = {{{4.2, -2.1, 3.3}, 1}, {{-3.1, -4.4, 1.6}, 0.6}};
    const Philox random{9, 2};
    std::string star = "data_\nloop_\n_rlnAngleRot\n_rlnAngleTilt\n_rlnAnglePsi\n_rlnOriginX\n_rlnOriginY\n";
    test::given_scan = stack(views, n, n);
    test::given_scan.data.zero_();
    auto to = test::given_scan.data.accessor<float, 3>();
    for (int64_t i = 0; i < views; ++i) {
      const auto at = static_cast<uint64_t>(8 * i);
      const double rot = 2 * pi * random.uniform(at), tilt = std::acos(2 * random.uniform(at + 1) - 1),
                   psi = 2 * pi * random.uniform(at + 2), x = random.normal(at + 3), y = random.normal(at + 4);
      star += std::to_string(degrees(rot)) + " " + std::to_string(degrees(tilt)) + " " + std::to_string(degrees(psi)) +
              " " + std::to_string(x) + " " + std::to_string(y) + "\n";
      // Rz(psi) Ry(tilt) Rz(rot) of the position; the origin lies at pixel n / 2 less the shift, rows from the bottom.
      for (const auto& [p, value] : balls) {
        const double x1 = std::cos(rot) * p.x + std::sin(rot) * p.y, y1 = -std::sin(rot) * p.x + std::cos(rot) * p.y;
        const double x2 = std::cos(tilt) * x1 - std::sin(tilt) * p.z;
        const double x3 = std::cos(psi) * x2 + std::sin(psi) * y1, y3 = -std::sin(psi) * x2 + std::cos(psi) * y1;
        const auto middle = static_cast<double>(n / 2);
        for (int64_t row = 0; row < n; ++row)
          for (int64_t col = 0; col < n; ++col) {
            const double dx = static_cast<double>(col) - (middle - x + x3),
                         dy = static_cast<double>(n - 1 - row) - (middle - y + y3);
            to[i][row][col] +=
                static_cast<float>(value * pixel * 1.5 * std::exp(-(dx * dx + dy * dy) / (2 * 1.5 * 1.5)));
          }
      }
    }
    Graph g = graph(star);
    g.nodes["fourier"] = {"recon.fourier", 1, {}};
    g.links.push_back({"directions", "projections", "fourier", "projections"});
    Executor e(test::registry_with_given(), {});
    const Volume v = std::get<Volume>(e.pull(g, "fourier", "volume").or_throw());
    const auto value_at = [&](Vec3 p) {
      const GridPoint f = fractional_index(v.grid, pixel * p);
      return v.data[std::llround(f.k)][std::llround(f.j)][std::llround(f.i)].item<double>();
    };
    const double first = value_at(balls[0].first), second = value_at(balls[1].first);
    QVERIFY(first > 0.8 * v.data.max().item<double>());
    QVERIFY2(std::abs(second / first - 0.6) < 0.15, std::to_string(second / first).c_str());
    for (const auto& [p, value] : balls) QVERIFY(std::abs(value_at({-p.x, -p.y, -p.z})) < 0.1 * first);
  }
  // What 'Align frames' found, as IMOD's transforms, and back.
  void transforms_of_frames() {
    test::BurstSpec spec;
    spec.frames = 6;
    Projections& scan = test::given_scan;
    scan = {};
    scan.data = test::burst(spec, [](int64_t n, double, double) -> std::array<double, 2> {
      return {2.0 * static_cast<double>(n), -1.0 * static_cast<double>(n)};
    });
    scan.kind = PixelKind::absorption;
    scan.geometry = ScanGeometry::parallel(std::vector<double>(6, 0.0), {spec.rows, spec.cols, 1, 1}).or_throw();
    Graph g;
    g.nodes["scan"] = {"test.given", 1, {}};
    g.nodes["align"] = {"align.frames", 1, {{"local", false}}};
    g.nodes["save"] = {"output.save_table", 1, {{"file", std::string("shifts.xf")}}};
    g.links = {{"scan", "projections", "align", "projections"}, {"align", "shifts", "save", "table"}};
    RunOptions options;
    options.output_dir = dir_.path().toStdString();
    Executor e(test::registry_with_given(), options);
    e.run(g).or_throw();
    const auto found = io::read_xf_file(path("shifts.xf")).or_throw();
    QCOMPARE(found.size(), std::size_t{6});
    for (std::size_t i = 1; i < 6; ++i) {
      // Content that moves to the right and up goes back to the left and down, where Y counts upwards.
      QVERIFY(std::abs(found[i].dx - found[i - 1].dx + 2) < 0.02);
      QVERIFY(std::abs(found[i].dy - found[i - 1].dy + 1) < 0.02);
    }
    const auto average = [&](const Graph& of) {
      return std::get<Projections>(e.pull(of, "align", "projections").or_throw()).data;
    };
    Graph given = g;
    given.nodes.erase("save");
    given.links.pop_back();
    const at::Tensor searched = average(given);
    given.nodes["align"].params["shifts_file"] = path("shifts.xf").string();
    QVERIFY(at::allclose(average(given), searched, 1e-4, 1e-4));
    test::put(path("few.xf"), "1 0 0 1 0 0\n");
    given.nodes["align"].params["shifts_file"] = path("few.xf").string();
    QVERIFY(!e.pull(given, "align", "projections").ok());
    std::string turned;
    for (int i = 0; i < 6; ++i) turned += "0.99 0.1 -0.1 0.99 0 0\n";
    test::put(path("turned.xf"), turned);
    given.nodes["align"].params["shifts_file"] = path("turned.xf").string();
    const auto refused = e.pull(given, "align", "projections");
    QVERIFY(!refused.ok() && refused.error().message().find("rotates") != std::string::npos);
    // A table without shifts has no transforms.
    Graph other = g;
    other.nodes["align"] = {"measure.directions", 1, {}};
    other.links[1].from_port = "directions";
    other.nodes["save"].params["file"] = std::string("other.xf");
    QVERIFY(!e.run(other).ok());
  }
};

TL_TEST_CASE(DirectionsTest)

}  // namespace tl::directions_test

#include "directions.moc"
