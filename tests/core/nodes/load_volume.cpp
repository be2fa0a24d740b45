// The node that loads volumes: regions of voxels, points between voxels, voxel size by the user, files that change.
#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/io/volumes/format.h"
#include "core/run/executor.h"
#include "tests/support/committed.h"
#include "tests/support/linear_volume.h"
#include "tests/support/test_case.h"

namespace tl::load_volume_test {

namespace {

namespace fs = std::filesystem;

VolumeGrid grid_of_file() { return {12, 10, 8, {1, 2, 3}, {0.5, 0, 0}, {0, 0.4, 0}, {0, 0, 0.8}}; }

}  // namespace

class LoadVolumeTest : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;
  std::string path(const char* name) const { return dir_.filePath(name).toStdString(); }
  std::string file(const char* name, const VolumeGrid& grid) const {
    io::VolumeTarget t;
    t.path = path(name);
    t.grid = grid;
    t.rules = io::no_inputs(io::Overwrite::replace);
    const auto writer = io::find_volume_format("nrrd")->write(t).or_throw();
    writer->write({0, grid.nz}, test::linear_volume(grid)).or_throw();
    test::committed(writer->finish()).or_throw();
    return t.path.string();
  }
  static Graph loading(const std::string& file) {
    Graph g;
    g.nodes["load"] = {"input.load_volume", 1, {{"file", file}}};
    return g;
  }
  static Volume pull(const Graph& g, const Region& region) {
    Executor e(Registry::all(), {});
    return std::get<Volume>(e.pull(g, "load", "volume", region).or_throw());
  }

 private Q_SLOTS:
  void boxes_are_read() {
    const VolumeGrid g = grid_of_file();
    const Graph graph = loading(file("v.nrrd", g));
    Executor e(Registry::all(), {});
    const auto info = std::get<VolumeInfo>(e.infos(graph, "load").or_throw().at("volume"));
    QVERIFY(info.unit == Unit::per_mm && info.voxel_size == Origin::file);
    QVERIFY(norm(info.grid.position(0, 0, 0) - g.position(0, 0, 0)) < 1e-12);
    for (const VolumeGrid& part : {info.grid, info.grid.slab({3, 5}), info.grid.sub({0, 12}, {4, 5}, {2, 7})}) {
      const Volume v = pull(graph, part);
      QVERIFY(v.grid == part &&
              (v.data - test::linear_volume(part)).abs().max().item<double>() < test::linear_rounding);
    }
  }

  void points_between_the_voxels_are_interpolated() {
    const VolumeGrid g = grid_of_file();
    const Graph graph = loading(file("v.nrrd", g));
    const double a = 0.4;
    const Vec3 along{std::cos(a), std::sin(a), 0}, across{-std::sin(a) * 0.6, std::cos(a) * 0.6, 0.8};
    for (const VolumeGrid& points : {VolumeGrid::plane(7, 6, 0.3, g.centre, along, across), g.binned(2),
                                     g.sub({2, 5}, {1, 4}, {2, 6}).binned(3)}) {
      const Volume v = pull(graph, points);
      QVERIFY((v.data - test::linear_volume(points)).abs().max().item<double>() < test::linear_rounding);
    }
  }

  // A plane through a larger volume is read in parts; outside of the volume values are 0.
  void large_planes_are_read_in_parts() {
    const VolumeGrid g = VolumeGrid::cubic(40, 60, 50, 0.1);
    const Graph graph = loading(file("large.nrrd", g));
    const VolumeGrid plane = VolumeGrid::plane(120, 110, 0.04, {}, {1, 1, 0}, {0, 0, 1});
    const Volume v = pull(graph, plane);
    for (int64_t j = 0; j < plane.ny; j += 7)
      for (int64_t i = 0; i < plane.nx; i += 7) {
        const Vec3 at = plane.position(0, static_cast<double>(j), static_cast<double>(i));
        const bool inside = std::abs(at.x) < 2.44 && std::abs(at.y) < 2.94 && std::abs(at.z) < 1.94;
        const bool outside = std::abs(at.x) > 2.56 || std::abs(at.y) > 3.06 || std::abs(at.z) > 2.06;
        const double value = v.data[0][j][i].item<double>();
        if (inside)
          QVERIFY2(std::abs(value - test::linear_value(at)) < test::linear_rounding,
                   std::to_string(value - test::linear_value(at)).c_str());
        if (outside) QCOMPARE(value, 0.0);
      }
  }

  void the_voxel_size_can_be_given() {
    const VolumeGrid g = grid_of_file();
    Graph graph = loading(file("v.nrrd", g));
    graph.nodes["load"].params["voxel_size"] = Number{250, Unit::um};
    Executor e(Registry::all(), {});
    const auto info = std::get<VolumeInfo>(e.infos(graph, "load").or_throw().at("volume"));
    QVERIFY(info.voxel_size == Origin::user);
    QVERIFY(norm(info.grid.step_x - 0.5 * g.step_x) < 1e-12 && norm(info.grid.centre - 0.5 * g.centre) < 1e-12);
  }

  // What was saved is loaded at its position, in every format.
  void saved_volumes_are_loaded() {
    const VolumeGrid g = grid_of_file();
    const std::string source = file("v.nrrd", g);
    for (const io::VolumeFormat& f : io::volume_formats()) {
      const QTemporaryDir folder;
      const std::string name = "saved" + std::string(f.extensions.substr(0, f.extensions.find(' ')));
      Graph graph = loading(source);
      graph.nodes["save"] = {"output.save_volume", 1, {{"file", name}, {"format", std::string(f.id)}}};
      if (!f.stores(io::SampleType::float32)) {
        // Half a step of its integers is less than the rounding.
        auto& params = graph.nodes["save"].params;
        params["type"] = std::string("uint16");
        params["low"] = Number{test::linear_volume(g).min().item<double>(), Unit::none};
        params["high"] = Number{test::linear_volume(g).max().item<double>(), Unit::none};
      }
      graph.links.push_back({"load", "volume", "save", "volume"});
      RunOptions o;
      o.output_dir = folder.path().toStdString();
      const auto report = Executor(Registry::all(), o).run(graph);
      QVERIFY2(report.ok(), report.ok() ? "" : report.error().message().c_str());
      const Graph again = loading((fs::path(o.output_dir) / name).string());
      const Volume v = pull(again, Region{grid_of(again)});
      QVERIFY2((v.data - test::linear_volume(g)).abs().max().item<double>() < test::linear_rounding, f.id.data());
    }
  }

  void errors_name_the_file() {
    Executor e(Registry::all(), {});
    const auto none = e.infos(loading(""), "load");
    QVERIFY(!none.ok() && none.error().what.find("no volume is chosen") != std::string::npos);
    const auto missing = e.infos(loading(path("missing.nrrd")), "load");
    QVERIFY(!missing.ok() && missing.error().kind == ErrorKind::io);
    std::ofstream(path("text.nrrd")) << "no volume";
    QCOMPARE(e.infos(loading(path("text.nrrd")), "load").error().kind, ErrorKind::invalid);
  }

 private:
  static VolumeGrid grid_of(const Graph& g) {
    Executor e(Registry::all(), {});
    return std::get<VolumeInfo>(e.infos(g, "load").or_throw().at("volume")).grid;
  }
};

TL_TEST_CASE(LoadVolumeTest)

}  // namespace tl::load_volume_test

#include "load_volume.moc"
