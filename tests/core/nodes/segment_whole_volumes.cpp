// Nodes of segmentation whose operators need the whole volume: what these give, in slices and boxes too, with seeds and
// starts on other voxels, and errors in words.
#include <ATen/ATen.h>

#include "core/run/executor.h"
#include "gpu/segmentation/chan_vese.h"
#include "gpu/segmentation/distance.h"
#include "gpu/segmentation/geodesic_contour.h"
#include "gpu/segmentation/level_set.h"
#include "gpu/segmentation/local_extrema.h"
#include "gpu/segmentation/random_walker.h"
#include "gpu/segmentation/region_growing.h"
#include "gpu/segmentation/watershed.h"
#include "tests/support/io/volume_files.h"
#include "tests/support/test_case.h"

namespace tl::segment_whole_volumes_test {

using namespace test::volumes;

namespace {

VolumeGrid lattice() { return {12, 30, 26, {3, -2, 7}, {0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 1}}; }

// Two balls that touch, a third one apart; slices are twice as thick as wide.
at::Tensor balls() {
  at::Tensor mask = at::zeros({12, 30, 26}, at::kBool);
  const double centres[3][4] = {{6, 9, 8, 6}, {6, 19, 10, 6}, {5, 23, 22, 3}};  // z, y, x, radius
  auto inside = mask.accessor<bool, 3>();
  for (int64_t z = 0; z < 12; ++z)
    for (int64_t y = 0; y < 30; ++y)
      for (int64_t x = 0; x < 26; ++x)
        for (const auto& c : centres)
          inside[z][y][x] =
              inside[z][y][x] || std::hypot(2 * (static_cast<double>(z) - c[0]), static_cast<double>(y) - c[1],
                                            static_cast<double>(x) - c[2]) < c[3];
  return mask;
}
// The balls with noise.
at::Tensor values() {
  at::manual_seed(3);
  return (balls().to(at::kDouble) + 0.2 * at::randn({12, 30, 26}, at::kDouble)).to(at::kFloat);
}
// A few voxels in each of two balls, and in the background.
at::Tensor seeds() {
  at::Tensor s = at::zeros({12, 30, 26}, at::kInt);
  s[6][9][8] = 1;
  s[6][10][8] = 1;
  s[6][20][10] = 2;
  s[6][19][11] = 2;
  s[0].narrow(0, 0, 3).fill_(3);
  return s;
}

using Settings = std::map<std::string, ParamValue>;

}  // namespace

class SegmentWholeVolumesTest : public VolumeFolder {
  Q_OBJECT

  mutable int files_ = 0;

