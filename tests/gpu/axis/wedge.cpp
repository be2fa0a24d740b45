// The wedge objective as a function of the axis: agreement with its definition, gradients, correct uncertainty.
#include "gpu/axis/wedge.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>

#include "core/base/units.h"
#include "gpu/axis/sinogram.h"
#include "gpu/simulate/phantom_library.h"
#include "gpu/simulate/poisson.h"
#include "tests/support/test_case.h"

namespace tl::wedge_test {

using namespace tl::ops;

namespace {

at::Tensor axis_tensor(double a) { return at::scalar_tensor(a, at::kDouble); }

at::Tensor sinogram(int64_t views, int64_t cols, double axis, double radius, uint64_t seed) {
  const auto g = ScanGeometry::parallel(equidistant_angles(views, pi), {1, cols, 1, 1}, axis).or_throw();
  return phantom_projections(random_ellipses(radius, 10, seed), g, {at::kDouble, 1, {}});
}

// [view, row, col] to [row, view, col].
at::Tensor by_row(const at::Tensor& p) { return p.permute({1, 0, 2}).contiguous(); }

// With the sigma of the method, without what it differs from others by.
AxisResult by_itself(const at::Tensor& projections, const std::vector<double>& angles) {
  WedgeParams p;
  p.search.checking = AxisChecking::off;
  return axis_wedge(projections, angles, p);
}

}  // namespace

class AxisWedgeTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // From the definition: complete the turn with the mirror image about an axis on a whole or half pixel, where no
  // interpolation is needed, and add the energy outside the wedge by hand.
  void objective_is_energy_outside_the_wedge() {
    const int64_t n = 20, w = 32;
    const at::Tensor half = sinogram(n, w, 1.5, 11, 3).select(1, 0);
    const auto by_hand = [&](int64_t twice_axis) {
      at::Tensor full = at::zeros({2 * n, 2 * w}, at::kDouble);  // columns -w/2 .. 3w/2 of the detector
      for (int64_t i = 0; i < n; ++i)
        for (int64_t c = 0; c < w; ++c) {
          full[i][c + w / 2] = half[i][c];
          full[n + i][w - 1 - c + twice_axis + w / 2] = half[i][c];
        }
      const at::Tensor power = at::fft_fft2(full).abs().square();
      double sum = 0;
      for (int64_t m = 0; m < 2 * n; ++m)
        for (int64_t k = 1; k <= w; ++k) {
          const double mode = static_cast<double>(std::min(m, 2 * n - m)),
                       f = static_cast<double>(k) / static_cast<double>(2 * w);
          if (mode > 2 * pi * (0.5 * static_cast<double>(w)) * f + 2) sum += power[m][k].item<double>();
        }
      return sum;
    };
    const auto score = [&](double a) { return wedge_objective(half.unsqueeze(0), axis_tensor(a)).item<double>(); };
    const double scale = by_hand(0) / score(0);
    for (const int64_t twice : {-3, 1, 2, 3, 7})
      QVERIFY(std::abs(by_hand(twice) / (scale * score(0.5 * static_cast<double>(twice))) - 1) < 1e-9);
  }

  void gradients_match_differences() {
    const at::Tensor data = by_row(sinogram(24, 48, 2.3, 18, 5)), axis = axis_tensor(1.1);
    at::Tensor d = data.clone().set_requires_grad(true), a = axis.clone().set_requires_grad(true);
    const at::Tensor score = wedge_objective(d, a);
    const auto grads = torch::autograd::grad({score}, {d, a}, {}, true, true);
    const auto value = [&](double at) { return wedge_objective(data, axis_tensor(at)).item<double>(); };
    const double h = 1e-5, slope = (value(1.1 + h) - value(1.1 - h)) / (2 * h);
    QVERIFY(std::abs(grads[1].item<double>() / slope - 1) < 1e-6);
    const double curvature = (value(1.1 + 1e-3) - 2 * value(1.1) + value(1.1 - 1e-3)) / 1e-6;
    const auto second = torch::autograd::grad({grads[1]}, {a}, {}, true);
    QVERIFY(std::abs(second[0].item<double>() / curvature - 1) < 1e-4);
    const at::Tensor direction = at::sin(at::arange(data.numel(), at::kDouble)).reshape(data.sizes());
    const double along = (wedge_objective(data + h * direction, axis).item<double>() -
                          wedge_objective(data - h * direction, axis).item<double>()) /
                         (2 * h);
    QVERIFY(std::abs((grads[0] * direction).sum().item<double>() / along - 1) < 1e-6);
  }

  // Noiseless bias on a phantom that fills most of the field; edges sampled at pixel centres leave about 0.01 px.
  void small_bias() {
    for (const double axis : {-11.3, 0.0, 0.25, 7.5}) {
      const AxisResult r = axis_wedge(sinogram(180, 256, axis, 105, 3), equidistant_angles(180, pi));
      QVERIFY2(std::abs(r.axis - axis) < 0.02, std::to_string(r.axis - axis).c_str());
      QCOMPARE(r.verdict, AxisVerdict::resolved);
    }
  }

