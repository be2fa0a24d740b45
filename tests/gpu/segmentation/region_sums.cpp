// Tables of regions: sums of slabs are those of the whole, known shapes have known moments, and scikit-image's
// regionprops has the same numbers on twenty random volumes.
#include "gpu/segmentation/region_sums.h"

#include <ATen/ATen.h>

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <cmath>

#include "gpu/segmentation/components.h"
#include "tests/support/blobs.h"
#include "tests/support/test_case.h"

namespace tl::region_sums_test {

using namespace tl::ops;

namespace {

constexpr int volumes = 20;
constexpr double double_rounding = 1e-10;  // relative to the value or to 1, of sums in another order

std::vector<int64_t> shape_of(int i) { return test::small_shape(i % 10); }
// Objects of three classes of grey values that touch each other.
at::Tensor objects(int i) {
  const at::Tensor blobs = test::blobs(shape_of(i), 300 + static_cast<uint64_t>(i));
  return components((blobs / blobs.abs().max() * 4).clamp(0, 3).to(at::kInt), {}).or_throw().labels;
}
at::Tensor grey(int i) { return test::blobs(shape_of(i), 900 + static_cast<uint64_t>(i)); }

bool close(double a, double b) { return std::abs(a - b) <= double_rounding * std::max(1.0, std::abs(b)); }

}  // namespace

class RegionSumsTest : public QObject {
  Q_OBJECT

  static void expect_same(const RegionSummary& a, const RegionSummary& b) {
    QVERIFY(a.number == b.number && a.voxels == b.voxels && a.first == b.first && a.last == b.last);
    QVERIFY(a.centroid == b.centroid && a.spread == b.spread && a.with_value == b.with_value);
    QVERIFY(a.least == b.least && a.most == b.most && a.mean == b.mean && a.deviation == b.deviation);
  }

 private Q_SLOTS:
  void slabs_are_the_whole() {
    const at::Tensor labels = objects(0), values = grey(0);
    RegionSums whole, slabs;
    whole.add(labels, values).or_throw();
    for (int64_t z = 0; z < labels.size(0);) {
      const int64_t n = std::min<int64_t>(1 + z % 3, labels.size(0) - z);
      slabs.add(labels.narrow(0, z, n), values.narrow(0, z, n)).or_throw();
      z += n;
    }
    const auto a = whole.regions(), b = slabs.regions();
    QCOMPARE(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) expect_same(a[i], b[i]);
  }

  void a_box() {
    at::Tensor labels = at::zeros({9, 8, 7}, at::kByte);
    labels.narrow(0, 2, 5).narrow(1, 3, 4).narrow(2, 1, 6).fill_(200);
    RegionSums sums;
    sums.add(labels).or_throw();
    const auto all = sums.regions();
    QCOMPARE(all.size(), std::size_t{1});
    const RegionSummary& r = all.front();
    QVERIFY(r.number == 200 && r.voxels == 120);
    QVERIFY((r.centroid == std::array<double, 3>{4, 4.5, 3.5}));
    QVERIFY((r.first == std::array<int64_t, 3>{2, 3, 1}) && (r.last == std::array<int64_t, 3>{6, 6, 6}));
    // (n^2 - 1) / 12 for n consecutive integers, no covariances.
    const std::array<double, 6> wanted = {24.0 / 12, 15.0 / 12, 35.0 / 12, 0, 0, 0};
    for (std::size_t i = 0; i < 6; ++i) QVERIFY(close(r.spread[i], wanted[i]));
    QVERIFY(r.with_value == 0 && std::isnan(r.mean) && std::isnan(r.least));
  }

  void grey_values_without_nan() {
    at::Tensor labels = at::zeros({1, 1, 5}, at::kInt), values = at::zeros({1, 1, 5}, at::kDouble);
    labels.fill_(3);
    const double numbers[] = {1e8, 1e8 + 1, std::nan(""), 1e8 + 2, 1e8 + 5};
    for (int64_t i = 0; i < 5; ++i) values[0][0][i] = numbers[i];
    RegionSums sums;
    sums.add(labels, values).or_throw();
    const RegionSummary r = sums.regions().front();
    QVERIFY(r.voxels == 5 && r.with_value == 4 && r.least == 1e8 && r.most == 1e8 + 5);
    QCOMPARE(r.mean, 1e8 + 2);
    QVERIFY(close(r.deviation, std::sqrt((4.0 + 1 + 0 + 9) / 4)));
  }

