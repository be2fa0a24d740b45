// Local histogram equalisation: laws of its maps, slices apart, and scikit-image's equalize_adapthist.
#include "gpu/image/clahe.h"

#include <ATen/Parallel.h>

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <cmath>

#include "tests/support/blobs.h"
#include "tests/support/test_case.h"

namespace tl::clahe_test {

using namespace tl::ops;

namespace {

constexpr double double_rounding = 1e-12;  // of values up to 1
// Differences from scikit-image, of the range: steps of its maps where ours are linear, up to a bin's share of the
// voxels, other middles of tiles, and up to 256 voxels that it adds to the 5625 of a tile (measured 0.018 and 0.0056).
constexpr double of_scikit_image = 0.03, mean_of_scikit_image = 0.01;

// Values from 0 to 1, both reached.
at::Tensor picture(int64_t nz, int64_t ny, int64_t nx, uint64_t seed) {
  const at::Tensor v = test::blobs({nz, ny, nx}, seed).to(at::kDouble);
  return (v - v.min()) / (v.max() - v.min());
}

ClaheSpec spec_of(int64_t tile, double clip_limit, int64_t bins = 256) {
  ClaheSpec spec;
  spec.tile_y = spec.tile_x = tile;
  spec.clip_limit = clip_limit;
  spec.bins = bins;
  return spec;
}
at::Tensor equalised(const at::Tensor& v, const ClaheSpec& spec) { return clahe(v, spec).or_throw(); }
double difference(const at::Tensor& a, const at::Tensor& b) { return (a - b).abs().max().item<double>(); }

}  // namespace

class ClaheTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void constant_images_stay_unchanged() {
    const at::Tensor v = picture(2, 40, 50, 1);
    QVERIFY(difference(equalised(v, spec_of(16, 0)), v) <= double_rounding);
    QVERIFY(difference(equalised(v, spec_of(16, 1.0 / 256)), v) <= double_rounding);
    QVERIFY(difference(equalised(v, spec_of(16, 0.01)), v) > 0.05);
  }
  // One tile without a limit: the share of voxels below a value, at the edges of bins exactly.
  void one_tile_gives_shares() {
    const at::Tensor v = picture(1, 64, 64, 2);
    const at::Tensor got = equalised(v, spec_of(64, 1, 1024)).flatten(), values = v.flatten();
    const at::Tensor below = values.unsqueeze(1).gt(values.unsqueeze(0)).to(at::kDouble).mean(1);
    // Within a bin, whose voxels are at most this share.
    const double bin = at::bincount((values * 1024).to(at::kLong).clamp_max(1023)).max().item<double>() / (64 * 64);
    QVERIFY2(difference(got, below) <= bin, std::to_string(difference(got, below)).c_str());
  }
  void contrast_rises_no_more_than_the_limit() {
    const at::Tensor v = picture(1, 64, 64, 3).square().square();  // most values are small
    for (const double limit : {0.005, 0.01, 0.03}) {
      const at::Tensor order = v.flatten().argsort();
      const at::Tensor in = v.flatten().index_select(0, order),
                       out = equalised(v, spec_of(64, limit)).flatten().index_select(0, order);
      const at::Tensor rise = out.diff(), step = in.diff();
      QVERIFY(rise.min().item<double>() >= -double_rounding);
      QVERIFY(rise.sub(256 * limit * step).max().item<double>() <= double_rounding);
      // All voxels are still there: the map ends at 1.
      QVERIFY(std::abs(out[-1].item<double>() - 1) <= double_rounding);
    }
  }
  void grey_values_in_any_unit() {
    const at::Tensor v = picture(1, 45, 70, 4);
    ClaheSpec scaled = spec_of(20, 0.02);
    scaled.low = -3;
    scaled.high = 5;
    QVERIFY(difference(equalised(v * 8 - 3, scaled), equalised(v, spec_of(20, 0.02)) * 8 - 3) <= 100 * double_rounding);
    const at::Tensor single = equalised(v.to(at::kFloat), spec_of(20, 0.02));
    QVERIFY(single.scalar_type() == at::kFloat);
    QVERIFY(difference(single.to(at::kDouble), equalised(v, spec_of(20, 0.02))) < 0.02);  // some change their bin
    // Beyond the range values count as its ends.
    ClaheSpec narrow = spec_of(20, 0.02);
    narrow.low = 0.3;
    narrow.high = 0.6;
    QVERIFY(equalised(v, narrow).equal(equalised(v.clamp(0.3, 0.6), narrow)));
  }
  void slices_are_separate_and_mirrored_equally() {
    const at::Tensor v = picture(3, 48, 60, 5);
    const at::Tensor all = equalised(v, spec_of(12, 0.02));
    for (int64_t z = 0; z < 3; ++z) QVERIFY(equalised(v.narrow(0, z, 1), spec_of(12, 0.02)).equal(all.narrow(0, z, 1)));
    QVERIFY(difference(equalised(v.flip({1, 2}), spec_of(12, 0.02)), all.flip({1, 2})) <= double_rounding);
    QVERIFY(difference(equalised(v.transpose(1, 2), spec_of(12, 0.02)), all.transpose(1, 2)) <= double_rounding);
  }
  // A shadow over the image is gone: both halves have the same values.
  void shading_is_flattened() {
    const at::Tensor texture = picture(1, 64, 64, 6);
    const at::Tensor v = at::cat({0.2 * texture, 0.8 + 0.2 * texture}, 2);
    const at::Tensor got = equalised(v, spec_of(64, 1));
    const double left = got.narrow(2, 0, 32).mean().item<double>(), right = got.narrow(2, 96, 32).mean().item<double>();
    QVERIFY2(std::abs(left - right) < 0.05 && std::abs(left - 0.5) < 0.05, std::to_string(left).c_str());
  }
  void values_that_are_not_finite_stay() {
    at::Tensor v = picture(1, 40, 40, 7);
    const at::Tensor before = equalised(v, spec_of(10, 0.05));
    v[0][3][4] = std::numeric_limits<double>::quiet_NaN();
    v[0][30][4] = std::numeric_limits<double>::infinity();
    const at::Tensor got = equalised(v, spec_of(10, 0.05));
    QVERIFY(std::isnan(got[0][3][4].item<double>()) && std::isinf(got[0][30][4].item<double>()));
    QCOMPARE(at::isfinite(got).sum().item<int64_t>(), int64_t{40 * 40 - 2});
    // Tiles far from both know nothing of them.
    QVERIFY(got.narrow(2, 25, 15).equal(before.narrow(2, 25, 15)));
    const at::Tensor none = at::full({1, 8, 8}, std::numeric_limits<double>::quiet_NaN());
    QVERIFY(equalised(none, spec_of(4, 0.1)).isnan().all().item<bool>());
  }
  void odd_sizes_and_refusals() {
    for (const int64_t ny : {1, 2, 7})
      for (const int64_t nx : {1, 3, 50}) {
        const at::Tensor got = equalised(at::rand({1, ny, nx}, at::kDouble), spec_of(20, 0.1));
        QVERIFY(got.ge(0).logical_and(got.le(1)).all().item<bool>());
      }
    const at::Tensor v = at::rand({1, 8, 8});
    QVERIFY(!clahe(v[0], spec_of(4, 0.1)).ok());
    QVERIFY(!clahe(v.to(at::kInt), spec_of(4, 0.1)).ok());
    QVERIFY(!clahe(v, spec_of(0, 0.1)).ok());
    QVERIFY(!clahe(v, spec_of(4, -1)).ok());
    QVERIFY(!clahe(v, spec_of(4, 0.1, 1)).ok());
    ClaheSpec empty = spec_of(4, 0.1);
    empty.high = 0;
    QVERIFY(!clahe(v, empty).ok());
  }
  void threads_change_nothing() {
    const at::Tensor v = picture(2, 90, 110, 8);
    const int before = at::get_num_threads();
    at::set_num_threads(1);
    const at::Tensor one = equalised(v, spec_of(16, 0.02));
    at::set_num_threads(3);
    QVERIFY(equalised(v, spec_of(16, 0.02)).equal(one));
    at::set_num_threads(before);
  }

