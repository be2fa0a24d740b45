// ONNX models: networks that are written come back, models as other programs export them become networks, and what is
// wrong is said.
#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <QTemporaryDir>
#include <fstream>

#include "core/net/architectures/architectures.h"
#include "core/net/files/network_file.h"
#include "core/net/footprint.h"
#include "core/net/forward.h"
#include "core/net/network_json.h"
#include "core/net/onnx/graph_writer.h"
#include "core/net/onnx/read_onnx.h"
#include "core/net/onnx/write_onnx.h"
#include "core/net/prune/prune.h"
#include "tests/support/test_case.h"

namespace tl::onnx_files_test {

using namespace net;
using namespace net::onnx;
namespace fs = std::filesystem;

namespace {

Network tiny() {
  Network network = make_network("msd", {"depth=3", "classes=2"}).or_throw();
  randomise(network, 4).or_throw();
  network.scaling = {{0.1}, {2.5}};
  network.voxel_size = 0.013;
  network.classes = {{1, "bone", "#e69f00"}, {4, "air", ""}};
  return network;
}

// A model of one graph, as other programs write them.
std::string model_bytes(const GraphWriter& graph, uint64_t opset = 17) {
  WireWriter model, version;
  model.number(1, 8);
  model.bytes(2, "pytorch");
  version.number(2, opset);
  model.bytes(8, version.message());
  model.bytes(7, graph.message());
  return model.message();
}

// A graph with the input x [n, 1, y, x] and one filter of 3 x 3.
struct SmallGraph {
  GraphWriter graph;
  at::Tensor filter = at::rand({1, 1, 3, 3});
  SmallGraph() {
    graph.input("x", 1, 2);
    graph.initializer("w", filter);
  }
  std::string finished(const std::string& output, uint64_t opset = 17) {
    graph.output(output, 1, 2);
    return model_bytes(graph, opset);
  }
};

Integers twice(int64_t n) { return {n, n, n, n}; }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("the text has no " + from);
  return text.replace(at, from.size(), to);
}

}  // namespace

class OnnxFiles : public QObject {
  Q_OBJECT

  static void expect_refusal(const std::string& bytes, const std::string& words) {
    const auto result = network_from_onnx(bytes, "f.onnx");
    QVERIFY2(!result.ok(), words.c_str());
    QVERIFY2(result.error().message().find(words) != std::string::npos, result.error().message().c_str());
    QVERIFY2(result.error().where == "f.onnx" && !result.error().hint.empty(), result.error().message().c_str());
  }

 private Q_SLOTS:
  void networks_come_back_data() {
    QTest::addColumn<QString>("settings");
    QTest::newRow("msd") << "depth=12 classes=3 width=2";
    QTest::newRow("msd, 3D") << "depth=4 dims=3 inputs=2";
    QTest::newRow("unet") << "features=2 levels=2";
    QTest::newRow("unet, 3D") << "features=2 levels=1 dims=3";
    QTest::newRow("unet4") << "features=2";
    QTest::newRow("fcn_resnet50") << "classes=3 aux=1";
    QTest::newRow("sw") << "shrink=32 width=30";
    QTest::newRow("sk") << "shrink=32 width=30";
    QTest::newRow("u") << "features=2 levels=2";
    QTest::newRow("usk") << "features=2";
    QTest::newRow("plain") << "depth=3 kernel=7";
    QTest::newRow("plain, 3D") << "depth=2 dims=3 channels=2";
    QTest::newRow("msd, pruned") << "depth=12 classes=3";
    QTest::newRow("unet4, pruned") << "features=4";
  }
  void networks_come_back() {
    QFETCH(QString, settings);
    const QByteArray row = QTest::currentDataTag();
    std::vector<std::string> words;
    for (const QString& w : settings.split(' ')) words.push_back(w.toStdString());
    Network network = make_network(QString(row).section(',', 0, 0).toStdString(), words).or_throw();
    randomise(network, 3).or_throw();
    if (row.endsWith("pruned")) {
      PruneOptions options;
      options.keep = 0.2;
      options.steps = 2;
      network = prune(network, options).or_throw().network;
    }
    const auto channels = static_cast<std::size_t>(network.layers.front().channels);
    network.scaling = {std::vector<double>(channels, 0.1), std::vector<double>(channels, 1.7)};
    network.voxel_size = 0.0012;
    const std::string bytes = to_onnx(network, "f.onnx").or_throw();
    const Network again = network_from_onnx(bytes, "f.onnx").or_throw();
    // Layers, names, scaling and metadata are the same; and so the same numbers come out.
    QCOMPARE(to_json_text(again), to_json_text(network));
    QCOMPARE(again.tensors.size(), network.tensors.size());
    for (const auto& [name, tensor] : network.tensors)
      QVERIFY2(again.tensors.at(name).equal(tensor.to(at::kFloat)), name.c_str());
    QCOMPARE(to_onnx(again, "f.onnx").or_throw(), bytes);
  }

