// Farago's filter and the contrast transfer function: plane waves, Fresnel propagation, limits, gradients, conventions.
#include "gpu/phase/phase_retrieval.h"

#include <cmath>
#include <functional>
#include <limits>

#include "core/base/units.h"
#include "gpu/phase/paganin.h"
#include "gpu/phase/phase_conventions.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::phase_retrieval_test {

using namespace tl::ops;

namespace {

constexpr int64_t rows = 24, cols = 40;
constexpr double pixel_u = 2.0e-3, pixel_v = 1.5e-3;  // [mm]

at::Tensor scalar(double v) { return at::scalar_tensor(v, at::kDouble); }

// cos(2 pi (m row / rows + n col / cols)), one view.
at::Tensor wave(int64_t m, int64_t n) {
  const at::Tensor row = at::arange(rows, at::kDouble).view({1, rows, 1}) * (2 * pi * static_cast<double>(m) / rows);
  const at::Tensor col = at::arange(cols, at::kDouble).view({1, 1, cols}) * (2 * pi * static_cast<double>(n) / cols);
  return at::cos(row + col);
}
double squared_frequency(int64_t m, int64_t n) {
  const double fv = static_cast<double>(m) / (rows * pixel_v), fu = static_cast<double>(n) / (cols * pixel_u);
  return fv * fv + fu * fu;
}

FaragoSpec farago_spec(double regularisation) {
  FaragoSpec s;
  s.pixel_u = pixel_u;
  s.pixel_v = pixel_v;
  s.regularisation = regularisation;
  s.extension = ImageExtension::periodic;
  return s;
}
CtfSpec ctf_spec(double low, double high) {
  CtfSpec s;
  s.pixel_u = pixel_u;
  s.pixel_v = pixel_v;
  s.low_limit = low;
  s.high_limit = high;
  s.extension = ImageExtension::periodic;
  return s;
}

// Intensity behind a thin object exp(-absorption / 2 - i phase), by Fresnel's propagator exp(-i pi lambda z f^2).
at::Tensor fresnel(const at::Tensor& absorption, const at::Tensor& phase, double wave_area) {
  const at::Tensor exit = at::polar(at::exp(-0.5 * absorption), -phase);
  const at::Tensor f2 = (at::fft_fftfreq(rows, pixel_v, at::kDouble).unsqueeze(1)).square() +
                        (at::fft_fftfreq(cols, pixel_u, at::kDouble).unsqueeze(0)).square();
  const at::Tensor arrived = at::fft_ifft2(at::fft_fft2(exit) * at::polar(at::ones_like(f2), -pi * wave_area * f2));
  return arrived.abs().square();
}

}  // namespace

class PhaseRetrievalTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // C6: a plane wave keeps its shape; its amplitude is multiplied by the filter's value.
  void farago_on_plane_waves() {
    const double ratio = 283.2, area = 1.1e-5, r = 1e-3;
    for (const auto& [type, bound] : {std::pair{at::kFloat, 1e-6}, {at::kDouble, 1e-12}})
      for (const auto& [m, n] : {std::pair{0, 0}, {1, 0}, {0, 1}, {3, 5}, {11, 19}}) {
        const double chi = pi * area * squared_frequency(m, n), d = std::cos(chi) + ratio * std::sin(chi);
        const at::Tensor in = 1 + 0.1 * wave(m, n);
        for (const double reg : {0.0, r}) {
          const at::Tensor expected = 1 + 0.1 * wave(m, n) * ((1 + reg) * d / (d * d + reg));
          const at::Tensor got = farago(in.to(type), scalar(ratio), scalar(area), farago_spec(reg)).or_throw();
          QVERIFY(test::max_difference(got, expected) < bound);
        }
      }
  }
  void farago_is_paganin_for_small_chi_and_differs_beyond() {
    PaganinSpec spec;
    spec.energy = 25;
    spec.plane = {1, pixel_u, pixel_v};
    spec.extension = ImageExtension::periodic;
    const double area = wavelength(25) * spec.plane.distance;  // chi below 0.03 everywhere
    const at::Tensor in = 1 + 0.1 * test::gaussian({2, rows, cols}, at::kDouble, 3);
    const at::Tensor near = farago(in, scalar(50), scalar(area), farago_spec(0)).or_throw();
    // cos chi differs from 1 by chi^2 / 2, sin chi from chi by chi^3 / 6
    QVERIFY(test::max_difference(near, paganin(in, 50, spec).or_throw()) < 1e-4);
    spec.plane.distance = 100;
    const at::Tensor far = farago(in, scalar(50), scalar(100 * area), farago_spec(0)).or_throw();
    QVERIFY(test::max_difference(far, paganin(in, 50, spec).or_throw()) > 1e-3);
  }
  void farago_stays_bounded_where_the_contrast_vanishes() {
    // chi passes pi inside the band: the plain quotient grows there, the regularised one must not.
    const at::Tensor in = 1 + 0.1 * test::gaussian({1, rows, cols}, at::kDouble, 4);
    const double area = 1.2 / (0.25 / (pixel_u * pixel_u));
    for (const double r : {1e-2, 1e-4}) {
      const at::Tensor out = farago(in, scalar(300), scalar(area), farago_spec(r)).or_throw();
      const double gain = std::sqrt(total_of_squares(out - out.mean()) / total_of_squares(in - in.mean()));
      QVERIFY(gain < (1 + r) / (2 * std::sqrt(r)));
      QVERIFY(std::abs(out.mean().item<double>() / in.mean().item<double>() - 1) < 1e-12);
    }
  }

  // A weak homogeneous object made of waves: its contrast is the transfer function, and inverted exactly.
  void contrast_transfer_inverts_its_contrast() {
    const double ratio = 120, area = 1.3e-5;
    for (const auto& [type, bound] : {std::pair{at::kFloat, 1e-4}, {at::kDouble, 1e-10}})
      for (const auto& [m, n] : {std::pair{0, 0}, {1, 0}, {0, 1}, {3, 5}}) {
        const double chi = pi * area * squared_frequency(m, n);
        const at::Tensor phase = 0.5 + wave(m, n);
        const double mean_contrast = 2 / ratio, contrast = 2 * (std::sin(chi) + std::cos(chi) / ratio);
        const at::Tensor in = 1 - (0.5 * mean_contrast + contrast * wave(m, n));
        const at::Tensor got = contrast_transfer(in.to(type), scalar(ratio), scalar(area), ctf_spec(0, 0)).or_throw();
        // phase: float32 noise of the intensity times the gain at zero frequency, half of delta/beta
        QVERIFY(test::max_difference(got, phase) < 1.5 * bound);
      }
  }
  // nabu's limits: 1e-5 below the cut-off, 0.2 above.
  void contrast_transfer_with_limits() {
    const double ratio = 120, area = 4e-5;  // cut-off at 0.224 cycles per finest pixel
    for (const auto& [m, n] : {std::pair{0, 0}, {0, 1}, {1, 2}, {11, 19}}) {
      const double f2 = squared_frequency(m, n), chi = pi * area * f2, s = std::sin(chi) + std::cos(chi) / ratio;
      const double cut = std::min(0.5, pixel_v / std::sqrt(2 * area));
      const double low = 0.5 * std::erfc((pixel_v * std::sqrt(f2) - cut) / 0.01), limit = 1e-5 * low + 0.2 * (1 - low);
      const at::Tensor in = 1 - 0.01 * wave(m, n);
      const at::Tensor got = contrast_transfer(in, scalar(ratio), scalar(area), ctf_spec(1e-5, 0.2)).or_throw();
      QVERIFY(test::max_difference(got, 0.01 * wave(m, n) * (s / (2 * s * s + limit))) < 1e-12);
    }
  }
  // Wave optics, not the linear theory that both filters rest on: a blob with 1e-5 absorption and 1e-3 rad.
  void fresnel_propagation_is_undone() {
    const double ratio = 200, area = 1.3e-5;
    const at::Tensor y = at::arange(rows, at::kDouble).view({1, rows, 1}) - 11.2,
                     x = at::arange(cols, at::kDouble).view({1, 1, cols}) - 20.7;
    const at::Tensor absorption = 1e-5 * at::exp(-(x.square() / 18 + y.square() / 8));
    const at::Tensor phase = 0.5 * ratio * absorption;
    const at::Tensor intensity = fresnel(absorption, phase, area);
    const double largest = absorption.max().item<double>();
    // The contrast is there, and the filters take it away again up to the square of the phase.
    QVERIFY(test::max_difference(1 - intensity, absorption) > 3 * largest);
    const at::Tensor by_farago = -farago(intensity, scalar(ratio), scalar(area), farago_spec(0)).or_throw().log();
    QVERIFY(test::max_difference(by_farago, absorption) < 0.01 * largest);
    const at::Tensor by_ctf = contrast_transfer(intensity, scalar(ratio), scalar(area), ctf_spec(0, 0)).or_throw();
    QVERIFY(test::max_difference(by_ctf, phase) < 0.01 * phase.max().item<double>());
  }

  // Central differences to the data, delta/beta and lambda z, in float64.
  void gradients() {
    using Filter = std::function<at::Tensor(const at::Tensor&, const at::Tensor&, const at::Tensor&)>;
    const Filter filters[] = {
        [](const auto& t, const auto& b, const auto& a) { return farago(t, b, a, farago_spec(1e-3)).or_throw(); },
        [](const auto& t, const auto& b, const auto& a) {
          return contrast_transfer(t, b, a, ctf_spec(1e-5, 0.2)).or_throw();
        },
        [](const auto& t, const auto& b, const auto& a) {
          PaganinSpec s;
          s.plane = {0, pixel_u, pixel_v};
          return paganin(t, b, a, s).or_throw();
        }};
    const at::Tensor y = test::gaussian({2, rows, cols}, at::kDouble, 7),
                     direction = test::gaussian({2, rows, cols}, at::kDouble, 8);
    for (const Filter& filter : filters) {
      const at::Tensor t = (1 + 0.1 * test::gaussian({2, rows, cols}, at::kDouble, 6)).requires_grad_();
      const at::Tensor ratio = scalar(120).requires_grad_(), area = scalar(1.3e-5).requires_grad_();
      (filter(t, ratio, area) * y).sum().backward();
      const auto loss = [&](double dt, double dr, double da) {
        return (filter(t.detach() + dt * direction, ratio.detach() + dr, area.detach() + da) * y).sum().item<double>();
      };
      const auto agree = [](double exact, double numeric) {
        return std::abs(exact - numeric) < 1e-6 * std::abs(exact);
      };
      QVERIFY(agree((t.grad() * direction).sum().item<double>(), (loss(1e-3, 0, 0) - loss(-1e-3, 0, 0)) / 2e-3));
      QVERIFY(agree(ratio.grad().item<double>(), (loss(0, 1e-3, 0) - loss(0, -1e-3, 0)) / 2e-3));
      QVERIFY(agree(area.grad().item<double>(), (loss(0, 0, 1e-10) - loss(0, 0, -1e-10)) / 2e-10));
    }
  }

  // alpha and its relatives: numbers of the packages' documentation, and back.
  void conventions() {
    QVERIFY(std::abs(ratio_of_tomopy_alpha(1e-3) - 25.33) < 5e-3);
    QVERIFY(std::abs(ufo_rate(1000) - 3) < 1e-12);
    // The filters themselves: 1 / (lambda z f^2 / (4 pi) + alpha) over its largest value, and 1 / (1 + L^2 f^2).
    const double ratio = 283.2, energy = 25.3, distance = 150, f = 300,
                 chi = pi * wavelength(energy) * distance * f * f;
    const double ours = 1 / (1 + ratio * chi), alpha = tomopy_alpha(ratio);
    QVERIFY(std::abs(alpha / (wavelength(energy) * distance * f * f / (4 * pi) + alpha) / ours - 1) < 1e-12);
    const double length = paganin_length(ratio, energy, distance);
    QVERIFY(std::abs(1 / (1 + length * length * f * f) / ours - 1) < 1e-12);
    const double rate = ufo_rate(ratio);
    QVERIFY(std::abs(std::pow(10, -rate) / (chi + std::pow(10, -rate)) / ours - 1) < 1e-12);
    for (const double r : {1.0, 25.33, 283.2, 1857.3}) {
      QVERIFY(std::abs(ratio_of_tomopy_alpha(tomopy_alpha(r)) / r - 1) < 1e-14);
      QVERIFY(std::abs(ratio_of_paganin_length(paganin_length(r, energy, distance), energy, distance) / r - 1) < 1e-14);
      QVERIFY(std::abs(ratio_of_ufo_rate(ufo_rate(r)) / r - 1) < 1e-14);
    }
  }
  void refusals() {
    const at::Tensor t = at::ones({1, 4, 4});
    QVERIFY(!farago(t[0], scalar(1), scalar(1), {}).ok() && !farago(t, at::ones({2}), scalar(1), {}).ok());
    QVERIFY(!farago(t, scalar(1), scalar(1), farago_spec(-1)).ok());
    QVERIFY(!contrast_transfer(t, scalar(1), {}, {}).ok() &&
            !contrast_transfer(t, scalar(1), scalar(1), ctf_spec(-1, 0)).ok());
    CtfSpec wrong = ctf_spec(0, 0);
    wrong.pixel_u = 0;
    QVERIFY(!contrast_transfer(t, scalar(1), scalar(1), wrong).ok());
  }
};

TL_TEST_CASE(PhaseRetrievalTest)

}  // namespace tl::phase_retrieval_test

#include "phase_retrieval.moc"
