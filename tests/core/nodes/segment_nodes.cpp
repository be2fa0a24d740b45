// Nodes of segmentation: what their operators give for the whole volume, also for volumes in pieces, for single slices
// and for turned planes.
#include <ATen/ATen.h>

#include "core/io/open_volume.h"
#include "core/io/text/csv.h"
#include "core/run/executor.h"
#include "gpu/image/circular_mask.h"
#include "gpu/segmentation/cleaning.h"
#include "gpu/segmentation/components.h"
#include "gpu/segmentation/hysteresis.h"
#include "gpu/segmentation/morphology.h"
#include "gpu/segmentation/thresholds/thresholds.h"
#include "tests/support/io/volume_files.h"
#include "tests/support/test_case.h"

namespace tl::segment_nodes_test {

using namespace test::volumes;

namespace {

// Several slabs of 32 slices, voxels that are not cubes, away from the origin.
VolumeGrid lattice() { return {75, 24, 20, {3, -2, 7}, {0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 1}}; }

// Smooth noise: objects of many sizes, which reach over several slabs.
at::Tensor values() {
  at::manual_seed(7);
  const at::Tensor noise = at::randn({1, 1, 79, 28, 24}, at::kDouble);
  return at::avg_pool3d(noise, 5, 1).squeeze(0).squeeze(0).to(at::kFloat).contiguous();
}
at::Tensor mask() { return values() > 0.05; }

// The same repeated, 74 MB as float32 or int32. Reading files takes 34 MB of any budget, and the cache a quarter.
VolumeGrid large_lattice() { return {600, 192, 160, {3, -2, 7}, {0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 1}}; }
at::Tensor large_values() { return values().repeat({8, 8, 8}); }
at::Tensor large_mask() { return large_values() > 0.05; }
constexpr int64_t less_than_large = 56'000'000;

using Settings = std::map<std::string, ParamValue>;

}  // namespace

class SegmentNodesTest : public VolumeFolder {
  Q_OBJECT

  std::string volume_, labels_;

  // A chain of nodes behind a file of values or of labels.
  Graph chain(const std::string& first, const std::vector<std::pair<std::string, Settings>>& nodes) const {
    Graph g;
    const bool of_labels = first == "labels";
    g.nodes["load"] = {
        of_labels ? "input.load_labels" : "input.load_volume", 1, {{"file", of_labels ? labels_ : volume_}}};
    std::string before = "load", port = of_labels ? "labels" : "volume";
    for (const auto& [type, settings] : nodes) {
      const std::string id = "node" + std::to_string(g.nodes.size());
      g.nodes[id] = {type, 1, settings};
      const NodeType* t = Registry::all().find(type);
      g.links.push_back({before, port, id, t->inputs.front().name});
      before = id;
      port = "labels";
    }
    return g;
  }
  static RunOptions options(int64_t memory) {
    RunOptions o;
    o.memory = memory;
    return o;
  }
  static constexpr int64_t roomy = int64_t{1} << 28;

  std::string written(const char* name, const at::Tensor& voxels) const {
    io::VolumeTarget t = target(path(name), large_lattice());
    t.description = {};
    write(*io::find_volume_format("nrrd"), t, voxels).or_throw();
    return t.path.string();
  }
  void load_large_volume() { volume_ = written("large.nrrd", large_values()); }
  void load_large_labels() { labels_ = written("large_labels.nrrd", large_mask().to(at::kFloat)); }

  static at::Tensor numbers(Executor& e, const Graph& g, const std::optional<Region>& region = {}) {
    const std::string last = "node" + std::to_string(g.nodes.size() - 1);
    return std::get<Labels>(e.pull(g, last, "labels", region).or_throw()).data;
  }
  static void expect_equal(const at::Tensor& got, const at::Tensor& wanted, const std::string& what) {
    QVERIFY2(got.scalar_type() == at::kInt && got.equal(wanted.to(at::kInt)), what.c_str());
    // A part of a larger tensor would keep all of that in the cache.
    QCOMPARE(static_cast<int64_t>(got.storage().nbytes()), 4 * got.numel());
  }