  void files_of_both_kinds_are_read() {
    const at::AutoGradMode off(false);
    const QTemporaryDir dir;
    const fs::path file = fs::path(dir.path().toStdString()) / "n.ONNX";
    const Network network = tiny();
    std::ofstream(file, std::ios::binary) << network_file_bytes(network, file).or_throw();
    const Network again = read_network(file).or_throw(), graph = read_graph(file).or_throw();
    QCOMPARE(again.classes[0].name, network.classes[0].name);
    QVERIFY(graph.tensors.empty());
    QCOMPARE(to_json_text(graph), to_json_text(network));
    const at::Tensor x = at::rand({1, 1, 8, 9});
    QVERIFY(forward(again, x).equal(forward(network, x)));
  }

  // As torch.onnx.export gives a U-Net for a fixed size: crops as slices between two numbers, batch norm folded.
  void an_exported_unet() {
    const at::AutoGradMode off(false);
    GraphWriter g;
    g.input("input.1", 1, 2);
    const auto weights = [&](const std::string& name, std::vector<int64_t> shape) {
      at::Tensor w = at::rand(shape) - 0.5;
      g.initializer(g.unused(name), w);
      return w;
    };
    const auto conv = [&](const std::string& name, const std::string& from) {
      const std::string map = g.node("Conv", "/" + name + "/Conv", {from, name + ".weight", name + ".bias"},
                                     {integers_attribute("dilations", {1, 1}), integer_attribute("group", 1),
                                      integers_attribute("kernel_shape", {3, 3}), integers_attribute("pads", twice(0)),
                                      integers_attribute("strides", {1, 1})});
      return g.node("Relu", "/" + name + "/Relu", {map});
    };
    const at::Tensor w1 = weights("down.weight", {4, 1, 3, 3}), b1 = weights("down.bias", {4}),
                     w2 = weights("bottom.weight", {8, 4, 3, 3}), b2 = weights("bottom.bias", {8}),
                     w3 = weights("up.weight", {8, 4, 2, 2}), b3 = weights("up.bias", {4}),
                     w4 = weights("last.weight", {2, 8, 3, 3}), b4 = weights("last.bias", {2});
    const std::string fine = conv("down", "input.1");
    const std::string coarse =
        g.node("MaxPool", "/MaxPool", {fine},
               {integers_attribute("kernel_shape", {2, 2}), integers_attribute("strides", {2, 2}),
                integer_attribute("ceil_mode", 0), integers_attribute("pads", twice(0))});
    const std::string up =
        g.node("ConvTranspose", "/up/ConvTranspose", {conv("bottom", coarse), "up.weight", "up.bias"},
               {integers_attribute("kernel_shape", {2, 2}), integers_attribute("strides", {2, 2})});
    // 24 pixels give 22, 11, 9 and 18 of them.
    std::string skip = fine;
    for (const int64_t axis : {2, 3})
      skip = g.node("Slice", "/Slice" + std::to_string(axis),
                    {skip, g.constant({2}), g.constant({axis == 2 ? 20 : -2}), g.constant({axis}), g.constant({1})});
    const std::string both = g.node("Concat", "/Concat", {skip, up}, {integer_attribute("axis", 1)});
    g.output(g.node("Sigmoid", "/Sigmoid", {conv("last", both)}), 2, 2);
    std::string bytes = model_bytes(g);
    expect_refusal(bytes, "a size that the model does not state");
    // The last two axes of the input's shape become 24, in one byte more than that needs: no length changes.
    for (const char* axis : {"y", "x"})
      bytes = replaced(bytes, std::string("\x0a\x03\x12\x01") + axis, std::string("\x0a\x03\x08\x98\x00", 5));
    expect_refusal(bytes, "probabilities that are independent of one another");
    bytes = replaced(bytes, "\x22\x07Sigmoid",
                     "\x22\x07"
                     "Dropout");  // the operator, not the names
    const Network network = network_from_onnx(bytes, "f.onnx").or_throw();
    QCOMPARE(network.architecture, std::string("ONNX of pytorch"));
    QVERIFY(network.tensors.at("bottom.weight").equal(w2));
    const at::Tensor x = at::rand({1, 1, 32, 32});
    const at::Tensor a = at::relu(at::conv2d(x, w1, b1));
    const at::Tensor b = at::conv_transpose2d(at::relu(at::conv2d(at::max_pool2d(a, {2, 2}), w2, b2)), w3, b3, {2, 2});
    const at::Tensor expected = at::relu(at::conv2d(at::cat({a.slice(2, 2, 28).slice(3, 2, 28), b}, 1), w4, b4));
    QVERIFY(at::allclose(forward(network, x), expected, 1e-5, 1e-6));
  }