  std::string file(const std::string& name, const at::Tensor& voxels, const VolumeGrid& grid = lattice()) const {
    io::VolumeTarget t = target(path(name + std::to_string(++files_) + ".nrrd"), grid);
    t.description = {};
    write(*io::find_volume_format("nrrd"), t, voxels.to(at::kFloat)).or_throw();
    return t.path.string();
  }
  // The node with its inputs from files: port to voxels.
  Graph graph(const std::string& type, const Settings& settings,
              const std::map<std::string, at::Tensor>& inputs) const {
    Graph g;
    g.nodes["node"] = {type, 1, settings};
    for (const auto& [port, voxels] : inputs) {
      const bool of_values = Registry::all().find(type)->input(port)->type == PortType::volume;
      g.nodes[port] = {of_values ? "input.load_volume" : "input.load_labels", 1, {{"file", file(port, voxels)}}};
      g.links.push_back({port, of_values ? "volume" : "labels", "node", port});
    }
    return g;
  }
  static RunOptions options() {
    RunOptions o;
    o.memory = int64_t{1} << 28;
    return o;
  }
  static Result<at::Tensor> pulled(Executor& e, const Graph& g, const std::string& port = "labels",
                                   const std::optional<Region>& region = {}) {
    TL_TRY(const Value v, e.pull(g, "node", port, region));
    if (const auto* labels = std::get_if<Labels>(&v)) return labels->data;
    return std::get<Volume>(v).data;
  }
  // The whole, slices, and a box; the operator runs once for all of them.
  static void expect(const Graph& g, const at::Tensor& wanted, const std::string& port = "labels") {
    Executor e(Registry::all(), options());
    const at::Tensor whole = pulled(e, g, port).or_throw();
    QVERIFY2(whole.equal(wanted.to(whole.scalar_type())), "the whole");
    for (const int64_t z : {int64_t{0}, int64_t{6}, int64_t{11}})
      QVERIFY2(pulled(e, g, port, lattice().slab({z, z + 1})).or_throw().equal(whole.narrow(0, z, 1)), "a slice");
    QVERIFY2(pulled(e, g, port, lattice().sub({2, 9}, {5, 20}, {4, 11}))
                 .or_throw()
                 .equal(whole.narrow(0, 2, 7).narrow(1, 5, 15).narrow(2, 4, 7)),
             "a box");
  }
  static void expect_refused(const Graph& g, const std::string& words, const std::string& port = "labels") {
    Executor e(Registry::all(), options());
    const auto got = pulled(e, g, port);
    QVERIFY(!got.ok() && got.error().kind == ErrorKind::invalid);
    const std::string message = got.error().message();
    QVERIFY2(message.find(words) != std::string::npos && message.find("node \"node\"") != std::string::npos,
             message.c_str());
  }

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void distances_in_mm() {
    const Graph g = graph("segment.distance", {}, {{"labels", balls()}});
    expect(g, ops::distance_to_background(balls(), {{1, 0.5, 0.5}, {}}).or_throw(), "volume");
    Executor e(Registry::all(), options());
    const auto volume = std::get<Volume>(e.pull(g, "node", "volume").or_throw());
    QVERIFY(volume.unit == Unit::mm &&
            volume.grid == std::get<LabelsInfo>(e.infos(g, "labels").or_throw().at("labels")).grid);
    expect_refused(graph("segment.distance", {}, {{"labels", at::ones({12, 30, 26})}}), "no background", "volume");
  }

  void touching_balls_are_separated() {
    const ops::VoxelSize voxel{2, 1, 1};
    const at::Tensor distance = ops::distance_to_background(balls(), {voxel, {}}).or_throw();
    const at::Tensor markers =
        ops::markers_from_maxima(distance, {6, voxel, ops::Connectivity::corners, {}}).or_throw();
    const at::Tensor wanted = ops::watershed(-distance, markers, balls(), {}).or_throw();
    QCOMPARE(wanted.max().item<int>(), 3);
    QVERIFY(wanted[6][9][8].item<int>() != wanted[6][19][10].item<int>());
    expect(graph("segment.watershed", {{"separation", Number{6, Unit::px}}}, {{"labels", balls()}}), wanted);
  }
  void basins_of_given_heights_and_markers() {
    ops::WatershedSpec spec;
    spec.compactness = 0.5;
    spec.connectivity = ops::Connectivity::corners;
    const at::Tensor everywhere = at::ones({12, 30, 26}, at::kBool);
    const Settings settings = {{"compactness", Number{0.5, Unit::none}}, {"neighbours", std::string("corners")}};
    expect(graph("segment.watershed", settings, {{"labels", everywhere}, {"heights", values()}, {"markers", seeds()}}),
           ops::watershed(values(), seeds(), everywhere, spec).or_throw());
    Settings with_lines = settings;
    with_lines["lines"] = std::string("drawn");
    expect_refused(graph("segment.watershed", with_lines, {{"labels", balls()}}), "compact");
    expect_refused(graph("segment.watershed", {}, {{"labels", everywhere}}), "no background");
    expect(graph("segment.watershed", {}, {{"labels", at::zeros({12, 30, 26})}}), at::zeros({12, 30, 26}));
  }

  void a_random_walk_from_seeds() {
    ops::RandomWalkerSpec spec;
    spec.beta = 90;
    spec.voxel = {2, 1, 1};
    const auto wanted = ops::random_walker(values(), seeds(), spec).or_throw();
    QVERIFY(wanted.labels.min().item<int>() >= 1);
    expect(
        graph("segment.random_walker", {{"beta", Number{90, Unit::none}}}, {{"volume", values()}, {"seeds", seeds()}}),
        wanted.labels);
    expect_refused(graph("segment.random_walker", {}, {{"volume", values()}, {"seeds", at::zeros({12, 30, 26})}}),
                   "seed");
    at::Tensor with_nan = values();
    with_nan[3][4][5] = std::nanf("");
    expect_refused(graph("segment.random_walker", {}, {{"volume", with_nan}, {"seeds", seeds()}}), "NaN");
  }

