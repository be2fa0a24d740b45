// Scans with a measured geometry: frames on their side, numbered against the lines of the geometry; a bead is found
// where it was on an orbit that is not a circle; and what contradicts the geometry.
#include <ATen/ATen.h>

#include <cmath>

#include "core/base/units.h"
#include "core/io/open_scan.h"
#include "core/io/reader/describe.h"
#include "core/run/executor.h"
#include "gpu/simulate/phantom.h"
#include "tests/support/io/bead_scan.h"
#include "tests/support/io/nikon_scan.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/test_case.h"

namespace tl::walnut_test {

using test::brightest_place;
using test::nikon::number_text;
namespace fs = std::filesystem;

namespace {

constexpr int64_t views = 60, rows = 24, cols = 32;
constexpr double pixel = 1, dark = 100, white = 50000;  // [mm], counts
const Vec3 bead{3, -2, 2.5};                            // [mm]

// A helix with jitter, whose detector leans: no circle.
ScanGeometry measured() {
  std::vector<View> all;
  for (int64_t i = 0; i < views; ++i) {
    const double x = static_cast<double>(i), t = 0.3 + 2 * pi * x / static_cast<double>(views);
    const double lift = 3 * std::sin(0.7 * x), lean = 0.05;
    all.push_back({{60 * std::sin(t), -60 * std::cos(t) + 0.5 * std::sin(3 * x), lift},
                   {-60 * std::sin(t) + std::cos(2 * x), 60 * std::cos(t), -1 - lift},
                   {std::cos(t), std::sin(t), lean},
                   {-lean * std::cos(t), -lean * std::sin(t), 1}});
  }
  return ScanGeometry::from_views(Beam::cone, {rows, cols, pixel, pixel}, std::move(all)).or_throw();
}

std::string frame_name(int64_t i) {
  const std::string digits = std::to_string(i);
  return "scan_" + std::string(6 - digits.size(), '0') + digits + ".tif";
}

std::string line_of(const View& view) {
  std::string line;
  for (const Vec3& v : {view.beam, view.detector, view.u, -1.0 * view.v})
    line += number_text(v.x) + " " + number_text(v.y) + " " + number_text(v.z) + " ";
  return line + "\n";
}

// A view as the camera gives it: the columns of the view are its rows, the last one first.
at::Tensor on_its_side(const at::Tensor& view) { return view.transpose(0, 1).flip(0).contiguous(); }

// The lines of all views and, once more, of the first; frames numbered against them.
void write_walnut(const fs::path& folder) {
  const ScanGeometry geometry = measured();
  const ops::Phantom phantom{{{ops::Solid::ellipsoid, bead, {1.5, 1.5, 1.5}, 0.2}}};
  const at::Tensor lines = ops::phantom_projections(phantom, geometry, {at::kDouble, 2, {}});
  std::string text = "# source detector u v\n";
  for (int64_t i = 0; i <= views; ++i) {
    const int64_t k = i % views;
    text += line_of(geometry.view(k));
    const at::Tensor counts = at::round(dark + (white - dark) * at::exp(-lines[k]));
    test::nikon::write_frame(folder / frame_name(views - i), on_its_side(counts));
  }
  test::put(folder / "scan_geom_corrected.geom", text);
  test::nikon::write_frame(folder / "di000000.tif", at::full({cols, rows}, dark));
  test::nikon::write_frame(folder / "io000000.tif", at::full({cols, rows}, white + 1000));
  test::nikon::write_frame(folder / "io000001.tif", at::full({cols, rows}, white - 1000));
}

}  // namespace

class WalnutTest : public test::ScanFolder {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { write_walnut(folder()); }

  void lines_and_frames_belong_together() {
    for (const fs::path& given : {folder(), path("scan_geom_corrected.geom")}) {
      const auto scan = io::open_scan(given).or_throw();
      const io::ScanInfo& info = scan->info();
      QCOMPARE(info.format, std::string("walnut"));
      QCOMPARE(info.views, views);
      QCOMPARE(info.rows, rows);
      QCOMPARE(info.cols, cols);
      QCOMPARE(info.flats, int64_t{2});
      QCOMPARE(info.darks, int64_t{1});
      QVERIFY(noted(info, "scan_000000.tif left out: it repeats the first view"));
      QVERIFY(info.vectors && info.beam == Beam::cone && info.angles.origin == Origin::file);
      QVERIFY(std::abs(info.source_to_axis->value - 60) < 0.5 && std::abs(info.pixel_size_u.value - pixel) < 0.01);
      QVERIFY(
          test::mentions(io::describe(info), {"positions of source and detector in each view", "scan_geom_corrected"}));
      const auto files = scan->files();
      QVERIFY(std::find(files.begin(), files.end(), path("scan_geom_corrected.geom")) != files.end());
    }
  }

