// Scans of labelled materials in the polychromatic beam of a tube, and how much an image of them is cupped.
#pragma once

#include <ATen/ATen.h>

#include <cmath>
#include <vector>

#include "core/base/units.h"
#include "core/physics/tube.h"
#include "core/values/values.h"
#include "gpu/projection/projector/projector.h"
#include "gpu/segmentation/distance.h"
#include "gpu/solve/spectral_model.h"
#include "tests/support/operator_laws.h"

namespace tl::test {

struct HardenedSpec {
  at::Tensor labels;  // int32 [1, y, x]: 1 PMMA, 2 aluminium
  double width = 30;  // [mm] of the image
  int64_t views = 360;
  double noise = 0.02;  // standard deviation, relative to the mean absorption
  uint64_t seed = 1;
  TubeSpec tube;
};

// PMMA with three rods of aluminium near its rim.
inline at::Tensor disc_with_rods(int64_t size) {
  at::Tensor labels = at::zeros({1, size, size}, at::kInt);
  auto label = labels.accessor<int32_t, 3>();
  const double half = 0.5 * static_cast<double>(size);
  const double rods[][2] = {{0.6, 0.05}, {-0.35, 0.5}, {-0.25, -0.55}};
  for (int64_t j = 0; j < size; ++j)
    for (int64_t i = 0; i < size; ++i) {
      const double x = (static_cast<double>(i) + 0.5) / half - 1, y = (static_cast<double>(j) + 0.5) / half - 1;
      int32_t number = std::hypot(x - 0.02, y + 0.01) < 0.85 ? 1 : 0;
      for (const auto& rod : rods)
        if (std::hypot(x - rod[0], y - rod[1]) < 0.14) number = 2;
      label[0][j][i] = number;
    }
  return labels;
}

struct HardenedScan {
  Projections noisy;  // absorption, float32
  at::Tensor exact;   // the same without noise, float64
  at::Tensor labels;
  VolumeGrid grid;
};

inline HardenedScan hardened_scan(const HardenedSpec& spec) {
  HardenedScan s;
  s.labels = spec.labels;
  const int64_t size = spec.labels.size(2);
  const double pitch = spec.width / static_cast<double>(size);
  s.noisy.geometry = ScanGeometry::parallel(equidistant_angles(spec.views, pi), {1, size, pitch, pitch}).or_throw();
  s.grid = VolumeGrid::cubic(1, size, size, pitch);
  const Spectrum spectrum = tube_spectrum(spec.tube).or_throw();
  const OperatorPtr project = make_projector({s.noisy.geometry, s.grid}).or_throw();
  std::vector<at::Tensor> lengths, attenuation;
  const auto materials = parse_materials("C5O2H8 1.18; Al 2.7").or_throw();
  for (const auto& mu : attenuations(materials, spectrum.energy).or_throw()) {
    attenuation.push_back(at::tensor(mu, at::kDouble));
    const auto number = static_cast<int64_t>(attenuation.size());
    lengths.push_back(project->apply(spec.labels.eq(number).to(at::kDouble)));
  }
  s.exact = solve::polychromatic_absorption(at::stack(lengths), at::stack(attenuation),
                                            at::tensor(spectrum.weight, at::kDouble));
  const double deviation = spec.noise * s.exact.mean().item<double>();
  s.noisy.data = (s.exact + deviation * gaussian(s.exact.sizes().vec(), at::kDouble, spec.seed)).to(at::kFloat);
  s.noisy.kind = PixelKind::absorption;
  return s;
}

// Edge over core of each material, minus 1. PMMA: edge 3 to 9 voxels from air, core the deepest quarter, both farther
// than 4 voxels from aluminium. Aluminium: edge farther than 1 and up to 2.5 voxels from its rim, core the deepest
// quarter.
struct Cupping {
  double pmma = 0, aluminium = 0;
};
inline Cupping cupping(const at::Tensor& image, const at::Tensor& labels) {
  const auto depth = [](const at::Tensor& mask) { return ops::distance_to_background(mask, {}).or_throw(); };
  const at::Tensor values = image.to(at::kDouble).reshape(labels.sizes());
  const auto edge_over_core = [&](const at::Tensor& inside, const at::Tensor& distance, const at::Tensor& edge) {
    const at::Tensor deep = std::get<0>(distance.masked_select(inside).to(at::kDouble).sort());
    const double quarter = deep[deep.numel() * 3 / 4].item<double>();
    const at::Tensor core = inside.logical_and(distance.ge(quarter));
    return (values.masked_select(edge).mean() / values.masked_select(core).mean() - 1).item<double>();
  };
  const at::Tensor from_air = depth(labels.ne(0)), from_rod = depth(labels.ne(2)), in_rod = depth(labels.eq(2));
  const at::Tensor pmma = labels.eq(1).logical_and(from_rod.gt(4));
  Cupping c;
  c.pmma = edge_over_core(pmma, from_air, pmma.logical_and(from_air.ge(3)).logical_and(from_air.le(9)));
  c.aluminium = edge_over_core(labels.eq(2), in_rod, in_rod.gt(1).logical_and(in_rod.le(2.5)));
  return c;
}

}  // namespace tl::test
