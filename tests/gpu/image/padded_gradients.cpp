// PaddedGradients: gradients equal those that torch finds through convolutions of mirrored maps, in every variant.
#include "gpu/image/padded_gradients.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "gpu/image/mirrored_index.h"
#include "tests/support/cpu_variants.h"
#include "tests/support/test_case.h"

namespace tl::padded_gradients_test {

namespace {

at::Tensor with_mirrored_ends(at::Tensor x, int64_t by) {
  for (const int64_t axis : {1, 2}) {
    std::vector<int64_t> index;
    for (int64_t i = -by; i < x.size(axis) + by; ++i) index.push_back(ops::mirrored_index(i, x.size(axis)));
    x = x.index_select(axis, at::tensor(index));
  }
  return x;
}

at::Tensor rectified_layer(const at::Tensor& maps, const at::Tensor& weight, const at::Tensor& bias, int64_t dilation) {
  return at::relu(at::convolution(with_mirrored_ends(maps, dilation).unsqueeze(0), weight.unsqueeze(0), bias, {1, 1},
                                  {0, 0}, {dilation, dilation}, false, {0, 0}, 1)[0]);
}

at::Tensor wave(at::IntArrayRef shape, double pitch) {
  int64_t count = 1;
  for (const int64_t n : shape) count *= n;
  return at::arange(count, at::kDouble).mul(pitch).sin().view(shape).contiguous();
}

double relative(const at::Tensor& found, const at::Tensor& expected) {
  return (found.to(at::kDouble) - expected).abs().max().item<double>() / (1 + expected.abs().max().item<double>());
}

}  // namespace

class PaddedGradientsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void gradients_are_those_of_convolutions_data() {
    QTest::addColumn<int>("ny");
    QTest::addColumn<int>("nx");
    for (const auto& [ny, nx] : {std::pair{1, 1}, {3, 2}, {1, 40}, {9, 127}, {6, 128}, {5, 129}, {17, 300}})
      QTest::addRow("%d x %d", ny, nx) << ny << nx;
  }
  // Two images, a layer of both with dilation 4, and one of all three maps with dilation 9.
  void gradients_are_those_of_convolutions() {
    QFETCH(int, ny);
    QFETCH(int, nx);
    const at::Tensor pictures = wave({2, ny, nx}, 0.37).set_requires_grad(true);
    const at::Tensor w1 = wave({2, 3, 3}, 1.1).set_requires_grad(true),
                     w2 = wave({3, 3, 3}, 0.7).set_requires_grad(true);
    const at::Tensor b1 = at::tensor({0.3}, at::kDouble).set_requires_grad(true),
                     b2 = at::tensor({0.1}, at::kDouble).set_requires_grad(true);
    const at::Tensor first = rectified_layer(pictures, w1, b1, 4),
                     second = rectified_layer(at::cat({pictures, first}), w2, b2, 9);
    const at::Tensor g1 = wave({ny, nx}, 0.9), g2 = wave({ny, nx}, 0.53);
    ((first[0] * g1).sum() + (second[0] * g2).sum()).backward();
    for (const char* variant : test::cpu_variants()) {
      const test::UseCpuVariant use(variant);
      for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
        const double tolerance = type == at::kFloat ? 1e-5 : 1e-12;
        ops::PaddedMaps maps(4, ny, nx, 10, type);
        for (int64_t m = 0; m < 2; ++m) maps.put(m, pictures.detach()[m]);
        const ops::DenseLayer one{{0, 1}, 2, w1.detach(), 0.3, 4}, two{{0, 1, 2}, 3, w2.detach(), 0.1, 9};
        maps.compute({{{one}, {}}, {{two}, {}}}, {});
        ops::PaddedGradients back(maps);
        const auto reader = [](int64_t output, const at::Tensor& weight, int64_t input, int64_t dilation) {
          ops::DenseReader r{output, {}, dilation};
          std::copy_n(weight.detach()[input].contiguous().const_data_ptr<double>(), 9, r.weight.begin());
          return r;
        };
        back.put(3, g2.to(type));
        at::Tensor of_first = g1.to(type).clone();
        back.add_from({reader(3, w2, 2, 9)}, of_first);
        back.put(2, of_first);
        for (int64_t m = 0; m < 2; ++m) {
          at::Tensor of_picture = at::zeros({ny, nx}, type);
          back.add_from({reader(3, w2, m, 9), reader(2, w1, m, 4)}, of_picture);
          QVERIFY2(relative(of_picture, pictures.grad()[m]) < tolerance, variant);
        }
        QVERIFY2(relative(back.weight_gradient(one), w1.grad()) < tolerance, variant);
        QVERIFY2(relative(back.weight_gradient(two), w2.grad()) < tolerance, variant);
        QVERIFY2(std::abs(back.bias_gradient(2) - b1.grad().item<double>()) < tolerance * ny * nx, variant);
        QVERIFY2(std::abs(back.bias_gradient(3) - b2.grad().item<double>()) < tolerance * ny * nx, variant);
      }
    }
  }

  void is_the_same_for_any_number_of_threads() {
    at::Tensor gradient, filters;
    for (const int threads : {1, 2}) {
      at::set_num_threads(threads);
      ops::PaddedMaps maps(3, 50, 70, 3, at::kFloat);
      for (int64_t m = 0; m < 2; ++m) maps.put(m, wave({50, 70}, 0.3 + 0.1 * static_cast<double>(m)).to(at::kFloat));
      const ops::DenseLayer layer{{0, 1}, 2, wave({2, 3, 3}, 1.1), 0.1, 3};
      maps.compute({{{layer}, {}}}, {});
      ops::PaddedGradients back(maps);
      back.put(2, wave({50, 70}, 0.2).to(at::kFloat));
      at::Tensor found = at::zeros({50, 70}, at::kFloat);
      back.add_from({{2, {1, 2, 3, 4, 5, 6, 7, 8, 9}, 3}}, found);
      const at::Tensor of_filters = back.weight_gradient(layer);
      if (!gradient.defined()) {
        gradient = found;
        filters = of_filters;
      }
      QVERIFY(found.equal(gradient) && of_filters.equal(filters));
    }
  }
};

TL_TEST_CASE(PaddedGradientsTest)

}  // namespace tl::padded_gradients_test

#include "padded_gradients.moc"
