// A bead in a scan: from the file alone, a reconstruction shows whether every sign and distance was understood.
#pragma once

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/units.h"
#include "core/io/open_scan.h"
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

inline ScanGeometry bead_geometry(const BeadScan& s) {
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
  return ScanGeometry::from_views(Beam::cone, {s.rows, s.cols, s.pitch, s.pitch}, std::move(all)).or_throw();
}

// A scan of it on no circle: source and detector wobble, and the detector leans.
inline ScanGeometry wobbling_geometry(int64_t views, int64_t rows, int64_t cols, double pitch) {
  std::vector<View> all;
  for (int64_t i = 0; i < views; ++i) {
    const double x = static_cast<double>(i), t = 0.3 + 2 * pi * x / static_cast<double>(views);
    const double lift = 2 * std::sin(0.7 * x), lean = 0.05;
    all.push_back({{60 * std::sin(t), -60 * std::cos(t) + 0.5 * std::sin(3 * x), lift},
                   {-60 * std::sin(t) + std::cos(2 * x), 60 * std::cos(t), -lift},
                   {pitch * std::cos(t), pitch * std::sin(t), pitch * lean},
                   {-pitch * lean * std::cos(t), -pitch * lean * std::sin(t), pitch}});
  }
  return ScanGeometry::from_views(Beam::cone, {rows, cols, pitch, pitch}, std::move(all)).or_throw();
}

// The line integrals of the views [view, row, col], float64.
inline at::Tensor bead_absorption(const ScanGeometry& geometry) {
  const ops::Phantom phantom{{{ops::Solid::ellipsoid, bead_place, {1.2, 1.2, 1.2}, 0.2}}};
  return ops::phantom_projections(phantom, geometry, {at::kDouble, 3, {}});
}
// The counts of the views.
inline at::Tensor bead_counts(const ScanGeometry& geometry, double air) {
  return air * at::exp(-bead_absorption(geometry));
}
inline at::Tensor bead_counts(const BeadScan& s) { return bead_counts(bead_geometry(s), s.air); }

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

// The geometry that the load node makes of the file.
inline ScanGeometry loaded_geometry(const std::filesystem::path& file, std::map<std::string, ParamValue> load = {}) {
  load["file"] = file.string();
  Graph graph;
  graph.nodes["load"] = {"input.load_scan", 1, load};
  Executor executor(Registry::all(), {});
  return std::get<ProjectionsInfo>(executor.infos(graph, "load").or_throw().at("projections")).geometry;
}
// The largest difference of positions and steps of the detector [mm]; infinite if scans differ in their size.
inline double difference(const ScanGeometry& a, const ScanGeometry& b) {
  if (a.views() != b.views() || a.detector().rows != b.detector().rows || a.detector().cols != b.detector().cols)
    return std::numeric_limits<double>::infinity();
  double most = 0;
  for (int64_t i = 0; i < a.views(); ++i) {
    const View &one = a.view(i), &other = b.view(i);
    for (const Vec3& d : {one.beam - other.beam, one.detector - other.detector, one.u - other.u, one.v - other.v})
      most = std::max(most, norm(d));
  }
  return most;
}

// What a reconstruction makes of the file, without any other number than parameters of the load node. FDK: of the whole
// field of view; others, which take longer, around the middle.
inline Vec3 reconstructed_bead(const std::filesystem::path& file, std::map<std::string, ParamValue> load = {},
                               const char* reconstruction = "recon.fdk") {
  load["file"] = file.string();
  const bool counts = io::open_scan(file).or_throw()->info().kind == PixelKind::counts;
  Graph graph;
  graph.nodes["load"] = {"input.load_scan", 1, load};
  if (counts) graph.nodes["flat"] = {"correct.flat_field", 1, {}};
  graph.nodes["volume"] = {reconstruction, 1, {}};
  graph.links = {{counts ? "flat" : "load", "projections", "volume", "projections"}};
  if (counts) graph.links.push_back({"load", "projections", "flat", "projections"});
  Executor executor(Registry::all(), {});
  const VolumeGrid whole = std::get<VolumeInfo>(executor.infos(graph, "volume").or_throw().at("volume")).grid;
  const VolumeGrid grid = reconstruction == std::string("recon.fdk") ? whole : VolumeGrid::cubic(28, 28, 28, 0.6);
  return brightest_place(std::get<Volume>(executor.pull(graph, "volume", "volume", grid).or_throw()));
}

}  // namespace tl::test
