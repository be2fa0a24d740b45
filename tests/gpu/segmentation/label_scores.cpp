// Scores of labels: by hand, by counting voxels and pairs, in blocks, and scikit-image's adapted Rand error.
#include "gpu/segmentation/label_scores.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <cmath>

#include "tests/support/blobs.h"
#include "tests/support/test_case.h"

namespace tl::label_scores_test {

using namespace tl::ops;

namespace {

constexpr int volumes = 10;
constexpr double double_rounding = 1e-12;  // relative, of quotients of counts

// Classes of two volumes that have something in common.
at::Tensor truth(int i) {
  return (test::blobs(test::small_shape(i), 500 + static_cast<uint64_t>(i)) + 2).clamp(0, 4).to(at::kInt);
}
at::Tensor other(int i) {
  const at::Tensor noise = test::blobs(test::small_shape(i), 700 + static_cast<uint64_t>(i));
  const at::Tensor same = test::blobs(test::small_shape(i), 500 + static_cast<uint64_t>(i));
  return (same + 0.4 * noise + 2).clamp(0, 5).to(at::kInt);
}

LabelScores scores(const at::Tensor& t, const at::Tensor& o, std::optional<int64_t> not_counted = {}) {
  LabelOverlaps overlaps(not_counted);
  overlaps.add(t, o).or_throw();
  return overlaps.scores().or_throw();
}

double count(const at::Tensor& mask) { return static_cast<double>(mask.sum().item<int64_t>()); }
bool close(double a, double b) { return std::abs(a - b) <= double_rounding * std::max(1.0, std::abs(b)); }

}  // namespace

class LabelScoresTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void by_hand() {
    const at::Tensor t = at::tensor({0, 0, 1, 1, 1, 2, 2, 2}, at::kInt).view({1, 2, 4});
    const at::Tensor o = at::tensor({0, 1, 1, 1, 2, 2, 2, 3}, at::kInt).view({1, 2, 4});
    const LabelScores s = scores(t, o);
    QCOMPARE(s.voxels, int64_t{8});
    QCOMPARE(s.accuracy, 5.0 / 8);
    QCOMPARE(s.classes.size(), std::size_t{4});
    QCOMPARE(s.classes[0].f1, 2.0 / 3);
    QCOMPARE(s.classes[1].f1, 4.0 / 6);
    QCOMPARE(s.classes[1].iou, 2.0 / 4);
    QCOMPARE(s.classes[3].f1, 0.0);
    QCOMPARE(s.macro_f1, (2.0 / 3 + 2.0 / 3 + 2.0 / 3 + 0) / 4);
    QCOMPARE(s.mean_iou, (0.5 + 0.5 + 0.5 + 0) / 4);
    // Pairs in both: two of (1, 1) and two of (2, 2); in the truth 2 + 6 + 6, in the others 0 + 6 + 6 + 0.
    QCOMPARE(s.adapted_rand_error, 1 - 2 * 4.0 / (14 + 12));
    QCOMPARE(s.rand_precision, 4.0 / 12);
    QCOMPARE(s.rand_recall, 4.0 / 14);
    // Without the number 0 of the truth, but with the one voxel of 1 that was there.
    const LabelScores without = scores(t, o, 0);
    QCOMPARE(without.voxels, int64_t{6});
    QCOMPARE(without.accuracy, 4.0 / 6);
    QCOMPARE(without.classes.size(), std::size_t{3});
    QCOMPARE(without.classes[0].f1, 4.0 / 5);
    QCOMPARE(without.adapted_rand_error, 1 - 2 * 4.0 / (12 + 8));
  }

  void by_counting_voxels() {
    for (int i = 0; i < volumes; ++i)
      for (const std::optional<int64_t> left_out : {std::optional<int64_t>{}, std::optional<int64_t>{0}}) {
        const at::Tensor t = truth(i), o = other(i);
        const at::Tensor counted = left_out ? t.ne(*left_out) : at::ones_like(t, at::kBool);
        const LabelScores s = scores(t, o, left_out);
        double f1 = 0, iou = 0;
        for (const ClassScore& c : s.classes) {
          const at::Tensor in_t = t.eq(c.number).logical_and(counted), in_o = o.eq(c.number).logical_and(counted);
          const double hits = count(in_t.logical_and(in_o)), all = count(in_t.logical_or(in_o));
          QVERIFY(close(c.iou, hits / all));
          QVERIFY(close(c.f1, 2 * hits / (count(in_t) + count(in_o))));
          QVERIFY(close(c.recall, count(in_t) > 0 ? hits / count(in_t) : 0));
          QVERIFY(close(c.precision, count(in_o) > 0 ? hits / count(in_o) : 0));
          f1 += c.f1;
          iou += c.iou;
        }
        QVERIFY(s.classes.size() >= 4);
        QVERIFY(close(s.macro_f1, f1 / static_cast<double>(s.classes.size())));
        QVERIFY(close(s.mean_iou, iou / static_cast<double>(s.classes.size())));
        QVERIFY(close(s.accuracy, count(t.eq(o).logical_and(counted)) / count(counted)));
      }
  }
  // All pairs of voxels, one by one.
  void by_counting_pairs() {
    const at::Tensor t = truth(0).flatten().slice(0, 0, 400), o = other(0).flatten().slice(0, 0, 400);
    const auto pairs_of = [](const at::Tensor& labels) { return labels.unsqueeze(0).eq(labels.unsqueeze(1)); };
    const at::Tensor in_t = pairs_of(t), in_o = pairs_of(o);
    const double itself = 400, both = count(in_t.logical_and(in_o)) - itself;
    const LabelScores s = scores(t.view({1, 20, 20}), o.view({1, 20, 20}));
    QVERIFY(both > 0);
    QVERIFY(close(s.adapted_rand_error, 1 - 2 * both / (count(in_t) + count(in_o) - 2 * itself)));
  }

