// Contrast of simulated scans: transmission by absorption alone, or with phase contrast by propagating whole views.
#include "core/nodes/input/simulated_contrast.h"

#include <ATen/ATen.h>

namespace tl {

Result<std::optional<RefractiveIndex>> index_of(const ContrastParams& p) {
  if (p.material.empty()) return std::optional<RefractiveIndex>();
  if (!p.energy)
    return invalid("the energy is not given", "energy", "Attenuation and phase of a material depend on it: set it");
  const auto density = p.density ? std::optional<double>(p.density->value) : std::nullopt;
  TL_TRY(const RefractiveIndex index, refractive_index(p.material, density, p.energy->value));
  return std::optional(index);
}

Result<void> check_contrast(const ContrastParams& p, const DetectorPlace& place) {
  TL_TRY(const auto index, index_of(p));
  if (place.beam == Beam::cone && p.distance.value > 0)
    return invalid("in a cone beam the distance from axis to detector is used", "distance", "Set axis_to_detector");
  if (!p.contrast) return ok();
  if (!index) return invalid("phase contrast needs a material", "material", "Give its formula, density and energy");
  if (!(place.behind > 0))
    return invalid("phase contrast needs a distance from the sample to the detector", "distance", "Set it");
  return ok();
}

Result<at::Tensor> simulated_transmission(const ContrastParams& p, const ops::Phantom& phantom,
                                          const ScanGeometry& whole, const ScanRegion& region,
                                          const ops::PhantomSampling& sampling) {
  if (!p.contrast) return at::exp(-ops::phantom_projections(phantom, whole.crop(region), sampling));
  TL_TRY(const auto index, index_of(p));
  ScanRegion views = whole.full();
  views.views = region.views;
  const at::Tensor thickness = ops::phantom_projections(phantom, whole.crop(views), sampling) / index->attenuation;
  const auto orbit = whole.orbit();
  TL_CHECK(orbit.has_value() && p.energy.has_value(), "a simulated scan has an orbit, and phase contrast an energy");
  const double before = orbit->beam == Beam::cone ? orbit->source_to_axis : 0;
  const DetectorShape& d = whole.detector();
  const ops::PropagationPlane plane = ops::propagation_plane(before, orbit->axis_to_detector, d.pitch_u, d.pitch_v);
  ops::PropagationSpec spec{
      .pixel_u = plane.pixel_u, .pixel_v = plane.pixel_v, .model = *p.contrast, .cancel = sampling.cancel};
  const auto number = [](double value) { return at::scalar_tensor(value, at::kDouble); };
  const double wavelength = ops::wavelength(p.energy->value);
  TL_TRY(const at::Tensor all, ops::propagate(thickness,
                                              {number(index->delta), number(index->beta), number(wavelength),
                                               number(wavelength * plane.distance)},
                                              spec));
  return all.narrow(1, region.rows.begin, region.rows.size())
      .narrow(2, region.cols.begin, region.cols.size())
      .contiguous();
}

}  // namespace tl
