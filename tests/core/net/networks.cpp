// Networks: published counts and sizes, borders, conversion, and the laws that tomoloom verify shows.
#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <set>

#include "core/net/apply.h"
#include "core/net/architectures/architectures.h"
#include "core/net/convert.h"
#include "core/net/verify/verify_networks.h"
#include "gpu/image/mirrored_index.h"
#include "tests/support/test_case.h"

namespace tl::networks_test {

using namespace net;

namespace {

std::vector<std::string> words(const QString& text) {
  std::vector<std::string> all;
  for (const QString& w : text.split(' ', Qt::SkipEmptyParts)) all.push_back(w.toStdString());
  return all;
}

Network made(const QString& text, uint64_t seed = 1) {
  std::vector<std::string> all = words(text);
  Network network = make_network(all.front(), {all.begin() + 1, all.end()}).or_throw();
  randomise(network, seed).or_throw();
  return network;
}
Network graph(const QString& text) {
  std::vector<std::string> all = words(text);
  return make_network(all.front(), {all.begin() + 1, all.end()}).or_throw();
}

double largest_difference(const at::Tensor& a, const at::Tensor& b) { return (a - b).abs().max().item<double>(); }

}  // namespace

class Networks : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void published_counts_data() {
    QTest::addColumn<QString>("network");
    QTest::addColumn<qint64>("parameters");
    QTest::addColumn<qint64>("weights");
    QTest::addColumn<qint64>("edges");
    const auto row = [](const char* network, qint64 parameters, qint64 weights, qint64 edges) {
      QTest::newRow(network) << QString(network) << parameters << weights << edges;
    };
    // 0: not published. Edges of MS-D are those of its 3 x 3 filters, then those of the last layer.
    row("msd depth=50 classes=5", 11785, 11475 + 255, 1275 + 255);
    row("msd depth=100 classes=1", 45652, 0, 5050 + 101);
    row("msd depth=100 classes=2", 45754, 0, 5050 + 202);
    row("msd depth=100 classes=5", 46060, 0, 5050 + 505);
    row("unet", 31030658, 0, 0);
    row("unet4", 14787842, 0, 1835200);
    row("fcn_resnet50 classes=21", 32957013, 0, 14445248);
    row("fcn_resnet50 classes=21 aux=1", 35322218, 0, 0);
    row("sk", 20567952 + 1906, 20567952, 0);
    row("sw", 20567952 + 1906, 20567952, 0);
    row("u", 28936000 + 6850, 28936000, 0);
    row("usk", 5510976 + 1602, 5510976, 0);
  }
  void published_counts() {
    QFETCH(QString, network);
    QFETCH(qint64, parameters);
    QFETCH(qint64, weights);
    QFETCH(qint64, edges);
    const Counts c = counts_of(graph(network)).or_throw();
    QCOMPARE(c.parameters(), parameters);
    if (weights > 0) QCOMPARE(c.weights, weights);
    if (edges > 0) QCOMPARE(c.edges, edges);
  }

  void published_sizes_data() {
    QTest::addColumn<QString>("network");
    QTest::addColumn<int>("input");
    QTest::addColumn<int>("output");
    QTest::newRow("sk") << "sk" << 229 << 128;
    QTest::newRow("unet") << "unet" << 572 << 388;
    QTest::newRow("u") << "u" << 572 << 388;
    QTest::newRow("usk") << "usk" << 692 << 512;
    QTest::newRow("sw") << "sw" << 102 << 1;
    QTest::newRow("unet4") << "unet4" << 320 << 320;
    QTest::newRow("fcn") << "fcn_resnet50" << 520 << 520;
  }
  void published_sizes() {
    QFETCH(QString, network);
    QFETCH(int, input);
    QFETCH(int, output);
    QCOMPARE(layer_sizes(graph(network), {input, input}).or_throw().back(), (Size{output, output}));
  }

  void footprints() {
    const auto of = [](const char* network) { return footprint_of(graph(network)).or_throw(); };
    QCOMPARE(of("msd depth=50").reach(), 275);
    QCOMPARE(of("msd depth=100").reach(), 550);
    QVERIFY(of("msd depth=100").same);
    QCOMPARE(of("sk").before + of("sk").after, 101);
    QCOMPARE(of("unet").before + of("unet").after, 184);
    QCOMPARE(of("unet").alignment, 16);
    QCOMPARE(of("usk").before + of("usk").after, 180);
    QCOMPARE(of("usk").alignment, 2);
    QCOMPARE(of("unet4").alignment, 16);
    QCOMPARE(of("fcn_resnet50").alignment, 8);
    const auto window = footprint_of(graph("sw"));
    QVERIFY(!window.ok());
    QVERIFY2(window.error().hint.find("sk") != std::string::npos, window.error().message().c_str());
  }