  void perfect_and_renamed() {
    const at::Tensor t = truth(3);
    const LabelScores same = scores(t, t), renamed = scores(t, 9 - t);
    QVERIFY(same.macro_f1 == 1 && same.mean_iou == 1 && same.accuracy == 1 && same.adapted_rand_error == 0);
    QVERIFY(renamed.adapted_rand_error == 0 && renamed.accuracy < 0.1);
    // Splitting an object and joining two cost something.
    QVERIFY(scores(t, t.eq(2).to(at::kInt)).adapted_rand_error > 0.1);
    QVERIFY(scores(t, at::zeros_like(t)).rand_recall == 1);
  }

  void blocks_are_the_whole() {
    const at::Tensor t = truth(1), o = other(1);
    LabelOverlaps blocks(0);
    for (int64_t z = 0; z < t.size(0);) {
      const int64_t n = std::min<int64_t>(1 + z % 3, t.size(0) - z);
      blocks.add(t.narrow(0, z, n), o.narrow(0, z, n)).or_throw();
      z += n;
    }
    const LabelScores a = scores(t, o, 0), b = blocks.scores().or_throw();
    QVERIFY(a.voxels == b.voxels && a.macro_f1 == b.macro_f1 && a.accuracy == b.accuracy &&
            a.adapted_rand_error == b.adapted_rand_error && a.classes.size() == b.classes.size());
  }

  void what_cannot_be_scored() {
    const at::Tensor t = at::ones({2, 3, 4}, at::kInt);
    LabelOverlaps overlaps(1);
    QVERIFY(!overlaps.add(t, t.narrow(0, 0, 1)).ok());
    QVERIFY(!overlaps.add(t, -t).ok());
    QVERIFY(!overlaps.add(t, t.to(at::kFloat)).ok());
    QVERIFY(overlaps.add(t, t).ok());
    const auto nothing = overlaps.scores();
    QVERIFY(!nothing.ok() && nothing.error().what.find("number 1") != std::string::npos);
    // One voxel has no pairs: nothing is wrong.
    QVERIFY(scores(at::ones({1, 1, 1}, at::kInt), at::ones({1, 1, 1}, at::kInt)).adapted_rand_error == 0);
  }

  void scikit_image_has_the_same() {
    if (!qEnvironmentVariableIsSet("TL_TEST_PYTHON")) QSKIP("TL_TEST_PYTHON names no Python with scikit-image");
    const QTemporaryDir dir;
    for (int i = 0; i < volumes; ++i)
      for (const bool of_truth : {true, false}) {
        QFile file(dir.filePath(QString("%1%2").arg(of_truth ? "truth" : "other").arg(i)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const at::Tensor x = (of_truth ? truth(i) : other(i)).contiguous();
        file.write(static_cast<const char*>(x.const_data_ptr()), static_cast<qint64>(x.nbytes()));
      }
    QProcess process;
    process.setWorkingDirectory(dir.path());
    process.start(qEnvironmentVariable("TL_TEST_PYTHON"), {"-c", R"(
import numpy as np
from skimage.metrics import adapted_rand_error
rows = []
for i in range(10):
    truth, other = np.fromfile(f'truth{i}', 'i4'), np.fromfile(f'other{i}', 'i4')
    rows += [adapted_rand_error(truth, other, ignore_labels=(0,)), adapted_rand_error(truth, other, ignore_labels=())]
np.array(rows, 'f8').tofile('out')
)"});
    QVERIFY2(process.waitForFinished(test::patience_ms), "Python does not answer");
    const QByteArray said = process.readAllStandardError();
    if (process.exitCode() != 0 && said.contains("No module named"))
      QSKIP("the Python of TL_TEST_PYTHON has no scikit-image (installer/setup.sh --test-python)");
    QVERIFY2(process.exitCode() == 0, said.constData());
    QFile file(dir.filePath("out"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    std::vector<double> theirs(static_cast<std::size_t>(bytes.size()) / sizeof(double));
    QCOMPARE(theirs.size(), std::size_t{2 * 3 * volumes});
    std::copy_n(bytes.constData(), bytes.size(), reinterpret_cast<char*>(theirs.data()));
    for (int i = 0; i < volumes; ++i)
      for (const int all : {0, 1}) {
        const LabelScores s = scores(truth(i), other(i), all == 1 ? std::nullopt : std::optional<int64_t>(0));
        const double* const t = theirs.data() + static_cast<std::size_t>(3 * (2 * i + all));
        // Its second number, which it calls precision, is the share of pairs of the truth.
        QVERIFY(close(s.adapted_rand_error, t[0]) && close(s.rand_recall, t[1]) && close(s.rand_precision, t[2]));
      }
  }
};

TL_TEST_CASE(LabelScoresTest)

}  // namespace tl::label_scores_test

#include "label_scores.moc"
