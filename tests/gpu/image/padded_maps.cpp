// PaddedMaps: a dense layer equals convolutions of mirrored maps in every variant, for sizes down to one pixel.
#include "gpu/image/padded_maps.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "gpu/device/cpu_variant.h"
#include "gpu/image/mirrored_index.h"
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
    for (const char* variant : {"plain", "avx2", "avx512"}) {
      qputenv("TL_CPU_VARIANT", variant);
      try {
        ops::best_cpu_variant();
      } catch (const Failure&) {
        continue;  // this processor does not have it
      }
      for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
        // Rounding of 27 products.
        const double tolerance = type == at::kFloat ? 1e-5 : 1e-13;
        for (const auto rectify : {ops::Rectify::nothing, ops::Rectify::negative_to_zero}) {
          ops::PaddedMaps maps(6, ny, nx, 10, type);
          for (int64_t m = 0; m < 4; ++m) maps.put(m, pictures[m]);
          maps.add({inputs, 5, weight, 0.3, dilation, rectify});
          const at::Tensor expected = rectify == ops::Rectify::nothing ? plain : at::relu(plain);
          QVERIFY2((maps.view(5, 1).to(at::kDouble) - expected).abs().max().item<double>() < tolerance, variant);
          // Its ends are mirrored too: the next layer reads them.
          maps.add({{5}, 4, weight.narrow(0, 0, 1), 0, dilation, ops::Rectify::nothing});
          const at::Tensor next = convolved(mirrored_ends(expected, dilation), weight.narrow(0, 0, 1), 0, dilation);
          QVERIFY2((maps.view(4, 1).to(at::kDouble) - next).abs().max().item<double>() < 10 * tolerance, variant);
        }
      }
    }
    qunsetenv("TL_CPU_VARIANT");
  }

  void is_the_same_for_any_number_of_threads() {
    const at::Tensor picture = at::arange(50 * 70, at::kFloat).sin().view({50, 70});
    at::Tensor first;
    for (const int threads : {1, 2}) {
      at::set_num_threads(threads);
      ops::PaddedMaps maps(2, 50, 70, 3, at::kFloat);
      maps.put(0, picture);
      maps.add({{0}, 1, at::arange(9, at::kFloat).view({1, 3, 3}), 1, 3, ops::Rectify::nothing});
      if (!first.defined()) first = maps.view(1, 1).clone();
      QVERIFY(maps.view(1, 1).equal(first));
    }
  }
};

TL_TEST_CASE(PaddedMapsTest)

}  // namespace tl::padded_maps_test

#include "padded_maps.moc"
