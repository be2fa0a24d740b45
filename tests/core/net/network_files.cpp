// Files of networks: what is written comes back; state dicts of other programs load by their names; what is wrong is
// said.
#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <QTemporaryDir>
#include <fstream>

#include "core/io/model/safetensors.h"
#include "core/net/architectures/architectures.h"
#include "core/net/files/network_file.h"
#include "core/net/forward.h"
#include "core/net/network_json.h"
#include "tests/support/test_case.h"

namespace tl::network_files_test {

using namespace net;
namespace fs = std::filesystem;

namespace {

Network tiny() {
  Network network = make_network("msd", {"depth=3", "classes=2"}).or_throw();
  randomise(network, 4).or_throw();
  network.scaling = {{0.25}, {2.5}};
  network.voxel_size = 0.013;
  network.classes = {{1, "bone", "#e69f00"}, {4, "air", ""}};
  return network;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("the text has no " + from);
  return text.replace(at, from.size(), to);
}

}  // namespace

class NetworkFiles : public QObject {
  Q_OBJECT

  static void expect_refusal(const Result<Network>& result, const std::string& words) {
    QVERIFY2(!result.ok(), words.c_str());
    QVERIFY2(result.error().message().find(words) != std::string::npos, result.error().message().c_str());
    QVERIFY2(result.error().where == "f.safetensors" && !result.error().hint.empty(), result.error().message().c_str());
  }

 private Q_SLOTS:
  void graphs_come_back_from_json() {
    for (const Architecture& a : architectures()) {
      const Network network = make_network(a.name, {}).or_throw();
      const std::string text = to_json_text(network);
      const Network again = network_from_json(text, "f").or_throw();
      QCOMPARE(to_json_text(again), text);
      QCOMPARE(tensor_shapes(again).or_throw(), tensor_shapes(network).or_throw());
    }
  }

  void files_come_back() {
    const at::AutoGradMode off(false);
    const QTemporaryDir dir;
    const fs::path file = fs::path(dir.path().toStdString()) / "n.safetensors";
    const Network network = tiny();
    std::ofstream(file, std::ios::binary) << io::to_safetensors(model_of(network));
    const Network again = read_network(file).or_throw();
    QCOMPARE(again.voxel_size, network.voxel_size);
    QCOMPARE(again.classes[0].name, network.classes[0].name);
    QCOMPARE(again.classes[1].number, network.classes[1].number);
    const at::Tensor x = at::rand({1, 1, 8, 9});
    QVERIFY(forward(again, x).equal(forward(network, x)));
    const Network graph = read_graph(file).or_throw();
    QVERIFY(graph.tensors.empty());
    QCOMPARE(to_json_text(graph), to_json_text(network));
  }

  // The names that msd_pytorch and torchvision give, and their shapes.
  void names_of_state_dicts() {
    const auto msd = tensor_shapes(make_network("msd", {"depth=3", "width=2", "classes=5"}).or_throw()).or_throw();
    QCOMPARE(msd.size(), 6U);
    QCOMPARE(msd.at("msd_block.bias"), (std::vector<int64_t>{6}));
    QCOMPARE(msd.at("msd_block.weight2"), (std::vector<int64_t>{2, 5, 3, 3}));
    QCOMPARE(msd.at("final_layer.linear.weight"), (std::vector<int64_t>{5, 7, 1, 1}));
    const auto fcn = tensor_shapes(make_network("fcn_resnet50", {"aux=1"}).or_throw()).or_throw();
    QCOMPARE(fcn.at("backbone.conv1.weight"), (std::vector<int64_t>{64, 3, 7, 7}));
    QCOMPARE(fcn.at("backbone.layer3.5.bn2.running_var"), (std::vector<int64_t>{256}));
    QCOMPARE(fcn.at("backbone.layer4.0.downsample.0.weight"), (std::vector<int64_t>{2048, 1024, 1, 1}));
    QCOMPARE(fcn.at("classifier.4.weight"), (std::vector<int64_t>{21, 512, 1, 1}));
    QCOMPARE(fcn.at("aux_classifier.0.weight"), (std::vector<int64_t>{256, 1024, 3, 3}));
    QCOMPARE(fcn.count("backbone.conv1.bias"), 0U);
  }

