// Law: an object that is the same at all heights is the same in all slices, whatever the size of the voxels.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cmath>
#include <string>

#include "core/base/units.h"
#include "core/run/executor.h"
#include "core/values/interpolated.h"
#include "tests/support/given_scan.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/test_case.h"

namespace tl::edge_slices_test {

namespace {

constexpr int64_t views = 48, rows = 8, cols = 40;
constexpr double attenuation = 0.02, radius = 12;
// Of the range: sums in float32, which iterations enlarge.
constexpr double rounding = 2e-4;
// Of the range: iterative methods solve the slices of a cone beam together, unless they are lower than rows, and reach
// the same value at the ends of the field later than in the middle.
constexpr double unconverged = 0.05;
// Of the range: the blob of recon.fourier is round, so that where views are farther apart than a cell of Fourier space
// (48 views of 40 columns leave such places) it weighs neighbours along the axis by how far they are across it.
constexpr double gridded = 0.1;

// Length of the ray at distance s from the axis.
double chord(double s) { return std::abs(s) < radius ? 2 * std::sqrt(radius * radius - s * s) : 0; }

// A disc at all heights, from so far away that a cone beam is parallel.
Projections same_rows(Beam beam, int64_t detector_rows) {
  constexpr double far_away = 1e7;  // [mm]
  Orbit o;
  o.beam = beam;
  o.angles = equidistant_angles(views, beam == Beam::parallel ? pi : 2 * pi);
  if (beam == Beam::cone) o.source_to_axis = far_away;
  Projections p;
  p.geometry = ScanGeometry::from_orbit(o, {detector_rows, cols, 1, 1}).or_throw();
  p.kind = PixelKind::absorption;
  std::vector<float> line;
  for (int64_t c = 0; c < cols; ++c)
    line.push_back(static_cast<float>(attenuation * chord(static_cast<double>(c) - 0.5 * (cols - 1))));
  p.data = at::tensor(line).view({1, 1, cols}).expand({views, detector_rows, cols}).contiguous();
  return p;
}

// A graph whose node "recon" reconstructs test::given_scan.
Graph reconstruction(const NodeType& type, double voxel, int64_t iterations = 8) {
  Graph g;
  g.nodes["scan"] = GraphNode{"test.given", 1, {}};
  g.nodes["recon"] = GraphNode{type.id, type.version, {}};
  auto& params = g.nodes["recon"].params;
  if (type.param("voxel_size") != nullptr) params["voxel_size"] = Number{voxel, Unit::mm};
  if (type.param("iterations") != nullptr) params["iterations"] = iterations;
  g.links = {{"scan", "projections", "recon", "projections"}};
  return g;
}

bool reconstructs(const NodeType& type) {
  const PortDecl* volume = type.output("volume");
  return type.id.starts_with("recon.") && volume != nullptr && type.inputs.front().type == PortType::projections;
}

}  // namespace

class EdgeSlices : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(1); }

  void all_slices_are_equal_data() {
    QTest::addColumn<QString>("id");
    for (const NodeType& t : Registry::all().types())
      if (reconstructs(t)) QTest::newRow(t.id.c_str()) << QString::fromStdString(t.id);
  }
  void all_slices_are_equal() {
    QFETCH(QString, id);
    const NodeType& type = *Registry::all().find(id.toStdString());
    int tried = 0;
    for (const Beam beam : {Beam::parallel, Beam::cone})
      for (const int64_t height : {rows, int64_t{1}}) {
        test::given_scan = same_rows(beam, height);
        for (const double voxel : {0.3, 0.5, 0.8, 1.0, 1.1, 1.37, 2.0, 3.0}) {
          Executor e(test::registry_with_given(), test::options_in({}));
          const bool together = beam == Beam::cone && voxel > 1 && type.param("iterations") != nullptr;
          const Graph g = reconstruction(type, voxel, together ? 80 : 8);
          if (!e.check(g).ok()) continue;
          ++tried;
          const auto made = std::get<Volume>(e.pull(g, "recon", "volume").or_throw());
          const std::string what = id.toStdString() + (beam == Beam::cone ? ", cone, " : ", ") +
                                   std::to_string(height) + " rows, " + std::to_string(voxel) + ": ";
          const double tall = static_cast<double>(made.grid.nz) * norm(made.grid.step_z);
          QVERIFY2(tall > static_cast<double>(height) - 1e-6, (what + "the field is not covered").c_str());
          const at::Tensor middle = made.data[made.grid.nz / 2];
          const double range = middle.abs().max().item<double>();
          QVERIFY(range > 0);
          for (int64_t z = 0; z < made.grid.nz; ++z) {
            const double off = (made.data[z] - middle).abs().max().item<double>() / range;
            QVERIFY2(off < (together                     ? unconverged
                            : type.id == "recon.fourier" ? gridded
                                                         : rounding),
                     (what + "slice " + std::to_string(z) + " differs by " + std::to_string(off)).c_str());
          }
        }
      }
    QVERIFY2(tried > 0, "no scan suits the node");
  }
  void blocks_are_parts_of_the_whole() {
    for (const char* id : {"recon.fbp", "recon.sirt", "recon.fdk"}) {
      const NodeType& type = *Registry::all().find(id);
      test::given_scan = same_rows(type.id == "recon.fdk" ? Beam::cone : Beam::parallel, rows);
      test::given_scan.data += at::rand_like(test::given_scan.data) * 0.01;
      for (const double voxel : {0.4, 1.1}) {
        const Graph g = reconstruction(type, voxel);
        Executor e(test::registry_with_given(), test::options_in({}));
        const auto whole = std::get<Volume>(e.pull(g, "recon", "volume").or_throw());
        for (int64_t z = 0; z < whole.grid.nz; ++z) {
          Executor alone(test::registry_with_given(), test::options_in({}));
          const auto slice = std::get<Volume>(alone.pull(g, "recon", "volume", whole.grid.slab({z, z + 1})).or_throw());
          QVERIFY2(test::difference(slice.data, whole.data.narrow(0, z, 1)) < rounding,
                   (std::string(id) + " " + std::to_string(voxel) + ", slice " + std::to_string(z)).c_str());
        }
      }
    }
  }
  void interpolated_volumes_keep_their_value_up_to_the_edge() {
    const VolumeGrid from = VolumeGrid::cubic(4, 5, 6, 1);
    const at::Tensor constant = at::full({4, 5, 6}, 0.7, at::kDouble);
    for (const double voxel : {0.3, 0.5, 0.9}) {
      const auto fit = [voxel](int64_t n) { return static_cast<int64_t>(std::floor(static_cast<double>(n) / voxel)); };
      const at::Tensor fine = interpolated(constant, from, VolumeGrid::cubic(fit(4), fit(5), fit(6), voxel));
      QVERIFY((fine - 0.7).abs().max().item<double>() < 1e-12);
    }
    const at::Tensor beyond = interpolated(constant, from, VolumeGrid::cubic(5, 5, 6, 1, {0, 0, 0.5}));
    QVERIFY(beyond[4].abs().max().item<double>() == 0 && (beyond[3] - 0.7).abs().max().item<double>() < 1e-12);
  }
};

TL_TEST_CASE(EdgeSlices)

}  // namespace tl::edge_slices_test

#include "edge_slices.moc"
