// Hints: each defect gives its hint and no other, clean scans give none, and proposed nodes are inserted where they
// belong.
#include "core/run/hints/hint.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/base/units.h"
#include "core/run/hints/detectors.h"
#include "core/run/hints/scan_hints.h"
#include "tests/support/learn/axis_trials.h"
#include "tests/support/test_case.h"

namespace tl::hints_test {

namespace {

using Params = std::map<std::string, ParamValue>;

Number plain(double value) { return {value, {}}; }

// A small scan; `more` replaces parameters of the simulation.
Graph simulation(const Params& more) {
  Graph graph;
  GraphNode& node = graph.nodes["scan"];
  node.type = "input.simulate_scan";
  node.params = {{"views", int64_t{180}}, {"rows", int64_t{16}}, {"cols", int64_t{96}}, {"rays", int64_t{2}}};
  for (const auto& [name, value] : more) node.params[name] = value;
  return graph;
}

std::string kinds(const std::vector<Hint>& hints) {
  std::string all;
  for (const Hint& h : hints) all += (all.empty() ? "" : " ") + std::string(to_string(h.kind));
  return all;
}

std::string texts(const std::vector<Hint>& hints) {
  std::string all;
  for (const Hint& h : hints) all += h.evidence + "\n";
  return all;
}

std::vector<Hint> hints_of(const Graph& graph) {
  Executor executor(Registry::all(), {});
  return scan_hints(executor, Registry::all(), graph, "scan").or_throw();
}

// Absorption of four rows in the middle of a simulated scan.
Projections rows_of(const Params& more) {
  Graph graph = simulation(more);
  graph.nodes["flat_field"].type = "correct.flat_field";
  graph.links = {{"scan", "projections", "flat_field", "projections"}};
  Executor executor(Registry::all(), {});
  const Value all = executor.pull(graph, "flat_field", "projections").or_throw();
  Projections p = std::get<Projections>(all);
  const int64_t rows = p.data.size(1);
  ScanRegion region = p.geometry.full();
  region.rows = {rows / 2 - 2, rows / 2 + 2};
  p.data = p.data.slice(1, region.rows.begin, region.rows.end).contiguous();
  p.geometry = p.geometry.crop(region);
  return p;
}

// The same views with other angles or another axis stated.
Projections stated(Projections p, double range_degrees, double axis) {
  Orbit orbit = *p.geometry.orbit();
  orbit.angles = equidistant_angles(static_cast<int64_t>(orbit.angles.size()), range_degrees * pi / 180, 0);
  orbit.axis = axis;
  p.geometry = ScanGeometry::from_orbit(orbit, p.geometry.detector()).or_throw();
  return p;
}

}  // namespace

class HintsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Every phantom, few and many photons, half and full turns: none has a hint.
  void clean_scans_have_none_data() {
    QTest::addColumn<QString>("phantom");
    for (const char* phantom :
         {"shepp_logan", "shepp_logan_original", "shepp_logan_3d", "disc", "hollow_box", "ellipses", "geode"})
      QTest::newRow(phantom) << phantom;
  }
  void clean_scans_have_none() {
    QFETCH(QString, phantom);
    int64_t seed = 0;
    for (const double photons : {100.0, 1e4, 1e6})
      for (const double range : {180.0, 360.0}) {
        const auto found = hints_of(simulation({{"phantom", phantom.toStdString()},
                                                {"photons", plain(photons)},
                                                {"range", Number{range, Unit::deg}},
                                                {"axis", Number{2.3, Unit::px}},
                                                {"seed", ++seed}}));
        if (!found.empty()) qWarning("%g photons, %g degrees: %s", photons, range, texts(found).c_str());
        wrong_ += static_cast<int>(found.size());
        ++clean_;
      }
    QCOMPARE(wrong_, 0);
  }
  void cleanupTestCase() { qInfo("%d clean scans, %d wrong hints", clean_, wrong_); }

