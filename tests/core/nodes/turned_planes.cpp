// Planes that are turned: their views are filtered once, and what is kept of them is bounded.
#include <ATen/ATen.h>

#include "core/nodes/filtered_views.h"
#include "core/run/executor.h"
#include "tests/support/test_case.h"

namespace tl::turned_planes_test {

namespace {

constexpr int64_t views = 180, rows = 64, cols = 96;
constexpr int64_t scan_bytes = views * rows * cols * static_cast<int64_t>(sizeof(float));

Graph graph(Beam beam) {
  Graph g;
  g.nodes["scan"] = {"input.simulate_scan", 1, {{"views", views}, {"rows", rows}, {"cols", cols}}};
  g.nodes["flat"] = {"correct.flat_field", 1, {}};
  g.nodes["volume"] = {"recon.fbp", 1, {}};
  if (beam == Beam::cone) {
    g.nodes["scan"].params["beam"] = std::string("cone");
    g.nodes["volume"].type = "recon.fdk";
  }
  g.links = {{"scan", "projections", "flat", "projections"}, {"flat", "projections", "volume", "projections"}};
  return g;
}

RunOptions options() {
  RunOptions o;
  o.memory = int64_t{1} << 30;
  return o;
}

VolumeGrid plane(Executor& e, Beam beam, double lean) {
  const VolumeGrid grid = std::get<VolumeInfo>(e.infos(graph(beam), "volume").or_throw().at("volume")).grid;
  return VolumeGrid::plane(50, 60, norm(grid.step_x), {}, {0.8, 0.6, 0}, {-0.6 * lean, 0.8 * lean, 1 - lean});
}
at::Tensor pulled(Executor& e, Beam beam, double lean) {
  return std::get<Volume>(e.pull(graph(beam), "volume", "volume", plane(e, beam, lean)).or_throw()).data;
}

}  // namespace

class TurnedPlanesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Besides the planes themselves, the cache takes the absorption of all rows and its filtered views in float32.
  void views_are_filtered_once() {
    for (const Beam beam : {Beam::parallel, Beam::cone}) {
      Executor e(Registry::all(), options());
      pulled(e, beam, 0.4);
      const int64_t first = e.cache().used(), filtered = e.cache_by_node().at("volume");
      QVERIFY2(filtered >= scan_bytes && filtered < scan_bytes + scan_bytes / 4, std::to_string(filtered).c_str());
      pulled(e, beam, 0.5);
      const int64_t more = e.cache().used() - first;
      QVERIFY2(more > 0 && more < scan_bytes / 4, std::to_string(more).c_str());
      QCOMPARE(e.stats().at("flat").calls, int64_t{1});
    }
  }

  void oblique_planes_equal_planes_computed_alone() {
    for (const Beam beam : {Beam::parallel, Beam::cone}) {
      Executor turned(Registry::all(), options()), alone(Registry::all(), options());
      pulled(turned, beam, 0.4);
      QVERIFY(pulled(turned, beam, 0.5).equal(pulled(alone, beam, 0.5)));
    }
  }

  // Of a scan above the limit only the rows that the plane needs are filtered.
  void the_size_of_the_scan_that_is_kept_is_limited() {
    QCOMPARE(max_oblique_bytes, int64_t{512} << 20);
    const DetectorShape detector{512, 512, 1, 1};
    const int64_t most = max_oblique_bytes / (detector.rows * detector.cols * static_cast<int64_t>(sizeof(float)));
    const VolumeGrid low = VolumeGrid::plane(40, 50, 1, {}, {0.8, 0.6, 0}, {-0.3, 0.4, 0.1});
    for (const int64_t count : {most, most + 1}) {
      const ScanGeometry g = ScanGeometry::parallel(equidistant_angles(count, pi), detector).or_throw();
      const ScanRegion seen = needed_views({{"projections", ProjectionsInfo{g, PixelKind::absorption}}}, low);
      QCOMPARE(seen == g.full(), count == most);
      QVERIFY(count == most || seen.rows.size() < detector.rows / 4);
    }
  }
};

TL_TEST_CASE(TurnedPlanesTest)

}  // namespace tl::turned_planes_test

#include "turned_planes.moc"
