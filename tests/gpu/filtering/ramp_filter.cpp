// Ramp filter: its spatial kernel, exact adjoints, known transforms, windows, padding and thread independence.
#include "gpu/filtering/ramp_filter.h"

#include <ATen/Parallel.h>

#include <cmath>
#include <limits>

#include "core/base/units.h"
#include "gpu/device/cpu_variant.h"
#include "gpu/filtering/fft_size.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::ramp_filter_test {

using namespace tl::ops;

namespace {
OperatorPtr filter(const RampFilterSpec& spec) { return make_ramp_filter(spec).or_throw(); }
RampFilterSpec shape(int64_t views, int64_t rows, int64_t cols) {
  RampFilterSpec spec;
  spec.views = views;
  spec.rows = rows;
  spec.cols = cols;
  return spec;
}
}  // namespace

class RampFilterTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void fft_lengths() {
    const int64_t known[][2] = {{1001, 1008}, {1025, 1050}, {1283, 1296}, {2049, 2058}, {3839, 3840},
                                {4097, 4116}, {5761, 5832}, {7677, 7680}, {1, 2},       {2, 2}};
    for (const auto& [n, length] : known) QCOMPARE(fft_length(n), length);
  }
  void an_impulse_gives_the_spatial_kernel() {
    for (const int64_t cols : {1, 2, 31, 64}) {
      for (const int64_t at : {int64_t{0}, cols / 2, cols - 1}) {
        RampFilterSpec spec = shape(1, 1, cols);
        spec.pitch = 0.25;
        at::Tensor x = at::zeros({1, 1, cols}, at::kDouble);
        x[0][0][at] = 1;
        const at::Tensor y = filter(spec)->apply(x);
        for (int64_t c = 0; c < cols; ++c) {
          const auto j = static_cast<double>(c - at);
          const double h = c == at ? 0.25 : (c - at) % 2 != 0 ? -1 / (pi * pi * j * j) : 0;
          QVERIFY(std::abs(y[0][0][c].item<double>() - h / 0.25) < 1e-14);
        }
      }
    }
  }
  void transposes() {
    for (const auto extension : {RowExtension::zero, RowExtension::edge})
      for (const int64_t cols : {1, 2, 33, 128})
        for (const auto window : {RampWindow::ram_lak, RampWindow::hann}) {
          RampFilterSpec spec = shape(3, 5, cols);
          spec.extension = extension;
          spec.window = window;
          spec.cutoff = 0.8;
          QVERIFY(test::worst_adjoint_error(*filter(spec), at::kFloat) < 1e-6);
          QVERIFY(test::worst_adjoint_error(*filter(spec), at::kDouble) < 1e-12);
        }
  }
  // The projection 2 sqrt(R^2 - s^2) of a disc filters to the constant 1/pi inside (the back-projection over pi is 1).
  void a_disc_filters_to_a_constant() {
    const int64_t cols = 801;
    const double pitch = 0.01, radius = 2;
    RampFilterSpec spec = shape(1, 1, cols);
    spec.pitch = pitch;
    at::Tensor x = at::zeros({1, 1, cols}, at::kDouble);
    const int64_t middle = cols / 2;
    for (int64_t c = 0; c < cols; ++c) {
      const double s = static_cast<double>(c - middle) * pitch;
      x[0][0][c] = s * s < radius * radius ? 2 * std::sqrt(radius * radius - s * s) : 0.0;
    }
    const at::Tensor y = filter(spec)->apply(x);
    const at::Tensor inside = y[0][0].narrow(0, cols / 2 - 100, 201);
    // the rim of the square root falls between samples: an alternating error of 1e-4 half a radius away from it
    QVERIFY(test::max_difference(inside, at::full_like(inside, 1 / pi)) < 2e-4);
    // float32 agrees with float64 to its precision
    QVERIFY(test::max_difference(filter(spec)->apply(x.to(at::kFloat)), y) < 2e-5 * y.abs().max().item<double>());
  }
  void a_constant_row_beyond_both_edges_filters_to_nearly_nothing() {
    RampFilterSpec spec = shape(1, 1, 200);
    spec.extension = RowExtension::edge;
    const at::Tensor y = filter(spec)->apply(at::ones({1, 1, 200}, at::kDouble));
    // What is left is the mean value of the kernel cut at the padded length: about 1 / (pi^2 * length / 2).
    QVERIFY(y.abs().max().item<double>() < 1 / (pi * pi * 199));
    QVERIFY(y.min().item<double>() > 0);
  }
  void windows() {
    for (const RampWindowEntry& entry : ramp_windows()) {
      const RampWindow window = *parse_ramp_window(entry.name);
      QCOMPARE(to_string(window), entry.name);
      QVERIFY(std::abs(ramp_window_value(window, 0) - 1) < 1e-9);
      if (window == RampWindow::flat_top) continue;  // has side lobes by design
      for (double x = 0.1; x < 1; x += 0.1)
        QVERIFY(ramp_window_value(window, x) <= ramp_window_value(window, x - 0.1) + 1e-12);
    }
    QVERIFY(!parse_ramp_window("boxcar"));
    const auto end = [](RampWindow w) { return ramp_window_value(w, 1); };
    QVERIFY(std::abs(end(RampWindow::shepp_logan) - 2 / pi) < 1e-15);
    QVERIFY(std::abs(end(RampWindow::cosine)) < 1e-15);
    QVERIFY(std::abs(end(RampWindow::hamming) - 0.08) < 1e-15);
    QVERIFY(std::abs(end(RampWindow::hann)) < 1e-15);
    // Independent values: scipy.signal.windows.kaiser(2001, 3 pi) and parzen at a quarter and three quarters of the
    // half.
    QVERIFY(std::abs(ramp_window_value(RampWindow::parzen, 0.25) - 0.71875) < 1e-12);
    QVERIFY(std::abs(ramp_window_value(RampWindow::parzen, 0.75) - 0.03125) < 1e-12);
    QVERIFY(std::abs(end(RampWindow::kaiser) * 1633.0905 - 1) < 1e-6);  // I0(3 pi), by its series
  }
  void nothing_passes_above_the_cutoff() {
    const int64_t length = 400;
    const auto plain = ramp_response(length, 1, RampWindow::ram_lak, 1);
    const auto cut = ramp_response(length, 1, RampWindow::ram_lak, 0.5);
    for (std::size_t k = 0; k < cut.size(); ++k) QCOMPARE(cut[k], k <= 100 ? plain[k] : 0.0);
    // |f| in cycles per pixel, up to the ripple of the finite kernel
    QVERIFY(std::abs(plain[200] - 0.5) < 2e-3 && std::abs(plain[50] - 0.125) < 2e-3);
    QVERIFY(plain[0] > 0);
  }
  // |f| itself, without the mean that the finite kernel has.
  void sampled_kernel() {
    const auto sampled = ramp_response(400, 0.5, RampWindow::ram_lak, 1, RampKernel::sampled);
    const auto spatial = ramp_response(400, 0.5, RampWindow::ram_lak, 1);
    for (std::size_t k = 0; k < sampled.size(); ++k) {
      QVERIFY(std::abs(sampled[k] - static_cast<double>(k) / 400 / 0.5) < 1e-14);
      QVERIFY(std::abs(sampled[k] - spatial[k]) < 6e-3);
    }
    RampFilterSpec spec = shape(1, 1, 200);
    spec.kernel = RampKernel::sampled;
    QVERIFY(
        !at::equal(filter(spec)->apply(at::ones({1, 1, 200})), filter(shape(1, 1, 200))->apply(at::ones({1, 1, 200}))));
  }
  void a_row_depends_on_no_other_row() {
    // 41 rows: two whole lots of float rows and a part of one.
    at::Tensor x = test::gaussian({1, 41, 250}, at::kFloat, 3);
    const at::Tensor y = filter(shape(1, 41, 250))->apply(x);
    const auto alone = filter(shape(1, 1, 250));
    for (const int64_t row : {0, 7, 16, 40})
      QVERIFY(at::equal(alone->apply(x.narrow(1, row, 1).contiguous())[0][0], y[0][row]));
    x[0][18][100] = std::numeric_limits<float>::quiet_NaN();
    x[0][19] *= 1e30f;
    const at::Tensor spoiled = filter(shape(1, 41, 250))->apply(x);
    QVERIFY(spoiled[0][18].isnan().all().item<bool>());
    QVERIFY(at::equal(spoiled.narrow(1, 0, 18), y.narrow(1, 0, 18)));
    QVERIFY(at::equal(spoiled.narrow(1, 20, 21), y.narrow(1, 20, 21)));
  }
  void every_length_and_instruction_set() {
    // The spectrum by torch's FFT, whatever radices the length has: 2 3 5 7 and products.
    for (const char* variant : {"plain", "avx2", "avx512"}) {
      if (ops::best_cpu_variant() < (variant[0] == 'p'   ? CpuVariant::plain
                                     : variant[3] == '2' ? CpuVariant::avx2
                                                         : CpuVariant::avx512))
        continue;
      qputenv("TL_CPU_VARIANT", variant);
      for (const int64_t cols : {3, 5, 7, 49, 105, 150, 512, 1029}) {
        const int64_t length = fft_length(2 * cols);
        const at::Tensor x = test::gaussian({1, 19, cols}, at::kDouble, cols);
        const auto response = ramp_response(length, 1, RampWindow::ram_lak, 1);
        const at::Tensor wanted =
            at::fft_irfft(at::fft_rfft(x, length) * at::tensor(response, at::kDouble), length).narrow(2, 0, cols);
        const auto op = filter(shape(1, 19, cols));
        const double scale = wanted.abs().max().item<double>();
        QVERIFY(test::max_difference(op->apply(x), wanted) < 1e-14 * scale);
        QVERIFY(test::max_difference(op->apply(x.to(at::kFloat)), wanted) < 2e-6 * scale);
      }
      qunsetenv("TL_CPU_VARIANT");
    }
  }
  void bits_do_not_depend_on_threads() {
    const auto op = filter(shape(7, 41, 250));
    const at::Tensor x = test::gaussian(op->domain(), at::kFloat, 4);
    const int before = at::get_num_threads();
    at::set_num_threads(1);
    const at::Tensor one = op->apply(x);
    at::set_num_threads(2);
    const at::Tensor two = op->apply(x);
    at::set_num_threads(before);
    QVERIFY(at::equal(one, two));
    // and a row does not depend on its neighbours
    const at::Tensor alone = filter(shape(1, 1, 250))->apply(x.narrow(0, 6, 1).narrow(1, 40, 1).contiguous());
    QVERIFY(test::max_difference(alone, one.narrow(0, 6, 1).narrow(1, 40, 1)) < 1e-6);
  }
  void refusals() {
    RampFilterSpec spec = shape(1, 1, 0);
    QVERIFY(!make_ramp_filter(spec).ok());
    spec = shape(1, 1, 8);
    spec.cutoff = 0;
    QVERIFY(!make_ramp_filter(spec).ok());
    spec.cutoff = 1;
    spec.pitch = -1;
    QVERIFY(!make_ramp_filter(spec).ok());
    spec = shape(int64_t{1} << 40, int64_t{1} << 40, 8);
    QVERIFY(!make_ramp_filter(spec).ok());
    const auto op = filter(shape(1, 1, 8));
    QVERIFY_THROWS_EXCEPTION(Failure, (void)op->apply(at::zeros({1, 1, 9})));
    spec = shape(4, 4, 8);
    spec.cancel.cancel();
    QVERIFY_THROWS_EXCEPTION(Failure, (void)filter(spec)->apply(at::zeros({4, 4, 8})));
  }
};

TL_TEST_CASE(RampFilterTest)

}  // namespace tl::ramp_filter_test

#include "ramp_filter.moc"