  void noiseless_and_cone_beam_scans_have_none() {
    for (const char* phantom : {"shepp_logan_3d", "geode"}) {
      const Params common = {{"phantom", std::string(phantom)}, {"noise", std::string("none")}};
      QCOMPARE(texts(hints_of(simulation(common))), std::string());
      Params cone = common;
      cone["beam"] = std::string("cone");
      cone["range"] = Number{360, Unit::deg};
      cone["noise"] = std::string("photons");
      QCOMPARE(texts(hints_of(simulation(cone))), std::string());
    }
  }

  void defects_have_theirs_data() {
    QTest::addColumn<QString>("param");
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("kinds");
    QTest::newRow("rings") << "stripes" << 0.05 << "rings";
    QTest::newRow("zingers") << "zingers" << 1e-3 << "zingers";
    QTest::newRow("truncated") << "size" << 1.5 << "truncation";
  }
  void defects_have_theirs() {
    QFETCH(QString, param);
    QFETCH(double, value);
    QFETCH(QString, kinds);
    for (const int64_t seed : {1, 2})
      for (const char* phantom : {"shepp_logan_3d", "geode"}) {
        const auto found = hints_of(simulation({{param.toStdString(), plain(value)},
                                                {"phantom", std::string(phantom)},
                                                {"rows", int64_t{24}},
                                                {"cols", int64_t{160}},
                                                {"seed", seed}}));
        QVERIFY2(hints_test::kinds(found) == kinds.toStdString(),
                 (std::string(phantom) + " " + std::to_string(seed) + ": " + texts(found)).c_str());
        QCOMPARE(found.front().source, std::string("scan"));
        QVERIFY(Registry::all().find(found.front().node) != nullptr);
      }
  }

  void axis_differs_from_the_stated_one() {
    const auto found = hints::in_whole_rows(stated(rows_of({{"axis", Number{6.3, Unit::px}}}), 180, 0), {});
    QCOMPARE(kinds(found), std::string("axis"));
    QVERIFY2(texts(found).find(" 6.3") != std::string::npos, texts(found).c_str());
  }

  // Views that the scanner moved along the rows, and says so, contradict neither axis nor angles.
  void stated_shifts_are_not_reported() {
    Projections rows = stated(rows_of({{"axis", Number{1.2, Unit::px}}, {"phantom", std::string("geode")}}), 180, 1.2);
    Orbit orbit = *rows.geometry.orbit();
    for (int64_t i = 0; i < rows.data.size(0); ++i) {
      const int64_t shift = i % 3 == 0 ? 6 : -3;  // their mean is 0
      orbit.shift_u.push_back(static_cast<double>(shift));
      rows.data[i].copy_(at::roll(rows.data[i].clone(), {shift}, {1}));
    }
    QVERIFY(!hints::in_whole_rows(rows, {}).empty());
    rows.geometry = ScanGeometry::from_orbit(orbit, rows.geometry.detector()).or_throw();
    QCOMPARE(texts(hints::in_whole_rows(rows, {})), std::string());
  }

  void wrong_angles() {
    const Params common = {{"axis", Number{1.2, Unit::px}}, {"phantom", std::string("geode")}};
    const Projections half = rows_of(common);
    Params turn = common;
    turn["range"] = Number{360, Unit::deg};
    const Projections full = rows_of(turn);
    // Half a turn that is said to be a full one, and a full one said to be half of it.
    const auto as_full = hints::in_whole_rows(stated(half, 360, 1.2), {});
    QVERIFY2(kinds(as_full) == "angular_range", texts(as_full).c_str());
    QVERIFY(std::abs(std::get<Number>(as_full.front().params.at("angular_range")).value - 180) < 1e-6);
    const auto as_half = hints::in_whole_rows(stated(full, 180, 1.2), {});
    QVERIFY2(kinds(as_half) == "angular_range", texts(as_half).c_str());
  }