  // The whole, in slices, with a budget that holds only a part of the volume, and on a turned plane.
  void expect(const Graph& g, const at::Tensor& wanted) const {
    const VolumeGrid all = lattice();
    Executor e(Registry::all(), options(roomy));
    expect_equal(numbers(e, g), wanted, "the whole");
    for (const int64_t z : {int64_t{0}, int64_t{31}, int64_t{32}, int64_t{74}}) {
      Executor fresh(Registry::all(), options(roomy));
      expect_equal(numbers(fresh, g, all.slab({z, z + 1})), wanted.narrow(0, z, 1), "slice " + std::to_string(z));
    }
    Executor fresh(Registry::all(), options(roomy));
    expect_equal(numbers(fresh, g, all.sub({20, 50}, {3, 9}, {5, 17})),
                 wanted.narrow(0, 20, 30).narrow(1, 3, 6).narrow(2, 5, 12), "a box");
  }
  // On planes of any direction the number of the nearest voxel.
  void expect_nearest(const Graph& g, const at::Tensor& wanted) const {
    const VolumeGrid all = lattice();
    const VolumeGrid plane = VolumeGrid::plane(15, 13, 0.61, all.centre, {0.8, 0.6, 0}, {-0.36, 0.48, 0.8});
    Executor e(Registry::all(), options(roomy));
    const at::Tensor got = numbers(e, g, plane);
    for (int64_t j = 0; j < plane.ny; ++j)
      for (int64_t i = 0; i < plane.nx; ++i) {
        const Vec3 at = plane.position(0, static_cast<double>(j), static_cast<double>(i)) - all.position(0, 0, 0);
        const int64_t z = std::llround(at.z / 1.0), y = std::llround(at.y / 0.5), x = std::llround(at.x / 0.5);
        const bool inside = z >= 0 && z < all.nz && y >= 0 && y < all.ny && x >= 0 && x < all.nx;
        QCOMPARE(got[0][j][i].item<int>(), inside ? wanted[z][y][x].item<int>() : 0);
      }
  }

 private Q_SLOTS:
  void init() {
    dir_ = std::make_unique<QTemporaryDir>();
    io::VolumeTarget t = target(path("values.nrrd"), lattice());
    t.description = {};
    write(*io::find_volume_format("nrrd"), t, values()).or_throw();
    volume_ = t.path.string();
    t.path = path("labels.nrrd");
    write(*io::find_volume_format("nrrd"), t, mask().to(at::kFloat)).or_throw();
    labels_ = t.path.string();
  }

  void thresholds_data() {
    QTest::addColumn<QString>("method");
    for (const char* m : {"otsu", "li", "yen", "isodata", "triangle"}) QTest::newRow(m) << QString(m);
  }
  void thresholds() {
    QFETCH(QString, method);
    const std::map<QString, ops::ThresholdMethod> methods = {{"otsu", ops::ThresholdMethod::otsu},
                                                             {"li", ops::ThresholdMethod::li},
                                                             {"yen", ops::ThresholdMethod::yen},
                                                             {"isodata", ops::ThresholdMethod::isodata},
                                                             {"triangle", ops::ThresholdMethod::triangle}};
    ops::GreyHistogram histogram;
    histogram.add(values());
    const double wanted = ops::threshold(histogram, methods.at(method)).or_throw();
    for (const char* keep : {"bright", "dark"}) {
      const Graph g =
          chain("volume", {{"segment.threshold", {{"method", method.toStdString()}, {"keep", std::string(keep)}}}});
      Executor e(Registry::all(), options(roomy));
      QCOMPARE(std::get<Scalar>(e.pull(g, "node1", "threshold").or_throw()).value.item<double>(), wanted);
      const at::Tensor bright = values() > wanted;
      expect(g, std::string(keep) == "bright" ? bright : bright.logical_not());
    }
  }

  void several_classes_within_a_cylinder() {
    const Graph g = chain(
        "volume",
        {{"segment.threshold",
          {{"method", std::string("multi_otsu")}, {"classes", int64_t{4}}, {"cylinder", Number{0.8, Unit::none}}}}});
    ops::GreyHistogram histogram;
    histogram.add(values(), ops::circular_weights(lattice(), {lattice(), 0.8, 0}, at::kFloat).or_throw() > 0);
    at::Tensor wanted = at::zeros(values().sizes(), at::kInt);
    for (const double t : ops::multi_otsu_thresholds(histogram, 4).or_throw()) wanted += values() > t;
    QCOMPARE(wanted.max().item<int>(), 3);
    expect(g, wanted);
  }

