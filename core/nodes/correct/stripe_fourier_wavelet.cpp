// core/nodes/correct/stripe_fourier_wavelet.cpp: ring artefacts removed from sinograms by wavelet and Fourier
// filtering.
#include "gpu/correction/stripes/fourier_wavelet.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/node/node_builder.h"
#include "core/nodes/correct/stripe_columns.h"
#include "core/values/crop.h"
#include "gpu/correction/sinograms.h"
#include "gpu/correction/stripes/removal.h"

namespace tl::correct_stripe_fourier_wavelet_node {

struct Params {
  std::optional<int64_t> levels;
  int64_t moments = 5;
  double sigma = 2;
  ops::StripeColumns columns = ops::StripeColumns::found;
};

Result<Regions> needs(const Params&, const Infos& in, const Region& wanted) { return whole_sinograms(in, wanted); }

int64_t workspace(const Params&, const Infos& in, const Region& wanted, int64_t element_size) {
  // The cleaned rows before cropping, and one sinogram mirrored to twice its size in each direction (at most twice that
  // again) with its coefficients.
  const ScanRegion all = scan_of(in).geometry.full();
  const int64_t sinogram = all.views.size() * all.cols.size() * element_size;
  return sinogram * std::get<ScanRegion>(wanted).rows.size() + 24 * sinogram;
}

Result<void> check(const Params&, const Infos& in) { return check_stripe_removal(in); }

Result<void> run(const Params& p, NodeRun& r) {
  Projections whole = r.in<Projections>("projections");
  const auto& w = std::get<ScanRegion>(r.region);
  const int64_t levels = p.levels.value_or(ops::default_wavelet_levels(whole.data.size(2)));
  const ops::FourierWaveletSpec spec{levels, p.moments, p.sigma, r.cancel()};
  const AngleOrder order = angle_order(whole.geometry);
  whole.data = ops::by_angle(whole.data, order);
  if (p.columns == ops::StripeColumns::all) {
    TL_TRY(whole.data, ops::remove_stripes_by_fourier_wavelet(whole.data, spec));
  } else {
    const bool gain = whole.kind == PixelKind::transmission;
    const ops::StripeSearch search{.widest = int64_t{1} << std::min<int64_t>(levels, 10), .angles = order.angles};
    whole.data = ops::on_striped_columns(whole.data, gain ? ops::StripeModel::gain : ops::StripeModel::offset, search,
                                         r.cancel(),
                                         [&](const at::Tensor& row, const auto& stripes) {
                                           return ops::remove_stripes_by_fourier_wavelet(
                                                      ops::without_constant_stripes(row, stripes).unsqueeze(1), spec)
                                               .or_throw()
                                               .squeeze(1);
                                         })
                     .projections;
  }
  whole.data = ops::as_recorded(whole.data, order);
  return r.done("projections", contiguous_part(whole, {w.views, {0, whole.data.size(1)}, w.cols}));
}

void describe(NodeBuilder<Params>& n) {
  n.id("correct.stripe_fourier_wavelet", 2)
      .title("Stripe removal, Fourier-wavelet")
      .category("Correction")
      .partition(Partition::per_row);
  n.remedy("rings");
  n.summary("Removes ring artefacts by damping the wavelet coefficients that hardly change with the view.");
  n.description(
      "Decomposes each sinogram into wavelets; components that are fine across the columns and change with less than "
      "about sigma cycles over the scan are damped as stripes. The filter is linear: strong stripes leave shadows next "
      "to them. By default only columns in which a stripe is found are changed, after subtracting the height of "
      "constant stripes. Needs all views of a row.");
  n.cite(
      "B. Munch, P. Trtik, F. Marone, M. Stampanoni, Stripe and ring artifact removal with combined wavelet - Fourier "
      "filtering, Opt. Express 17, 8567 (2009)");
  n.synonyms(
      {"ring removal", "Munch", "wavelet", "remove_stripe_fw", "ring artefact", "stripe filter", "ring artifact"});
  n.input<Projections>("projections", "Absorption or transmission.");
  n.output<Projections>("projections", "The same without stripes.");
  declare_stripe_columns(n, columns_of_the_paper);
  n.param("levels", "Levels", &Params::levels)
      .range(1, 12)
      .automatic("stripes up to a 32nd of the columns")
      .help("Stripes up to about 2^levels columns wide are removed.");
  n.param("sigma", "Damping", &Params::sigma)
      .range(0, 1000)
      .help("Cycles over the scan below which a change along the views counts as a stripe; 0 = off.");
  n.advanced_param("moments", "Wavelet", &Params::moments)
      .range(1, 10)
      .help("Number of the Daubechies wavelet: 5 is db5. More is smoother and wider.");
  n.on_gpu();
  n.check(check).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::correct_stripe_fourier_wavelet_node

TL_NODE(correct_stripe_fourier_wavelet)
