// Stitch heights: rays of equal angle are joined whatever the order of recording, other rays are refused.
#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "core/base/units.h"
#include "core/node/node_builder.h"
#include "core/values/crop.h"
#include "tests/support/given_scan.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::stitched_heights_test {

namespace {

constexpr int64_t overlap = 4;
Projections upper_scan, lower_scan;

enum class Height { upper, lower };
struct Source {
  Height height = Height::upper;
};
const Projections& scan_at(Height height) { return height == Height::upper ? upper_scan : lower_scan; }
Result<Infos> source_infos(const Source& p, const Infos&, const Findings*) {
  ProjectionsInfo info;
  info.geometry = scan_at(p.height).geometry;
  info.kind = scan_at(p.height).kind;
  return Infos{{"projections", info}};
}
Result<void> give(const Source& p, NodeRun& r) {
  r.out("projections", crop(scan_at(p.height), std::get<ScanRegion>(r.region)));
  return ok();
}
void describe_source(NodeBuilder<Source>& n) {
  n.id("test.height", 1).title("Height").category("Input").summary("Test source.").partition(Partition::custom);
  n.param("height", "height", &Source::height, {{Height::upper, "upper", "Upper"}, {Height::lower, "lower", "Lower"}})
      .help("Which.");
  n.output<Projections>("projections", "A scan of the test.").infos(source_infos).run(give);
}

const Registry& registry() {
  static const Registry all = [] {
    auto types = tl_node_list();
    types.push_back(NodeBuilder<Source>::build(describe_source));
    return Registry(std::move(types));
  }();
  return all;
}

// A tall scan, whose halves have `overlap` rows in common.
Projections tall_scan() {
  Graph g;
  g.nodes["scan"] = {"input.simulate_scan",
                     1,
                     {{"views", int64_t{60}},
                      {"rows", int64_t{20}},
                      {"cols", int64_t{40}},
                      {"range", Number{360, Unit::deg}},
                      {"axis", Number{1.5, Unit::px}}}};
  g.nodes["flat"] = {"correct.flat_field", 1, {}};
  g.links.push_back({"scan", "projections", "flat", "projections"});
  Executor e(Registry::all(), test::options_in({}));
  return std::get<Projections>(e.pull(g, "flat", "projections").or_throw());
}

Projections rows_of(const Projections& whole, Range rows) {
  ScanRegion region = whole.geometry.full();
  region.rows = rows;
  return crop(whole, region);
}

void reorder(Projections& scan, const std::vector<int64_t>& views) {
  scan.data = scan.data.index_select(0, at::tensor(views, at::kLong));
  scan.geometry = scan.geometry.select(views);
}

// The scan as if its stage had stood elsewhere.
void move(Projections& scan, double degrees, double pixels) {
  Orbit orbit = *scan.geometry.orbit();
  for (double& angle : orbit.angles) angle += to_stored(degrees, Unit::deg);
  orbit.axis += pixels;
  scan.geometry = ScanGeometry::from_orbit(orbit, scan.geometry.detector()).or_throw();
}

Result<at::Tensor> stitched(bool search) {
  Graph g;
  g.nodes["upper"] = {"test.height", 1, {{"height", std::string("upper")}}};
  g.nodes["lower"] = {"test.height", 1, {{"height", std::string("lower")}}};
  g.nodes["stitch"] = {"correct.stitch_rows", 1, {}};
  if (!search) g.nodes["stitch"].params["overlap"] = overlap;
  g.links.push_back({"upper", "projections", "stitch", "upper"});
  g.links.push_back({"lower", "projections", "stitch", "lower"});
  Executor e(registry(), test::options_in({}));
  Result<Value> value = e.pull(g, "stitch", "projections");
  if (!value.ok()) return value.error();
  return std::get<Projections>(value.value()).data;
}

}  // namespace

class StitchedHeightsTest : public QObject {
  Q_OBJECT

  Projections whole;
  std::vector<int64_t> in_order;

 private Q_SLOTS:
  void initTestCase() { whole = tall_scan(); }
  void init() {
    in_order.resize(static_cast<std::size_t>(whole.geometry.views()));
    std::iota(in_order.begin(), in_order.end(), int64_t{0});
    upper_scan = rows_of(whole, {0, 12});
    lower_scan = rows_of(whole, {12 - overlap, 20});
  }

  void two_parts_give_the_whole() {
    QVERIFY(test::max_difference(stitched(false).or_throw(), whole.data) < 1e-6);
    QVERIFY(test::max_difference(stitched(true).or_throw(), whole.data) < 1e-6);
  }
  void lower_views_backwards() {
    std::reverse(in_order.begin(), in_order.end());
    reorder(lower_scan, in_order);
    QVERIFY(test::max_difference(stitched(false).or_throw(), whole.data) < 1e-6);
    QVERIFY(test::max_difference(stitched(true).or_throw(), whole.data) < 1e-6);
  }
  void lower_views_from_another_start() {
    std::rotate(in_order.begin(), in_order.begin() + 23, in_order.end());
    reorder(lower_scan, in_order);
    QVERIFY(test::max_difference(stitched(true).or_throw(), whole.data) < 1e-6);
  }
  void differences_below_half_a_pixel_are_allowed() {
    move(lower_scan, 0.5, 0.2);  // 0.17 px at the ends of the rows
    QVERIFY(stitched(false).ok());
  }
  void other_rays_are_refused_data() {
    QTest::addColumn<double>("degrees");
    QTest::addColumn<double>("pixels");
    QTest::newRow("half a step") << 3.0 << 0.0;
    QTest::newRow("another axis") << 0.0 << 2.0;
  }
  void other_rays_are_refused() {
    QFETCH(double, degrees);
    QFETCH(double, pixels);
    move(lower_scan, degrees, pixels);
    const auto result = stitched(false);
    QVERIFY(!result.ok());
    QCOMPARE(result.error().kind, ErrorKind::invalid);
    QVERIFY2(result.error().what.find("view 0 ") != std::string::npos, result.error().what.c_str());
  }
  void mirrored_views_are_refused() {
    // A half turn in the other direction shows other rays at all angles but two.
    Orbit orbit = *upper_scan.geometry.orbit();
    for (double& angle : orbit.angles) angle *= 0.5;
    upper_scan.geometry = ScanGeometry::from_orbit(orbit, upper_scan.geometry.detector()).or_throw();
    for (double& angle : orbit.angles) angle = -angle;
    lower_scan.geometry = ScanGeometry::from_orbit(orbit, lower_scan.geometry.detector()).or_throw();
    QVERIFY(!stitched(false).ok());
  }
};

TL_TEST_CASE(StitchedHeightsTest)

}  // namespace tl::stitched_heights_test

#include "stitched_heights.moc"