  // 260 bins of scikit-image are the 256 of 64 grey levels that it fills.
  void scikit_image_has_nearly_the_same() {
    if (!qEnvironmentVariableIsSet("TL_TEST_PYTHON")) QSKIP("TL_TEST_PYTHON names no Python with scikit-image");
    const QTemporaryDir dir;
    constexpr int pictures = 4;
    for (int i = 0; i < pictures; ++i) {
      QFile file(dir.filePath(QString("picture%1").arg(i)));
      QVERIFY(file.open(QIODevice::WriteOnly));
      const at::Tensor v = picture(1, 300, 280, 20 + static_cast<uint64_t>(i)).contiguous();
      file.write(static_cast<const char*>(v.const_data_ptr()), static_cast<qint64>(v.nbytes()));
    }
    QProcess process;
    process.setWorkingDirectory(dir.path());
    process.start(qEnvironmentVariable("TL_TEST_PYTHON"), {"-c", R"(
import numpy as np
from skimage import exposure
for i in range(4):
    v = np.fromfile(f'picture{i}', 'f8').reshape(300, 280)
    exposure.equalize_adapthist(v, kernel_size=(75, 75), clip_limit=(0.01, 0.03)[i % 2], nbins=260).astype('f8').tofile(f'out{i}')
)"});
    QVERIFY2(process.waitForFinished(test::patience_ms), "Python does not answer");
    const QByteArray said = process.readAllStandardError();
    if (process.exitCode() != 0 && said.contains("No module named"))
      QSKIP("the Python of TL_TEST_PYTHON has no scikit-image (installer/setup.sh --test-python)");
    QVERIFY2(process.exitCode() == 0, said.constData());
    for (int i = 0; i < pictures; ++i) {
      at::Tensor theirs = at::zeros({300, 280}, at::kDouble);
      QFile file(dir.filePath(QString("out%1").arg(i)));
      QVERIFY(file.open(QIODevice::ReadOnly) && file.size() == static_cast<qint64>(theirs.nbytes()));
      file.read(static_cast<char*>(theirs.mutable_data_ptr()), file.size());
      // Theirs is stretched to 0 to 1 at the end.
      at::Tensor ours =
          equalised(picture(1, 300, 280, 20 + static_cast<uint64_t>(i)), spec_of(75, i % 2 == 0 ? 0.01 : 0.03))[0];
      ours = (ours - ours.min()) / (ours.max() - ours.min());
      const double most = difference(ours, theirs), mean = (ours - theirs).abs().mean().item<double>();
      QVERIFY2(most < of_scikit_image && mean < mean_of_scikit_image,
               (std::to_string(most) + ", mean " + std::to_string(mean)).c_str());
    }
  }
};

TL_TEST_CASE(ClaheTest)

}  // namespace tl::clahe_test

#include "clahe.moc"