  // As msd_pytorch has them: the last filters without axes of space, with counters, all behind one prefix, in half.
  void a_state_dict_loads_unrenamed() {
    const Network network = tiny();
    Model foreign;
    for (const auto& [name, t] : network.tensors) foreign.arrays["module." + name] = t.to(at::kHalf);
    foreign.arrays["module.final_layer.linear.weight"] =
        foreign.arrays["module.final_layer.linear.weight"].view({2, 4, 1});
    foreign.arrays["epoch"] = at::ones({1}, at::kLong);
    const Network loaded =
        with_tensors(make_network("msd", {"depth=3", "classes=2"}).or_throw(), foreign, "f.safetensors").or_throw();
    for (const auto& [name, t] : network.tensors)
      QVERIFY2(loaded.tensors.at(name).equal(t.to(at::kHalf).to(at::kFloat)), name.c_str());
  }

  // The modules of msd_pytorch's models: scale_in, the network and scale_out, in a sequence or by their names.
  void scalings_of_a_state_dict_are_used_data() {
    QTest::addColumn<QString>("in");
    QTest::addColumn<QString>("layers");
    QTest::addColumn<QString>("out");
    QTest::newRow("sequence") << "0"
                              << "1."
                              << "2";
    QTest::newRow("parallel sequence") << "module.0"
                                       << "module.1."
                                       << "module.2";
    QTest::newRow("names") << "scale_in"
                           << "msd."
                           << "scale_out";
    QTest::newRow("names without a module of the layers") << "scale_in"
                                                          << ""
                                                          << "scale_out";
  }
  void scalings_of_a_state_dict_are_used() {
    QFETCH(QString, in);
    QFETCH(QString, layers);
    QFETCH(QString, out);
    const Network network = tiny();
    Model foreign;
    for (const auto& [name, t] : network.tensors) foreign.arrays[layers.toStdString() + name] = t;
    const at::Tensor mixing = at::tensor({0.5F, 0.25F, -1.0F, 2.0F}).view({2, 2, 1, 1}),
                     shift = at::tensor({3.0F, -1.0F});
    foreign.arrays[in.toStdString() + ".weight"] = at::full({1, 1, 1, 1}, 4.0F);
    foreign.arrays[in.toStdString() + ".bias"] = at::full({1}, -2.0F);
    foreign.arrays[out.toStdString() + ".weight"] = mixing;
    foreign.arrays[out.toStdString() + ".bias"] = shift;
    const Network graph = make_network("msd", {"depth=3", "classes=2"}).or_throw();
    const Network loaded = with_tensors(graph, foreign, "f.safetensors").or_throw();
    QCOMPARE(loaded.scaling.mean, std::vector<double>{0.5});
    QCOMPARE(loaded.scaling.deviation, std::vector<double>{0.25});
    constexpr double float_rounding = 1e-5;
    const at::Tensor weight = network.tensors.at("final_layer.linear.weight"),
                     bias = network.tensors.at("final_layer.linear.bias");
    QVERIFY(loaded.tensors.at("final_layer.linear.weight")
                .allclose(at::matmul(mixing.view({2, 2}), weight.flatten(1)).view(weight.sizes()), 0, float_rounding));
    QVERIFY(loaded.tensors.at("final_layer.linear.bias")
                .allclose(at::matmul(mixing.view({2, 2}), bias) + shift, 0, float_rounding));
    foreign.arrays[in.toStdString() + ".weight"] = at::zeros({1, 1, 1, 1});
    expect_refusal(with_tensors(graph, foreign, "f.safetensors"), "multiplies one by 0");
  }

