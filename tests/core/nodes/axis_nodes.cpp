// The axis nodes and the simulated scan in pipelines: values with verdicts, geometry handed on, errors that help.
#include <ATen/ATen.h>

#include "core/node/registry.h"
#include "core/run/executor.h"
#include "tests/support/given_scan.h"
#include "tests/support/test_case.h"

namespace tl::axis_nodes_test {

namespace {

Graph chain(const std::string& finder, double axis) {
  Graph g;
  g.nodes["scan"] = {
      "input.simulate_scan", 1, {{"axis", Number{axis, Unit::px}}, {"views", int64_t{120}}, {"rows", int64_t{8}}}};
  if (finder == "axis.conjugate_rays") {
    g.nodes["scan"].params["beam"] = std::string("cone");
    g.nodes["scan"].params["range"] = Number{360, Unit::deg};
  }
  g.nodes["flat"] = {"correct.flat_field", 1, {}};
  g.nodes["axis"] = {finder, 1, {}};
  // So few columns and counts leave two candidates for the least entropy, and the verdict says so.
  if (finder == "axis.image") g.nodes["axis"].params["score"] = std::string("negativity");
  g.links = {{"scan", "projections", "flat", "projections"}, {"flat", "projections", "axis", "projections"}};
  return g;
}

RunOptions options() {
  RunOptions o;
  o.memory = int64_t{1} << 30;
  return o;
}

const std::vector<std::string> parallel_finders = {"axis.vo", "axis.wedge", "axis.phase_correlation", "axis.moments",
                                                   "axis.image"};
const std::vector<std::string> finders = {"axis.vo",      "axis.wedge",          "axis.phase_correlation",
                                          "axis.moments", "axis.conjugate_rays", "axis.image"};

}  // namespace

class AxisNodesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void the_axis_is_found_and_handed_on() {
    for (const std::string& finder : finders) {
      Executor e(Registry::all(), options());
      const Graph g = chain(finder, 4.3);
      const auto pulled = e.pull(g, "axis", "axis");
      QVERIFY2(pulled.ok(), pulled.ok() ? "" : pulled.error().message().c_str());
      const auto& axis = std::get<Scalar>(pulled.value());
      // Noise of 1e4 photons on 128 columns: a quarter of a pixel is generous for all four.
      const double found = axis.value.item<double>();
      QVERIFY2(std::abs(found - 4.3) < 0.25, (finder + " " + std::to_string(found)).c_str());
      QCOMPARE(axis.verdict, Verdict::resolved);
      QCOMPARE(axis.unit, Unit::px);
      QVERIFY(axis.uncertainty > 0 && axis.uncertainty < 0.5);
      const auto curve = std::get<Table>(e.pull(g, "axis", "curve").or_throw());
      QVERIFY(curve.columns.size() == 2 && curve.columns[0].values.size() > 10);
      QCOMPARE(curve.columns[0].values.size(), curve.columns[1].values.size());
      const auto scan = std::get<Projections>(e.pull(g, "axis", "projections").or_throw());
      QVERIFY(std::abs(scan.geometry.orbit()->axis - found) < 1e-9);
      const auto before = std::get<Projections>(e.pull(g, "flat", "projections").or_throw());
      QVERIFY(at::equal(scan.data, before.data));
    }
  }

  void a_narrow_range_is_railed_and_an_empty_scan_is_flat() {
    for (const std::string& finder : finders) {
      Executor e(Registry::all(), options());
      Graph g = chain(finder, 9.5);
      g.nodes["axis"].params = {{"centre", Number{0, Unit::px}}, {"reach", Number{4, Unit::px}}};
      QCOMPARE(std::get<Scalar>(e.pull(g, "axis", "axis").or_throw()).verdict, Verdict::railed);
      g.nodes["scan"].params["attenuation"] = Number{1e-9, Unit::per_cm};
      QCOMPARE(std::get<Scalar>(e.pull(g, "axis", "axis").or_throw()).verdict, Verdict::flat);
      // Nothing was found: the scan keeps the axis that it came with.
      const auto scan = std::get<Projections>(e.pull(g, "axis", "projections").or_throw());
      QVERIFY(std::abs(scan.geometry.orbit()->axis - 9.5) < 1e-9);
    }
  }

