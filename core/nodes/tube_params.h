// Shared by the nodes that model the beam of an X-ray tube: its parameters, and the spectrum as tensors.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "core/node/node_builder.h"
#include "core/physics/tube.h"

namespace tl {

struct TubeParams {
  TubeParams() {
    voltage.value = Energy{60};
    filter_thickness.value = Length{2.5};
  }
  Learnable<Energy> voltage;
  Energy lowest{5};
  std::string filter = "Al";
  std::optional<Density> filter_density;
  Learnable<Length> filter_thickness;
  std::string scintillator = "CsI";
  std::optional<Density> scintillator_density = Density{4.51};
  Length scintillator_thickness{0.5};
  Energy energy_step{0.5};
};

// The recorded signal at energies that do not depend on the voltage, so that the voltage can be learned: at multiples
// of energy_step from the lowest energy up to the voltage.
struct TubeBeam {
  std::vector<double> energies;  // [keV]
  at::Tensor weight;             // [energy] float64, of any scale; gradients go to voltage and filter thickness
};
// Errors: those of tube_spectrum().
Result<TubeBeam> tube_beam(const TubeParams& p);

// Attenuation [material, energy], float64 [1/mm], of materials as in parse_materials().
Result<at::Tensor> attenuation_tensor(const std::string& materials, const std::vector<double>& energies);

enum class TubeUse { simulated, learned };

// The filter that the beam passes before the sample; P has filter, filter_thickness and filter_density.
template <class P>
void declare_beam_filter(NodeBuilder<P>& n, const std::string& from, TubeUse use = TubeUse::simulated) {
  n.param("filter", "Filter", &P::filter)
      .help("Material between " + from + " and sample: an element (Al), a formula, or a NIST name.");
  auto thickness = n.param("filter_thickness", "Filter thickness", &P::filter_thickness);
  if (use == TubeUse::learned) thickness.learnable();
  thickness.range(0, 1000, Unit::mm).help("Thickness of the filter; 0 means no filter.");
  n.advanced_param("filter_density", "Filter density", &P::filter_density)
      .range(1e-6, 30, Unit::g_per_cm3)
      .automatic("density of the element or of the NIST name; formulas need one")
      .help("Density of the filter.");
}

// P derives from TubeParams.
template <class P>
void declare_tube(NodeBuilder<P>& n, TubeUse use) {
  auto voltage = n.param("voltage", "Tube voltage", &P::voltage);
  if (use == TubeUse::learned) voltage.learnable();
  voltage.range(1, 200, Unit::keV).help("Highest energy of the photons: the voltage of the tube in kV.");
  declare_beam_filter(n, "tube", use);
  n.advanced_param("scintillator", "Scintillator", &P::scintillator)
      .help("Material that makes light of the energy of absorbed photons.");
  n.advanced_param("scintillator_density", "Scintillator density", &P::scintillator_density)
      .range(1e-6, 30, Unit::g_per_cm3)
      .automatic("density of the element or of the NIST name; formulas need one")
      .help("Density of the scintillator.");
  n.advanced_param("scintillator_thickness", "Scintillator thickness", &P::scintillator_thickness)
      .range(0, 1000, Unit::mm)
      .help("Thickness of the scintillator; 0 absorbs every photon.");
  n.advanced_param("lowest", "Lowest energy", &P::lowest)
      .range(1, 199, Unit::keV)
      .help("Photons below it are left out.");
  n.advanced_param("energy_step", "Energy step", &P::energy_step)
      .range(0.05, 10, Unit::keV)
      .help("Distance of the energies at which the spectrum is sampled.");
}

}  // namespace tl
