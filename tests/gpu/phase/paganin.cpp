// Paganin filter against its formula on plane waves: both forms, non-square pixels, cone beam, padding, gradients.
#include "gpu/phase/paganin.h"

#include <cmath>

#include "core/base/units.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::paganin_test {

using namespace tl::ops;

namespace {
// CaCO3 at 25.3 keV propagated over 15 cm with 1.1 um pixels: the thesis' case.
constexpr double energy = 25.3, ratio = 283.19;
PaganinSpec spec_of(PaganinForm form, ImageExtension extension, PropagationPlane plane) {
  PaganinSpec spec;
  spec.energy = energy;
  spec.plane = plane;
  spec.form = form;
  spec.extension = extension;
  return spec;
}
const PropagationPlane thesis{150, 1.1e-3, 1.1e-3};

// 1 + 0.1 cos(2 pi (a col / cols + b row / rows)), one view.
at::Tensor wave(int64_t rows, int64_t cols, int64_t a, int64_t b, double amplitude = 0.1) {
  const at::Tensor c = at::arange(cols, at::kDouble).view({1, 1, -1}),
                   r = at::arange(rows, at::kDouble).view({1, -1, 1});
  return 1 + amplitude * (2 * pi *
                          (static_cast<double>(a) / static_cast<double>(cols) * c +
                           static_cast<double>(b) / static_cast<double>(rows) * r))
                             .cos();
}
at::Tensor run(const at::Tensor& x, double delta_over_beta, const PaganinSpec& spec) {
  return paganin(x, delta_over_beta, spec).or_throw();
}
}  // namespace

class PaganinTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void scales() {
    QVERIFY(std::abs(wavelength(25.3) / 4.90056e-8 - 1) < 1e-6);  // mm
    QVERIFY(std::abs(paganin_chi_nyquist(energy, thesis) - 4.77) < 5e-3);
    // filter at Nyquist: 7.3953e-4 along one direction, 3.6990e-4 in the corner
    const double strength = paganin_strength(energy, ratio, thesis.distance, thesis.pixel_u);
    QVERIFY(std::abs(1 / (1 + strength * pi * pi) - 7.3953e-4) < 1e-8);
    QVERIFY(std::abs(1 / (1 + 2 * strength * pi * pi) - 3.6990e-4) < 1e-8);
    // z delta / mu of the same material, mu = 7.9735 / cm
    QVERIFY(std::abs(ratio * paganin_area(energy, 150) / (150 * 8.8057e-7 / 0.79735) - 1) < 1e-4);
    const PropagationPlane cone = propagation_plane(100, 300, 0.02, 0.04);
    QCOMPARE(cone.distance, 75.0);
    QCOMPARE(cone.pixel_u, 0.005);
    QCOMPARE(cone.pixel_v, 0.01);
    QCOMPARE(propagation_plane(0, 300, 0.02, 0.04).distance, 300.0);
  }
  // A plane wave keeps its shape; its amplitude is multiplied by the filter's value (C6: 1e-6).
  void plane_waves() {
    const PropagationPlane planes[] = {thesis, {150, 1.1e-3, 2.3e-3}, propagation_plane(120, 480, 5e-3, 7e-3)};
    for (const PropagationPlane& p : planes)
      for (const auto form : {PaganinForm::continuous, PaganinForm::generalised})
        for (const auto& [rows, cols] : {std::pair<int64_t, int64_t>{24, 40}, {25, 21}})
          for (const auto& [a, b] : {std::pair<int64_t, int64_t>{0, 0}, {3, 0}, {0, 5}, {7, 4}, {10, 12}}) {
            const double kx = 2 * pi * static_cast<double>(a) / static_cast<double>(cols) / p.pixel_u;
            const double ky = 2 * pi * static_cast<double>(b) / static_cast<double>(rows) / p.pixel_v;
            double k2 = kx * kx + ky * ky;
            if (form == PaganinForm::generalised)
              k2 = 2 * (1 - std::cos(kx * p.pixel_u)) / (p.pixel_u * p.pixel_u) +
                   2 * (1 - std::cos(ky * p.pixel_v)) / (p.pixel_v * p.pixel_v);
            const double value = 1 / (1 + p.distance * ratio * wavelength(energy) * k2 / (4 * pi));
            const at::Tensor out = run(wave(rows, cols, a, b), ratio, spec_of(form, ImageExtension::periodic, p));
            QVERIFY(test::max_difference(out, wave(rows, cols, a, b, 0.1 * value)) < 1e-13);
            const at::Tensor out32 =
                run(wave(rows, cols, a, b).to(at::kFloat), ratio, spec_of(form, ImageExtension::periodic, p));
            QVERIFY(test::max_difference(out32, out) < 1e-6);
          }
  }
  void square_pixels_in_the_papers_form() {  // 1 / (1 - (2 a / W^2)(kappa - 2))
    const double w = thesis.pixel_u, a = ratio * paganin_area(energy, thesis.distance);
    const double kappa = std::cos(2 * pi * 5 / 32) + std::cos(2 * pi * 3 / 32);
    const double value = 1 / (1 - 2 * a / (w * w) * (kappa - 2));
    const at::Tensor out =
        run(wave(32, 32, 5, 3), ratio, spec_of(PaganinForm::generalised, ImageExtension::periodic, thesis));
    QVERIFY(test::max_difference(out, wave(32, 32, 5, 3, 0.1 * value)) < 1e-13);
  }
  void constants_and_zero_ratio() {
    const PaganinSpec spec = spec_of(PaganinForm::continuous, ImageExtension::edge, thesis);
    const at::Tensor flat = at::full({3, 17, 23}, 0.37, at::kDouble);
    QVERIFY(test::max_difference(run(flat, ratio, spec), flat) < 1e-14);
    const at::Tensor noise = at::sigmoid(test::gaussian({2, 17, 23}, at::kDouble, 1));
    QVERIFY(test::max_difference(run(noise, 0, spec), noise) < 1e-14);
  }
  // Propagation of a smooth disc by the transport-of-intensity equation with spectral derivatives, then retrieval.
  void round_trip_of_a_smooth_object() {
    const int64_t n = 64;
    const at::Tensor c = (at::arange(n, at::kDouble) - 31.5).square();
    const at::Tensor contact = at::exp(-0.8 * at::exp(-(c.view({1, 1, n}) + c.view({1, n, 1})) / (2 * 36.0)));
    const at::Tensor k = 2 * pi * at::fft_fftfreq(n, thesis.pixel_u, at::TensorOptions().dtype(at::kDouble));
    const double a = 0.02 * ratio * paganin_area(energy, thesis.distance);
    const at::Tensor gain = 1 + a * (k.square().view({n, 1}) + k.square().view({1, n}));
    const at::Tensor intensity = at::real(at::fft_ifft2(at::fft_fft2(contact) * gain));
    const at::Tensor back =
        run(intensity.contiguous(), 0.02 * ratio, spec_of(PaganinForm::continuous, ImageExtension::edge, thesis));
    // the object ends 2.6 sigma before the border, where the edge pixel is 1 to 3e-6
    QVERIFY(test::max_difference(back, contact) < 1e-5);
    QVERIFY(test::max_difference(intensity, contact) > 0.01);
  }
  void gradients() {
    const PaganinSpec spec = spec_of(PaganinForm::generalised, ImageExtension::edge, thesis);
    const at::Tensor x = at::sigmoid(test::gaussian({2, 6, 7}, at::kDouble, 2));
    const at::Tensor y = test::gaussian({2, 6, 7}, at::kDouble, 3), d = test::gaussian({2, 6, 7}, at::kDouble, 4);
    at::Tensor leaf = x.clone().requires_grad_();
    at::Tensor log_ratio = at::scalar_tensor(std::log(3.0), at::TensorOptions().dtype(at::kDouble)).requires_grad_();
    paganin(leaf, log_ratio.exp(), spec).or_throw().backward(y);
    QVERIFY(std::abs(inner_product(run(d, 3, spec), y) - inner_product(d, leaf.grad())) < 1e-12);
    const double h = 1e-5;
    const double numeric =
        (inner_product(run(x, 3 * std::exp(h), spec), y) - inner_product(run(x, 3 * std::exp(-h), spec), y)) / (2 * h);
    QVERIFY(std::abs(log_ratio.grad().item<double>() - numeric) < 1e-8);
    QVERIFY(std::abs(numeric) > 1e-3);
  }
  void refusals() {
    PaganinSpec spec = spec_of(PaganinForm::continuous, ImageExtension::edge, thesis);
    const at::Tensor x = at::ones({1, 4, 4});
    QVERIFY(!paganin(x, -1.0, spec).ok());
    QVERIFY(!paganin(x[0], 1.0, spec).ok());
    spec.energy = 0;
    QVERIFY(!paganin(x, 1.0, spec).ok());
    spec = spec_of(PaganinForm::continuous, ImageExtension::edge, {-1, 1, 1});
    QVERIFY(!paganin(x, 1.0, spec).ok());
  }
};

TL_TEST_CASE(PaganinTest)

}  // namespace tl::paganin_test

#include "paganin.moc"