  // Of SK at 128 x 128: the report's table.
  void operations_and_memory_of_sk() {
    const Network sk = graph("sk");
    const auto channels = channels_of(sk).or_throw();
    const auto sizes = layer_sizes(sk, {229, 229}).or_throw();
    std::vector<double> found;
    for (const double n : operations(sk, channels, sizes))
      if (n > 0) found.push_back(n / 1e9);
    const double published[] = {0.70, 14.06, 18.40, 644.23, 17.17, 0.03};
    QCOMPARE(found.size(), std::size(published));
    constexpr double rounding = 0.006;
    for (std::size_t i = 0; i < found.size(); ++i) QVERIFY(std::abs(found[i] - published[i]) < rounding);
    constexpr double mebibyte = 0x1p20;
    QVERIFY(std::abs(bytes_of_maps(sk, channels, sizes) / mebibyte - 219.06) < rounding);
  }
  void operations_of_usk() {
    const Network usk = graph("usk");
    const auto sizes = layer_sizes(usk, {436, 436}).or_throw();
    std::vector<double> found;
    for (const double n : operations(usk, channels_of(usk).or_throw(), sizes))
      if (n > 0) found.push_back(n / 1e9);
    const double published[] = {.64, 13.75, 26.25, 21.81, 18.92, 141.76, 4.43, 4.42, 29.44, 9.66, .02};
    QCOMPARE(found.size(), std::size(published));
    constexpr double rounding = 0.006;
    for (std::size_t i = 0; i < found.size(); ++i) QVERIFY(std::abs(found[i] - published[i]) < rounding);
  }