  // The histogram of pieces is that of the whole.
  void a_volume_larger_than_memory_has_the_same_threshold() {
    load_large_volume();
    const Graph g = chain("volume", {{"segment.threshold", {}}, {"segment.components", {}}});
    Executor all(Registry::all(), options(roomy)), little(Registry::all(), options(less_than_large));
    const auto threshold = [&](Executor& e) {
      return std::get<Scalar>(e.pull(g, "node1", "threshold").or_throw()).value.item<double>();
    };
    QCOMPARE(threshold(little), threshold(all));
    QVERIFY(little.stats().at("load").calls > 5);
    QCOMPARE(all.stats().at("load").calls, int64_t{1});
  }

  void a_given_threshold_reads_nothing_before() {
    const Graph g = chain(
        "volume", {{"segment.threshold", {{"method", std::string("manual")}, {"value", Number{0.1, Unit::none}}}}});
    Executor e(Registry::all(), options(roomy));
    QCOMPARE(std::get<Scalar>(e.pull(g, "node1", "threshold").or_throw()).value.item<double>(), 0.1);
    QCOMPARE(e.stats().at("load").calls, int64_t{0});
    expect(g, values() > 0.1);
  }

  void a_uniform_volume_is_reported() {
    io::VolumeTarget t = target(path("flat.nrrd"), lattice());
    t.description = {};
    write(*io::find_volume_format("nrrd"), t, at::full({75, 24, 20}, 2.5F)).or_throw();
    volume_ = t.path.string();
    Executor e(Registry::all(), options(roomy));
    const Graph g = chain("volume", {{"segment.threshold", {}}});
    const auto found = std::get<Scalar>(e.pull(g, "node1", "threshold").or_throw());
    QVERIFY(found.verdict == Verdict::flat && found.value.item<double>() == 2.5);
    QCOMPARE(numbers(e, g).max().item<int>(), 0);
    const auto several =
        e.pull(chain("volume", {{"segment.threshold", {{"method", std::string("multi_otsu")}}}}), "node1", "labels");
    QVERIFY(!several.ok() && several.error().kind == ErrorKind::invalid);
    QVERIFY2(several.error().where.find("node1") != std::string::npos, several.error().message().c_str());
  }

  void a_volume_of_nan_is_refused() {
    io::VolumeTarget t = target(path("nan.nrrd"), lattice());
    t.description = {};
    write(*io::find_volume_format("nrrd"), t, at::full({75, 24, 20}, std::nanf(""))).or_throw();
    volume_ = t.path.string();
    Executor e(Registry::all(), options(roomy));
    const auto found = e.pull(chain("volume", {{"segment.threshold", {}}}), "node1", "labels");
    QVERIFY(!found.ok() && found.error().kind == ErrorKind::invalid);
    QVERIFY2(found.error().message().find("no value is finite") != std::string::npos, found.error().message().c_str());
  }

  void objects_data() {
    QTest::addColumn<QString>("neighbours");
    QTest::addColumn<int>("connectivity");
    QTest::newRow("faces") << QString("faces") << 1;
    QTest::newRow("edges") << QString("edges") << 2;
    QTest::newRow("corners") << QString("corners") << 3;
  }
  void objects() {
    QFETCH(QString, neighbours);
    QFETCH(int, connectivity);
    const auto wanted = ops::components(mask(), {static_cast<ops::Connectivity>(connectivity), {}}).or_throw();
    QVERIFY(wanted.count() > 20);
    const Settings settings = {{"neighbours", neighbours.toStdString()}};
    const Graph g = chain("labels", {{"segment.components", settings}});
    expect(g, wanted.labels);
    expect_nearest(g, wanted.labels);
    Executor e(Registry::all(), options(roomy));
    QCOMPARE(std::get<Scalar>(e.pull(g, "node1", "count").or_throw()).value.item<double>(),
             static_cast<double>(wanted.count()));
  }
  void objects_of_a_volume_larger_than_memory() {
    load_large_labels();
    const Graph g = chain("labels", {{"segment.components", {}}});
    Executor little(Registry::all(), options(less_than_large));
    const auto wanted = ops::components(large_mask(), {}).or_throw();
    QCOMPARE(std::get<Scalar>(little.pull(g, "node1", "count").or_throw()).value.item<double>(),
             static_cast<double>(wanted.count()));
    QVERIFY(little.stats().at("load").calls > 1);
    expect_equal(numbers(little, g, large_lattice().slab({440, 441})), wanted.labels.narrow(0, 440, 1), "a slice");
  }