  // Half a turn and a full one that are some degrees shorter or longer than the angles say; a beam that decays is none.
  void angular_range_differs_from_the_stated_one_data() {
    QTest::addColumn<QString>("phantom");
    QTest::addColumn<double>("covered");
    QTest::addColumn<double>("said");
    for (const char* phantom : {"geode", "ellipses", "shepp_logan_3d"})
      for (const auto& [covered, said] : {std::pair(172.0, 180.0), std::pair(188.0, 180.0), std::pair(350.0, 360.0)})
        QTest::addRow("%s, %g said to be %g", phantom, covered, said) << phantom << covered << said;
  }
  void angular_range_differs_from_the_stated_one() {
    QFETCH(QString, phantom);
    QFETCH(double, covered);
    QFETCH(double, said);
    const Projections rows = rows_of({{"axis", Number{1.2, Unit::px}},
                                      {"phantom", phantom.toStdString()},
                                      {"photons", plain(1e5)},
                                      {"range", Number{covered, Unit::deg}}});
    const auto found = hints::in_whole_rows(stated(rows, said, 1.2), {});
    QVERIFY2(kinds(found) == "angular_range", texts(found).c_str());
    const double range = std::get<Number>(found.front().params.at("angular_range")).value;
    QVERIFY2(std::abs(range - covered) < 1.5, texts(found).c_str());
  }
  // Rings, motion, truncation, clipped values, few photons or views, objects without details: whatever is wrong with a
  // scan in parallel beams, its range is doubted only where that is wrong.
  void other_defects_are_not_reported_as_wrong_range_data() {
    QTest::addColumn<QString>("kind");
    for (const std::string& kind : test::axis_trial_kinds())
      if (kind != "displaced fan") QTest::newRow(kind.c_str()) << QString::fromStdString(kind);
  }
  void other_defects_are_not_reported_as_wrong_range() {
    QFETCH(QString, kind);
    constexpr uint64_t trials = 3;
    int found = 0;
    for (uint64_t seed = 1; seed <= trials; ++seed) {
      const test::AxisTrial trial = test::axis_trial(kind.toStdString(), seed);
      Projections rows;
      rows.data = trial.absorption.to(at::kFloat);
      rows.kind = PixelKind::absorption;
      rows.geometry = ScanGeometry::parallel(trial.angles, {rows.data.size(1), rows.data.size(2), 1, 1}).or_throw();
      for (const Hint& h : hints::in_whole_rows(rows, {})) {
        if (h.kind != HintKind::angular_range) continue;
        ++found;
        if (kind != "wrong range") qWarning("seed %d: %s", static_cast<int>(seed), h.evidence.c_str());
      }
    }
    if (kind == "wrong range")
      QVERIFY2(found > 0, "1 to 5 degrees off, and nothing is found");
    else
      QCOMPARE(found, 0);
  }
  void a_decaying_beam_is_not_reported_as_wrong_range() {
    Projections rows = rows_of({{"phantom", std::string("geode")}, {"photons", plain(1e5)}});
    rows.data = rows.data + 0.02 * at::linspace(0, 1, rows.data.size(0)).view({-1, 1, 1});
    const auto found = hints::in_whole_rows(stated(rows, 180, 0), {});
    QVERIFY2(kinds(found).find("angular_range") == std::string::npos, texts(found).c_str());
  }

  void missing_views() {
    QVERIFY(!hints::missing_angles(ScanGeometry::parallel(equidistant_angles(90, pi), {1, 8, 1, 1}).or_throw()));
    QVERIFY(!hints::missing_angles(ScanGeometry::parallel(equidistant_angles(91, 2 * pi), {1, 8, 1, 1}).or_throw()));
    const auto found =
        hints::missing_angles(ScanGeometry::parallel(equidistant_angles(90, 2 * pi / 3), {1, 8, 1, 1}).or_throw());
    QVERIFY(found);
    QVERIFY2(found->evidence.find("180 degrees") != std::string::npos, found->evidence.c_str());
    QVERIFY(found->node.empty());
  }

