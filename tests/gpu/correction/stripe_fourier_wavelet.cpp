// Wavelets are orthogonal with vanishing moments; their stripe filter is linear, exact on constants, and effective.
#include "gpu/correction/stripes/fourier_wavelet.h"

#include <cmath>

#include "core/base/units.h"
#include "gpu/image/wavelet.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::stripe_fourier_wavelet_test {

using namespace tl::ops;

namespace {

at::Tensor run(const at::Tensor& x, const FourierWaveletSpec& spec = {}) {
  return remove_stripes_by_fourier_wavelet(x, spec).or_throw();
}

// All coefficients of `levels` levels and back.
at::Tensor round_trip(const at::Tensor& x, const std::vector<double>& low, int64_t levels) {
  const std::vector<double> high = quadrature_mirror(low);
  at::Tensor out = at::zeros_like(x);
  for (const auto& v : {low, high}) {
    const at::Tensor lines = wavelet_split(x, v, WaveletAxis::views);
    at::Tensor back = at::zeros_like(lines);
    for (const auto& c : {low, high}) {
      at::Tensor part = wavelet_split(lines, c, WaveletAxis::cols);
      if (levels > 1 && v == low && c == low) part = round_trip(part, low, levels - 1);
      back = back + wavelet_join(part, c, WaveletAxis::cols);
    }
    out = out + wavelet_join(back, v, WaveletAxis::views);
  }
  return out;
}

}  // namespace

class FourierWaveletTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void filters_are_daubechies() {
    const double s3 = std::sqrt(3.0), unit = 4 * std::sqrt(2.0);
    const std::vector<double> db2 = {(1 + s3) / unit, (3 + s3) / unit, (3 - s3) / unit, (1 - s3) / unit};
    for (std::size_t i = 0; i < 4; ++i) QVERIFY(std::abs(daubechies(2)[i] - db2[i]) < 1e-14);
    for (int64_t moments = 1; moments <= max_moments; ++moments) {
      // The roots are found to 1e-16 times the condition of a polynomial of degree nine.
      constexpr double rounding = 1e-9;
      const std::vector<double> h = daubechies(moments), g = quadrature_mirror(h);
      QCOMPARE(h.size(), static_cast<std::size_t>(2 * moments));
      for (std::size_t shift = 0; shift < h.size(); shift += 2) {
        double same = 0, other = 0;
        for (std::size_t i = 0; i + shift < h.size(); ++i) {
          same += h[i] * h[i + shift];
          other += h[i] * g[i + shift];
        }
        QVERIFY2(std::abs(same - (shift == 0 ? 1 : 0)) < rounding, std::to_string(moments).c_str());
        QVERIFY2(std::abs(other) < rounding, std::to_string(moments).c_str());
      }
      for (int64_t power = 0; power < moments; ++power) {
        double moment = 0, size = 0;
        for (std::size_t i = 0; i < g.size(); ++i) {
          moment += g[i] * std::pow(static_cast<double>(i), power);
          size += std::abs(g[i]) * std::pow(static_cast<double>(i), power);
        }
        QVERIFY2(std::abs(moment) < rounding * size, std::to_string(moments).c_str());
      }
    }
  }
  void reconstruction_is_perfect() {
    for (const int64_t moments : {1, 2, 5, 8})
      for (const auto type : {at::kFloat, at::kDouble}) {
        const at::Tensor x = test::gaussian({48, 32}, type, 1);
        const double limit = type == at::kFloat ? 1e-5 : 1e-11;  // rounding, and that of the filters
        QVERIFY(test::max_difference(round_trip(x, daubechies(moments), 4), x) < limit);
      }
  }
  void split_and_join_are_transposes() {
    for (const WaveletAxis axis : {WaveletAxis::views, WaveletAxis::cols}) {
      const std::vector<double> h = daubechies(5);
      const at::Tensor x = test::gaussian({6, 4}, at::kDouble, 2);  // shorter than the filter
      const at::Tensor y = test::gaussian(wavelet_split(x, h, axis).sizes().vec(), at::kDouble, 3);
      const double left = inner_product(wavelet_split(x, h, axis), y),
                   right = inner_product(x, wavelet_join(y, h, axis));
      QVERIFY(std::abs(left - right) < 1e-13);
    }
  }
  void without_damping_nothing_changes() {
    const at::Tensor x = test::gaussian({20, 2, 33}, at::kFloat, 4);
    FourierWaveletSpec off;
    off.sigma = 0;
    QVERIFY(run(x, off).equal(x));
    // A damping so narrow that it takes the mean over the views alone leaves what has none.
    off.sigma = 1e-3;
    const at::Tensor waves = (2 * pi * 4 * (at::arange(32, at::kDouble) + 0.5) / 32).cos().view({32, 1, 1}) *
                             test::gaussian({1, 1, 33}, at::kDouble, 5);
    off.levels = 1;
    QVERIFY(test::max_difference(run(waves, off), waves) < 1e-12);
  }
  void constants_are_bit_identical() {
    const at::Tensor x = at::full({21, 2, 33}, 0.1f);
    QVERIFY(run(x).equal(x));
  }
  void the_transpose_is_exact() {
    for (const int64_t levels : {1, 3, 6})
      for (const int64_t views : {1, 7, 40}) {
        FourierWaveletSpec spec;
        spec.levels = levels;
        const OperatorPtr op = make_fourier_wavelet(views, 37, spec).or_throw();
        // One view is all stripe: what is left of it is small, and the error is relative to that.
        const double less = views == 1 ? 10 : 1;
        const double single = test::worst_adjoint_error(*op, at::kFloat),
                     full = test::worst_adjoint_error(*op, at::kDouble);
        QVERIFY2(single < 1e-6 * less && full < 1e-12 * less,
                 (std::to_string(1e6 * single) + "e-6, views " + std::to_string(views)).c_str());
      }
    const at::Tensor x = test::gaussian({12, 1, 10}, at::kDouble, 6).requires_grad_(),
                     w = test::gaussian({12, 1, 10}, at::kDouble, 7);
    (run(x) * w).sum().backward();
    const at::Tensor direction = test::gaussian({12, 1, 10}, at::kDouble, 8);
    const at::Tensor base = x.detach();
    const double numeric =
        ((run(base + direction) - run(base - direction)) * w).sum().item<double>() / 2;  // linear: any step
    QVERIFY(std::abs((x.grad() * direction).sum().item<double>() - numeric) < 1e-10);
  }
  void stripes_fall_and_the_object_stays() {
    const int64_t views = 180, cols = 512;
    const at::Tensor t = pi / static_cast<double>(views) * at::arange(views, at::kDouble).view({views, 1, 1});
    const at::Tensor s = at::arange(cols, at::kDouble).view({1, 1, cols}) - 255.5;
    const at::Tensor clean = (-(s - 77 * t.cos()).square() / (2 * 50.0 * 50.0)).exp();
    at::Tensor striped = clean.clone();
    for (const int64_t c : {31, 80, 128, 160, 300, 301, 302, 303}) striped.select(2, c).add_(0.03);
    const auto column_rms = [](const at::Tensor& x) { return std::sqrt(x.mean(0).square().mean().item<double>()); };
    FourierWaveletSpec spec;
    spec.levels = 4;
    const at::Tensor y = run(striped, spec);
    const double gain = column_rms(striped - clean) / column_rms(y - clean),
                 change = test::max_difference(run(clean, spec), clean);
    qInfo("column-mean error falls %.1f times; a clean sinogram changes by %.2e", gain, change);
    // What survives is the share of the stripes that is coarser than 2^4 columns: measured 2.4 of 1.
    QVERIFY(gain > 2);
    QVERIFY(change < 5e-3);
  }
  void bad_settings_are_refused() {
    const at::Tensor x = at::zeros({4, 1, 5});
    QVERIFY(!remove_stripes_by_fourier_wavelet(x, {0, 5, 2, {}}).ok());
    QVERIFY(!remove_stripes_by_fourier_wavelet(x, {13, 5, 2, {}}).ok());
    QVERIFY(!remove_stripes_by_fourier_wavelet(x, {3, 11, 2, {}}).ok());
    QVERIFY(!remove_stripes_by_fourier_wavelet(x, {3, 5, -1, {}}).ok());
    QVERIFY(!remove_stripes_by_fourier_wavelet(at::zeros({4, 5}), {}).ok());
  }
};

TL_TEST_CASE(FourierWaveletTest)

}  // namespace tl::stripe_fourier_wavelet_test

#include "stripe_fourier_wavelet.moc"