  // What is kept of the search belongs to nobody's call: cancelling it later does not reach the next one.
  void cancelled_calls_leave_found_objects_usable() {
    const Graph g = chain("labels", {{"segment.components", {}}});
    const at::Tensor wanted = ops::components(mask(), {}).or_throw().labels;
    Executor e(Registry::all(), options(roomy));
    CallOptions first;
    const CallOptions before = e.use(first);
    expect_equal(numbers(e, g, lattice().slab({3, 4})), wanted.narrow(0, 3, 1), "a slice");
    e.use(before);
    first.cancel.cancel();
    expect_equal(numbers(e, g, lattice().slab({70, 71})), wanted.narrow(0, 70, 1), "another slice");
  }

  void small_objects_and_holes() {
    const at::Tensor objects = ops::remove_small(mask(), {50, ops::Connectivity::faces, {}}).or_throw();
    QVERIFY(!objects.equal(mask()));
    const Graph removed = chain("labels", {{"segment.remove_small", {{"least_voxels", int64_t{50}}}}});
    expect(removed, objects);
    expect_nearest(removed, objects);
    const at::Tensor inverse = objects.logical_not();
    const at::Tensor filled = ops::fill_holes(mask(), {0, {}}).or_throw();
    QVERIFY(!filled.equal(mask()));
    expect(chain("labels", {{"segment.fill_holes", {}}}), filled);
    const at::Tensor small = ops::fill_holes(mask(), {1, {}}).or_throw();
    QVERIFY(!small.equal(filled));
    expect(chain("labels", {{"segment.fill_holes", {{"most_voxels", int64_t{1}}, {"number", int64_t{9}}}}}),
           mask().to(at::kInt) + 9 * small.logical_and(mask().logical_not()));
  }

  void hysteresis() {
    const at::Tensor wanted = ops::hysteresis(values(), {0.05, 0.25, ops::Connectivity::faces, {}}).or_throw();
    QVERIFY(wanted.any().item<bool>() && !wanted.equal(mask()));
    const Settings settings = {{"low", Number{0.05, Unit::none}}, {"high", Number{0.25, Unit::none}}};
    const Graph g = chain("volume", {{"segment.hysteresis", settings}});
    expect(g, wanted);
    expect_nearest(g, wanted.to(at::kInt));
    Executor e(Registry::all(), options(roomy));
    const auto turned =
        e.pull(chain("volume", {{"segment.hysteresis", {{"low", Number{1, Unit::none}}}}}), "node1", "labels");
    QVERIFY(!turned.ok() && turned.error().kind == ErrorKind::invalid);
  }

  void morphology_data() {
    QTest::addColumn<QString>("operation");
    QTest::addColumn<QString>("element");
    QTest::addColumn<QString>("span");
    for (const char* operation : {"erode", "dilate", "open", "close"})
      for (const char* element : {"ball", "box"})
        for (const char* span : {"volume", "slices"})
          QTest::addRow("%s %s %s", operation, element, span)
              << QString(operation) << QString(element) << QString(span);
  }
  void morphology() {
    QFETCH(QString, operation);
    QFETCH(QString, element);
    QFETCH(QString, span);
    ops::MorphologySpec spec;
    spec.element = element == "ball" ? ops::StructuringElement::ball : ops::StructuringElement::box;
    spec.radius = 2.2;
    spec.voxel = {2, 1, 1};  // in edges along x
    const std::map<QString, Result<at::Tensor> (*)(const at::Tensor&, const ops::MorphologySpec&)> operators = {
        {"erode", ops::erosion}, {"dilate", ops::dilation}, {"open", ops::opening}, {"close", ops::closing}};
    at::Tensor wanted = mask();
    if (span == "volume") {
      wanted = operators.at(operation)(wanted, spec).or_throw();
    } else {
      for (int64_t z = 0; z < wanted.size(0); ++z)
        wanted.select(0, z).copy_(operators.at(operation)(mask().select(0, z), spec).or_throw());
    }
    const Settings settings = {{"operation", operation.toStdString()},
                               {"element", element.toStdString()},
                               {"span", span.toStdString()},
                               {"radius", Number{2.2, Unit::px}}};
    expect(chain("labels", {{"segment.morphology", settings}}), wanted);
  }

