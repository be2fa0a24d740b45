// Norms of edges: values in closed form, and the largest singular value of the explicit matrix.
#include "core/net/prune/edge_norms.h"

#include <ATen/ATen.h>

#include "core/net/architectures/architectures.h"
#include "gpu/verify/cases.h"
#include "tests/support/test_case.h"

namespace tl::edge_norms_test {

using namespace net;

namespace {

at::Tensor kernel(const std::vector<double>& numbers, int64_t height, int64_t width) {
  return at::tensor(numbers, at::kDouble).view({1, height, width});
}

double norm_of(const at::Tensor& one, int64_t dilation = 1, int64_t stride = 1) {
  return operator_norms(one, dilation, stride).item<double>();
}

// The largest singular value of the convolution of n x n pixels, which go round at the edges, as a matrix.
double largest_singular_value(const at::Tensor& taps, int64_t n, int64_t dilation, int64_t stride) {
  const int64_t edge = taps.size(0), out = n / stride;
  at::Tensor matrix = at::zeros({out * out, n * n}, at::kDouble);
  auto m = matrix.accessor<double, 2>();
  const auto t = taps.accessor<double, 2>();
  for (int64_t j = 0; j < out; ++j)
    for (int64_t i = 0; i < out; ++i)
      for (int64_t b = 0; b < edge; ++b)
        for (int64_t a = 0; a < edge; ++a)
          m[j * out + i][(j * stride + b * dilation) % n * n + (i * stride + a * dilation) % n] += t[b][a];
  // Decompositions of larger ones take seconds: then by powers, from below.
  constexpr int64_t large = 300;
  if (matrix.size(0) <= large) return at::linalg_svdvals(matrix).max().item<double>();
  at::Tensor x = verify::gaussian({n * n}, 7, 0);
  constexpr int steps = 300;
  for (int s = 0; s < steps; ++s) x = at::matmul(matrix.t(), at::matmul(matrix, x / x.norm()));
  return at::matmul(matrix, x / x.norm()).norm().item<double>();
}

}  // namespace

class EdgeNorms : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void values_in_closed_form() {
    constexpr double rounding = 1e-12;
    const at::Tensor box = at::full({1, 3, 3}, 1.0 / 9, at::kDouble);
    QVERIFY(std::abs(norm_of(box) - 1) < rounding);
    QVERIFY(std::abs(norm_of(kernel({1, -1, 0, 0}, 2, 2)) - 2) < rounding);
    QVERIFY(std::abs(norm_of(kernel({0, 0, 0, 0, -2.5, 0, 0, 0, 0}, 3, 3)) - 2.5) < rounding);
    QVERIFY(std::abs(norm_of(kernel({-3}, 1, 1)) - 3) < rounding);
    QVERIFY(std::abs(norm_of(kernel({-3}, 1, 1), 1, 2) - 3) < rounding);
    // Averages of squares that do not overlap: half the norm.
    QVERIFY(std::abs(norm_of(at::full({1, 2, 2}, 0.25, at::kDouble), 1, 2) - 0.5) < rounding);
    const at::Tensor cube = at::full({1, 3, 3, 3}, 1.0 / 27, at::kDouble);
    QVERIFY(std::abs(norm_of(cube) - 1) < rounding);
  }

  void dilation_does_not_change_the_norm() {
    const at::Tensor kernels = verify::gaussian({20, 3, 3}, 3, 0), plain = operator_norms(kernels);
    for (const int64_t dilation : {2, 5, 10}) QVERIFY(operator_norms(kernels, dilation).equal(plain));
    // What it is compared with is dilated indeed: 24 pixels that go round have the frequencies of 12 twice.
    const double dilated = largest_singular_value(kernels[0], 24, 2, 1),
                 one = largest_singular_value(kernels[0], 12, 1, 1);
    QVERIFY(std::abs(dilated - one) < 1e-9);
  }

  // A spectrum sampled 16 times as densely, whose parabola through its highest samples is exact to 1e-7.
  void norms_are_exact_data() {
    QTest::addColumn<int>("edge");
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("dense");  // frequencies along each axis
    for (const int edge : {2, 3, 5, 11}) QTest::addRow("%d x %d", edge, edge) << edge << 2 << 1024;
    QTest::newRow("3 x 3 x 3") << 3 << 3 << 96;
  }
  void norms_are_exact() {
    QFETCH(int, edge);
    QFETCH(int, dims);
    QFETCH(int, dense);
    // Dense samples miss a peak by at most (pi / dense * (edge - 1))^2 / 2 of it along each axis.
    const double missed = dims * std::pow(M_PI / dense * (edge - 1), 2) / 2;
    constexpr double of_newton = 1e-5;
    const int64_t count = edge <= 3 ? 12 : 3;
    std::vector<int64_t> shape(static_cast<std::size_t>(dims) + 1, edge), axes, lengths;
    shape.front() = count;
    for (int axis = 0; axis < dims; ++axis) axes.push_back(axis + 1), lengths.push_back(dense);
    const at::Tensor kernels = verify::gaussian(shape, 11, static_cast<uint64_t>(edge)),
                     norms = operator_norms(kernels);
    for (int64_t k = 0; k < count; ++k) {
      const double sampled = at::fft_rfftn(kernels.narrow(0, k, 1), lengths, axes).abs().max().item<double>();
      const double found = norms[k].item<double>();
      QVERIFY2(found >= sampled * (1 - of_newton) && found <= sampled * (1 + missed + of_newton),
               qPrintable(QString("kernel %1: %2 of %3").arg(k).arg(found, 0, 'g', 10).arg(sampled, 0, 'g', 10)));
    }
  }

