// The phase case study: delta and beta of a hollow box of calcium carbonate by the bundled pipelines, from a simulated
// scan (R. Schoonhoven, "On the optimization of imaging pipelines", 2024, chapter 3; acceptance A3).
#pragma once

#include <cmath>
#include <string>

#include "core/graph/graph_json.h"
#include "core/graph/templates.h"
#include "core/physics/materials.h"
#include "tests/support/learn/cases.h"

namespace tl::test {

struct PhaseBox {
  int64_t size = 48;               // of the detector; three times as many views over half a turn
  std::string scale = "absolute";  // or "scaled": the pipeline's name behind "phase-"
  double distance = 30;            // [mm]
  double pixel_size = 1.1;         // [um]
  double noise = 0.12;             // share of the empty beam
  int64_t seed = 1;
  std::string phantom = "thin_box", contrast = "transport";
  int64_t rays = 3;                                       // per pixel edge: a detector sums what falls onto its pixels
  static constexpr double energy = 25.3, density = 2.71;  // keV, g/cm3
  static constexpr const char* material = "CaCO3";
};

inline RefractiveIndex phase_truth() {
  return refractive_index(PhaseBox::material, PhaseBox::density, PhaseBox::energy).or_throw();
}

inline double phase_ratio() { return phase_truth().delta / phase_truth().beta; }

// A bundled pipeline with its learning settings.
inline LearnCase bundled_case(const std::string& name) {
  for (const Template& t : templates())
    if (t.name == name) {
      LearnCase c;
      c.graph = graph_from_json(t.text, registry(), name, Completeness::draft).or_throw();
      c.settings = learn::settings_of(c.graph).or_throw();
      return c;
    }
  throw Failure(invalid("there is no such pipeline", name));
}

// The node that simulates its scan.
inline GraphNode phase_scan(const PhaseBox& s) {
  return {"input.simulate_scan",
          1,
          {{"phantom", s.phantom},
           {"material", std::string(PhaseBox::material)},
           {"density", Number{PhaseBox::density, Unit::g_per_cm3}},
           {"energy", Number{PhaseBox::energy, Unit::keV}},
           {"distance", Number{s.distance, Unit::mm}},
           {"contrast", s.contrast},
           {"views", 3 * s.size},
           {"rows", s.size},
           {"cols", s.size},
           {"rays", s.rays},
           {"pixel_size", Number{s.pixel_size, Unit::um}},
           {"noise", std::string("gaussian")},
           {"noise_share", Number{s.noise, Unit::none}},
           {"seed", s.seed}}};
}

inline LearnCase phase_box_case(const PhaseBox& s) {
  LearnCase c = bundled_case("phase-" + s.scale);
  c.graph.nodes["load"] = phase_scan(s);
  return c;
}

// What a run found, beside the truth.
struct PhaseFinding {
  double delta = 0, beta = 0;              // over the true ones
  double sigma_delta = 0, sigma_beta = 0;  // of their logarithms; 0 = not known
  double ratio = 0;                        // delta / beta
  learn::Trust trust_delta = learn::Trust::none, trust_beta = learn::Trust::none;
};
inline PhaseFinding phase_finding(const learn::Learned& l) {
  const RefractiveIndex truth = phase_truth();
  const auto of = [&](std::size_t i) { return l.found[i].value.front(); };
  const auto sigma = [&](std::size_t i) {
    return l.found[i].uncertainty.empty() ? 0 : l.found[i].uncertainty.front() / of(i);
  };
  return {of(0) / truth.delta, of(1) / truth.beta, sigma(0),        sigma(1),
          of(0) / of(1),       l.found[0].trust,   l.found[1].trust};
}

}  // namespace tl::test
