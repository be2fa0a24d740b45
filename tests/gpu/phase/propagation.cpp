// Propagation of a thickness to a distance: Paganin's filter undoes it, Fresnel keeps the mean, all agree for small
// chi, gradients to thickness, delta, beta, wavelength and distance.
#include "gpu/phase/propagation.h"

#include <cmath>
#include <functional>

#include "core/base/units.h"
#include "gpu/phase/paganin.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::propagation_test {

using namespace tl::ops;

namespace {

// CaCO3 at 25.3 keV, 1.1 um pixels: acceptance A3.
constexpr double energy = 25.3, delta = 8.8057e-7, beta = 3.1095e-9, pixel = 1.1e-3;

at::Tensor scalar(double value) { return at::scalar_tensor(value, at::kDouble); }

PropagationBeam beam_at(double distance) {
  return {scalar(delta), scalar(beta), scalar(wavelength(energy)), scalar(wavelength(energy) * distance)};
}

PropagationSpec spec_of(PropagationModel model, ImageExtension extension = ImageExtension::periodic) {
  PropagationSpec spec;
  spec.pixel_u = pixel;
  spec.pixel_v = 1.2 * pixel;
  spec.model = model;
  spec.extension = extension;
  return spec;
}

// A smooth lump [mm] that has no more than some 1e-11 of itself at the border.
at::Tensor lump(int64_t rows, int64_t cols, double width, double height) {
  const auto line = [&](int64_t n) {
    return ((at::arange(n, at::kDouble) - 0.5 * static_cast<double>(n - 1)) / width).square();
  };
  return height * at::exp(-0.5 * (line(rows).view({1, -1, 1}) + line(cols).view({1, 1, -1})));
}

at::Tensor intensity(const at::Tensor& thickness, double distance, const PropagationSpec& spec) {
  return propagate(thickness, beam_at(distance), spec).or_throw();
}

at::Tensor contact(const at::Tensor& thickness) { return at::exp(-4 * pi * beta / wavelength(energy) * thickness); }

}  // namespace

class PropagationTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Any image where it is periodic, a smooth one with padding.
  void paganin_undoes_transport() {
    const at::Tensor rough = 0.05 * at::sigmoid(test::gaussian({3, 30, 42}, at::kDouble, 1));
    const at::Tensor smooth = lump(80, 96, 6, 0.05);
    for (const auto form : {PaganinForm::continuous, PaganinForm::generalised})
      for (const auto& [thickness, extension] :
           {std::pair(rough, ImageExtension::periodic), std::pair(smooth, ImageExtension::edge)})
        for (const double distance : {0.0, 30.0, 150.0}) {
          PropagationSpec spec = spec_of(PropagationModel::transport, extension);
          spec.form = form;
          PaganinSpec filter;
          filter.energy = energy;
          filter.plane = {distance, spec.pixel_u, spec.pixel_v};
          filter.form = form;
          filter.extension = extension;
          const at::Tensor there = intensity(thickness, distance, spec);
          const at::Tensor back = paganin(there, delta / beta, filter).or_throw();
          constexpr double round_trip = 1e-6;
          QVERIFY(test::max_difference(back, contact(thickness)) <
                  1e-12 + (extension == ImageExtension::edge ? round_trip : 0));
          if (distance > 0) QVERIFY(test::max_difference(there, contact(thickness)) > 1e-3);
        }
  }

  // A wave exp(-mu T) = 1 + c cos(k x) comes out with its contrast times 1 + z (delta / mu) k^2; of two pixels'
  // differences with sin(k) for k.
  void plane_waves() {
    const int64_t n = 40;
    const double mu = 4 * pi * beta / wavelength(energy), distance = 30;
    for (const int64_t turns : {1, 5, 17}) {
      const double k = 2 * pi * static_cast<double>(turns) / static_cast<double>(n);
      const at::Tensor wave = 0.01 * (k * at::arange(n, at::kDouble)).cos().view({1, 1, n}).expand({1, 8, n});
      const at::Tensor thickness = -at::log(0.9 + wave) / mu;
      const auto gain = [&](double squared) { return 1 + distance * delta / mu * squared / (pixel * pixel); };
      const at::Tensor spectral = intensity(thickness, distance, spec_of(PropagationModel::transport));
      QVERIFY(test::max_difference(spectral, 0.9 + gain(k * k) * wave) < 1e-11 * gain(k * k));
      const at::Tensor differences = intensity(thickness, distance, spec_of(PropagationModel::two_pixel));
      const double two = std::sin(k) * std::sin(k);
      QVERIFY(test::max_difference(differences.narrow(2, 2, n - 4), (0.9 + gain(two) * wave).narrow(2, 2, n - 4)) <
              1e-11 * gain(two));
    }
  }

  void fresnel_keeps_the_mean() {
    const at::Tensor rough = 0.05 * at::sigmoid(test::gaussian({2, 30, 42}, at::kDouble, 1));
    for (const double distance : {0.0, 30.0, 3000.0}) {
      const at::Tensor there = intensity(rough, distance, spec_of(PropagationModel::fresnel));
      QVERIFY(test::max_difference(there.mean({1, 2}), contact(rough).mean({1, 2})) < 1e-12);
      if (distance == 0) QVERIFY(test::max_difference(there, contact(rough)) < 1e-12);
    }
  }

  // Halving the distance quarters what is left between them: the next order of chi.
  void both_agree_for_small_chi() {
    const at::Tensor smooth = lump(96, 96, 7, 0.01);
    double before = 0;
    for (const double distance : {8.0, 4.0, 2.0, 1.0}) {
      const at::Tensor tie = intensity(smooth, distance, spec_of(PropagationModel::transport, ImageExtension::edge));
      const at::Tensor wave = intensity(smooth, distance, spec_of(PropagationModel::fresnel, ImageExtension::edge));
      const double apart = test::max_difference(tie, wave), effect = test::max_difference(wave, contact(smooth));
      QVERIFY2(apart < 0.05 * effect, qPrintable(QString("%1 of %2").arg(apart).arg(effect)));
      if (before > 0) QVERIFY2(apart < 0.55 * before, qPrintable(QString("%1 after %2").arg(apart).arg(before)));
      before = apart;
    }
  }

  void edges_repeat_a_constant() {
    for (const auto model : {PropagationModel::transport, PropagationModel::two_pixel, PropagationModel::fresnel}) {
      const at::Tensor even = at::full({2, 17, 23}, 0.04, at::kDouble);
      QVERIFY(test::max_difference(intensity(even, 30, spec_of(model, ImageExtension::edge)), contact(even)) < 1e-12);
      const at::Tensor single = intensity(even.to(at::kFloat), 30, spec_of(model, ImageExtension::edge));
      QVERIFY(single.scalar_type() == at::kFloat && test::max_difference(single, contact(even)) < 1e-6);
    }
  }

  // C10.
  void gradients() {
    const at::Tensor thickness = 0.03 * at::sigmoid(test::gaussian({2, 7, 9}, at::kDouble, 2));
    const at::Tensor weights = test::gaussian({2, 7, 9}, at::kDouble, 3),
                     along = test::gaussian({2, 7, 9}, at::kDouble, 4);
    for (const auto model : {PropagationModel::transport, PropagationModel::two_pixel, PropagationModel::fresnel}) {
      const PropagationSpec spec = spec_of(model, ImageExtension::edge);
      // By factors of delta, beta, wavelength and lambda z; the last one moves the thickness.
      const auto value = [&](const at::Tensor& x) {
        const PropagationBeam b = beam_at(30);
        const at::Tensor f = x.exp();
        return (propagate(thickness + 1e-3 * x[4] * along,
                          {b.delta * f[0], b.beta * f[1], b.wavelength * f[2], b.wave_area * f[3]}, spec)
                    .or_throw() *
                weights)
            .sum();
      };
      at::Tensor x = at::zeros({5}, at::kDouble).requires_grad_();
      value(x).backward();
      for (int64_t i = 0; i < 5; ++i) {
        constexpr double h = 1e-5;
        at::Tensor up = at::zeros({5}, at::kDouble), down = up.clone();
        up[i] = h;
        down[i] = -h;
        const double numeric = (value(up) - value(down)).item<double>() / (2 * h);
        const double slope = x.grad()[i].item<double>();
        QVERIFY(std::abs(numeric) > 1e-6);
        QVERIFY2(std::abs(slope - numeric) < 1e-6 * std::abs(numeric),
                 qPrintable(QString("%1: %2 for %3").arg(i).arg(slope, 0, 'g', 12).arg(numeric, 0, 'g', 12)));
      }
    }
  }

  void refusals() {
    const at::Tensor x = at::ones({1, 4, 4});
    const PropagationSpec spec = spec_of(PropagationModel::transport);
    PropagationBeam beam = beam_at(30);
    QVERIFY(propagate(x, beam, spec).ok());
    QVERIFY(!propagate(x[0], beam, spec).ok());
    beam.beta = scalar(0);
    QVERIFY(!propagate(x, beam, spec).ok());
    beam = beam_at(-1);
    QVERIFY(!propagate(x, beam, spec).ok());
    beam = beam_at(30);
    beam.delta = scalar(std::nan(""));
    QVERIFY(!propagate(x, beam, spec).ok());
  }
};

TL_TEST_CASE(PropagationTest)

}  // namespace tl::propagation_test

#include "propagation.moc"