  void arrays_of_no_layer_are_refused() {
    Model foreign = model_of(tiny());
    foreign.arrays["msd_block.weight3"] = at::ones({1, 4, 3, 3});
    foreign.arrays["msd_block.weight4"] = at::ones({1, 5, 3, 3});
    const Network graph = make_network("msd", {"depth=3", "classes=2"}).or_throw();
    expect_refusal(with_tensors(graph, foreign, "f.safetensors"),
                   "\"msd_block.weight3\" and 1 more belong to no layer");
    expect_refusal(network_of(foreign, "f.safetensors"), "belong to no layer");
  }

  void wrong_tensors_are_named() {
    const Model good = model_of(tiny());
    const auto with = [&](const std::string& name, const at::Tensor& t) {
      Model m = good;
      m.arrays.erase(name);
      if (t.defined()) m.arrays.emplace(name, t);
      return network_of(m, "f.safetensors");
    };
    QVERIFY(network_of(good, "f.safetensors").ok());
    expect_refusal(with("msd_block.weight1", {}), "\"msd_block.weight1\" is missing");
    expect_refusal(with("msd_block.weight1", at::zeros({1, 3, 3, 3})), "is 1 x 3 x 3 x 3, not 1 x 2 x 3 x 3");
    expect_refusal(with("msd_block.bias", at::zeros({3}, at::kLong)), "\"msd_block.bias\" has integers");
    expect_refusal(with("msd_block.bias", at::full({3}, std::numeric_limits<float>::infinity())), "not finite");
  }

  void wrong_graphs_are_refused() {
    const std::string good = to_json_text(tiny());
    const auto read = [&](const std::string& from, const std::string& to) {
      return network_from_json(replaced(good, from, to), "f.safetensors");
    };
    expect_refusal(network_from_json("{\"kind\":\"pixel classifier\"}", "f.safetensors"), "not a network");
    expect_refusal(network_from_json(std::string(100000, '['), "f.safetensors"), "not a network");
    expect_refusal(read("\"version\":1", "\"version\":2"), "another version");
    expect_refusal(read("\"dims\":2", "\"dims\":7"), "7 dimensions");
    expect_refusal(read("\"kernel\":3", "\"kernel\":-3"), "kernel");
    expect_refusal(read("\"kernel\":3", "\"kernel\":1e300"), "not an integer");
    expect_refusal(read("\"kernel\":3", "\"kernel\":9223372036854775807"), "too large");
    expect_refusal(read("\"channels\":1", "\"channels\":1000000000"), "channels");
    expect_refusal(read("\"kind\":\"relu\"", "\"kind\":\"attention\""), "does not have");
    expect_refusal(read("\"inputs\":[\"layer0\"]", "\"inputs\":[\"layer2\"]"), "not an earlier layer");
    expect_refusal(read("\"name\":\"final\"", "\"name\":\"layer0\""), "used twice");
    expect_refusal(read("\"padding\":1", "\"colour\":1"), "not known");
    expect_refusal(read("\"deviation\":[2.5]", "\"deviation\":[0]"), "not positive");
    expect_refusal(read("\"mean\":[0.25]", "\"mean\":[0.25,1]"), "one mean and deviation per channel");
  }

  void lying_headers_are_refused() {
    const QTemporaryDir dir;
    const fs::path file = fs::path(dir.path().toStdString()) / "n.safetensors";
    const std::string good = io::to_safetensors(model_of(tiny()));
    for (const std::string& bad :
         {std::string(), good.substr(0, 7), good.substr(0, 200), std::string(8, '\xff') + good.substr(8),
          good.substr(0, good.size() - 1), good + "x"}) {
      std::ofstream(file, std::ios::binary) << bad;
      const auto read = read_network(file);
      QVERIFY(!read.ok());
      QVERIFY2(read.error().where == file.string(), read.error().message().c_str());
    }
    QVERIFY(!read_graph(file.string() + ".none").ok());
  }
};

TL_TEST_CASE(NetworkFiles)

}  // namespace tl::network_files_test

#include "network_files.moc"
