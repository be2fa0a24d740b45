// Makes the scan and the pipeline of the phase case study, and compares learned values with the truth.
#include "core/learn/phase_box.h"

#include "core/graph/graph_json.h"
#include "core/graph/templates.h"

namespace tl::learn {

RefractiveIndex phase_truth() {
  return refractive_index(PhaseBox::material, PhaseBox::density, PhaseBox::energy).or_throw();
}

GraphNode phase_scan(const PhaseBox& s) {
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

Graph phase_pipeline(const PhaseBox& box, const Registry& registry) {
  const std::string name = "phase-" + box.scale;
  for (const Template& t : templates())
    if (t.name == name) {
      Graph graph = graph_from_json(t.text, registry, name, Completeness::draft).or_throw();
      graph.nodes["load"] = phase_scan(box);
      return graph;
    }
  throw Failure(invalid("there is no such pipeline", name));
}

PhaseFinding phase_finding(const Learned& l) {
  const RefractiveIndex truth = phase_truth();
  const auto of = [&](std::size_t i) { return l.found[i].value.front(); };
  const auto sigma = [&](std::size_t i) {
    return l.found[i].uncertainty.empty() ? 0 : l.found[i].uncertainty.front() / of(i);
  };
  return {of(0) / truth.delta, of(1) / truth.beta, sigma(0),        sigma(1),
          of(0) / of(1),       l.found[0].trust,   l.found[1].trust};
}

}  // namespace tl::learn
