// Files of networks computed in PyTorch by resources/python/tomoloom_net.py give the numbers of our interpreter.
#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <QTemporaryDir>
#include <fstream>

#include "core/io/model/safetensors.h"
#include "core/net/architectures/architectures.h"
#include "core/net/files/network_file.h"
#include "core/net/forward.h"
#include "core/net/prune/prune.h"
#include "tests/support/python_arrays.h"
#include "tests/support/test_case.h"

namespace tl::in_pytorch_test {

class InPytorch : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void every_architecture_data() {
    QTest::addColumn<QString>("settings");
    QTest::addColumn<int>("size");
    QTest::newRow("msd") << "depth=12 classes=3" << 30;
    QTest::newRow("msd, 3D") << "depth=4 width=2 dims=3 dilations=2" << 8;
    QTest::newRow("unet") << "features=2" << 188;
    QTest::newRow("unet4") << "features=2" << 32;
    QTest::newRow("fcn_resnet50") << "classes=3 aux=1" << 40;
    QTest::newRow("sw") << "shrink=16" << 102;
    QTest::newRow("sk") << "shrink=16" << 110;
    QTest::newRow("u") << "features=2" << 188;
    QTest::newRow("usk") << "features=2" << 190;
    QTest::newRow("plain") << "depth=3" << 12;
    QTest::newRow("msd, pruned") << "depth=12 classes=3" << 30;
    QTest::newRow("unet, pruned") << "features=2" << 188;
    QTest::newRow("unet4, pruned") << "features=4" << 32;
    QTest::newRow("sk, pruned") << "shrink=16" << 110;
  }
  void every_architecture() {
    if (const QString why = test::PythonArrays::missing("torch"); !why.isEmpty()) QSKIP(qPrintable(why));
    const at::AutoGradMode off(false);
    QFETCH(QString, settings);
    QFETCH(int, size);
    const QString name = QString(QTest::currentDataTag()).section(',', 0, 0);
    std::vector<std::string> words;
    for (const QString& w : settings.split(' ')) words.push_back(w.toStdString());
    net::Network network = net::make_network(name.toStdString(), words).or_throw();
    net::randomise(network, 3).or_throw();
    if (QByteArray(QTest::currentDataTag()).endsWith("pruned")) {
      net::PruneOptions options;
      options.keep = 0.2;
      options.steps = 2;
      network = net::prune(network, options).or_throw().network;
    }
    network.scaling = {std::vector<double>(static_cast<std::size_t>(network.layers.front().channels), 0.2),
                       std::vector<double>(static_cast<std::size_t>(network.layers.front().channels), 1.5)};
    std::vector<int64_t> shape{1, network.layers.front().channels};
    shape.insert(shape.end(), static_cast<std::size_t>(network.dims), size);
    network.history = {{"training", "0.1.0", {{"seed", "3"}}, {{"epochs", 2}}, {{"bone", 0.5}}, {"a.tif"}, {}}};
    const at::Tensor x = at::rand(shape), expected = net::forward(network, x);
    const QTemporaryDir dir;
    const std::string file = dir.filePath("n.safetensors").toStdString();
    std::ofstream(file, std::ios::binary) << io::to_safetensors(net::model_of(network));
    const test::PythonArrays python("torch");
    python.put("x", x);
    python.run(QString("import sys, torch\nsys.path.insert(0, '%1/resources/python')\nimport tomoloom_net\n"
                       "net = tomoloom_net.load('%2')\n"
                       "assert net.graph['history'][0]['f1'] == [['bone', 0.5]], net.graph['history']\n"
                       "with torch.no_grad():\n    x = torch.from_numpy(load('x', 'f4').copy())\n    y = net(x)\n"
                       "    turned = tomoloom_net.apply(net, x.flip(-2), rows='highest_first').flip(-2)\n"
                       "    assert torch.equal(turned, y) and torch.equal(tomoloom_net.apply(net, x), y)\n"
                       "save('y', y.numpy(), 'f4')\n")
                   .arg(TL_SOURCE_DIR, QString::fromStdString(file)));
    const at::Tensor y = python.get("y", at::kFloat);
    QVERIFY(y.sizes().equals(expected.sizes()));
    const double range = (expected.max() - expected.min()).item<double>();
    constexpr double float32_sums = 1e-5;
    QVERIFY2((y - expected).abs().max().item<double>() <= float32_sums * range, qPrintable(name));
  }
};

TL_TEST_CASE(InPytorch)

}  // namespace tl::in_pytorch_test

#include "in_pytorch.moc"