  void regions_are_those_of_the_views() {
    const auto scan = io::open_scan(folder()).or_throw();
    const at::Tensor all = scan->read({{0, views}, {0, rows}, {0, cols}}).or_throw();
    const ops::Phantom phantom{{{ops::Solid::ellipsoid, bead, {1.5, 1.5, 1.5}, 0.2}}};
    const at::Tensor lines = ops::phantom_projections(phantom, measured(), {at::kDouble, 2, {}});
    QVERIFY((all - (dark + (white - dark) * at::exp(-lines))).abs().max().item<double>() < 1);
    for (const Samples samples : {Samples::floats, Samples::counts}) {
      const at::Tensor part = scan->read({{3, 9}, {5, 11}, {2, 31}}, samples).or_throw().to(at::kFloat);
      QVERIFY(at::equal(part, all.slice(0, 3, 9).slice(1, 5, 11).slice(2, 2, 31)));
    }
  }

  void a_bead_is_found_where_it_was() {
    Graph graph;
    graph.nodes["load"] = {"input.load_scan", 1, {{"file", folder().string()}}};
    graph.nodes["flat"] = {"correct.flat_field", 1, {}};
    graph.nodes["sirt"] = {"recon.sirt", 1, {}};
    graph.links = {{"load", "projections", "flat", "projections"}, {"flat", "projections", "sirt", "projections"}};
    Executor executor(Registry::all(), {});
    const VolumeGrid grid = VolumeGrid::cubic(24, 24, 24, 0.5);
    const Vec3 found = brightest_place(std::get<Volume>(executor.pull(graph, "sirt", "volume", grid).or_throw()));
    // A tenth of a voxel of the object's resolution; a wrong sign of one of the vectors displaces it by millimetres.
    constexpr double near_to = 0.15;
    QVERIFY2(norm(found - bead) < near_to,
             (number_text(found.x) + " " + number_text(found.y) + " " + number_text(found.z)).c_str());
    graph.nodes["load"].params["view_step"] = int64_t{2};
    const auto half = std::get<Projections>(executor.pull(graph, "load", "projections").or_throw());
    QVERIFY(norm(half.geometry.view(2).detector - measured().view(4).detector) < 1e-9);
  }

  // Three orbits with another brightness each: one scan, whose views are divided by the flats of their own orbit.
  void orbits_next_to_each_other_are_one_scan() {
    const fs::path projections = path("Walnut1/Projections");
    for (int k = 0; k < 3; ++k) {
      const fs::path orbit = projections / ("tubeV" + std::to_string(k + 1));
      fs::create_directories(orbit);
      for (const auto& entry : fs::directory_iterator(folder()))
        if (entry.is_regular_file()) fs::copy_file(entry.path(), orbit / entry.path().filename());
      for (int i = 0; i < 2; ++i)
        test::nikon::write_frame(orbit / ("io00000" + std::to_string(i) + ".tif"),
                                 at::full({cols, rows}, white - 5000.0 * k));
    }
    const auto one = io::open_scan(folder()).or_throw();
    for (const fs::path& given : {projections, path("Walnut1")}) {
      const auto scan = io::open_scan(given).or_throw();
      const io::ScanInfo& info = scan->info();
      QCOMPARE(info.format, std::string("walnut"));
      QCOMPARE(info.views, 3 * views);
      QCOMPARE(info.vectors->value.size(), static_cast<std::size_t>(3 * 12 * views));
      QCOMPARE(info.darks, int64_t{3});
      QVERIFY(noted(info, "orbits of 3 folders are one scan") && noted(info, "tubeV2 has the views 60 to 119"));
      QVERIFY(std::abs(info.source_to_axis->value - one->info().source_to_axis->value) < 1e-9);
      const at::Tensor part = scan->read({{views - 2, 2 * views + 3}, {2, 9}, {1, 30}}).or_throw();
      const at::Tensor first = one->read({{0, views}, {2, 9}, {1, 30}}).or_throw();
      QVERIFY(at::equal(part, at::cat({first.slice(0, views - 2), first, first.slice(0, 0, 3)})));
    }
    // The transmission next to the bead is that of each orbit's own flats, at every step of the views.
    for (const int64_t step : {int64_t{1}, int64_t{7}}) {
      Graph graph;
      graph.nodes["load"] = {"input.load_scan", 1, {{"file", projections.string()}, {"view_step", step}}};
      graph.nodes["flat"] = {"correct.flat_field", 1, {}};
      graph.links = {{"load", "projections", "flat", "projections"}};
      Executor executor(Registry::all(), {});
      const auto scan = std::get<Projections>(executor.pull(graph, "flat", "projections").or_throw());
      for (int64_t i = 0; i < scan.data.size(0); ++i) {
        const double own = white - 5000.0 * static_cast<double>(i * step / views);
        const double wanted = -std::log((white - dark) / (own - dark));
        const double found = scan.kind == PixelKind::transmission ? -std::log(scan.data[i][0][0].item<double>())
                                                                  : scan.data[i][0][0].item<double>();
        QVERIFY2(std::abs(found - wanted) < 1e-4,
                 qPrintable(QString("view %1: %2, not %3").arg(i).arg(found).arg(wanted)));
      }
    }
    // Without the views of the second orbit, whose flats go with them.
    std::vector<double> second_orbit;
    for (int64_t i = views; i < 2 * views; ++i) second_orbit.push_back(static_cast<double>(i));
    Graph without;
    without.nodes["load"] = {
        "input.load_scan", 1, {{"file", projections.string()}, {"exclude", NumberList{second_orbit, Unit::none}}}};
    Executor of_two(Registry::all(), {});
    const auto two = std::get<Projections>(of_two.pull(without, "load", "projections").or_throw());
    QCOMPARE(two.data.size(0), 2 * views);
    QCOMPARE(two.references.flats.size(0), int64_t{8});
    QCOMPARE(two.references.flat_positions.size(), std::size_t{8});
    for (int64_t i = 0; i < 8; ++i)
      QCOMPARE(two.references.flats[i][0][0].item<double>(), i < 4 ? white : white - 10000.0);
    // The second orbit alone, by its views.
    Graph graph;
    graph.nodes["load"] = {
        "input.load_scan", 1, {{"file", projections.string()}, {"first_view", views}, {"last_view", 2 * views - 1}}};
    Executor executor(Registry::all(), {});
    const auto second = std::get<Projections>(executor.pull(graph, "load", "projections").or_throw());
    QCOMPARE(second.data.size(0), views);
    QCOMPARE(second.references.flat_positions[4], 0.0);
    QCOMPARE(second.references.flat_positions[6], static_cast<double>(views - 1));
  }

