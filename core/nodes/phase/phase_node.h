// Shared by the nodes of phase retrieval: material, energy and distance, results, and declared parameters.
#pragma once

#include "core/node/node_builder.h"
#include "core/physics/materials.h"
#include "gpu/phase/paganin.h"

namespace tl {

enum class PhaseOutput { absorption, thickness, transmission };

// Object and beam: of phase retrieval, and of propagation.
struct MaterialParams {
  Learnable<std::optional<double>> delta, beta;
  std::string material = "Water, Liquid";
  std::optional<Density> density;
  Learnable<std::optional<Energy>> energy;
  Learnable<std::optional<Length>> distance;
};

struct PhaseParams : MaterialParams {
  Learnable<std::optional<double>> delta_over_beta;
  std::optional<double> alpha;  // TomoPy's
  PhaseOutput output = PhaseOutput::absorption;
};

// Tensors are 0-dim float64; learned ones are passed on.
struct BeamSetting {
  double pixel_u = 1, pixel_v = 1;  // [mm] of the detector
  double energy = 0;                // [keV]
  double chi_nyquist = 0;           // pi lambda z f^2 at the Nyquist frequency on the sample plane
  at::Tensor wavelength;            // [mm]
  at::Tensor wave_area;  // lambda z (magnification)^2 [mm^2] with the effective distance z: see phase_retrieval.h
};
Result<BeamSetting> beam_setting(const MaterialParams& p, const ProjectionsInfo& scan);

// Each as given, or else the value of the material.
struct DeltaAndBeta {
  at::Tensor delta, beta;
};
Result<DeltaAndBeta> delta_and_beta(const MaterialParams& p, const BeamSetting& beam);

struct PhaseSetting : BeamSetting {
  at::Tensor delta_over_beta;
  at::Tensor attenuation;  // mu = 4 pi beta / lambda [1/mm]; only defined if the result is the thickness
};
Result<PhaseSetting> phase_setting(const PhaseParams& p, const ProjectionsInfo& scan);

Result<void> check_phase_node(const PhaseParams& p, const Infos& in);
Result<Infos> phase_infos(const PhaseParams& p, const Infos& in);
int64_t phase_workspace(const Infos& in, const Region& wanted, int64_t element_size);

// Warns once in a run if the transport-of-intensity equation does not hold.
void warn_of_fine_details(const BeamSetting& s, NodeRun& r);
// Output "projections" from the filtered transmission, or from the absorption.
Result<void> put_transmission(const PhaseParams& p, const PhaseSetting& s, const at::Tensor& transmission, NodeRun& r);
Result<void> put_absorption(const PhaseParams& p, const PhaseSetting& s, const at::Tensor& absorption, NodeRun& r);

// P derives from MaterialParams (hence the spelt-out types).
template <class P>
void describe_material(NodeBuilder<P>& n) {
  n.param("material", "Material", &P::material).help("Chemical formula (CaCO3) or NIST name (Water, Liquid).");
  n.param("density", "Density", &P::density)
      .range(1e-6, 30, Unit::g_per_cm3)
      .automatic("the density of an element or a NIST name; formulas need one")
      .help("Density of the material.");
  n.param("energy", "Energy", &P::energy)
      .range(1, 200, Unit::keV)
      .learnable()
      .automatic("as the scan says")
      .help("Photon energy.");
  n.param("distance", "Distance", &P::distance)
      .range(1e-6, 1e7, Unit::mm)
      .learnable()
      .automatic("as the scan says")
      .help("Propagation distance from the sample to the detector.");
}
template <class P>
void describe_delta_and_beta(NodeBuilder<P>& n) {
  n.param("delta", "delta", &P::delta)
      .range(1e-15, 1)
      .learnable()
      .automatic("from material, density and energy")
      .help("Decrement of the refractive index 1 - delta + i beta. A number may set and learn that of several nodes.");
  n.param("beta", "beta", &P::beta)
      .range(1e-18, 1)
      .learnable()
      .automatic("from material, density and energy")
      .help("Imaginary part of the refractive index: the attenuation is 4 pi beta over the wavelength.");
}

// Declares ports, shared parameters, and the info of the output; P derives from PhaseParams.
template <class P>
void describe_phase_node(NodeBuilder<P>& n) {
  n.category("Phase retrieval").partition(Partition::per_view).on_gpu();
  n.example({{"delta_over_beta", "300"}, {"energy", "20 keV"}, {"distance", "100 mm"}});
  n.check([](const P& p, const Infos& in) { return check_phase_node(p, in); });
  n.infos([](const P& p, const Infos& in, const Findings*) { return phase_infos(p, in); });
  n.workspace([](const P&, const Infos& in, const Region& wanted, int64_t element_size) {
    return phase_workspace(in, wanted, element_size);
  });
  n.template input<Projections>("projections", "Transmission: from the flat-field node, without the logarithm.");
  n.template output<Projections>("projections", "Absorption, thickness or filtered transmission.");
  n.param("delta_over_beta", "delta / beta", &P::delta_over_beta)
      .range(0, 1e7)
      .learnable()
      .automatic("delta and beta below")
      .help("Ratio of delta to beta in the refractive index 1 - delta + i beta; larger is smoother.");
  n.advanced_param("alpha", "alpha (TomoPy)", &P::alpha)
      .range(1e-9, 1e9)
      .automatic("delta / beta is used")
      .help("Instead of delta/beta, as defined by TomoPy: beta / (4 pi^2 delta).");
  describe_material(n);
  n.param("output", "Result", &P::output,
          {{PhaseOutput::absorption, "absorption", "Absorption"},
           {PhaseOutput::thickness, "thickness", "Thickness [mm]"},
           {PhaseOutput::transmission, "transmission", "Transmission"}})
      .help("Absorption for reconstruction; thickness divides by the material's attenuation.");
  describe_delta_and_beta(n);
}

}  // namespace tl
