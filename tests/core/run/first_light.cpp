// First light: a noisy scan written to a file is reconstructed close to the true object, and all promised files exist.
#include "core/run/automatic/first_light.h"

#include <QTemporaryDir>

#include "tests/support/test_case.h"

namespace tl::first_light_test {

namespace fs = std::filesystem;

class FirstLightTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void comes_back_near_the_truth() {
    const QTemporaryDir folder;
    RunOptions options;
    options.output_dir = folder.path().toStdString() + "/made/here";
    const auto light = first_light(Registry::all(), options);
    QVERIFY2(light.ok(), light.ok() ? "" : light.error().message().c_str());
    for (const fs::path& file : {light.value().scan, light.value().volume, light.value().picture})
      QVERIFY2(fs::exists(file), file.c_str());
    QVERIFY(fs::exists(light.value().volume.string() + ".json"));
    const auto& axis = std::get<Scalar>(light.value().report.findings.at("axis").values.at("axis"));
    // Photon noise of 2e4 counts moves the axis by about a hundredth of a pixel.
    QVERIFY2(std::abs(axis.value.item<double>() - light.value().true_axis) < 0.05,
             std::to_string(axis.value.item<double>()).c_str());
    QCOMPARE(axis.verdict, Verdict::resolved);
    // The sharp skull costs most of it: its edge is half a voxel wide in the truth and a voxel in the reconstruction.
    const double share = light.value().rms_error / light.value().largest;
    QVERIFY2(share > 0 && share < 0.06, std::to_string(share).c_str());
  }
  void outputs_are_kept() {
    const QTemporaryDir folder;
    RunOptions options;
    options.output_dir = folder.path().toStdString();
    QFile scan(folder.filePath("scan.nx"));
    QVERIFY(scan.open(QIODevice::WriteOnly));
    scan.write("precious");
    scan.close();
    const auto light = first_light(Registry::all(), options);
    QVERIFY(!light.ok());
    QCOMPARE(light.error().kind, ErrorKind::invalid);
    QCOMPARE(QFile(folder.filePath("scan.nx")).size(), qint64{8});
  }
};

TL_TEST_CASE(FirstLightTest)

}  // namespace tl::first_light_test

#include "first_light.moc"