  // A scan whose axis leans by half a degree, which its geometry does not know.
  void the_tilt_is_found_from_several_heights() {
    Graph g = chain("axis.wedge", 3.2);
    g.nodes["scan"].params["rows"] = int64_t{48};
    g.nodes["scan"].params["tilt"] = Number{0.5, Unit::deg};
    g.nodes["scan"].params["photons"] = Number{1e6, Unit::none};
    g.nodes["upright"] = {"geometry.set", 1, {{"tilt", Number{0, Unit::deg}}}};
    g.nodes["axis"].params = {{"heights", int64_t{7}}, {"rows", int64_t{3}}};
    g.links = {{"scan", "projections", "flat", "projections"},
               {"flat", "projections", "upright", "projections"},
               {"upright", "projections", "axis", "projections"}};
    Executor e(Registry::all(), options());
    const auto tilt = std::get<Scalar>(e.pull(g, "axis", "tilt").or_throw());
    QCOMPARE(tilt.verdict, Verdict::resolved);
    const double degrees = tilt.value.item<double>() * 180 / pi;
    // The object is as tall as it is wide: single rows show half of the tilt, which the finder must know of.
    const double sigma = tilt.uncertainty * 180 / pi;
    QVERIFY2(sigma > 0 && sigma < 0.15, std::to_string(sigma).c_str());
    QVERIFY2(std::abs(degrees - 0.5) < 3 * sigma && std::abs(degrees - 0.5) < 0.15, std::to_string(degrees).c_str());
    const auto scan = std::get<Projections>(e.pull(g, "axis", "projections").or_throw());
    QVERIFY(std::abs(scan.geometry.orbit()->tilt - tilt.value.item<double>()) < 1e-9);
    QVERIFY(std::abs(scan.geometry.orbit()->axis - 3.2) < 0.15);
    QCOMPARE(std::get<Table>(e.pull(g, "axis", "heights").or_throw()).columns[0].values.size(), std::size_t{7});
  }

  void wrong_scans_are_refused() {
    for (const std::string& finder : parallel_finders) {
      Executor e(Registry::all(), options());
      Graph cone = chain(finder, 0);
      cone.nodes["scan"].params["beam"] = std::string("cone");
      const auto no_cone = e.pull(cone, "axis", "axis");
      QVERIFY(!no_cone.ok() && no_cone.error().message().find("parallel") != std::string::npos);
      Graph counts = chain(finder, 0);
      counts.nodes.erase("flat");
      counts.links = {{"scan", "projections", "axis", "projections"}};
      const auto no_counts = e.pull(counts, "axis", "axis");
      QVERIFY(!no_counts.ok() && no_counts.error().message().find("flat-field") != std::string::npos);
    }
  }

  // Every axis method of the registry: the order of recording, and views that were recorded twice, change nothing
  // beyond rounding.
  void views_in_any_order_data() {
    QTest::addColumn<QString>("finder");
    for (const NodeType& type : Registry::all().types())
      if (type.id.starts_with("axis.")) QTest::newRow(type.id.c_str()) << QString::fromStdString(type.id);
  }
  void views_in_any_order() {
    QFETCH(QString, finder);
    Graph g = chain(finder.toStdString(), 4.3);
    if (finder == "axis.overlap") g.nodes["scan"].params["range"] = Number{360, Unit::deg};
    Executor plain(Registry::all(), options());
    const Projections scan = std::get<Projections>(plain.pull(g, "flat", "projections").or_throw());
    const Orbit orbit = *scan.geometry.orbit();
    g.nodes["flat"] = {"test.given", 1, {}};
    g.links = {{"flat", "projections", "axis", "projections"}};
    g.nodes.erase("scan");
    const auto found_in = [&](const std::vector<int64_t>& views) {
      Orbit o = orbit;
      o.angles.clear();
      for (const int64_t i : views) o.angles.push_back(orbit.angles[static_cast<std::size_t>(i)]);
      test::given_scan = scan;
      test::given_scan.data = scan.data.index_select(0, at::tensor(views, at::kLong));
      test::given_scan.geometry = ScanGeometry::from_orbit(o, scan.geometry.detector()).or_throw();
      Executor e(test::registry_with_given(), options());
      return std::get<Scalar>(e.pull(g, "axis", "axis").or_throw());
    };
    const auto n = static_cast<int64_t>(orbit.angles.size());
    std::vector<int64_t> sorted, interlaced, shuffled, twice;
    for (int64_t i = 0; i < n; ++i) sorted.push_back(i);
    for (const int64_t first : {0, 2, 1, 3})
      for (int64_t i = first; i < n; i += 4) interlaced.push_back(i);
    for (int64_t i = 0; i < n; ++i) shuffled.push_back((37 * i + 11) % n);  // 37 has no factor in common with 120
    for (int64_t i = 0; i < n; ++i) twice.insert(twice.end(), {i, i});
    const Scalar before = found_in(sorted);
    constexpr double rounding = 1e-5;  // [px]
    for (const auto& order : {interlaced, shuffled, twice}) {
      const Scalar after = found_in(order);
      QCOMPARE(after.verdict, before.verdict);
      const double apart = std::abs(after.value.item<double>() - before.value.item<double>());
      QVERIFY2(apart < rounding, std::to_string(apart).c_str());
      // Which of equal angles make pairs follows the order.
      const double choice_of_pairs = 0.01 * before.uncertainty;
      QVERIFY2(std::abs(after.uncertainty - before.uncertainty) < rounding + choice_of_pairs,
               (std::to_string(before.uncertainty) + " " + std::to_string(after.uncertainty)).c_str());
    }
  }

