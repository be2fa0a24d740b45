// ONNX models in onnxruntime, where the tests' Python has it: what we write gives the numbers of our interpreter, and
// what other programs export gives them here.
#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <QTemporaryDir>
#include <fstream>

#include "core/net/architectures/architectures.h"
#include "core/net/files/network_file.h"
#include "core/net/forward.h"
#include "core/net/prune/prune.h"
#include "tests/support/python_arrays.h"
#include "tests/support/test_case.h"

namespace tl::in_onnxruntime_test {

namespace {

constexpr double float32_sums = 1e-5;  // of the largest output: sums in another order

void compare(const at::Tensor& theirs, const at::Tensor& ours) {
  QCOMPARE(theirs.sizes().vec(), ours.sizes().vec());
  const double worst = ((theirs - ours).abs().max() / ours.abs().max()).item<double>();
  qInfo("largest difference %.1e of the largest output", worst);
  QVERIFY2(worst <= float32_sums, QTest::currentDataTag());
}

constexpr const char* modules = "onnx, onnxruntime";

}  // namespace

class InOnnxruntime : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { at::manual_seed(1); }
  void initTestCase() {
    if (const QString why = test::PythonArrays::missing(modules); !why.isEmpty()) QSKIP(qPrintable(why));
  }

  void every_architecture_data() {
    QTest::addColumn<QString>("settings");
    QTest::addColumn<int>("size");
    QTest::newRow("msd") << "depth=24 classes=3" << 30;
    QTest::newRow("msd, 3D") << "depth=4 width=2 dims=3 dilations=2" << 8;
    QTest::newRow("unet") << "features=2" << 188;
    QTest::newRow("unet, 3D") << "features=2 levels=1 dims=3" << 24;
    QTest::newRow("unet4") << "features=2" << 32;
    QTest::newRow("unet4, 3D") << "features=2 dims=3" << 16;
    QTest::newRow("fcn_resnet50") << "classes=3 aux=1" << 41;
    QTest::newRow("sw") << "shrink=16" << 102;
    QTest::newRow("sk") << "shrink=16" << 110;
    QTest::newRow("u") << "features=2" << 188;
    QTest::newRow("usk") << "features=2" << 190;
    QTest::newRow("plain") << "depth=3 kernel=7" << 12;
    QTest::newRow("plain, 3D") << "depth=3 dims=3" << 9;
    QTest::newRow("msd, pruned") << "depth=12 classes=3" << 30;
    QTest::newRow("unet, pruned") << "features=2" << 188;
    QTest::newRow("unet4, pruned") << "features=4" << 32;
    QTest::newRow("sk, pruned") << "shrink=16" << 110;
  }
  void every_architecture() {
    const at::AutoGradMode off(false);
    QFETCH(QString, settings);
    QFETCH(int, size);
    const QString row = QTest::currentDataTag();
    std::vector<std::string> words;
    for (const QString& w : settings.split(' ')) words.push_back(w.toStdString());
    net::Network network = net::make_network(row.section(',', 0, 0).toStdString(), words).or_throw();
    net::randomise(network, 3).or_throw();
    if (row.endsWith("pruned")) {
      net::PruneOptions options;
      options.keep = 0.5;  // below, random filters of sk leave no path through
      options.steps = 2;
      network = net::prune(network, options).or_throw().network;
    }
    const auto channels = static_cast<std::size_t>(network.layers.front().channels);
    network.scaling = {std::vector<double>(channels, 0.2), std::vector<double>(channels, 1.5)};
    network.classes.clear();
    std::vector<int64_t> shape{2, network.layers.front().channels};
    shape.insert(shape.end(), static_cast<std::size_t>(network.dims), size);
    const at::Tensor x = at::rand(shape), expected = net::forward(network, x);
    const QTemporaryDir dir;
    const std::string file = dir.filePath("n.onnx").toStdString();
    std::ofstream(file, std::ios::binary) << net::network_file_bytes(network, file).or_throw();
    const test::PythonArrays python(modules);
    python.put("x", x);
    python.run(QString("import onnx, onnxruntime\n"
                       "onnx.checker.check_model('%1', full_check=True)\n"
                       "session = onnxruntime.InferenceSession('%1', providers=['CPUExecutionProvider'])\n"
                       "name = session.get_inputs()[0].name\n"
                       "save('y', session.run(None, {name: load('x', 'f4')})[0], 'f4')\n")
                   .arg(QString::fromStdString(file)));
    compare(python.get("y", at::kFloat), expected);
  }

  void other_programs_models_data() {
    QTest::addColumn<int>("layers");
    QTest::newRow("U-Net of a fixed size") << 15;
    QTest::newRow("U-Net of any size") << 15;
    QTest::newRow("U-Net with batch norm") << 12;
    QTest::newRow("U-Net, nearest") << 12;
    QTest::newRow("U-Net, linear") << 12;
    QTest::newRow("dense") << 13;
    QTest::newRow("residual") << 16;
    QTest::newRow("volume") << 8;
    QTest::newRow("classifier") << 7;
    QTest::newRow("groups") << 6;
    QTest::newRow("leaky") << 11;
    QTest::newRow("clipped") << 16;
    QTest::newRow("enlarged by 4 2 1") << 7;
    QTest::newRow("enlarged in space") << 5;
    QTest::newRow("padded means") << 4;
    QTest::newRow("opset 7") << 8;
    QTest::newRow("opset 9") << 8;
    QTest::newRow("opset 10") << 8;
  }
  void other_programs_models() {
    const at::AutoGradMode off(false);
    QFETCH(int, layers);
    const QTemporaryDir dir;
    const std::string file = dir.filePath("n.onnx").toStdString();
    const test::PythonArrays python(modules);
    python.run(QString("import sys\nsys.path.insert(0, '%1/tests/core/net')\nimport foreign_onnx\n"
                       "foreign_onnx.foreign('%2', '%3', save)\n")
                   .arg(TL_SOURCE_DIR, QTest::currentDataTag(), QString::fromStdString(file)));
    const net::Network network = net::read_network(file).or_throw();
    QCOMPARE(network.layers.size(), static_cast<std::size_t>(layers));
    const at::Tensor y = python.get("y", at::kFloat);
    compare(y, net::forward(network, python.get("x", at::kFloat)).view(y.sizes()));
  }
};

TL_TEST_CASE(InOnnxruntime)

}  // namespace tl::in_onnxruntime_test

#include "in_onnxruntime.moc"