  void saturated_pixels() {
    hints::NeighbouringViews views;
    views.data.kind = PixelKind::counts;
    views.data.data = at::full({3, 20, 30}, 4000.0) + at::arange(3 * 600).view({3, 20, 30}).remainder(90);
    QCOMPARE(kinds(hints::in_single_views({views})), std::string());
    views.data.data.slice(1, 0, 4).fill_(4095);
    const auto found = hints::in_single_views({views});
    QCOMPARE(kinds(found), std::string("saturation"));
    QCOMPARE(std::get<Number>(found.front().params.at("saturation")).value, 4095.0);
  }

  // The tooth has a misplaced axis, which its file does not state, and nothing else that is wrong.
  void real_scan() {
    std::filesystem::path shared = std::filesystem::path(TL_SOURCE_DIR) / "../shared/data";
    if (qEnvironmentVariableIsSet("TL_SHARED_DATA")) shared = qgetenv("TL_SHARED_DATA").toStdString();
    if (!std::filesystem::exists(shared / "aps_tooth.h5")) QSKIP("the shared data folder is not here");
    Graph graph;
    graph.nodes["scan"].type = "input.load_scan";
    graph.nodes["scan"].params["file"] = (shared / "aps_tooth.h5").string();
    const auto found = hints_of(graph);
    qInfo("%s", texts(found).c_str());
    std::set<HintKind> all;
    for (const Hint& h : found) all.insert(h.kind);
    QVERIFY(all.count(HintKind::axis) == 1);
  }

  void nodes_go_to_their_places() {
    Graph graph = simulation({});
    graph.nodes["flat_field"].type = "correct.flat_field";
    graph.nodes["axis"].type = "axis.wedge";
    graph.nodes["fbp"].type = "recon.fbp";
    graph.nodes["gaussian"].type = "filter.gaussian";
    graph.links = {{"scan", "projections", "flat_field", "projections"},
                   {"flat_field", "projections", "axis", "projections"},
                   {"axis", "projections", "fbp", "projections"},
                   {"fbp", "volume", "gaussian", "volume"}};
    const auto added = [&](HintKind kind, const char* node, const char* after, const char* before) {
      Hint hint;
      hint.kind = kind;
      hint.source = "scan";
      hint.node = node;
      if (kind == HintKind::angular_range) hint.params["angular_range"] = Number{180, Unit::deg};
      if (kind == HintKind::saturation) hint.params["saturation"] = plain(4095);
      if (is_followed(graph, hint)) return false;
      const Result<std::string> id = add_hint_node(graph, Registry::all(), hint);
      if (!id.ok() || !is_followed(graph, hint) || !problems(graph, Registry::all()).empty()) return false;
      const auto linked = [&](const std::string& from, const std::string& to) {
        return std::any_of(graph.links.begin(), graph.links.end(),
                           [&](const Link& l) { return l.from_node == from && l.to_node == to; });
      };
      return linked(after, id.value()) && linked(id.value(), before);
    };
    QVERIFY(added(HintKind::zingers, "correct.zingers", "scan", "flat_field"));
    QVERIFY(added(HintKind::rings, "correct.stripe_automatic", "flat_field", "axis"));
    QVERIFY(added(HintKind::angular_range, "geometry.set", "stripe_automatic", "axis"));
    QVERIFY(added(HintKind::saturation, "correct.bad_pixels", "scan", "zingers"));
    QVERIFY(added(HintKind::truncation, "filter.circular_mask", "fbp", "gaussian"));
    Hint axis;
    axis.kind = HintKind::axis;
    axis.source = "scan";
    axis.node = "axis.automatic";
    QVERIFY(is_followed(graph, axis));
    graph.nodes["axis"].use = NodeUse::bypassed;
    QVERIFY(!is_followed(graph, axis));
    axis.node.clear();
    QVERIFY(!add_hint_node(graph, Registry::all(), axis).ok());
  }

 private:
  int clean_ = 0, wrong_ = 0;
};

TL_TEST_CASE(HintsTest)

}  // namespace tl::hints_test

#include "hints.moc"
