// The scan of the phase case study: a hollow box of calcium carbonate, at a detector distance with visible phase
// contrast (R. Schoonhoven, "On the optimization of imaging pipelines", 2024, chapter 3; acceptance A3).
#pragma once

#include <cstdint>
#include <string>

#include "core/graph/graph.h"
#include "core/learn/learning_types.h"
#include "core/physics/materials.h"

namespace tl::learn {

struct PhaseBox {
  int64_t size = 48;               // detector edge [px]; there are three times as many views, over half a turn
  std::string scale = "absolute";  // or "scaled": the bundled pipeline's name after "phase-"
  double distance = 30;            // [mm]
  double pixel_size = 1.1;         // [um]
  double noise = 0.12;             // share of the empty beam
  int64_t seed = 1;
  std::string phantom = "thin_box", contrast = "transport";
  int64_t rays = 3;                                       // per pixel edge: the detector averages over its pixels
  static constexpr double energy = 25.3, density = 2.71;  // keV, g/cm3
  static constexpr const char* material = "CaCO3";
};

RefractiveIndex phase_truth();

// The node that simulates it.
GraphNode phase_scan(const PhaseBox& box);

// The bundled pipeline "phase-" + scale with that scan as its node "load". Throws Failure if there is none.
Graph phase_pipeline(const PhaseBox& box, const Registry& registry);

// The values that a run found, compared with the truth.
struct PhaseFinding {
  double delta = 0, beta = 0;              // over the true ones
  double sigma_delta = 0, sigma_beta = 0;  // sigmas of the logarithms; 0 = not known
  double ratio = 0;                        // delta / beta
  Trust trust_delta = Trust::none, trust_beta = Trust::none;
};
PhaseFinding phase_finding(const Learned& learned);

}  // namespace tl::learn