  // MS-D by loops: cross-correlation, dilations, the edge repeated.
  void msd_equals_loops() {
    const at::AutoGradMode off(false);
    Network network = made("msd depth=4 classes=2 dilations=3");
    for (auto& [name, t] : network.tensors) t = t.to(at::kDouble);
    constexpr int64_t n = 6;
    const at::Tensor x = at::arange(n * n, at::kDouble).mul(1.7).sin().view({n, n});
    std::vector<at::Tensor> maps{x};
    for (int64_t layer = 0; layer < 4; ++layer) {
      const int64_t d = layer % 3 + 1;
      const at::Tensor w = network.tensors["msd_block.weight" + std::to_string(layer)];
      at::Tensor out = at::zeros({n, n}, at::kDouble);
      for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i) {
          double sum = network.tensors["msd_block.bias"][layer].item<double>();
          for (std::size_t c = 0; c < maps.size(); ++c)
            for (int64_t b = 0; b < 3; ++b)
              for (int64_t a = 0; a < 3; ++a)
                sum += w[0][static_cast<int64_t>(c)][b][a].item<double>() *
                       maps[c][ops::mirrored_index(j + (b - 1) * d, n)][ops::mirrored_index(i + (a - 1) * d, n)]
                           .item<double>();
          out[j][i] = std::max(sum, 0.0);
        }
      maps.push_back(out);
    }
    const at::Tensor last = network.tensors["final_layer.linear.weight"].view({2, 5});
    const at::Tensor expected =
        at::tensordot(last, at::stack(maps), {1}, {0}) + network.tensors["final_layer.linear.bias"].view({2, 1, 1});
    QVERIFY(largest_difference(forward(network, x.view({1, 1, n, n})).squeeze(0), expected) < 1e-12);
  }

  void scaling_is_applied_to_the_input() {
    const at::AutoGradMode off(false);
    Network network = made("plain inputs=2");
    const at::Tensor x = at::rand({1, 2, 9, 8}), scaled = (x - at::tensor({0.5F, 2.0F}).view({1, 2, 1, 1})) /
                                                          at::tensor({2.0F, 4.0F}).view({1, 2, 1, 1});
    const at::Tensor expected = forward(network, scaled);
    network.scaling = {{0.5, 2}, {2, 4}};
    QVERIFY(largest_difference(forward(network, x), expected) < 1e-6);
  }

  // The image is larger than a tile, and of a length that is a multiple for no network.
  void tiles_equal_the_whole_image() {
    const at::AutoGradMode off(false);
    const Network network = made("unet4 features=1");
    const Footprint f = footprint_of(network).or_throw();
    const int64_t long_side = default_tile_length(f, 2) + 37, short_side = 43;
    const at::Tensor x = at::rand({1, short_side, long_side});
    const std::vector<Range> all{{0, short_side}, {0, long_side}};
    const at::Tensor tiled = apply(network, f, {x, all, {short_side, long_side}}, all);
    // By hand: mirrored up to a multiple of 16, all at once.
    std::vector<int64_t> rows, cols;
    for (int64_t i = 0; i < (short_side + 15) / 16 * 16; ++i) rows.push_back(ops::mirrored_index(i, short_side));
    for (int64_t i = 0; i < (long_side + 15) / 16 * 16; ++i) cols.push_back(ops::mirrored_index(i, long_side));
    const at::Tensor padded = x.index_select(1, at::tensor(rows)).index_select(2, at::tensor(cols));
    const at::Tensor whole = probabilities(network, forward(network, padded.unsqueeze(0)))[0];
    QVERIFY(largest_difference(tiled, whole.narrow(1, 0, short_side).narrow(2, 0, long_side)) < 1e-5);
  }

  void laws() {
    const CheckTable table = verify_networks(VerifySize::small);
    QVERIFY2(all_passed(table), to_text(table).c_str());
    QVERIFY(table.size() > 10);
  }

  void declarations_of_architectures_are_complete() {
    std::set<std::string> names;
    for (const Architecture& a : architectures()) {
      QVERIFY2(names.insert(a.name).second && find_architecture(a.name) == &a, a.name);
      QVERIFY2(std::string(a.title).size() > 3 && std::string(a.citation).size() > 10, a.name);
      std::vector<std::string> offered;
      for (const Setting& s : a.settings) {
        QVERIFY2(s.low <= s.initial && s.initial <= s.high && std::string(s.help).size() > 3, s.name);
        if (!s.field) continue;
        QVERIFY2(a.offer && s.low <= s.field->initial && s.field->initial <= s.field->high && s.field->high <= s.high,
                 s.name);
        offered.push_back(std::string(s.name) + "=" + std::to_string(s.field->initial));
      }
      QVERIFY2(make_network(a.name, {}).ok(), a.name);
      QVERIFY2(make_network(a.name, offered).ok(), a.name);
      if (a.offer) QVERIFY2(std::string(a.offer->advice).ends_with("."), a.name);
    }
    QVERIFY(find_architecture("msx") == nullptr);
  }

  void names_of_layer_kinds_are_found_again() {
    for (const LayerKindRow& row : layer_kinds()) {
      QVERIFY2(layer_kind_named(row.name) == row.kind && &row_of(row.kind) == &row, std::string(row.name).c_str());
      QVERIFY(row.min_inputs <= row.max_inputs && (row.kind == LayerKind::input) == (row.max_inputs == 0));
      // All but the input are computed, and each by an ONNX operator of its own.
      QCOMPARE(row.compute != nullptr, row.kind != LayerKind::input);
      QVERIFY(row.kind == LayerKind::input || layer_kind_of_onnx(row.onnx) == row.kind);
    }
    QVERIFY(!layer_kind_named("no kind"));
  }

  void what_cannot_be_converted_is_refused() {
    const auto odd = make_network("sw", {"width=100"});
    QVERIFY(!odd.ok());
    QVERIFY2(odd.error().message().find("43 is odd") != std::string::npos && odd.error().where == "pool2",
             odd.error().message().c_str());
    QVERIFY(!fully_convolutional(graph("unet")).ok());
    QVERIFY(!fully_convolutional(graph("msd depth=2")).ok());
  }

  void wrong_names_and_numbers_are_refused() {
    for (const char* text : {"msx", "msd deepness=3", "msd depth", "msd depth=0", "msd depth=4x", "msd dims=4",
                             "plain kernel=4", "fcn_resnet50 aux=2"}) {
      const auto all = words(text);
      const auto network = make_network(all.front(), {all.begin() + 1, all.end()});
      QVERIFY2(!network.ok(), text);
      QVERIFY2(!network.error().what.empty() && !network.error().where.empty() && !network.error().hint.empty(),
               network.error().message().c_str());
    }
  }
};

TL_TEST_CASE(Networks)

}  // namespace tl::networks_test

#include "networks.moc"
