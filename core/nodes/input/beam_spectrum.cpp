// core/nodes/input/beam_spectrum.cpp: the spectrum of the beam behind a filter, and its effective energy.
#include <ATen/ATen.h>

#include <cmath>

#include "core/nodes/tube_params.h"

namespace tl::input_beam_spectrum_node {

struct Params {
  std::optional<Energy> voltage;
  std::vector<double> energies = {20};
  std::vector<double> weights = {1};
  std::string filter = "Al";
  std::optional<Density> filter_density;
  Length filter_thickness{0};
  DetectorResponse detector = DetectorResponse::integrating;
};

Result<Spectrum> spectrum_of(const Params& p) {
  BeamFilter filter{p.filter, {}, p.filter_thickness.value};
  if (p.filter_density) filter.density = p.filter_density->value;
  if (p.voltage) {
    const TubeSpec tube;
    TL_TRY(const std::vector<double> energies, equidistant_energies(tube.lowest, p.voltage->value, tube.energies));
    std::vector<double> photons;
    for (const double energy : energies) photons.push_back(kramers_spectrum(p.voltage->value, energy));
    return filtered_spectrum(energies, photons, filter);
  }
  return filtered_spectrum(p.energies, p.weights, filter);
}

Result<void> check(const Params& p, const Infos&) {
  TL_TRY(spectrum_of(p));
  return ok();
}

Result<Regions> nothing(const Params&, const Infos&) { return Regions{}; }

Result<Findings> measure(const Params& p, NodeRun& r) {
  TL_TRY(Spectrum spectrum, spectrum_of(p));
  const double energy = effective_energy(spectrum, p.detector);
  double spread = 0;
  for (std::size_t i = 0; i < spectrum.energy.size(); ++i)
    spread += spectrum.weight[i] * std::pow(spectrum.energy[i] - energy, 2);
  r.message(LogLevel::info, "effective energy " + format_quantity(energy, Unit::keV) + ", rms width " +
                                format_quantity(std::sqrt(spread), Unit::keV));
  Findings f;
  f.values["energy"] = Scalar{at::scalar_tensor(energy, at::kDouble), Unit::keV};
  f.values["spectrum"] = std::move(spectrum);
  return f;
}

Result<void> run(const Params&, NodeRun&) { return ok(); }

void describe(NodeBuilder<Params>& n) {
  n.id("input.beam_spectrum", 1).title("Beam spectrum").category("Input").partition(Partition::whole);
  n.not_differentiable("the spectrum is given, not computed");
  n.summary("Spectrum of a polychromatic beam behind a filter, and its effective energy in keV.");
  n.description(
      "Each weight is the number of photons at its energy, in any unit: sample a continuous spectrum evenly. The "
      "filter attenuates by the Beer-Lambert law with the tables of xraylib. The effective energy is the mean energy "
      "of the detected signal; link it to the energy of a phase-retrieval node for a pink beam. It is valid for thin "
      "objects: beam hardening in a thick object is not included.");
  n.cite(
      "H. A. Kramers, On the theory of X-ray absorption and of the continuous X-ray spectrum, Phil. Mag. 46, 836 "
      "(1923)");
  n.cite("Schoonjans et al., Spectrochim. Acta B 66 (2011) 776");
  n.synonyms({"energy", "pink beam", "polychromatic", "white beam", "tube", "filter", "kVp", "spectrum",
              "effective energy", "beam hardening"});
  n.example({{"energies", "15,20,25,30,40 keV"}, {"weights", "0.2,1,0.8,0.4,0.1"}, {"filter_thickness", "0.5 mm"}});
  n.output<Spectrum>("spectrum", "Share of the photons at each energy behind the filter.");
  n.output<Scalar>("energy", "Effective energy of the filtered beam.");
  n.param("voltage", "Tube voltage", &Params::voltage)
      .range(5.1, 200, Unit::keV)
      .automatic("no tube: the energies and weights below")
      .help("Spectrum of an X-ray tube of as many kV, by Kramers' law: voltage / energy - 1 photons, from 5 keV on.");
  n.param("energies", "Energies", &Params::energies)
      .range(1, 200, Unit::keV)
      .help("Energies of the spectrum, in rising order.");
  n.param("weights", "Weights", &Params::weights)
      .range(0, 1e30)
      .help("Photons at each energy, in any unit; one number for every energy.");
  declare_beam_filter(n, "source");
  n.param("detector", "Detector", &Params::detector,
          {{DetectorResponse::counting, "counting", "Counts photons"},
           {DetectorResponse::integrating, "integrating", "Adds up energy"}})
      .help("A scintillator with a camera integrates energy: photons of high energy have a larger weight.");
  n.check(check).measure(nothing, measure).run(run);
}

}  // namespace tl::input_beam_spectrum_node

TL_NODE(input_beam_spectrum)