  // Scaling before the first layer, a residual sum, borders of the edge repeated, a size by arithmetic.
  void other_exports() {
    const at::AutoGradMode off(false);
    SmallGraph s;
    s.graph.initializer("mean", at::full({}, 3.0F));
    s.graph.initializer("inverse", at::full({1, 1, 1, 1}, 0.5F));
    std::string at = s.graph.node("Mul", "scale", {s.graph.node("Sub", "shift", {"x", "mean"}), "inverse"});
    at = s.graph.node("Pad", "pad", {at, s.graph.constant({0, 0, 1, 1, 0, 0, 1, 1})}, {text_attribute("mode", "edge")});
    const std::string a = s.graph.node("Identity", "same", {s.graph.node("Conv", "conv", {at, "w"})});
    const std::string b = s.graph.node("Conv", "again", {a, "w"}, {integers_attribute("pads", twice(1))});
    const std::string sum = s.graph.node("Add", "sum", {a, b});
    const std::string half = s.graph.node(
        "MaxPool", "pool", {sum}, {integers_attribute("kernel_shape", {2, 2}), integers_attribute("strides", {2, 2})});
    const std::string shape = s.graph.node("Shape", "size", {half});
    const std::string space = s.graph.node("Slice", "space", {shape, s.graph.constant({2}), s.graph.constant({4})});
    const std::string doubled = s.graph.node("Mul", "doubled", {space, s.graph.constant({2})});
    const std::string batch = s.graph.node("Slice", "batch", {shape, s.graph.constant({0}), s.graph.constant({2})});
    const std::string all = s.graph.node("Concat", "wanted", {batch, doubled}, {integer_attribute("axis", 0)});
    const std::string last = s.graph.node("Resize", "resize", {half, "", "", all},
                                          {text_attribute("mode", "nearest"), text_attribute("nearest_mode", "floor"),
                                           text_attribute("coordinate_transformation_mode", "asymmetric")});
    const Network network = network_from_onnx(s.finished(last), "f.onnx").or_throw();
    QCOMPARE(network.scaling.mean, std::vector<double>{3});
    QCOMPARE(network.scaling.deviation, std::vector<double>{2});
    const at::Tensor x = at::rand({1, 1, 10, 12}), &w = s.filter;
    const std::vector<int64_t> size{10, 12};
    const at::Tensor first = at::conv2d(at::replication_pad2d((x - 3) / 2, {1, 1, 1, 1}), w);
    const at::Tensor expected = at::upsample_nearest2d(
        at::max_pool2d(first + at::conv2d(first, w, at::Tensor(), {1, 1}, {1, 1}), {2, 2}), size);
    QVERIFY(at::allclose(forward(network, x), expected, 1e-5, 1e-6));
    // The filters that both layers have are trained and pruned apart.
    QCOMPARE(network.tensors.size(), 2U);
  }

  void numbers_of_other_types() {
    const Network network = tiny();
    for (const auto type : {at::kDouble, at::kHalf}) {
      SmallGraph s;
      const at::Tensor w = at::rand({1, 1, 1, 1}).to(type);
      WireWriter tensor, graph;
      for (int axis = 0; axis < 4; ++axis) tensor.number(1, 1);
      tensor.number(2, type == at::kHalf ? 10 : 11);
      tensor.bytes(8, "v");
      tensor.bytes(9, {static_cast<const char*>(w.const_data_ptr()), w.nbytes()});
      graph.bytes(5, tensor.message());
      const std::string last = s.graph.node("Conv", "c", {"x", "v"});
      s.graph.output(last, 1, 2);
      WireWriter model, version;
      version.number(2, 13);
      model.bytes(8, version.message());
      model.bytes(7, s.graph.message() + graph.message());
      QVERIFY(network_from_onnx(model.message(), "f.onnx").or_throw().tensors.at("v").equal(w.to(at::kFloat)));
    }
  }