  // Seeds are laid over the volume by their position in mm.
  void seeds_on_other_voxels() {
    const VolumeGrid box = lattice().sub({5, 8}, {8, 22}, {6, 14});
    Graph g = graph("segment.region_growing", {{"tolerance", Number{0.6, Unit::none}}},
                    {{"volume", values()}, {"seeds", seeds()}});
    at::Tensor inside = at::zeros_like(seeds());
    inside.narrow(0, 5, 3).narrow(1, 8, 14).narrow(2, 6, 8).copy_(
        seeds().narrow(0, 5, 3).narrow(1, 8, 14).narrow(2, 6, 8));
    g.nodes["seeds"].params["file"] =
        file("small", seeds().narrow(0, 5, 3).narrow(1, 8, 14).narrow(2, 6, 8).contiguous(), box);
    ops::RegionGrowingSpec spec;
    spec.tolerance = 0.6;
    const at::Tensor wanted = ops::region_growing(values(), inside, spec).or_throw();
    QVERIFY(wanted.max().item<int>() == 2);
    expect(g, wanted);
  }
  void the_tolerance_of_seeds() {
    const at::Tensor s = seeds(), v = values().to(at::kDouble);
    double squares = 0, count = 0;
    for (int number = 1; number <= 3; ++number) {
      const at::Tensor of = v.masked_select(s == number);
      squares += (of - of.mean()).square().sum().item<double>();
      count += static_cast<double>(of.numel());
    }
    ops::RegionGrowingSpec spec;
    spec.tolerance = 3 * std::sqrt(squares / count);
    expect(graph("segment.region_growing", {}, {{"volume", values()}, {"seeds", s}}),
           ops::region_growing(values(), s, spec).or_throw());
    at::Tensor one = at::zeros_like(s);
    one[6][9][8] = 1;
    expect_refused(graph("segment.region_growing", {}, {{"volume", values()}, {"seeds", one}}), "tolerance");
  }

  void contours_by_means() {
    const at::Tensor board = ops::checkerboard_level_set({12, 30, 26}).or_throw();
    const Settings settings = {{"steps", int64_t{15}}, {"smoothing", int64_t{2}}, {"inside", Number{1.5, Unit::none}}};
    expect(graph("segment.chan_vese", settings, {{"volume", values()}}),
           ops::chan_vese(values(), board, {15, 2, 1.5, 1, {}}).or_throw());
    const at::Tensor start = seeds() > 0;
    expect(graph("segment.chan_vese", settings, {{"volume", values()}, {"start", seeds()}}),
           ops::chan_vese(values(), start, {15, 2, 1.5, 1, {}}).or_throw());
  }

  void contours_along_edges() {
    const at::Tensor edges = ops::edge_map(values(), {1000, 1.5, {}}).or_throw();
    ops::GeodesicContourSpec spec;
    spec.steps = 12;
    spec.balloon = -1;
    const Settings settings = {{"steps", int64_t{12}},
                               {"balloon", Number{-1, Unit::none}},
                               {"alpha", Number{1000, Unit::none}},
                               {"sigma", Number{1.5, Unit::px}}};
    expect(graph("segment.geodesic_contour", settings, {{"volume", values()}}),
           ops::geodesic_contour(edges, ops::ball_level_set({12, 30, 26}), spec).or_throw());
    Settings with_threshold = settings;
    with_threshold["threshold"] = Number{0.4, Unit::none};
    spec.threshold = 0.4;
    expect(graph("segment.geodesic_contour", with_threshold, {{"volume", values()}, {"start", balls()}}),
           ops::geodesic_contour(edges, balls(), spec).or_throw());
  }
};

TL_TEST_CASE(SegmentWholeVolumesTest)

}  // namespace tl::segment_whole_volumes_test

#include "segment_whole_volumes.moc"
