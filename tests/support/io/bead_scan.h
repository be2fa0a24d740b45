// A bead in a scan: from the file alone, a reconstruction shows whether every sign and distance was understood.
#pragma once

#include <ATen/ATen.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/run/executor.h"
#include "gpu/simulate/phantom.h"

namespace tl::test {

inline const Vec3 bead_place{6, -3.5, 4.5};  // [mm]

// A cone-beam scan on a circle of a bead at that position.
struct BeadScan {
  int64_t views = 90, rows = 40, cols = 64;
  double to_object = 60, to_detector = 120, pitch = 1;  // [mm]
  double start = 0, step = 4;                           // [deg]
  double line = 19.5;  // the row in which rays are perpendicular to the detector, from the bottom
  double air = 58000;  // counts
};

// The counts of the views [view, row, col].
inline at::Tensor bead_counts(const BeadScan& s) {
  std::vector<View> all;
  for (int64_t i = 0; i < s.views; ++i) {
    const double t = (s.start + static_cast<double>(i) * s.step) * pi / 180;
    const Vec3 out{std::sin(t), -std::cos(t), 0};
    // The detector's centre is as far above the horizontal ray as that ray's row is below the middle row.
    const double above = (0.5 * static_cast<double>(s.rows - 1) - s.line) * s.pitch;
    all.push_back({s.to_object * out,
                   (s.to_object - s.to_detector) * out + Vec3{0, 0, above},
                   {s.pitch * std::cos(t), s.pitch * std::sin(t), 0},
                   {0, 0, s.pitch}});
  }
  const ScanGeometry geometry =
      ScanGeometry::from_views(Beam::cone, {s.rows, s.cols, s.pitch, s.pitch}, std::move(all)).or_throw();
  const ops::Phantom phantom{{{ops::Solid::ellipsoid, bead_place, {1.2, 1.2, 1.2}, 0.2}}};
  return s.air * at::exp(-ops::phantom_projections(phantom, geometry, {at::kDouble, 3, {}}));
}

// The position of the largest values of a volume: the centre of mass of values above half of the maximum [mm].
inline Vec3 brightest_place(const Volume& volume) {
  const at::Tensor data = volume.data.to(at::kDouble), weight = at::relu(data - 0.5 * data.max());
  const at::Tensor places = weight.nonzero();
  Vec3 sum;
  for (int64_t n = 0; n < places.size(0); ++n) {
    const auto index = [&](int64_t axis) { return places[n][axis].item<int64_t>(); };
    sum = sum + weight[index(0)][index(1)][index(2)].item<double>() *
                    volume.grid.position(static_cast<double>(index(0)), static_cast<double>(index(1)),
                                         static_cast<double>(index(2)));
  }
  return (1 / weight.sum().item<double>()) * sum;
}

// The position of the bead in an FDK reconstruction of the file, with no other numbers than parameters of the load
// node.
inline Vec3 reconstructed_bead(const std::filesystem::path& file, std::map<std::string, ParamValue> load = {}) {
  load["file"] = file.string();
  Graph graph;
  graph.nodes["load"] = {"input.load_scan", 1, load};
  graph.nodes["flat"] = {"correct.flat_field", 1, {}};
  graph.nodes["fdk"] = {"recon.fdk", 1, {}};
  graph.links = {{"load", "projections", "flat", "projections"}, {"flat", "projections", "fdk", "projections"}};
  Executor executor(Registry::all(), {});
  const VolumeGrid grid = std::get<VolumeInfo>(executor.infos(graph, "fdk").or_throw().at("volume")).grid;
  return brightest_place(std::get<Volume>(executor.pull(graph, "fdk", "volume", grid).or_throw()));
}

}  // namespace tl::test