  void combined_by_position_data() {
    QTest::addColumn<QString>("operation");
    for (const char* o : {"both", "either", "first_only", "exactly_one"}) QTest::newRow(o) << QString(o);
  }
  // The second set has other voxels: a box of the first one's, shifted.
  void combined_by_position() {
    QFETCH(QString, operation);
    const VolumeGrid box = lattice().sub({10, 60}, {4, 20}, {2, 18});
    at::Tensor other = at::zeros(mask().sizes(), at::kInt);
    at::manual_seed(9);
    const at::Tensor second = at::randint(0, 3, {50, 16, 16}, at::kInt);
    other.narrow(0, 10, 50).narrow(1, 4, 16).narrow(2, 2, 16).copy_(second);
    io::VolumeTarget t = target(path("second.nrrd"), box);
    t.description = {};
    write(*io::find_volume_format("nrrd"), t, second.to(at::kFloat)).or_throw();
    Graph g = chain("labels", {{"segment.combine", {{"operation", operation.toStdString()}}}});
    g.nodes["second"] = {"input.load_labels", 1, {{"file", t.path.string()}}};
    g.links.push_back({"second", "labels", "node1", "second"});
    const at::Tensor a = mask().to(at::kInt);
    const at::Tensor here = a.ne(0), there = other.ne(0), none = at::zeros_like(a);
    const std::map<QString, at::Tensor> wanted = {{"both", at::where(there, a, none)},
                                                  {"either", at::where(here, a, other)},
                                                  {"first_only", at::where(there, none, a)},
                                                  {"exactly_one", at::where(here.logical_xor(there), a + other, none)}};
    Executor e(Registry::all(), options(roomy));
    expect_equal(std::get<Labels>(e.pull(g, "node1", "labels").or_throw()).data, wanted.at(operation), "the whole");
  }

  // From values to a file of objects and their table, with a budget that holds a part of the volume.
  void a_pipeline_to_a_file() {
    load_large_volume();
    Graph g = chain("volume", {{"segment.threshold", {}},
                               {"segment.remove_small", {{"least_voxels", int64_t{20}}}},
                               {"segment.components", {}}});
    g.nodes["save"] = {"output.save_labels", 1, {{"file", std::string("objects.tif")}}};
    g.nodes["regions"] = {"measure.regions", 1, {}};
    g.nodes["table"] = {"output.save_table", 1, {{"file", std::string("objects.csv")}}};
    g.links.push_back({"node3", "labels", "save", "labels"});
    g.links.push_back({"node3", "labels", "regions", "labels"});
    g.links.push_back({"load", "volume", "regions", "volume"});
    g.links.push_back({"regions", "regions", "table", "table"});
    std::vector<at::Tensor> all;
    std::vector<std::vector<io::CsvRow>> tables;
    for (const int64_t memory : {roomy * 8, less_than_large}) {
      RunOptions o = options(memory);
      o.output_dir = path("out" + std::to_string(memory));
      Executor e(Registry::all(), o);
      const auto run = e.run(g);
      QVERIFY2(run.ok(), run.ok() ? "" : run.error().message().c_str());
      const auto volume = io::open_volume(o.output_dir / "objects.tif").or_throw();
      tables.push_back(io::read_csv(o.output_dir / "objects.csv").or_throw());
      all.push_back(volume->read({{0, 600}, {0, 192}, {0, 160}}, {}).or_throw());
    }
    QVERIFY(all[0].equal(all[1]));
    QVERIFY(tables[0] == tables[1]);
    // A row per object; voxels and volume of the first one.
    QCOMPARE(static_cast<int64_t>(tables[0].size()) - 1, all[0].max().item<int64_t>());
    QCOMPARE(tables[0][0][2], std::string("volume_mm3"));
    QCOMPARE(tables[0][0][3], std::string("x [mm]"));
    QCOMPARE(std::stod(tables[0][1][1]), (all[0] == 1).sum().item<double>());
    QCOMPARE(std::stod(tables[0][1][2]), std::stod(tables[0][1][1]) * lattice().voxel_volume());
    ops::GreyHistogram histogram;
    histogram.add(large_values());
    const at::Tensor bright = large_values() > ops::threshold(histogram, ops::ThresholdMethod::otsu).or_throw();
    const at::Tensor clean = ops::remove_small(bright, {20, ops::Connectivity::faces, {}}).or_throw();
    QVERIFY(all[0].equal(ops::components(clean, {}).or_throw().labels.to(all[0].scalar_type())));
  }
};

TL_TEST_CASE(SegmentNodesTest)

}  // namespace tl::segment_nodes_test

#include "segment_nodes.moc"