  // Views that a scanner moved along the rows, by whole pixels, show the same axis where the geometry says so.
  void shifted_views_have_the_same_axis() {
    for (const std::string& finder : finders) {
      Executor plain(Registry::all(), options());
      Graph g = chain(finder, 4.3);
      Projections scan = std::get<Projections>(plain.pull(g, "flat", "projections").or_throw());
      Orbit orbit = *scan.geometry.orbit();
      scan.data = scan.data.clone();
      for (int64_t i = 0; i < scan.data.size(0); ++i) {
        const int64_t shift = i % 3 == 0 ? 4 : -2;  // their mean is 0
        orbit.shift_u.push_back(static_cast<double>(shift));
        scan.data[i].copy_(at::roll(scan.data[i], {shift}, {1}));
      }
      scan.geometry = ScanGeometry::from_orbit(orbit, scan.geometry.detector()).or_throw();
      test::given_scan = scan;
      g.nodes["flat"] = {"test.given", 1, {}};
      g.links = {{"flat", "projections", "axis", "projections"}};
      g.nodes.erase("scan");
      Executor e(test::registry_with_given(), options());
      const auto axis = std::get<Scalar>(e.pull(g, "axis", "axis").or_throw());
      const double found = axis.value.item<double>();
      QVERIFY2(std::abs(found - 4.3) < 0.25, (finder + " " + std::to_string(found)).c_str());
      const auto after = std::get<Projections>(e.pull(g, "axis", "projections").or_throw());
      QVERIFY(std::abs(after.geometry.orbit()->axis - found) < 1e-9);
      QVERIFY(std::abs(after.geometry.orbit()->shift_u.at(3) - 4) < 1e-9);
      QVERIFY(at::equal(after.data, scan.data));
    }
  }

  void a_cone_beam_needs_a_full_turn() {
    Executor e(Registry::all(), options());
    Graph half = chain("axis.conjugate_rays", 0);
    half.nodes["scan"].params["range"] = Number{180, Unit::deg};
    const auto no_half = e.pull(half, "axis", "axis");
    QVERIFY(!no_half.ok() && no_half.error().message().find("full turn") != std::string::npos);
    Graph parallel = chain("axis.wedge", 0);
    parallel.nodes["axis"].type = "axis.conjugate_rays";
    const auto no_parallel = e.pull(parallel, "axis", "axis");
    QVERIFY(!no_parallel.ok() && no_parallel.error().message().find("axis.wedge") != std::string::npos);
  }

  // A part of a simulated scan is that part of the whole, noise included; flats divide the uneven beam away.
  void simulated_scans() {
    Executor e(Registry::all(), options());
    Graph g = chain("axis.vo", 3);
    const auto whole = std::get<Projections>(e.pull(g, "scan", "projections").or_throw());
    Executor fresh(Registry::all(), options());
    const auto part = std::get<Projections>(
        fresh.pull(g, "scan", "projections", Region{ScanRegion{{20, 31}, {2, 5}, {7, 90}}}).or_throw());
    QVERIFY(at::equal(part.data, whole.data.slice(0, 20, 31).slice(1, 2, 5).slice(2, 7, 90)));
    QVERIFY(at::equal(part.references.flats, whole.references.flats.slice(1, 2, 5).slice(2, 7, 90)));
    QCOMPARE(whole.references.flat_positions.size(), std::size_t{20});
    const at::Tensor flats = whole.references.flats.to(at::kDouble);
    QVERIFY(flats.mean(0).std().item<double>() > 200);  // uneven by far more than the noise of the mean, 22
    g.nodes["scan"].params["noise"] = std::string("none");
    g.nodes["scan"].params["unevenness"] = Number{0.5, Unit::none};
    const auto clean = std::get<Projections>(e.pull(g, "flat", "projections").or_throw());
    g.nodes["scan"].params["unevenness"] = Number{0, Unit::none};
    const auto even = std::get<Projections>(e.pull(g, "flat", "projections").or_throw());
    // float32 counts of 1e4: relative rounding 6e-8 twice, divided by the smallest transmission of about e^-3.
    QVERIFY((clean.data - even.data).abs().max().item<double>() < 1e-5);
  }
};

TL_TEST_CASE(AxisNodesTest)

}  // namespace tl::axis_nodes_test

#include "axis_nodes.moc"
