// Material and phase contrast of a simulated scan: computes the transmission of the object that reaches the detector.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>

#include "core/base/geometry.h"
#include "core/node/node_builder.h"
#include "core/physics/materials.h"
#include "gpu/phase/propagation.h"
#include "gpu/simulate/phantom.h"

namespace tl {

struct ContrastParams {
  std::string material;  // empty: plain attenuation
  std::optional<Density> density;
  std::optional<Energy> energy;
  Length distance{0};
  std::optional<ops::PropagationModel> contrast;  // none: Lambert-Beer alone
};

// Nothing without a material.
Result<std::optional<RefractiveIndex>> index_of(const ContrastParams& p);

struct DetectorPlace {
  Beam beam = Beam::parallel;
  double behind = 0;  // [mm] of the axis
};
Result<void> check_contrast(const ContrastParams& p, const DetectorPlace& place);

// Transmission of a region of the scan `whole`, [view, row, col]. The phantom's values are attenuations; with phase
// contrast, those of the material, and complete views are propagated. A region equals the same part of the whole
// scan.
Result<at::Tensor> simulated_transmission(const ContrastParams& p, const ops::Phantom& phantom,
                                          const ScanGeometry& whole, const ScanRegion& region,
                                          const ops::PhantomSampling& sampling);

// P derives from ContrastParams.
template <class P>
void describe_contrast(NodeBuilder<P>& n) {
  n.param("material", "Material", &P::material)
      .help("Chemical formula (CaCO3) or NIST name (Water, Liquid) of the phantom's value 1; empty: none.");
  n.param("density", "Density", &P::density)
      .range(1e-6, 30, Unit::g_per_cm3)
      .automatic("the density of an element or a NIST name; formulas need one")
      .help("Density of the material.");
  n.param("energy", "Energy", &P::energy)
      .range(1, 200, Unit::keV)
      .automatic("unknown; required with a material")
      .help("Photon energy, which the scan states.");
  n.param("distance", "Distance", &P::distance)
      .range(0, 1e7, Unit::mm)
      .help(
          "Propagation distance from sample to detector, for a parallel beam. Leave 0 for a cone beam: the distance "
          "from axis to detector is used.");
  n.param("contrast", "Phase contrast", &P::contrast,
          {{std::nullopt, "none", "None"},
           {ops::PropagationModel::transport, "transport", "Transport of intensity"},
           {ops::PropagationModel::two_pixel, "two_pixel", "Transport, differences over two pixels"},
           {ops::PropagationModel::fresnel, "fresnel", "Fresnel's propagator"}})
      .help("How the wave propagates from the object to the detector: see the node Propagate. Needs a material.");
}

}  // namespace tl