  void what_contradicts_the_geometry_is_refused() {
    const auto refused = [&](const io::ScanChoices& choices) {
      refuses(folder(), ErrorKind::invalid, {"states where source and detector are"}, {.choices = choices});
    };
    refused({.angle_step = 0.1});
    refused({.beam = Beam::parallel});
    refused({.source_to_axis = 3});
    refuses(folder(), ErrorKind::invalid, {"not sinograms"}, {.choices = {.order = io::FrameOrder::sinograms}});
    for (const auto& [name, value] : std::map<std::string, ParamValue>{{"flip_u", std::string("mirror")},
                                                                       {"flip_v", std::string("mirror")},
                                                                       {"axes", std::string("transpose")},
                                                                       {"rotation", std::string("reversed")},
                                                                       {"pixel_size", Number{1, Unit::mm}}}) {
      Graph graph;
      graph.nodes["load"] = {"input.load_scan", 1, {{"file", folder().string()}, {name, value}}};
      Executor executor(Registry::all(), {});
      const auto infos = executor.infos(graph, "load");
      QVERIFY(!infos.ok() && test::mentions(infos.error().message(), {"where every pixel is", name}));
    }
    QCOMPARE(io::open_scan(folder(), "tiff_stack").or_throw()->info().format, std::string("tiff_stack"));
  }

  void damaged_geometries_are_refused() {
    const fs::path file = path("scan_geom_corrected.geom");
    const std::string good = test::contents(file);
    const auto refused = [&](const std::string& text, std::initializer_list<std::string> words) {
      test::put(file, text);
      const auto scan = io::open_scan(folder());
      test::put(file, good);
      QVERIFY(!scan.ok());
      QVERIFY2(test::mentions(scan.error().message(), words), scan.error().message().c_str());
    };
    refused("", {"holds no view"});
    refused(good + "1 2 3\n", {"not twelve numbers", ".geom:63"});
    refused(good + "1 2 3 4 5 6 7 8 9 10 11 12 13\n", {"not twelve numbers"});
    refused(good + "1 2 3 4 5 6 7 8 9 10 11 nan\n", {"not twelve numbers"});
    refused(good + "1 2 3 4 5 6 7 8 9 10 11 1e300\n", {"not twelve numbers"});
    refused(good + std::string(5000, '1') + "\n", {"not twelve numbers"});
    refused(good + "1,2,3,4,5,6,7,8,9,10,11,12\n", {"62 views, but there are 61 frames"});
    // One line less: the last frame has none.
    std::string shorter = good;
    shorter.resize(shorter.find_last_of('\n', shorter.size() - 2) + 1);
    test::put(file, shorter);
    QVERIFY(noted(io::open_scan(folder()).or_throw()->info(), "has no line in the geometry"));
    test::put(file, good);
    fs::rename(path(frame_name(7)), path("frame.tif"));
    refuses(folder(), ErrorKind::invalid, {"frames are missing: after scan_000006.tif"});
    fs::rename(path("frame.tif"), path(frame_name(7)));
  }
};

TL_TEST_CASE(WalnutTest)

}  // namespace tl::walnut_test

#include "walnut.moc"
