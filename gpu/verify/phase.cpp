// Verifies C6: phase retrieval filters keep the shape of a plane wave and scale it by the filter's value; and C7: the
// same retrieval in the parameters of other packages.
#include <ATen/ATen.h>

#include <cmath>

#include "core/base/units.h"
#include "gpu/phase/paganin.h"
#include "gpu/phase/phase_conventions.h"
#include "gpu/phase/phase_retrieval.h"
#include "gpu/verify/cases.h"
#include "gpu/verify/larger_deviation.h"
#include "gpu/verify/verify.h"

namespace tl {
namespace {

// 1 + 0.1 cos(2 pi (m row / rows + n col / cols)), one view.
at::Tensor plane_wave(int64_t rows, int64_t cols, int m, int n) {
  const at::Tensor row = at::arange(rows, at::kDouble).view({1, rows, 1}) * (2 * pi * m / static_cast<double>(rows));
  const at::Tensor col = at::arange(cols, at::kDouble).view({1, 1, cols}) * (2 * pi * n / static_cast<double>(cols));
  return 1 + 0.1 * at::cos(row + col);
}

// Largest relative error of the amplitude for some waves on a non-square image with non-square pixels.
double worst_error(at::ScalarType type, ops::PaganinForm form) {
  constexpr int64_t rows = 24, cols = 40;
  ops::PaganinSpec spec;
  spec.energy = 25.3;
  spec.plane = ops::propagation_plane(300, 150, 2.2e-3, 3.0e-3);  // cone beam: effective distance 100 mm, pixels / 1.5
  spec.form = form;
  spec.extension = ops::ImageExtension::periodic;
  const double ratio = 283.2, a = ops::paganin_area(spec.energy, spec.plane.distance) * ratio;
  const double wu = spec.plane.pixel_u, wv = spec.plane.pixel_v;
  double worst = 0;
  for (const auto& [m, n] : {std::pair{1, 0}, {0, 1}, {3, 5}, {11, 19}}) {
    const double pv = 2 * pi * m / rows, pu = 2 * pi * n / cols;  // phase per pixel
    const double k2 = form == ops::PaganinForm::continuous
                          ? pv * pv / (wv * wv) + pu * pu / (wu * wu)
                          : 2 * (1 - std::cos(pv)) / (wv * wv) + 2 * (1 - std::cos(pu)) / (wu * wu);
    const at::Tensor wave = plane_wave(rows, cols, m, n);
    const at::Tensor expected = 1 + (wave - 1) / (1 + a * k2);
    const at::Tensor got = ops::paganin(wave.to(type), ratio, spec).or_throw().to(at::kDouble);
    worst = verify::larger_deviation(worst, (got - expected).abs().max().item<double>());
  }
  return worst;
}

// Farago's filter and the contrast transfer function on images of 24 x 40, where chi reaches 5.5.
enum class Beyond { farago, contrast_transfer };
double worst_error(at::ScalarType type, Beyond method) {
  constexpr int64_t rows = 24, cols = 40;
  const double pixel_u = 2.2e-3, pixel_v = 3.0e-3, ratio = 283.2, area = 2.5e-5;  // lambda z [mm^2]
  const auto scalar = [](double v) { return at::scalar_tensor(v, at::kDouble); };
  double worst = 0;
  for (const auto& [m, n] : {std::pair{1, 0}, {0, 1}, {3, 5}, {11, 19}}) {
    const double fv = m / (rows * pixel_v), fu = n / (cols * pixel_u), chi = pi * area * (fv * fv + fu * fu);
    const at::Tensor wave = plane_wave(rows, cols, m, n), in = wave.to(type);
    at::Tensor expected, got;
    if (method == Beyond::farago) {
      ops::FaragoSpec spec{pixel_u, pixel_v, 1e-3, ops::ImageExtension::periodic, {}};
      const double d = std::cos(chi) + ratio * std::sin(chi);
      expected = 1 + (wave - 1) * ((1 + spec.regularisation) * d / (d * d + spec.regularisation));
      got = ops::farago(in, scalar(ratio), scalar(area), spec).or_throw();
    } else {
      ops::CtfSpec spec{pixel_u, pixel_v, 0.01, 0.01, ops::ImageExtension::periodic, {}};
      const double s = std::sin(chi) + std::cos(chi) / ratio;
      expected = (1 - wave) * (s / (2 * s * s + 0.01));
      got = ops::contrast_transfer(in, scalar(ratio), scalar(area), spec).or_throw();
    }
    worst = verify::larger_deviation(worst, (got.to(at::kDouble) - expected).abs().max().item<double>());
  }
  return worst;
}

// C7: nabu filters with 1 / (1 + delta/beta lambda pi D f^2) in metres, TomoPy with 1 / (lambda z f^2 / (4 pi) + alpha)
// in centimetres, divided by its largest value; f in cycles per length. Both formulas are written out and compared with
// ours, with each package's own parameter. The image is periodic and of odd size, so that padding and TomoPy's
// frequency grid, which lacks zero for even sizes, have no effect.
void conventions(at::ScalarType type, CheckTable& table) {
  constexpr int64_t rows = 35, cols = 51;
  constexpr double energy = 25.3, distance = 150, pixel = 1.1e-3, ratio = 283.2;  // [keV], [mm], [mm]
  const at::Tensor image = 1 + 0.1 * verify::gaussian({1, rows, cols}, 2, 6).clamp(-3, 3);
  const auto squared_frequency = [&](double size) {
    const at::Tensor v = at::fft_fftfreq(rows, size, at::kDouble), u = at::fft_fftfreq(cols, size, at::kDouble);
    return v.square().view({-1, 1}) + u.square();
  };
  const auto filtered = [&](const at::Tensor& filter) {
    return at::real(at::fft_ifft2(at::fft_fft2(image) * filter)).contiguous();
  };
  ops::PaganinSpec spec;
  spec.energy = energy;
  spec.plane = {distance, pixel, pixel};
  spec.extension = ops::ImageExtension::periodic;
  const auto ours = [&](double delta_over_beta) {
    return ops::paganin(image.to(type), delta_over_beta, spec).or_throw().to(at::kDouble);
  };
  const double metres = ops::wavelength(energy) * 1e-3, centimetres = ops::wavelength(energy) * 0.1;
  const at::Tensor nabu = filtered(1 / (1 + ratio * metres * (distance * 1e-3) * pi * squared_frequency(pixel * 1e-3)));
  const double alpha = 1 / (4 * pi * pi * ratio);
  const at::Tensor bare = 1 / (centimetres * (distance * 0.1) * squared_frequency(pixel * 0.1) / (4 * pi) + alpha);
  const at::Tensor tomopy = filtered(bare / bare.max());
  const double bound = type == at::kFloat ? 1e-6 : 1e-12;
  const std::string scan = "noise 35 x 51, delta/beta 283.2";
  const auto row = [&](const char* what, const at::Tensor& a, const at::Tensor& b) {
    verify::add_check(table, {"C7", what, scan, verify::type_name(type), (a - b).abs().max().item<double>(), bound});
  };
  row("nabu's delta_beta against its formula", ours(ratio), nabu);
  row("TomoPy's alpha against its formula", ours(ops::ratio_of_tomopy_alpha(alpha)), tomopy);
  row("nabu's and TomoPy's parameters, ours", ours(ratio), ours(ops::ratio_of_tomopy_alpha(alpha)));
  row("nabu's and TomoPy's formulas", nabu, tomopy);
}

}  // namespace

CheckTable verify_phase() {
  CheckTable table;
  for (const at::ScalarType type : {at::kFloat, at::kDouble}) conventions(type, table);
  for (const at::ScalarType type : {at::kFloat, at::kDouble})
    for (const auto& [method, name] :
         {std::pair{Beyond::farago, "Farago"}, {Beyond::contrast_transfer, "contrast transfer"}}) {
      // Rounding of 1 + 0.1 cos in float32 times the gain, which is at most 2.
      const double bound = type == at::kFloat ? 1e-6 : 1e-12, value = worst_error(type, method);
      table.push_back({"C6", name, "plane waves 24 x 40, chi to 5.5", type == at::kFloat ? "float32" : "float64", value,
                       bound, value <= bound});
    }
  for (const at::ScalarType type : {at::kFloat, at::kDouble})
    for (const auto& [form, name] : {std::pair{ops::PaganinForm::continuous, "Paganin"},
                                     {ops::PaganinForm::generalised, "Paganin, generalised"}}) {
      const double bound = type == at::kFloat ? 1e-6 : 1e-12, value = worst_error(type, form);
      table.push_back({"C6", name, "plane waves 24 x 40, cone, pixels 2.2 x 3 um",
                       type == at::kFloat ? "float32" : "float64", value, bound, value <= bound});
    }
  return table;
}

}  // namespace tl