  // The same answer from every sense of rotation, detector side and scale of the values.
  void invariances() {
    const at::Tensor p = sinogram(90, 128, 4.2, 50, 8);
    const std::vector<double> angles = equidistant_angles(90, pi);
    const double a = axis_wedge(p, angles).axis;
    QVERIFY(std::abs(axis_wedge(at::flip(p, {2}), angles).axis + a) < 1e-8);
    QVERIFY(std::abs(axis_wedge(1000 * p, angles).axis - a) < 1e-8);
    std::vector<double> backwards;
    for (const double t : angles) backwards.push_back(5 - t);
    QVERIFY(std::abs(axis_wedge(p, backwards).axis - a) < 1e-8);
  }

  // Errors over seeds against the stated sigma: the rms of 40 pulls is 1 within +- 35 % (three sigma) if it is honest;
  // up to 1.6 times too careful is accepted, because the noise adds to the curvature that it is read from.
  void uncertainty_is_honest() {
    const at::Tensor p = 0.01 * sinogram(90, 128, 3.3, 50, 8);
    const std::vector<double> angles = equidistant_angles(90, pi);
    for (const double sigma : {0.004, 0.02}) {
      double pulls = 0;
      for (uint64_t seed = 0; seed < 40; ++seed) {
        const NoiseFrame frame{seed, NoiseSeries::projections, {{0, 90}, {0, 1}, {0, 128}}, 1, 128};
        const AxisResult r = by_itself(add_gaussian_noise(p, sigma, frame), angles);
        QCOMPARE(r.verdict, AxisVerdict::resolved);
        pulls += std::pow((r.axis - 3.3) / r.uncertainty, 2) / 40;
      }
      QVERIFY2(std::sqrt(pulls) > 0.6 && std::sqrt(pulls) < 1.35, std::to_string(std::sqrt(pulls)).c_str());
    }
  }

  // Noise of the flats is the same in all views and does not average out over them: here it is as strong as that of
  // four flats. The same bounds as above.
  void noise_that_views_share_counts() {
    const at::Tensor p = 0.01 * sinogram(90, 128, 3.3, 50, 8);
    const std::vector<double> angles = equidistant_angles(90, pi);
    double pulls = 0;
    for (uint64_t seed = 0; seed < 40; ++seed) {
      const NoiseFrame frame{seed, NoiseSeries::projections, {{0, 90}, {0, 1}, {0, 128}}, 1, 128};
      const NoiseFrame flats{seed, NoiseSeries::flats, {{0, 1}, {0, 1}, {0, 128}}, 1, 128};
      const at::Tensor own = add_gaussian_noise(p, 0.01, frame);
      const AxisResult r =
          by_itself(own + add_gaussian_noise(at::zeros({1, 1, 128}, at::kDouble), 0.005, flats), angles);
      QCOMPARE(r.verdict, AxisVerdict::resolved);
      pulls += std::pow((r.axis - 3.3) / r.uncertainty, 2) / 40;
    }
    QVERIFY2(std::sqrt(pulls) > 0.6 && std::sqrt(pulls) < 1.35, std::to_string(std::sqrt(pulls)).c_str());
  }

  // Without noise, what is left comes from edges sharper than a pixel: never far beyond sigma (rms over axes at most
  // twice it), and no more careful than that by an order of magnitude.
  void sharp_edges_count() {
    const std::vector<double> angles = equidistant_angles(180, pi);
    double errors = 0, sigmas = 0;
    for (int i = 0; i < 12; ++i) {
      const double axis = 1.37 * i - 7.1;
      const auto g = ScanGeometry::parallel(angles, {1, 192, 1, 1}, axis).or_throw();
      const AxisResult r = by_itself(phantom_projections(shepp_logan_2d(80), g, {at::kDouble, 2, {}}), angles);
      errors += std::pow(r.axis - axis, 2);
      sigmas += r.uncertainty * r.uncertainty;
    }
    const double ratio = std::sqrt(errors / sigmas);
    QVERIFY2(ratio > 0.1 && ratio < 2, std::to_string(ratio).c_str());
  }

  void background_and_its_adjoint() {
    const at::Tensor x = at::sin(at::arange(3 * 101, at::kDouble).square()).view({3, 101});
    const at::Tensor y = at::cos(at::arange(3 * 101, at::kDouble).square()).view({3, 101});
    const double there = (without_background(x.unsqueeze(0), Background::per_view)[0] * y).sum().item<double>();
    QVERIFY(std::abs(there - (x * background_adjoint(y)).sum().item<double>()) < 1e-12 * std::abs(there));
  }
};

TL_TEST_CASE(AxisWedgeTest)

}  // namespace tl::wedge_test

#include "wedge.moc"
