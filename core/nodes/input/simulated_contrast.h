// Material and phase contrast of a simulated scan: what of the beam gets through the object to the detector.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>

#include "core/base/geometry.h"
#include "core/node/node_builder.h"
#include "core/physics/materials.h"
#include "gpu/simulate/phantom.h"

namespace tl {

// none: Lambert-Beer alone; the others in the order of ops::PropagationModel.
enum class SimulatedContrast { none, transport, two_pixel, fresnel };

struct ContrastParams {
  std::string material;  // empty: plain attenuation
  std::optional<Density> density;
  std::optional<Energy> energy;
  Length distance{0};
  SimulatedContrast contrast = SimulatedContrast::none;
};

// Nothing without a material.
Result<std::optional<RefractiveIndex>> index_of(const ContrastParams& p);

struct DetectorPlace {
  Beam beam = Beam::parallel;
  double behind = 0;  // [mm] of the axis
};
Result<void> check_contrast(const ContrastParams& p, const DetectorPlace& place);

// Transmission of a region of the scan `whole`, [view, row, col]. The phantom's values are attenuations: of the
// material with phase contrast, where whole views are propagated. Any part of a scan is equal to that part of all of
// it.
Result<at::Tensor> simulated_transmission(const ContrastParams& p, const ops::Phantom& phantom,
                                          const ScanGeometry& whole, const ScanRegion& region,
                                          const ops::PhantomSampling& sampling);

// P derives from ContrastParams (hence the spelt-out types).
template <class P>
void describe_contrast(NodeBuilder<P>& n) {
  n.template param<std::string>("material", &P::material)
      .title("Material")
      .help("Chemical formula (CaCO3) or NIST name (Water, Liquid) of the phantom's value 1; empty: none.");
  n.template param<std::optional<Density>>("density", &P::density)
      .title("Density")
      .unit(Unit::g_per_cm3)
      .range(1e-6, 30)
      .automatic("the density of an element or a NIST name; formulas need one")
      .help("Density of the material.");
  n.template param<std::optional<Energy>>("energy", &P::energy)
      .title("Energy")
      .unit(Unit::keV)
      .range(1, 200)
      .automatic("not stated; a material needs one")
      .help("Photon energy, which the scan states.");
  n.template param<Length>("distance", &P::distance)
      .title("Distance")
      .unit(Unit::mm)
      .range(0, 1e7)
      .help("From the sample to the detector in a parallel beam; in a cone beam it is that of axis and detector.");
  n.template param<SimulatedContrast>("contrast", &P::contrast,
                                      {{"none", "None"},
                                       {"transport", "Transport of intensity"},
                                       {"two_pixel", "Transport, differences over two pixels"},
                                       {"fresnel", "Fresnel's propagator"}})
      .title("Phase contrast")
      .help("How the wave behind the object comes to the detector: see the node Propagate. It needs a material.");
}

}  // namespace tl
