// Writes an NXtomo file of discs in a parallel beam, from their exact chords: a scan with a known axis and a known
// attenuation for tests that begin with a file.
#pragma once

#include <cmath>
#include <numbers>

#include "core/graph/graph.h"
#include "tests/support/io/hdf5_maker.h"

namespace tl::test {

struct DiscScan {
  int views = 90, rows = 6, cols = 64;
  double axis = 3.5;          // px from the detector centre
  double attenuation = 0.02;  // [1/px] of the large disc; the small one inside adds the same value
  double beam = 30000;        // counts without object
  double last_angle = 178;    // degrees, of the last view
};

// Length [px] of the ray at distance s through a disc of radius r.
inline double chord(double s, double r) { return std::abs(s) < r ? 2 * std::sqrt(r * r - s * s) : 0; }

inline void write_disc_scan(const std::string& path, const DiscScan& scan) {
  const auto cols = static_cast<double>(scan.cols);
  const double large = 0.3 * cols, small = 0.09 * cols, aside = 0.14 * cols;
  const int flats = 2, darks = 1, frames = darks + flats + scan.views;
  std::vector<uint16_t> pixels;
  std::vector<int32_t> keys;
  std::vector<double> angles;
  for (int i = 0; i < frames; ++i) {
    const int view = i - darks - flats;
    keys.push_back(i < darks ? 2 : view < 0 ? 1 : 0);
    angles.push_back(view < 0 ? 0 : view * scan.last_angle / (scan.views - 1));
    const double t = angles.back() * std::numbers::pi / 180;
    for (int row = 0; row < scan.rows; ++row)
      for (int col = 0; col < scan.cols; ++col) {
        const double u = col - 0.5 * (cols - 1) - scan.axis;
        const double p = scan.attenuation * (chord(u, large) + chord(u - aside * std::cos(t + 0.7), small));
        const double counts = keys.back() == 2 ? 0 : scan.beam * (view < 0 ? 1 : std::exp(-p));
        pixels.push_back(static_cast<uint16_t>(100 + std::lround(counts)));
      }
  }
  Hdf5Maker file(path);
  const auto size = [](int n) { return static_cast<hsize_t>(n); };
  file.text("/entry/definition", "NXtomo");
  file.numbers<uint16_t>("/entry/instrument/detector/data", {size(frames), size(scan.rows), size(scan.cols)}, pixels);
  file.numbers<int32_t>("/entry/instrument/detector/image_key", {size(frames)}, keys);
  file.numbers<double>("/entry/sample/rotation_angle", {size(frames)}, angles, "degree");
}

// Load, flat-field, axis, FBP and a saved volume: for scans that are chosen later.
inline Graph disc_pipeline() {
  Graph g;
  g.nodes["load"] = {"input.load_scan", 1, {}};
  g.nodes["flat"] = {"correct.flat_field", 1, {}};
  g.nodes["axis"] = {"axis.moments", 1, {}};
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.nodes["save"] = {"output.save_volume", 1, {{"file", std::string("volume.tif")}}};
  g.links = {{"load", "projections", "flat", "projections"},
             {"flat", "projections", "axis", "projections"},
             {"axis", "projections", "fbp", "projections"},
             {"fbp", "volume", "save", "volume"}};
  return g;
}

}  // namespace tl::test
