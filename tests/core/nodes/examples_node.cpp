// The node of examples: labels lie at the voxels of their volume, whatever their file says; parts and turned planes.
#include <ATen/ATen.h>

#include <cmath>

#include "core/run/executor.h"
#include "tests/support/io/volume_files.h"
#include "tests/support/test_case.h"

namespace tl::examples_node_test {

using namespace test::volumes;

namespace {

constexpr int64_t nz = 4, ny = 9, nx = 12;

at::Tensor numbers() { return at::arange(nz * ny * nx, at::kFloat).remainder(5).view({nz, ny, nx}); }

}  // namespace

class ExamplesNode : public VolumeFolder {
  Q_OBJECT

  void save(const std::string& name, const VolumeGrid& grid, const at::Tensor& values) {
    io::VolumeTarget t = target(path(name + ".nrrd"), grid);
    t.description = {};
    t.rules = io::no_inputs(io::Overwrite::replace);
    write(*io::find_volume_format("nrrd"), t, values).or_throw();
  }
  Graph pipeline() const {
    Graph g;
    g.nodes["volume"] = {"input.load_volume", 1, {{"file", path("volume.nrrd").string()}}};
    g.nodes["labels"] = {"input.load_labels", 1, {{"file", path("labels.nrrd").string()}}};
    g.nodes["examples"] = {"input.examples", 1, {}};
    g.links = {{"volume", "volume", "examples", "volume"}, {"labels", "labels", "examples", "labels"}};
    return g;
  }
  static at::Tensor labels(const Graph& g, const std::optional<Region>& region = {}) {
    Executor e(Registry::all(), {});
    return std::get<Labels>(e.pull(g, "examples", "labels", region).or_throw()).data;
  }

 private Q_SLOTS:
  // The volume has voxels of 0.5 mm somewhere, the labels of 1 mm around the origin.
  void labels_lie_on_their_volume() {
    const VolumeGrid volume{nz, ny, nx, {3, -2, 7}, {0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}};
    save("volume", volume, at::rand({nz, ny, nx}));
    save("labels", VolumeGrid::cubic(nz, ny, nx, 1), numbers());
    const at::Tensor expected = numbers().to(at::kInt);
    QVERIFY(labels(pipeline()).equal(expected));
    const VolumeGrid part = volume.sub({1, 3}, {2, 7}, {5, 12});
    QVERIFY(labels(pipeline(), Region{part}).equal(expected.narrow(0, 1, 2).narrow(1, 2, 5).narrow(2, 5, 7)));
    // A plane of constant x, turned by a right angle: through the voxels' centres.
    const VolumeGrid turned = VolumeGrid::plane(nz, ny, 0.5, volume.position(1.5, 4, 3), {0, 1, 0}, {0, 0, 1});
    QVERIFY(labels(pipeline(), Region{turned})[0].equal(expected.select(2, 3)));
    Executor e(Registry::all(), {});
    const Infos infos = e.infos(pipeline(), "examples").or_throw();
    QVERIFY(std::get<LabelsInfo>(infos.at("labels")).grid == volume);
  }

  void what_is_not_labelled_can_be_said() {
    save("volume", VolumeGrid::cubic(nz, ny, nx, 1), at::rand({nz, ny, nx}));
    save("labels", VolumeGrid::cubic(nz, ny, nx, 1), numbers());
    Graph g = pipeline();
    Executor e(Registry::all(), {});
    const auto unlabelled = [&] {
      return std::get<LabelsInfo>(e.infos(g, "examples").or_throw().at("labels")).table.not_labelled;
    };
    QVERIFY(!unlabelled());
    g.nodes.at("examples").params["unlabelled"] = int64_t{4};
    QCOMPARE(unlabelled(), std::optional<int64_t>(4));
  }

  void another_number_of_voxels_is_refused() {
    save("volume", VolumeGrid::cubic(nz, ny, nx, 1), at::rand({nz, ny, nx}));
    save("labels", VolumeGrid::cubic(nz, ny, nx - 1, 1), numbers().narrow(2, 0, nx - 1).contiguous());
    Executor e(Registry::all(), {});
    const auto checked = e.check(pipeline());
    QVERIFY(!checked.ok());
    QVERIFY2(checked.error().what.find("11 x 9 x 4") != std::string::npos &&
                 checked.error().what.find("12 x 9 x 4") != std::string::npos,
             checked.error().message().c_str());
  }
};

TL_TEST_CASE(ExamplesNode)

}  // namespace tl::examples_node_test

#include "examples_node.moc"
