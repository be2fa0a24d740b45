// Generated cases of trainings: every class is there, and the seed determines them.
#include <ATen/ATen.h>

#include "core/train/cases/generated_cases.h"
#include "gpu/segmentation/components.h"
#include "tests/support/test_case.h"

namespace tl::generated_cases_test {

using namespace train;

class GeneratedCasesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void generated_cases_have_every_class_and_follow_the_seed() {
    const CaseSize size{1, 1, 1, 40};
    for (const FibreCase& of : {FibreCase{FibreScene::spheres}, FibreCase{FibreScene::container},
                                FibreCase{FibreScene::spheres, FibreBodies::published},
                                FibreCase{FibreScene::container, FibreBodies::published}}) {
      const GeneratedCase a = fibres(of, size, 1).or_throw(), b = fibres(of, size, 1).or_throw();
      QVERIFY(a.test[0].volume.equal(b.test[0].volume));
      QVERIFY(!a.test[0].volume.equal(a.set.training[0].volume));
      const std::vector<int64_t> counts = class_counts(a.set.training, static_cast<int64_t>(a.set.classes.size()));
      for (const int64_t n : counts) QVERIFY(n > 100);
      QVERIFY(check(a.set, 1).ok());
      // Strands are brighter than what is around them, in the scale of the reconstruction.
      const at::Tensor v = a.test[0].volume[0], strand = a.test[0].labels.eq(1), around = a.test[0].labels.eq(0);
      QVERIFY(v.masked_select(strand).mean().item<double>() > v.masked_select(around).mean().item<double>());
    }
    const GeneratedCase c = circles_squares({2, 1, 1, 256}, 3).or_throw();
    const std::vector<int64_t> counts = class_counts(c.set.training, 5);
    for (const int64_t n : counts) QVERIFY(n > 500);
    const at::Tensor ground = c.test[0].volume[0].masked_select(c.test[0].labels.eq(0));
    QVERIFY(std::abs(ground.mean().item<double>()) < 0.02 && std::abs(ground.std().item<double>() - 1) < 0.02);
    QVERIFY(c.set.training[0].volume.equal(circles_squares({2, 1, 1, 256}, 3).or_throw().set.training[0].volume));
    const GeneratedCase d = cells({1, 1, 1, 96}, 3).or_throw();
    QVERIFY(!d.test[0].volume.equal(d.set.training[0].volume));
    QVERIFY(check(d.set, 1).ok());
    // Membranes part all cells: 4 x 4 of them, and parts of others at the edges.
    const at::Tensor objects = ops::components(d.test[0].labels, {}).or_throw().labels;
    QVERIFY(objects.max().item<int>() >= 16);
    QVERIFY(at::bincount(objects.flatten()).slice(0, 1).max().item<int64_t>() < 3 * 24 * 24);
  }
};

TL_TEST_CASE(GeneratedCasesTest)

}  // namespace tl::generated_cases_test

#include "generated_cases.moc"