  // The matrix has no more frequencies than pixels, and so misses the peak by more than the norm does.
  void equals_the_largest_singular_value_data() {
    QTest::addColumn<int>("edge");
    QTest::addColumn<int>("dilation");
    QTest::addColumn<int>("stride");
    QTest::addColumn<int>("pixels");
    for (const int edge : {1, 2, 3}) QTest::addRow("%d", edge) << edge << 1 << 1 << 16;
    for (const int edge : {4, 5}) QTest::addRow("%d", edge) << edge << 1 << 1 << 20;
    for (const int edge : {7, 9}) QTest::addRow("%d", edge) << edge << 1 << 1 << 40;
    QTest::newRow("stride 2") << 3 << 1 << 2 << 20;
    QTest::newRow("7, stride 2") << 7 << 1 << 2 << 28;
    QTest::newRow("stride 2, dilation 2") << 3 << 2 << 2 << 32;
    QTest::newRow("stride 2, dilation 3") << 3 << 3 << 2 << 36;
    QTest::newRow("stride 4") << 3 << 1 << 4 << 24;
    // So many taps are transformed instead of multiplied with cosines.
    QTest::newRow("11") << 11 << 1 << 1 << 40;
    QTest::newRow("11, stride 2") << 11 << 1 << 2 << 44;
  }
  void equals_the_largest_singular_value() {
    QFETCH(int, edge);
    QFETCH(int, dilation);
    QFETCH(int, stride);
    QFETCH(int, pixels);
    constexpr int64_t count = 2;
    const at::Tensor kernels = verify::gaussian({count, edge, edge}, 5, static_cast<uint64_t>(edge));
    const at::Tensor norms = operator_norms(kernels, dilation, stride);
    double sum = 0;
    for (int64_t k = 0; k < count; ++k) {
      const double exact = largest_singular_value(kernels[k], pixels, dilation, stride);
      const double norm = norms[k].item<double>();
      constexpr double of_the_norm = 1e-5;
      QVERIFY(norm >= exact * (1 - of_the_norm));
      sum += std::abs(norm - exact) / exact;
    }
    constexpr double of_both = 0.02;
    QVERIFY2(sum / count <= of_both, qPrintable(QString::number(sum / count)));
  }

  void layers_without_filters() {
    Network network = make_network("unet4", {"features=2"}).or_throw();
    randomise(network, 3).or_throw();
    const EdgeMatrices norms = operator_norms_of(network);
    for (std::size_t i = 1; i < network.layers.size(); ++i) {
      const Layer& l = network.layers[i];
      if (l.kind == LayerKind::batch_norm) {
        const at::Tensor weight = network.tensors.at(l.weight), variance = network.tensors.at(l.variance);
        const at::Tensor expected = weight.to(at::kDouble).abs() / (variance.to(at::kDouble) + 1e-5).sqrt();
        QVERIFY(channel_factors(network, l, weight.size(0)).allclose(expected));
        // Nobody else reads the filters before it.
        QCOMPARE(batch_norm_fed_only_by(network, i - 1), i);
        const std::string& filters = network.layers[i - 1].name;
        const at::Tensor alone = operator_norms(filters_of(network, network.layers[i - 1]).flatten(0, 1));
        const at::Tensor& norm = norms.at(filters);
        QVERIFY(norm.allclose(alone.view_as(norm) * expected.unsqueeze(1)));
      } else if (l.kind == LayerKind::average_pool) {
        QVERIFY(channel_factors(network, l, 3).allclose(at::full({3}, 0.5, at::kDouble)));
      } else if (l.kind == LayerKind::relu) {
        QVERIFY(channel_factors(network, l, 3).equal(at::ones({3}, at::kDouble)));
      }
    }
  }

  void sums_of_magnitudes() {
    Network network = make_network("plain", {"depth=2", "channels=3"}).or_throw();
    randomise(network, 2).or_throw();
    const at::Tensor w = network.tensors.at("conv1.weight");
    const at::Tensor norms = l1_norms_of(network).at("conv1");
    QVERIFY(std::abs(norms[1][2].item<double>() - w[1][2].to(at::kDouble).abs().sum().item<double>()) < 1e-12);
  }
};

TL_TEST_CASE(EdgeNorms)

}  // namespace tl::edge_norms_test

#include "edge_norms.moc"
