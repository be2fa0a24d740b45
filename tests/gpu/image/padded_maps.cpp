// PaddedMaps: a dense layer equals convolutions of mirrored maps in every variant, for sizes down to one pixel.
#include "gpu/image/padded_maps.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "gpu/image/mirrored_index.h"
#include "tests/support/cpu_variants.h"
#include "tests/support/test_case.h"

namespace tl::padded_maps_test {

namespace {

at::Tensor mirrored_ends(at::Tensor x, int64_t by) {
  for (const int64_t axis : {1, 2}) {
    std::vector<int64_t> index;
    for (int64_t i = -by; i < x.size(axis) + by; ++i) index.push_back(ops::mirrored_index(i, x.size(axis)));
    x = x.index_select(axis, at::tensor(index));
  }
  return x;
}

// Of maps [in, y, x] with filters [in, 3, 3], without a border.
at::Tensor convolved(const at::Tensor& maps, const at::Tensor& weight, double bias, int64_t dilation) {
  return at::convolution(maps.unsqueeze(0), weight.unsqueeze(0), at::tensor({bias}, at::kDouble), {1, 1}, {0, 0},
                         {dilation, dilation}, false, {0, 0}, 1)[0];
}

}  // namespace

class PaddedMapsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void equals_convolutions_of_mirrored_maps_data() {
    QTest::addColumn<int>("ny");
    QTest::addColumn<int>("nx");
    QTest::addColumn<int>("dilation");
    for (const auto& [ny, nx] : {std::pair{1, 1}, {3, 2}, {1, 40}, {9, 127}, {6, 128}, {5, 129}, {17, 300}})
      for (const int dilation : {1, 4, 10}) QTest::addRow("%d x %d, %d", ny, nx, dilation) << ny << nx << dilation;
  }
  void equals_convolutions_of_mirrored_maps() {
    QFETCH(int, ny);
    QFETCH(int, nx);
    QFETCH(int, dilation);
    const at::Tensor pictures = at::arange(4 * ny * nx, at::kDouble).mul(0.37).sin().view({4, ny, nx});
    const at::Tensor weight = at::arange(27, at::kDouble).mul(1.1).cos().view({3, 3, 3});
    const std::vector<int64_t> inputs{3, 0, 2};
    const at::Tensor read = mirrored_ends(pictures.index_select(0, at::tensor(inputs)), dilation);
    const at::Tensor plain = convolved(read, weight, 0.3, dilation);
    for (const char* variant : test::cpu_variants()) {
      const test::UseCpuVariant use(variant);
      for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
        // Rounding of 27 products.
        const double tolerance = type == at::kFloat ? 1e-5 : 1e-13;
        for (const auto rectify : {ops::Rectify::nothing, ops::Rectify::negative_to_zero}) {
          ops::PaddedMaps maps(6, ny, nx, 10, type);
          for (int64_t m = 0; m < 4; ++m) maps.put(m, pictures[m]);
          maps.compute({{{{inputs, 5, weight, 0.3, dilation, rectify}}, {}}}, {});
          const at::Tensor expected = rectify == ops::Rectify::nothing ? plain : at::relu(plain);
          QVERIFY2((maps.view(5, 1).to(at::kDouble) - expected).abs().max().item<double>() < tolerance, variant);
          // Its ends are mirrored too: the next layer reads them.
          maps.compute({{{{{5}, 4, weight.narrow(0, 0, 1), 0, dilation, ops::Rectify::nothing}}, {}}}, {});
          const at::Tensor next = convolved(mirrored_ends(expected, dilation), weight.narrow(0, 0, 1), 0, dilation);
          QVERIFY2((maps.view(4, 1).to(at::kDouble) - next).abs().max().item<double>() < 10 * tolerance, variant);
        }
      }
    }
  }

  // Layers that read each other, of several dilations, wider and higher than what is taken at once.
  void layers_together_equal_one_by_one() {
    for (const auto& [ny, nx] : {std::pair{1, 1}, {9, 127}, {40, 1100}}) {
      const at::Tensor pictures = at::arange(9 * ny * nx, at::kDouble).mul(0.37).sin().view({9, ny, nx});
      std::vector<ops::DenseLayer> layers;
      for (int64_t k = 0; k < 4; ++k) {
        ops::DenseLayer layer;
        for (int64_t m = k; m < 9 + k; ++m) layer.inputs.push_back(m);  // of these, k are the layers before it
        if (k == 2) layer.inputs = {9, 10};                             // these alone
        layer.output = 9 + k;
        layer.weight =
            at::arange(9 * static_cast<int64_t>(layer.inputs.size()), at::kDouble).mul(1.1 + 0.1 * k).cos() / 9;
        layer.weight = layer.weight.view({-1, 3, 3});
        layer.bias = 0.1 * static_cast<double>(k);
        layer.dilation = 1 + 3 * k;
        if (k == 1) layer.rectify = ops::Rectify::nothing;
        layers.push_back(layer);
      }
      for (const char* variant : test::cpu_variants()) {
        const test::UseCpuVariant use(variant);
        for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
          ops::PaddedMaps together(13, ny, nx, 10, type), apart(13, ny, nx, 10, type);
          for (int64_t m = 0; m < 9; ++m) {
            together.put(m, pictures[m]);
            apart.put(m, pictures[m]);
          }
          together.compute({{layers, {}}}, {});
          for (const ops::DenseLayer& layer : layers) apart.compute({{{layer}, {}}}, {});
          // Rounding of 81 products whose sums have another order.
          const double tolerance = type == at::kFloat ? 1e-5 : 1e-13;
          QVERIFY2((together.view(9, 4) - apart.view(9, 4)).abs().max().item<double>() < tolerance, variant);
        }
      }
    }
  }

  void is_cancelled_among_layers() {
    ops::PaddedMaps maps(2, 8, 8, 1, at::kFloat);
    const CancelToken cancel;
    cancel.cancel();
    try {
      maps.compute({{{{{0}, 1, at::ones({1, 3, 3}), 0, 1, ops::Rectify::nothing}}, {}}}, cancel);
      QFAIL("it went on");
    } catch (const Failure& failure) {
      QCOMPARE(failure.error().kind, ErrorKind::cancelled);
    }
  }

  void adds_maps_pixel_by_pixel() {
    const at::Tensor weight = at::arange(6, at::kDouble).mul(1.3).cos().view({2, 3});
    for (const auto& [ny, nx] : {std::pair{1, 1}, {3, 40}, {6, 128}, {17, 300}}) {
      const at::Tensor pictures = at::arange(5 * ny * nx, at::kDouble).mul(0.37).sin().view({5, ny, nx});
      for (const char* variant : test::cpu_variants()) {
        const test::UseCpuVariant use(variant);
        for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
          ops::PaddedMaps maps(7, ny, nx, 1, type);
          for (int64_t m = 0; m < 5; ++m) maps.put(m, pictures[m]);
          maps.fill(5, 0.5);
          maps.fill(6, -2);
          maps.compute({{{}, ops::PixelSum{5, {4, 0, 3}, weight}},
                        {{}, ops::PixelSum{6, {2}, weight.narrow(0, 0, 1).narrow(1, 1, 1)}}},
                       {});
          const at::Tensor first = at::tensordot(weight, pictures.index_select(0, at::tensor({4, 0, 3})), {1}, {0});
          const at::Tensor expected = at::stack({first[0] + 0.5, first[1] - 2 + weight[0][1] * pictures[2]});
          // Rounding of four products.
          const double tolerance = type == at::kFloat ? 1e-6 : 1e-14;
          QVERIFY2((maps.view(5, 2).to(at::kDouble) - expected).abs().max().item<double>() < tolerance, variant);
        }
      }
    }
  }

  // A chain of layers that alternates between three maps: each reads far rows of what the one before it wrote, and
  // writes where others may still read. As often as threads could meet in another order.
  void is_the_same_for_any_number_of_threads() {
    constexpr int64_t ny = 130, nx = 70;
    const at::Tensor picture = at::arange(ny * nx, at::kFloat).sin().view({ny, nx});
    std::vector<ops::DenseStep> steps;
    for (int64_t k = 0; k < 60; ++k) {
      const at::Tensor weight = (at::arange(9, at::kFloat).add(k).cos() / 3).view({1, 3, 3});
      ops::DenseStep step{{{{k % 3}, (k + 1) % 3, weight, 0.1, 1 + k % 40, ops::Rectify::nothing}}, {}};
      step.sum = ops::PixelSum{3, {(k + 1) % 3}, at::ones({1, 1})};
      steps.push_back(step);
    }
    const auto computed = [&](int threads) {
      at::set_num_threads(threads);
      ops::PaddedMaps maps(4, ny, nx, 40, at::kFloat);
      maps.put(0, picture);
      maps.compute(steps, {});
      return maps.view(0, 4).clone();
    };
    const at::Tensor alone = computed(1);
    for (int n = 0; n < 50; ++n)
      for (const int threads : {2, 5}) QVERIFY(computed(threads).equal(alone));
    at::set_num_threads(2);
  }
};

TL_TEST_CASE(PaddedMapsTest)

}  // namespace tl::padded_maps_test

#include "padded_maps.moc"