  void bad_input_is_refused() {
    RegionSums sums;
    const at::Tensor good = at::ones({2, 3, 4}, at::kInt);
    QVERIFY(!sums.add(-good).ok());
    QVERIFY(!sums.add(good.select(0, 0)).ok());
    QVERIFY(!sums.add(good.to(at::kFloat)).ok());
    QVERIFY(!sums.add(good, at::zeros({2, 3, 5})).ok());
    QVERIFY(sums.add(good).ok());
    QVERIFY(!sums.add(good, at::zeros({2, 3, 4})).ok());
  }

  void scikit_image_has_the_same() {
    if (!qEnvironmentVariableIsSet("TL_TEST_PYTHON")) QSKIP("TL_TEST_PYTHON names no Python with scikit-image");
    const QTemporaryDir dir;
    const auto put = [&](const QString& name, const at::Tensor& x) {
      QFile file(dir.filePath(name));
      QVERIFY(file.open(QIODevice::WriteOnly));
      const at::Tensor plain = x.contiguous();
      file.write(static_cast<const char*>(plain.const_data_ptr()), static_cast<qint64>(plain.nbytes()));
    };
    for (int i = 0; i < volumes; ++i) {
      put(QString("labels%1").arg(i), objects(i));
      put(QString("grey%1").arg(i), grey(i).to(at::kDouble));
      put(QString("shape%1").arg(i), at::tensor(at::IntArrayRef(shape_of(i)), at::kLong));
    }
    QProcess process;
    process.setWorkingDirectory(dir.path());
    process.start(qEnvironmentVariable("TL_TEST_PYTHON"), {"-c", R"(
import numpy as np
from skimage import measure
for i in range(20):
    shape = np.fromfile(f'shape{i}', 'i8')
    labels = np.fromfile(f'labels{i}', 'i4').reshape(shape)
    grey = np.fromfile(f'grey{i}', 'f8').reshape(shape)
    rows = [[r.label, r.area, *r.centroid, *r.bbox, r.mean_intensity, r.image_intensity[r.image].std(),
             r.min_intensity, r.max_intensity, *r.moments_central[[2, 0, 0], [0, 2, 0], [0, 0, 2]]]
            for r in measure.regionprops(labels, grey)]
    np.array(rows, 'f8').tofile(f'out{i}')
)"});
    QVERIFY2(process.waitForFinished(test::patience_ms), "Python does not answer");
    const QByteArray said = process.readAllStandardError();
    if (process.exitCode() != 0 && said.contains("No module named"))
      QSKIP("the Python of TL_TEST_PYTHON has no scikit-image (installer/setup.sh --test-python)");
    QVERIFY2(process.exitCode() == 0, said.constData());
    constexpr std::size_t columns = 18;
    std::size_t regions = 0;
    for (int i = 0; i < volumes; ++i) {
      QFile file(dir.filePath(QString("out%1").arg(i)));
      QVERIFY(file.open(QIODevice::ReadOnly));
      const QByteArray bytes = file.readAll();
      std::vector<double> theirs(static_cast<std::size_t>(bytes.size()) / sizeof(double));
      std::copy_n(bytes.constData(), bytes.size(), reinterpret_cast<char*>(theirs.data()));
      RegionSums sums;
      sums.add(objects(i), grey(i)).or_throw();
      const auto ours = sums.regions();
      QCOMPARE(ours.size() * columns, theirs.size());
      regions += ours.size();
      for (std::size_t k = 0; k < ours.size(); ++k) {
        const double* const t = theirs.data() + k * columns;
        const RegionSummary& r = ours[k];
        QVERIFY(static_cast<double>(r.number) == t[0] && static_cast<double>(r.voxels) == t[1]);
        for (std::size_t d = 0; d < 3; ++d) {
          QVERIFY(close(r.centroid[d], t[2 + d]));
          QVERIFY(static_cast<double>(r.first[d]) == t[5 + d] && static_cast<double>(r.last[d] + 1) == t[8 + d]);
          QVERIFY(close(r.spread[d], t[15 + d] / t[1]));
        }
        QVERIFY(close(r.mean, t[11]) && close(r.deviation, t[12]));
        QVERIFY(close(r.least, t[13]) && close(r.most, t[14]));
      }
    }
    QVERIFY2(regions > 5 * volumes, std::to_string(regions).c_str());
  }
};

TL_TEST_CASE(RegionSumsTest)

}  // namespace tl::region_sums_test

#include "region_sums.moc"
