// Skeletons: equal to scikit-image's, the same parts and holes as the mask, and nothing left to remove.
#include "gpu/segmentation/skeleton/skeleton.h"

#include "tests/support/blobs.h"
#include "tests/support/python_arrays.h"
#include "tests/support/test_case.h"

namespace tl::skeleton_test {

using namespace tl::ops;

namespace {

constexpr int volumes = 10;

// Of the union of closed voxels: corners - edges + faces - voxels.
int64_t euler_characteristic(const at::Tensor& mask) {
  const at::Tensor padded = at::constant_pad_nd(mask.to(at::kFloat), {1, 1, 1, 1, 1, 1}, 0).unsqueeze(0).unsqueeze(0);
  int64_t sum = 0;
  for (const int64_t z : {1, 2})
    for (const int64_t y : {1, 2})
      for (const int64_t x : {1, 2}) {
        const int64_t cells = at::max_pool3d(padded, {z, y, x}, 1).sum().item<int64_t>();
        sum += (z + y + x) % 2 == 0 ? cells : -cells;
      }
  return sum;
}

at::Tensor ball(int64_t n, double radius) {
  const at::Tensor i = at::arange(n, at::kDouble) - 0.5 * static_cast<double>(n - 1);
  const std::vector<at::Tensor> g = at::meshgrid({i, i, i}, "ij");
  return (g[0].square() + g[1].square() + g[2].square()).le(radius * radius);
}
at::Tensor ring(int64_t n, double radius, double thickness) {
  const at::Tensor i = at::arange(n, at::kDouble) - 0.5 * static_cast<double>(n - 1);
  const std::vector<at::Tensor> g = at::meshgrid({i, i, i}, "ij");
  const at::Tensor out = (g[1].square() + g[2].square()).sqrt() - radius;
  return (out.square() + g[0].square()).le(thickness * thickness);
}

at::Tensor mask_of_blobs(int i) { return test::blobs(test::small_shape(i), 200 + static_cast<uint64_t>(i)) > 0; }

at::Tensor skeleton_of(const at::Tensor& mask) { return skeleton(mask, {}).or_throw(); }

}  // namespace

class SkeletonTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Which of two neighbours is the middle is not decided by this ball, in scikit-image neither.
  void a_ball_becomes_a_point_and_a_ring_stays_one() {
    QCOMPARE(skeleton_of(ball(21, 8)).sum().item<int64_t>(), int64_t{2});
    const at::Tensor line = skeleton_of(ring(31, 10, 3.2));
    const int64_t count = line.sum().item<int64_t>();
    QCOMPARE(euler_characteristic(line), int64_t{0});                        // a ring
    QVERIFY2(count > 40 && count < 70, qPrintable(QString::number(count)));  // the circle has 63 voxels of length
  }

  void parts_and_holes_are_kept_and_nothing_is_left() {
    for (int i = 0; i < volumes; ++i) {
      const at::Tensor mask = mask_of_blobs(i);
      const at::Tensor lines = skeleton_of(mask);
      QVERIFY(!lines.logical_and(mask.logical_not()).any().item<bool>());
      QCOMPARE(euler_characteristic(lines), euler_characteristic(mask));
      QVERIFY(skeleton_of(lines).equal(lines));
    }
  }

  void empty_full_and_single_slices() {
    const at::Tensor none = at::zeros({3, 4, 5}, at::kBool);
    QVERIFY(skeleton_of(none).equal(none));
    QVERIFY(skeleton_of(at::ones({1, 9, 30}, at::kBool)).any().item<bool>());
    QVERIFY(!skeleton(at::zeros({4, 5}, at::kBool), {}).ok());
  }

  void equals_scikit_image() {
    const QString missing = test::PythonArrays::missing("skimage");
    if (!missing.isEmpty()) QSKIP(qPrintable(missing));
    const test::PythonArrays python("skimage");
    std::vector<at::Tensor> masks;
    for (int i = 0; i < volumes; ++i) masks.push_back(mask_of_blobs(i));
    masks.push_back(ball(21, 8.3));
    masks.push_back(ring(31, 10, 3.2));
    masks.push_back(at::ones({1, 9, 30}, at::kBool));
    for (std::size_t i = 0; i < masks.size(); ++i) python.put("mask" + std::to_string(i), masks[i].to(at::kByte));
    python.run("from skimage.morphology import skeletonize\nfor i in range(" + QString::number(masks.size()) +
               "):\n    save(f'lines{i}', skeletonize(load(f'mask{i}', 'u1') > 0, method='lee') > 0, 'u1')\n");
    for (std::size_t i = 0; i < masks.size(); ++i)
      QVERIFY2(python.get("lines" + std::to_string(i), at::kByte).to(at::kBool).equal(skeleton_of(masks[i])),
               qPrintable(QString::number(i)));
  }
};

TL_TEST_CASE(SkeletonTest)

}  // namespace tl::skeleton_test

#include "skeleton.moc"
