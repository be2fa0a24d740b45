// The node that gives a volume on other voxels: box, positions, means and what it asks of the node before it.
#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <filesystem>

#include "core/io/volumes/format.h"
#include "core/run/executor.h"
#include "tests/support/committed.h"
#include "tests/support/linear_volume.h"
#include "tests/support/test_case.h"

namespace tl::resample_volume_test {

namespace {

// Voxels of 0.8 x 0.4 x 0.5 mm along z, y, x.
VolumeGrid stored() { return {12, 20, 16, {1, 2, 3}, {0.5, 0, 0}, {0, 0.4, 0}, {0, 0, 0.8}}; }

// All voxels that the border of the stored volume has no part in.
at::Tensor inner(const at::Tensor& x) {
  at::Tensor out = x;
  for (int64_t axis = 0; axis < 3; ++axis) out = out.narrow(axis, 2, out.size(axis) - 4);
  return out;
}

}  // namespace

class ResampleVolumeTest : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;

  Graph resampled(const at::Tensor& values, std::optional<double> voxel) const {
    io::VolumeTarget t;
    t.path = dir_.filePath("v.nrrd").toStdString();
    t.grid = stored();
    t.rules = io::no_inputs(io::Overwrite::replace);
    const auto writer = io::find_volume_format("nrrd")->write(t).or_throw();
    writer->write({0, t.grid.nz}, values).or_throw();
    test::committed(writer->finish()).or_throw();
    Graph g;
    g.nodes["load"] = {"input.load_volume", 1, {{"file", t.path.string()}}};
    g.nodes["resampled"] = {"filter.resample_volume", 1, {}};
    if (voxel) g.nodes["resampled"].params["voxel_size"] = Number{*voxel, Unit::mm};
    g.links = {{"load", "volume", "resampled", "volume"}};
    return g;
  }
  static VolumeGrid grid_of(const Graph& g) {
    Executor e(Registry::all(), {});
    return std::get<VolumeInfo>(e.infos(g, "resampled").or_throw().at("volume")).grid;
  }
  static at::Tensor pulled(const Graph& g, const VolumeGrid& part) {
    Executor e(Registry::all(), {});
    return std::get<Volume>(e.pull(g, "resampled", "volume", part).or_throw()).data;
  }

 private Q_SLOTS:
  void voxels_have_their_size_and_the_box_its_position() {
    const VolumeGrid box = stored();
    for (const double voxel : {0.3, 0.4, 0.5, 0.8, 1.1}) {
      const VolumeGrid g = grid_of(resampled(test::linear_volume(box), voxel));
      for (const Vec3& step : {g.step_x, g.step_y, g.step_z}) QVERIFY(std::abs(norm(step) - voxel) < 1e-12);
      QVERIFY(norm(g.centre - box.centre) < 1e-12);
      for (const auto& [count, length] :
           {std::pair(g.nz, 12 * 0.8), std::pair(g.ny, 20 * 0.4), std::pair(g.nx, 16 * 0.5)}) {
        const double left = length - static_cast<double>(count) * voxel;
        QVERIFY2(left > -1e-9 && left < voxel, std::to_string(left).c_str());
      }
    }
  }

  void the_finest_edge_is_the_size_that_is_taken_by_itself() {
    const VolumeGrid g = grid_of(resampled(test::linear_volume(stored()), std::nullopt));
    QCOMPARE(g.ny, int64_t{20});
    QCOMPARE(g.nz, int64_t{24});
    QVERIFY(std::abs(norm(g.step_z) - 0.4) < 1e-12);
  }

  void values_stay_where_they_are() {
    for (const double voxel : {0.3, 0.4, 0.7, 1.1}) {
      const Graph graph = resampled(test::linear_volume(stored()), voxel);
      const VolumeGrid g = grid_of(graph);
      const at::Tensor all = pulled(graph, g);
      const double error = inner(all - test::linear_volume(g)).abs().max().item<double>();
      QVERIFY2(error < test::linear_rounding, (std::to_string(voxel) + ": " + std::to_string(error)).c_str());
      const Range z{1, 4}, y{2, 5}, x{0, 3};
      const at::Tensor part = all.slice(0, 1, 4).slice(1, 2, 5).slice(2, 0, 3);
      QVERIFY((pulled(graph, g.sub(z, y, x)) - part).abs().max().item<double>() < test::linear_rounding);
    }
  }

  // Voxels twice as large along x and y average a pattern of single voxels away, where samples would find it.
  void larger_voxels_are_means() {
    const at::Tensor lines = at::arange(16).remainder(2).to(at::kFloat).expand({12, 20, 16}).contiguous();
    const Graph graph = resampled(lines, 1.0);
    const at::Tensor found = inner(pulled(graph, grid_of(graph)));
    QVERIFY((found - 0.5).abs().max().item<double>() < test::linear_rounding);
  }

  void too_many_voxels_are_refused() {
    Executor e(Registry::all(), {});
    const auto found = e.infos(resampled(test::linear_volume(stored()), 1e-5), "resampled");
    QVERIFY(!found.ok() && found.error().message().find("voxel_size") != std::string::npos);
  }
};

TL_TEST_CASE(ResampleVolumeTest)

}  // namespace tl::resample_volume_test

#include "resample_volume.moc"
