// Planes of windows that are chosen by text: axes, directions, numbers, and invalid planes.
#include "core/live/windows/window_planes.h"

#include <ATen/ATen.h>

#include <cmath>

#include "core/base/grid_box.h"
#include "tests/support/phantom_source.h"
#include "tests/support/test_case.h"

namespace tl::window_planes_test {

class WindowPlanesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void texts() {
    using enum PlaneChoice::Axes;
    QVERIFY(PlaneChoice::parse("xy").or_throw().axes == xy);
    const PlaneChoice twelfth = PlaneChoice::parse("xz=12").or_throw();
    QVERIFY(twelfth.axes == xz && twelfth.index == 12);
    const PlaneChoice tilted = PlaneChoice::parse("normal=0,3,4,-2.5").or_throw();
    QVERIFY(tilted.axes == oblique && tilted.offset == -2.5);
    QVERIFY(norm(tilted.normal - Vec3{0, 0.6, 0.8}) < 1e-15);
    for (const char* text : {"", "zz", "xy=", "xy=-1", "xy=1.5", "xy=1,2", "normal", "normal=", "normal=1,0",
                             "normal=0,0,0", "normal=1,0,0,0,0", "normal=1,0,nan", "normal=1,0,x", "yz=99999999999999"})
      QVERIFY2(!PlaneChoice::parse(text).ok(), text);
  }

  // Perpendicular to the direction, through the middle of the box or away from it, and as large as the box.
  void an_oblique_plane_lies_in_the_box() {
    VolumeGrid box = VolumeGrid::cubic(20, 30, 40, 0.5, {1, 2, 3});
    box.step_z = {0, 0, 0.7};
    const Vec3 right{0.8, 0, -0.6}, up{0, 1, 0}, normal = cross(right, up);
    const VolumeGrid plane = oblique_plane(box, box.centre + 1.5 * normal + 4.0 * right, right, up);
    QVERIFY(plane.validate().ok());
    QCOMPARE(norm(plane.step_x), 0.5);
    QVERIFY(norm(plane.centre - (box.centre + 1.5 * normal)) < 1e-12);
    QCOMPARE(plane.ny, int64_t{30});
    // 40 * 0.5 * 0.8 + 20 * 0.7 * 0.6 mm in pixels of 0.5 mm
    QCOMPARE(plane.nx, static_cast<int64_t>(std::ceil((16 + 8.4) / 0.5 - 1e-6)));
  }

  // Chosen planes are those of the whole volume: a plane along an axis is its slice, whichever way it is named.
  void chosen_planes_are_slices_of_the_volume() {
    RunOptions options;
    options.memory = int64_t{1} << 30;
    Executor executor(test::registry(), options);
    Graph graph;
    // Odd sizes: the middle is a slice.
    graph.nodes["scan"] = {"test.phantom", 1, {{"rows", int64_t{7}}, {"cols", int64_t{33}}}};
    graph.nodes["fbp"] = {"recon.fbp", 1, {}};
    graph.links = {{"scan", "projections", "fbp", "projections"}};
    const auto volume = std::get<Volume>(executor.pull(graph, "fbp", "volume").or_throw());
    std::vector<PlaneChoice> choices;
    for (const char* text : {"xy=1", "xz", "normal=0,1,0", "normal=0,-1,0", "normal=1,0,0"})
      choices.push_back(PlaneChoice::parse(text).or_throw());
    const TakenPlane taken{{"fbp", "volume"}, volume.grid.slab({0, 1}), volume.data[0]};
    const std::vector<NamedPlane> planes = chosen_planes(executor, graph, choices, {taken}).or_throw();
    QCOMPARE(planes.size(), choices.size());
    QCOMPARE(planes[2].name, std::string("fbp.volume normal=0,1,0"));
    const double range = (volume.data.max() - volume.data.min()).item<double>();
    constexpr double rounding = 1e-5;  // of the range: other loops of the back-projector
    const auto are_same = [&](const at::Tensor& a, const at::Tensor& b) {
      return a.sizes() == b.sizes() && (a - b).abs().max().item<double>() <= rounding * range;
    };
    QVERIFY(are_same(planes[0].values, volume.data[1]));
    QVERIFY(are_same(planes[1].values, volume.data.select(1, volume.grid.ny / 2)));
    // From either side x or y is to the right.
    for (const std::size_t i : {std::size_t{2}, std::size_t{3}}) QVERIFY(are_same(planes[i].values, planes[1].values));
    QVERIFY(are_same(planes[4].values, volume.data.select(2, volume.grid.nx / 2)));
  }
};

TL_TEST_CASE(WindowPlanesTest)

}  // namespace tl::window_planes_test

#include "window_planes.moc"
