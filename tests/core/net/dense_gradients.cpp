// Gradients of dense blocks: equal to those of the layers one by one, which are taken for several images at once.
#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include "core/net/architectures/architectures.h"
#include "core/net/forward.h"
#include "tests/support/test_case.h"

namespace tl::dense_gradients_test {

using namespace net;

namespace {

// Of all tensors and the input, of a sum of the map with weights.
std::map<std::string, at::Tensor> gradients_of(Network network, const at::Tensor& picture, int64_t copies) {
  for (auto& [name, tensor] : network.tensors)
    tensor = tensor.detach().to(picture.scalar_type()).clone().set_requires_grad(true);
  const at::Tensor input = picture.clone().set_requires_grad(true);
  const at::Tensor map = forward(network, input.expand({copies, -1, -1, -1}));
  const at::Tensor weights = at::arange(map[0].numel(), map.options()).mul(0.71).sin().view(map[0].sizes());
  ((map * weights).sum() / static_cast<double>(copies)).backward();
  std::map<std::string, at::Tensor> gradients{{"input", input.grad()}, {"map", map.detach()[0]}};
  for (const auto& [name, tensor] : network.tensors) gradients[name] = tensor.grad();
  return gradients;
}

}  // namespace

class DenseGradients : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void equal_those_of_the_layers_one_by_one_data() {
    QTest::addColumn<QString>("settings");
    QTest::addColumn<int>("ny");
    QTest::addColumn<int>("nx");
    QTest::newRow("one channel") << "depth=12 classes=3" << 40 << 53;
    QTest::newRow("wide, several inputs") << "depth=5 width=3 inputs=2 classes=2" << 23 << 130;
    QTest::newRow("smaller than its reach") << "depth=11 classes=2" << 5 << 3;
  }
  void equal_those_of_the_layers_one_by_one() {
    QFETCH(QString, settings);
    QFETCH(int, ny);
    QFETCH(int, nx);
    std::vector<std::string> words;
    for (const QString& w : settings.split(' ')) words.push_back(w.toStdString());
    Network network = make_network("msd", words).or_throw();
    randomise(network, 3).or_throw();
    const int64_t inputs = network.layers.front().channels;
    const at::Tensor picture = at::arange(inputs * ny * nx, at::kDouble).mul(0.37).sin().view({1, inputs, ny, nx});
    for (const at::ScalarType type : {at::kDouble, at::kFloat}) {
      const double tolerance = type == at::kDouble ? 1e-11 : 1e-5;
      const auto block = gradients_of(network, picture.to(type), 1),
                 layers = gradients_of(network, picture.to(type), 2);
      for (const auto& [name, expected] : layers) {
        const at::Tensor& found = block.at(name);
        const double largest = expected.abs().max().item<double>();
        QVERIFY2((found - expected).abs().max().item<double>() <= tolerance * (1 + largest), name.c_str());
      }
    }
  }

  void frozen_layers_and_inputs_get_no_gradient() {
    Network network = make_network("msd", {"depth=4"}).or_throw();
    randomise(network, 1).or_throw();
    at::Tensor& only = network.tensors.at("msd_block.weight2");
    only.set_requires_grad(true);
    const at::Tensor picture = at::arange(400, at::kFloat).sin().view({1, 1, 20, 20});
    forward(network, picture).sum().backward();
    QVERIFY(only.grad().abs().max().item<double>() > 0);
    for (const auto& [name, tensor] : network.tensors)
      if (name != "msd_block.weight2") QVERIFY(!tensor.grad().defined());
  }
};

TL_TEST_CASE(DenseGradients)

}  // namespace tl::dense_gradients_test

#include "dense_gradients.moc"
