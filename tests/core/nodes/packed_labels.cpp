// Labels in few bytes come back as they were; numbers of objects are those of the voxels that were searched, whatever
// comes the second time.
#include "core/nodes/segment/packed_labels.h"

#include <ATen/ATen.h>

#include "core/base/random.h"
#include "core/nodes/segment/component_slabs.h"
#include "tests/support/test_case.h"

namespace tl::packed_labels_test {

namespace {

// Numbers 0 to `classes` - 1 at random, in columns of `length` equal voxels.
at::Tensor labels(int64_t classes, int64_t length, int32_t factor = 1) {
  at::Tensor t = at::empty({7, 12, 20}, at::kInt);
  auto* to = t.mutable_data_ptr<int32_t>();
  for (int64_t i = 0; i < t.numel(); ++i)
    to[i] = factor * static_cast<int32_t>(Philox{5, static_cast<uint64_t>(i / length)}.uniform(0) *
                                          static_cast<double>(classes));
  return t;
}

}  // namespace

class PackedLabelsTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void come_back_as_they_were() {
    const at::Tensor cases[] = {labels(3, 40),
                                labels(3, 1),
                                labels(3, 1, 1000),
                                labels(2, 1).eq(1),
                                labels(2, 30).eq(1),
                                labels(5, 3, -7),
                                at::zeros({0, 4, 4}, at::kInt),
                                at::zeros({3, 4, 4}, at::kBool),
                                labels(4, 2).transpose(0, 2)};
    for (const at::Tensor& t : cases) {
      const PackedLabels packed(t);
      const at::Tensor back = packed.unpacked();
      QCOMPARE(back.scalar_type(), t.scalar_type());
      QVERIFY(back.equal(t));
      QVERIFY(packed.bytes() <= t.numel() * static_cast<int64_t>(t.element_size()));
    }
    QVERIFY(PackedLabels(labels(3, 40)).bytes() * 20 < labels(3, 40).numel() * 4);
    QVERIFY(PackedLabels(labels(3, 1)).bytes() == labels(3, 1).numel());  // a byte each
  }

  void numbers_are_of_the_voxels_that_were_searched() {
    const at::Tensor all = labels(2, 2);
    const ops::Components whole = ops::components(all, {}).value();
    ComponentSlabs slabs(VolumeGrid::cubic(7, 12, 20, 1), {}, ComponentSlabs::Keep::voxels);
    for (int64_t z = 0; z < 7; z += 2) QVERIFY(slabs.add(all.narrow(0, z, std::min<int64_t>(2, 7 - z))).ok());
    QVERIFY(slabs.finish().ok());
    const auto found = slabs.numbered(0, 7, {});
    QVERIFY(found.ok());
    QVERIFY(found.value().voxels.equal(all));
    QVERIFY(found.value().numbers.equal(whole.labels));
    QVERIFY(slabs.bytes() > slabs.components().bytes());
  }
};

TL_TEST_CASE(PackedLabelsTest)
}  // namespace tl::packed_labels_test

#include "packed_labels.moc"