  void what_networks_do_not_have_is_named() {
    const auto conv = [](SmallGraph& s, const std::vector<NamedAttribute>& attributes) {
      return s.graph.node("Conv", "/c/Conv", {"x", "w"}, attributes);
    };
    const auto refuse = [](const std::string& words, const auto& build) {
      SmallGraph s;
      expect_refusal(s.finished(build(s)), words);
    };
    refuse("no operator GridSample, Mish", [&](SmallGraph& s) {
      return s.graph.node("Mish", "l", {s.graph.node("GridSample", "g", {conv(s, {}), "x"})});
    });
    refuse("\"/c/Conv\" (Conv) has filters in 4 groups",
           [&](SmallGraph& s) { return conv(s, {integer_attribute("group", 4)}); });
    refuse("strides 1 x 2", [&](SmallGraph& s) { return conv(s, {integers_attribute("strides", {1, 2})}); });
    refuse("pads 1 x 1 x 0 x 0", [&](SmallGraph& s) { return conv(s, {integers_attribute("pads", {1, 1, 0, 0})}); });
    refuse("tensor \"w\" is 1 x 1 x 3 x 3, not 1 x 1 x 5 x 5", [&](SmallGraph& s) {
      return conv(s, {integers_attribute("kernel_shape", {5, 5})});
    });
    refuse("mode reflect of 2", [&](SmallGraph& s) {
      return s.graph.node("Conv", "c",
                          {s.graph.node("Pad", "p", {"x", s.graph.constant({0, 0, 2, 2, 0, 0, 2, 2})},
                                        {text_attribute("mode", "reflect")}),
                           "w"});
    });
    refuse("reads \"gone\", which no earlier node outputs",
           [&](SmallGraph& s) { return s.graph.node("Relu", "r", {"gone"}); });
    refuse("which no earlier node outputs", [&](SmallGraph& s) {  // a circle
      s.graph.node("Relu", "a", {"b"});
      return s.graph.node("Relu", "b", {"a"});
    });
    refuse("is not over the channels",
           [&](SmallGraph& s) { return s.graph.node("Softmax", "s", {conv(s, {})}, {integer_attribute("axis", 3)}); });
    refuse("changes the numbers of a map", [&](SmallGraph& s) {
      s.graph.initializer("two", at::full({}, 2.0F));
      return s.graph.node("Mul", "m", {conv(s, {}), "two"});
    });
    refuse("which is computed", [&](SmallGraph& s) { return s.graph.node("Conv", "d", {"x", conv(s, {})}); });
    SmallGraph s;
    const std::string last = conv(s, {});
    expect_refusal(s.finished(last, 6), "of the version 6");
    GraphWriter two;
    two.input("a", 1, 2);
    two.input("b", 1, 2);
    two.output(two.node("Add", "sum", {"a", "b"}), 1, 2);
    expect_refusal(model_bytes(two), "several inputs, \"a\" and \"b\"");
  }

  void tensors_that_lie_are_named() {
    const Network network = tiny();
    const std::string good = to_onnx(network, "f.onnx").or_throw();
    // The shape of the last filters, 2 x 4 x 1 x 1: field 1, a varint each.
    const std::string shape("\x08\x02\x08\x04\x08\x01\x08\x01", 8);
    expect_refusal(replaced(good, shape, std::string("\x08\x02\x08\x05\x08\x01\x08\x01", 8)),
                   "tensor \"final_layer.linear.weight\" has 8 numbers, not 2 x 5 x 1 x 1");
    expect_refusal(replaced(good, shape, std::string("\x08\x04\x08\x02\x08\x01\x08\x01", 8)),
                   "tensor \"final_layer.linear.weight\" is 4 x 2 x 1 x 1, not 4 x 4 x 1 x 1");
    SmallGraph external;
    const std::string last = external.graph.node("Conv", "c", {"x", "w"});
    // Field 14 of a tensor: 1 is another file. It replaces the number of a name's field.
    expect_refusal(
        replaced(external.finished(last), std::string("\x10\x01\x42\x01w", 5), std::string("\x70\x01\x42\x01w", 5)),
        "tensor \"w\" has its numbers in another file");
  }

  // Wherever the file ends, and whatever a length says, the answer is an error that names the file.
  void damaged_files_are_refused() {
    const Network network = tiny();
    const std::string good = to_onnx(network, "f.onnx").or_throw();
    QVERIFY(network_from_onnx(good, "f.onnx").ok());
    const std::size_t graph_ends = good.rfind("tomoloom.architecture") - 4;
    for (std::size_t n = 0; n < graph_ends; n += 3) expect_refusal(good.substr(0, n), "");
    for (std::size_t i = 0; i < good.size(); i += 3) {
      std::string bad = good;
      bad[i] = '\xff';
      const auto read = network_from_onnx(bad, "f.onnx");
      QVERIFY(read.ok() || (read.error().where == "f.onnx" && read.error().kind == ErrorKind::invalid));
    }
    expect_refusal("", "empty");
    expect_refusal(std::string(1000, '\x0a'), "not an ONNX model");
    // A node takes two bytes of the file, but hundreds of memory: there may not be millions of them.
    std::string nodes;
    for (int i = 0; i < 100'000; ++i) nodes += std::string("\x0a\x00", 2);
    WireWriter model;
    model.bytes(7, nodes);
    expect_refusal(model.message(), "more than 65536");
  }
};

TL_TEST_CASE(OnnxFiles)

}  // namespace tl::onnx_files_test

#include "onnx_files.moc"
