// core/nodes/phase/propagate.cpp: the intensity that an object of known thickness makes at a distance.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/nodes/phase/phase_node.h"
#include "core/values/crop.h"
#include "gpu/phase/propagation.h"

namespace tl::phase_propagate_node {

struct Params : MaterialParams {
  ops::PropagationModel model = ops::PropagationModel::transport;
};

Result<void> check(const Params& p, const Infos& in) {
  const auto& scan = scan_of(in);
  if (scan.kind != PixelKind::thickness)
    return invalid("propagation needs the thickness of the object, this is " + std::string(to_string(scan.kind)),
                   "projections",
                   "Give thickness as the result of phase retrieval, or of the forward projection of a soft mask");
  TL_TRY(const BeamSetting beam, beam_setting(p, scan));
  const auto index = delta_and_beta(p, beam);
  return index.ok() ? ok() : Result<void>(index.error());
}

Result<Infos> infos(const Params&, const Infos& in, const Findings*) {
  ProjectionsInfo scan = scan_of(in);
  scan.kind = PixelKind::transmission;
  return Infos{{"projections", scan}};
}

std::string beyond_model(const Params& p, const Infos& in) {
  if (p.model == ops::PropagationModel::fresnel) return {};
  const auto beam = beam_setting(p, scan_of(in));
  if (!beam.ok() || beam.value().chi_nyquist <= 1) return {};
  return "the transport of intensity is not valid for details of the pixel size at this distance (pi lambda z f^2 is " +
         format_quantity(std::round(beam.value().chi_nyquist * 100) / 100, Unit::none) + " there, and may be 1)";
}

// Padded to twice each side, waves forth and back, for the views that are propagated at a time.
int64_t workspace(const Params&, const Infos& in, const Region& wanted, int64_t element_size) {
  const ScanRegion all = scan_of(in).geometry.full();
  const int64_t pixels = all.rows.size() * all.cols.size(), views = std::get<ScanRegion>(wanted).views.size();
  constexpr int64_t together = int64_t{1} << 20;  // number of pixels of the views computed at a time
  const int64_t at_once = std::clamp<int64_t>(together / std::max<int64_t>(pixels, 1), 1, std::max<int64_t>(views, 1));
  return (4 * views + 48 * at_once) * pixels * element_size;
}

void count_negative(const at::Tensor& intensity, NodeRun& r) {
  const int64_t negative = intensity.detach().lt(0).sum().item<int64_t>();
  const auto& region = std::get<ScanRegion>(r.region);
  r.metric("negative intensities", region.views.begin, static_cast<double>(negative));
  if (negative == 0 || r.learning) return;
  const double share = 100 * static_cast<double>(negative) / static_cast<double>(intensity.numel());
  r.message(LogLevel::warning, std::to_string(negative) + " intensities (" +
                                   format_quantity(std::max(0.01, std::round(share * 100) / 100), Unit::percent) +
                                   ") are negative: the transport of intensity does not hold there; take Fresnel's "
                                   "propagator, or a shorter distance");
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  TL_TRY(const BeamSetting beam, beam_setting(p, r.info<ProjectionsInfo>("projections")));
  TL_TRY(const DeltaAndBeta index, delta_and_beta(p, beam));
  if (p.model != ops::PropagationModel::fresnel && !r.learning) warn_of_fine_details(beam, r);
  ops::PropagationSpec spec{.pixel_u = beam.pixel_u, .pixel_v = beam.pixel_v, .model = p.model, .cancel = r.cancel()};
  TL_TRY(const at::Tensor intensity,
         ops::propagate(in.data, {index.delta, index.beta, beam.wavelength, beam.wave_area}, spec));
  count_negative(intensity, r);
  const auto& wanted = std::get<ScanRegion>(r.region);
  Projections whole = in;
  whole.data = intensity;
  Projections out = contiguous_part(whole, {{0, in.geometry.views()}, wanted.rows, wanted.cols});
  out.kind = PixelKind::transmission;
  return r.done("projections", std::move(out));
}

void describe(NodeBuilder<Params>& n) {
  n.id("phase.propagate", 1).title("Propagate").category("Phase retrieval").partition(Partition::per_view).on_gpu();
  n.summary("Phase contrast: the transmission at a distance behind a homogeneous object of known thickness.");
  n.description(
      "With a = exp(-mu T), mu = 4 pi beta / lambda: the transport of intensity gives I/I0 = a - z (delta/mu) "
      "laplacian(a), of which Paganin's filter is the exact inverse; it is valid if pi lambda z f^2 is below 1 at the "
      "pixel size; otherwise intensities may become negative, and these are counted. Fresnel's propagator |F^-1[exp(-i "
      "pi lambda z f^2) F[exp(-mu T / 2 - 2 pi i delta T / lambda)]]|^2 is valid at any distance. Behind the forward "
      "projection of a soft mask it predicts the measured views: learn delta and beta by comparing both. The distance "
      "of a cone beam is scaled to that of a parallel one.");
  n.cite("D. Paganin, S. C. Mayo, T. E. Gureyev, P. R. Miller, S. W. Wilkins, J. Microsc. 206, 33 (2002)");
  n.cite("D. M. Paganin, Coherent X-Ray Optics, Oxford University Press (2006)");
  n.synonyms({"phase contrast", "propagation", "Fresnel", "TIE", "transport of intensity", "wave", "simulation",
              "edge enhancement", "forward model"});
  n.input<Projections>("projections", "Thickness of the object along the rays, in mm.");
  n.output<Projections>("projections", "Transmission, with phase contrast.");
  n.param("model", "Model", &Params::model,
          {{ops::PropagationModel::transport, "transport", "Transport of intensity"},
           {ops::PropagationModel::two_pixel, "two_pixel", "Transport, differences over two pixels"},
           {ops::PropagationModel::fresnel, "fresnel", "Fresnel's propagator"}})
      .help(
          "Differences over two pixels are those of Schoonhoven's thesis (2024); the retrieval is not their inverse.");
  describe_delta_and_beta(n);
  describe_material(n);
  n.example({{"energy", "20 keV"}, {"distance", "100 mm"}});
  n.check(check).infos(infos).beyond_model(beyond_model).workspace(workspace).run(run);
}

}  // namespace tl::phase_propagate_node

TL_NODE(phase_propagate)
