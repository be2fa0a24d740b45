// The network node: probabilities of the file's network, slice by slice or in three orientations, tiles and lazy parts;
// what cannot be is refused.
#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <cmath>

#include "core/io/model/safetensors.h"
#include "core/io/volumes/label_table.h"
#include "core/net/architectures/architectures.h"
#include "core/net/files/network_file.h"
#include "core/net/forward.h"
#include "core/net/prune/prune.h"
#include "core/run/executor.h"
#include "gpu/operator/forward_mode.h"
#include "tests/support/io/volume_files.h"
#include "tests/support/test_case.h"

namespace tl::network_node_test {

using namespace test::volumes;

namespace {

constexpr int64_t nz = 5, ny = 21, nx = 26;
constexpr int64_t roomy = int64_t{1} << 28;

VolumeGrid lattice() { return {nz, ny, nx, {3, -2, 7}, {0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}}; }

at::Tensor numbers(double pitch) { return at::arange(nz * ny * nx, at::kFloat).mul(pitch).sin().view({nz, ny, nx}); }

net::Network random_net(const std::string& name, const std::vector<std::string>& settings) {
  net::Network network = net::make_network(name, settings).or_throw();
  net::randomise(network, 2).or_throw();
  return network;
}

}  // namespace

class NetworkNode : public VolumeFolder {
  Q_OBJECT

  void save(const std::string& name, const at::Tensor& values, const VolumeGrid& grid = lattice()) {
    io::VolumeTarget t = target(path(name + ".nrrd"), grid);
    t.description = {};
    t.rules = io::no_inputs(io::Overwrite::replace);
    write(*io::find_volume_format("nrrd"), t, values).or_throw();
  }
  void save(const net::Network& network) { put(path("n.safetensors"), io::to_safetensors(net::model_of(network))); }

  Graph pipeline(const std::string& orientations = "slices", int volumes = 1) const {
    Graph g;
    g.nodes["network"] = {
        "segment.network", 1, {{"model", path("n.safetensors").string()}, {"orientations", orientations}}};
    for (int i = 0; i < volumes; ++i) {
      const std::string id = i == 0 ? "volume" : "volume_" + std::to_string(i + 1);
      g.nodes[id] = {"input.load_volume", 1, {{"file", path(id + ".nrrd").string()}}};
      g.links.push_back({id, "volume", "network", id});
    }
    return g;
  }
  static at::Tensor maps(const Graph& g, const std::optional<Region>& region = {}) {
    RunOptions o;
    o.memory = roomy;
    Executor e(Registry::all(), o);
    return std::get<Maps>(e.pull(g, "network", "probabilities", region).or_throw()).data;
  }
  static Error refusal(const Graph& g) {
    RunOptions o;
    o.memory = roomy;
    Executor e(Registry::all(), o);
    const auto checked = e.check(g);
    if (!checked.ok()) return checked.error();
    const auto made = e.pull(g, "network", "labels");
    return made.ok() ? Error{} : made.error();
  }
  static double difference(const at::Tensor& a, const at::Tensor& b) { return (a - b).abs().max().item<double>(); }

 private Q_SLOTS:
  void init() {
    save("volume", numbers(0.7));
    save("volume_2", numbers(1.3));
  }

  void pruned_networks_run_too() {
    const at::AutoGradMode off(false);
    net::PruneOptions options;
    options.keep = 0.2;
    options.steps = 2;
    const net::Network network = random_net("msd", {"depth=12", "classes=3"}),
                       small = net::prune(network, options).or_throw().network;
    save(small);
    const at::Tensor expected =
        net::probabilities(small, net::forward(small, numbers(0.7).unsqueeze(1))).transpose(0, 1);
    QVERIFY(difference(maps(pipeline()), expected) < 1e-6);
  }

  void slices_go_through_the_network() {
    const at::AutoGradMode off(false);
    const net::Network network = random_net("msd", {"depth=4", "classes=3"});
    save(network);
    const at::Tensor expected =
        net::probabilities(network, net::forward(network, numbers(0.7).unsqueeze(1))).transpose(0, 1);
    QVERIFY(difference(maps(pipeline()), expected) < 1e-6);
    RunOptions o;
    o.memory = roomy;
    Executor e(Registry::all(), o);
    const at::Tensor labels = std::get<Labels>(e.pull(pipeline(), "network", "labels").or_throw()).data;
    QVERIFY(labels.equal(expected.argmax(0).to(at::kInt)));
  }

  // A network that was trained on slices of TIFF files sees them as they lie there; parts equal those of the whole.
  void rows_run_as_in_training_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("orientations");
    QTest::newRow("dense") << "msd"
                           << "slices";
    QTest::newRow("pooled, whose tiles begin with row 0") << "unet"
                                                          << "slices";
    QTest::newRow("three orientations") << "msd"
                                        << "three";
  }
  void rows_run_as_in_training() {
    QFETCH(QString, name);
    QFETCH(QString, orientations);
    const at::AutoGradMode off(false);
    const net::Network network = name == "msd" ? random_net("msd", {"depth=4", "classes=3"})
                                               : random_net("unet", {"levels=2", "features=4", "classes=3"});
    save(network);
    Graph g = pipeline(orientations.toStdString());
    save("volume", numbers(0.7).flip(1));
    const at::Tensor turned = maps(g);
    save("volume", numbers(0.7));
    const at::Tensor upwards = maps(g);
    g.nodes["network"].params["rows"] = "highest_first";
    const at::Tensor expected = turned.flip(2);
    QVERIFY(difference(maps(g), expected) < 1e-6 && difference(upwards, expected) > 1e-3);
    const at::Tensor part = maps(g, Region{lattice().sub({1, 3}, {2, 9}, {3, 20})});
    QVERIFY(difference(part, expected.slice(1, 1, 3).slice(2, 2, 9).slice(3, 3, 20)) < 1e-5);
  }

  void several_volumes_are_channels() {
    const at::AutoGradMode off(false);
    const net::Network network = random_net("plain", {"inputs=2"});
    save(network);
    const at::Tensor both = at::stack({numbers(0.7), numbers(1.3)}, 1);
    const at::Tensor expected = net::probabilities(network, net::forward(network, both)).transpose(0, 1);
    QVERIFY(difference(maps(pipeline("slices", 2)), expected) < 1e-6);
    QVERIFY(refusal(pipeline()).what.find("reads 2 volumes, 1 is linked") != std::string::npos);
  }

  void three_orientations_are_averaged() {
    const at::AutoGradMode off(false);
    const net::Network network = random_net("msd", {"depth=3"});
    save(network);
    at::Tensor mean = at::zeros({2, nz, ny, nx});
    for (const int64_t across : {0, 1, 2}) {
      const at::Tensor slices = numbers(0.7).movedim(across, 0).unsqueeze(1).contiguous();
      mean += net::probabilities(network, net::forward(network, slices)).transpose(0, 1).movedim(1, across + 1) / 3;
    }
    QVERIFY(difference(maps(pipeline("three")), mean) < 1e-6);
  }

  // U-Nets with strides, with and without borders, and a network of three dimensions.
  void parts_equal_the_whole() {
    const std::pair<const char*, std::vector<std::string>> cases[] = {{"unet", {"features=2", "levels=2"}},
                                                                      {"unet4", {"features=2"}},
                                                                      {"sk", {"inputs=1", "shrink=16", "width=30"}},
                                                                      {"msd", {"depth=3", "dims=3"}}};
    for (const auto& [name, settings] : cases) {
      save(random_net(name, settings));
      for (const char* orientations : {"slices", "three"}) {
        const at::Tensor whole = maps(pipeline(orientations));
        const VolumeGrid part = lattice().sub({1, 3}, {4, 9}, {11, 26});
        const at::Tensor got = maps(pipeline(orientations), Region{part});
        QVERIFY2(difference(got, whole.narrow(1, 1, 2).narrow(2, 4, 5).narrow(3, 11, 15)) < 1e-6, name);
      }
    }
  }

  // An oblique image is read with a sixty-fourth of its edge around it, 16 voxels at least, where the receptive
  // field is larger, and mirrored there; a line or a small image with the whole receptive field.
  void oblique_planes_are_cut() {
    const at::AutoGradMode off(false);
    net::Network network = random_net("msd", {"depth=30"});  // sees 165 pixels
    // Scores of about 1: probabilities of 0 and 1 would not show what is read.
    at::Tensor& last = network.tensors.at("final_layer.linear.weight");
    last = last / net::forward(network, at::rand({1, 1, 64, 64})).std();
    save(network);
    const Graph g = pipeline();
    struct Said final : EventSink {
      void message(LogLevel, std::string_view node, std::string_view text) override {
        cut += node == "network" && text.find("oblique planes") != std::string_view::npos ? 1 : 0;
      }
      int cut = 0;
    } said;
    RunOptions o;
    o.memory = roomy;
    o.events = &said;
    Executor e(Registry::all(), o);
    // Wide enough for all margins: at the surface roundings decide what is inside.
    save("volume", at::arange(3 * 800 * 1100, at::kFloat).mul(0.7).sin().view({3, 800, 1100}),
         VolumeGrid::cubic(3, 800, 1100, 0.5));
    const auto plane = [](int64_t rows, int64_t cols) {
      const double c = std::cos(0.4), s = std::sin(0.4);
      return VolumeGrid::plane(rows, cols, 0.5, {}, {c, s, 0}, {-s, c, 0});
    };
    CallOptions on_screen;
    on_screen.events = &said;
    on_screen.pictures = true;
    const CallOptions elsewhere = e.use(on_screen);
    const VolumeGrid wide = plane(80, 640), around = wide.sub({0, 1}, {-16, 96}, {-16, 656});
    const at::Tensor seen = std::get<Volume>(e.pull(g, "volume", "volume", Region{around}).or_throw()).data;
    const at::Tensor expected =
        net::probabilities(network, net::forward(network, seen.unsqueeze(0))).narrow(2, 16, 80).narrow(3, 16, 640);
    const at::Tensor found = std::get<Maps>(e.pull(g, "network", "probabilities", Region{wide}).or_throw()).data;
    QVERIFY(difference(found, expected.transpose(0, 1)) < 1e-6);
    QCOMPARE(said.cut, 1);
    // The whole receptive field around a small image: as of a larger one, in its middle.
    const VolumeGrid small = plane(40, 40);
    const at::Tensor far =
        std::get<Volume>(e.pull(g, "volume", "volume", Region{small.sub({0, 1}, {-170, 210}, {-170, 210})}).or_throw())
            .data;
    const auto of_middle = [&](int64_t margin) {
      const at::Tensor part = far.narrow(1, 170 - margin, 40 + 2 * margin).narrow(2, 170 - margin, 40 + 2 * margin);
      return net::probabilities(network, net::forward(network, part.unsqueeze(0)))
          .narrow(2, margin, 40)
          .narrow(3, margin, 40)
          .transpose(0, 1);
    };
    // By an executor that does not have the image, whose part it would be.
    Executor other(Registry::all(), o);
    (void)other.use(on_screen);
    const at::Tensor exact = std::get<Maps>(other.pull(g, "network", "probabilities", Region{small}).or_throw()).data;
    // Positions are rounded differently from another corner, which thirty layers enlarge.
    constexpr double rounding = 1e-3, cut_off = 1e-2;
    QVERIFY2(difference(exact, of_middle(170)) < rounding, std::to_string(difference(exact, of_middle(170))).c_str());
    QVERIFY2(difference(exact, of_middle(16)) > cut_off, std::to_string(difference(exact, of_middle(16))).c_str());
    (void)other.pull(g, "network", "probabilities", Region{plane(1, 320)}).or_throw();
    QCOMPARE(said.cut, 1);
    // Elsewhere the same plane is exact, although the image is kept; the image stays what it was.
    (void)e.use(elsewhere);
    const VolumeGrid all_around = wide.sub({0, 1}, {-170, 250}, {-170, 810});
    const at::Tensor all_seen = std::get<Volume>(e.pull(g, "volume", "volume", Region{all_around}).or_throw()).data;
    const at::Tensor whole = net::probabilities(network, net::forward(network, all_seen.unsqueeze(0)))
                                 .narrow(2, 170, 80)
                                 .narrow(3, 170, 640);
    const at::Tensor in_a_run = std::get<Maps>(e.pull(g, "network", "probabilities", Region{wide}).or_throw()).data;
    QVERIFY2(difference(in_a_run, whole.transpose(0, 1)) < rounding,
             std::to_string(difference(in_a_run, whole.transpose(0, 1))).c_str());
    QVERIFY2(difference(found, in_a_run) > cut_off, std::to_string(difference(found, in_a_run)).c_str());
    QCOMPARE(said.cut, 1);
    (void)e.use(on_screen);
    QVERIFY(std::get<Maps>(e.pull(g, "network", "probabilities", Region{wide}).or_throw()).data.equal(found));
    // Of pixels twice as large half as many are read.
    const double c = std::cos(0.4), s = std::sin(0.4);
    const VolumeGrid coarse = VolumeGrid::plane(70, 320, 1, {}, {c, s, 0}, {-s, c, 0});
    const at::Tensor coarse_seen =
        std::get<Volume>(e.pull(g, "volume", "volume", Region{coarse.sub({0, 1}, {-8, 78}, {-8, 328})}).or_throw())
            .data;
    const at::Tensor of_coarse =
        net::probabilities(network, net::forward(network, coarse_seen.unsqueeze(0))).narrow(2, 8, 70).narrow(3, 8, 320);
    const at::Tensor shown = std::get<Maps>(e.pull(g, "network", "probabilities", Region{coarse}).or_throw()).data;
    QVERIFY(difference(shown, of_coarse.transpose(0, 1)) < 1e-6);
  }

  // Through the network to a threshold before it: backwards and along one direction, against central differences.
  void gradients_pass_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("orientations");
    QTest::addColumn<QString>("loss");
    QTest::newRow("dense") << "msd depth=4 classes=3"
                           << "slices"
                           << "cross_entropy";
    QTest::newRow("three orientations") << "msd depth=2 classes=3"
                                        << "three"
                                        << "dice";
    QTest::newRow("three dimensions") << "msd depth=3 dims=3 classes=3"
                                      << "slices"
                                      << "sum";
    QTest::newRow("strided") << "unet features=2 levels=2 classes=3"
                             << "slices"
                             << "cross_entropy";
    QTest::newRow("batch norm") << "unet4 features=2 classes=3"
                                << "slices"
                                << "sum";
  }
  void gradients_pass() {
    QFETCH(QString, name);
    QFETCH(QString, orientations);
    QFETCH(QString, loss);
    const QStringList words = name.split(' ');
    std::vector<std::string> settings;
    for (const QString& word : words.mid(1)) settings.push_back(word.toStdString());
    save(random_net(words[0].toStdString(), settings));
    // A third of the voxels is of each class or of nobody.
    save("labels", (numbers(1.9) * 2).round().abs());
    put(path("labels.nrrd.labels.json"), io::to_json_text(LabelTable{{{0, "a", ""}, {2, "c", ""}}, 1}));
    Graph g = pipeline(orientations.toStdString());
    g.nodes["step"] = {
        "filter.soft_threshold", 1, {{"threshold", Number{0.137, Unit::none}}, {"width", Number{0.3, Unit::none}}}};
    g.links[0].to_node = "step";
    g.links[0].to_port = "volume";
    g.links.push_back({"step", "volume", "network", "volume"});
    g.nodes["labels"] = {"input.load_labels", 1, {{"file", path("labels.nrrd").string()}}};
    g.nodes["loss"] = {
        "objective.segmentation", 1, {{"loss", loss.toStdString()}, {"weights", std::string("balanced")}}};
    g.links.push_back({"network", "probabilities", "loss", "probabilities"});
    g.links.push_back({"labels", "labels", "loss", "labels"});
    const auto value = [&](const at::Tensor& threshold) {
      RunOptions o;
      o.memory = roomy;
      o.dtype = at::kDouble;
      Executor e(Registry::all(), o);
      return std::get<Scalar>(e.pull(g, "loss", "loss", {}, {{{"step", "threshold"}, threshold}}).or_throw()).value;
    };
    const at::Tensor at_point = at::scalar_tensor(0.137, at::kDouble);
    constexpr double h = 1e-6;
    const double slope = (value(at_point + h) - value(at_point - h)).item<double>() / (2 * h);
    const at::Tensor held = at_point.clone().requires_grad_();
    value(held).backward();
    const double backwards = held.grad().item<double>();
    double along = 0;
    {
      const at::AutoGradMode off(false);
      const ForwardDirection direction;
      along = tangent(value(dual(at_point, at::ones_like(at_point)))).item<double>();
    }
    // Few of the kinks of ReLU and pooling lie within a step.
    const double tolerance = 1e-5 * std::abs(slope);
    const std::string text = std::to_string(slope) + " " + std::to_string(backwards) + " " + std::to_string(along);
    QVERIFY2(std::abs(slope) > 1e-4 && std::abs(backwards - slope) < tolerance, text.c_str());
    QVERIFY2(std::abs(along - backwards) < 1e-9 * std::abs(slope), text.c_str());
  }

  // Of probabilities that are known: by hand.
  void error_of_segmentation() {
    net::Network network = random_net("plain", {"classes=2"});
    for (auto& [tensor_name, tensor] : network.tensors) tensor = at::zeros_like(tensor);
    save(network);  // all classes weighted equally
    save("mask", numbers(1.9).gt(0.9).to(at::kFloat));
    Graph g = pipeline();
    g.nodes["labels"] = {"input.load_labels", 1, {{"file", path("mask.nrrd").string()}}};
    g.nodes["loss"] = {"objective.segmentation", 1, {}};
    g.links.push_back({"network", "probabilities", "loss", "probabilities"});
    g.links.push_back({"labels", "labels", "loss", "labels"});
    RunOptions o;
    o.memory = roomy;
    const auto loss = [&] {
      Executor e(Registry::all(), o);
      return e.pull(g, "loss", "loss");
    };
    QVERIFY(std::abs(std::get<Scalar>(loss().or_throw()).value.item<double>() - std::log(2.0)) < 1e-6);
    // All affinities are 1/2, and the weights of pairs within objects and of other pairs sum to 1 each.
    g.nodes["loss"].type = "objective.malis";
    QVERIFY(std::abs(std::get<Scalar>(loss().or_throw()).value.item<double>() - 0.5) < 1e-6);
    g.nodes["loss"].type = "objective.segmentation";
    g.nodes["loss"].params["loss"] = std::string("dice");
    constexpr double n = nz * ny * nx;
    const double ones = numbers(1.9).gt(0.9).sum().item<double>();
    const double expected = 1 - 0.5 * (ones / (0.5 * n + ones) + (n - ones) / (1.5 * n - ones));
    QVERIFY(std::abs(std::get<Scalar>(loss().or_throw()).value.item<double>() - expected) < 1e-6);
    save("mask", numbers(1.9).gt(0.9).to(at::kFloat) * 7);
    QVERIFY(loss().error().what.find("no class has the label 7") != std::string::npos);
    put(path("mask.nrrd.labels.json"), io::to_json_text(LabelTable{{{1, "one", ""}}, 0}));
    save("mask", numbers(1.9) * 0);
    QVERIFY(loss().error().what.find("no voxel is labelled") != std::string::npos);
  }

  void what_cannot_be_is_refused() {
    Graph none = pipeline();
    none.nodes["network"].params["model"] = std::string();
    QVERIFY(refusal(none).what.find("no network is chosen") != std::string::npos);
    save(random_net("sw", {"inputs=1", "shrink=16", "width=30"}));
    QVERIFY(refusal(pipeline()).hint.find("sk") != std::string::npos);
    put(path("n.safetensors"), "nothing");
    QVERIFY(!refusal(pipeline()).what.empty());
    save(random_net("msd", {"depth=2"}));
    at::Tensor spoilt = numbers(0.7);
    spoilt[2][3][4] = std::numeric_limits<float>::quiet_NaN();
    save("volume", spoilt);
    QVERIFY(refusal(pipeline()).what.find("not finite") != std::string::npos);
  }
};

TL_TEST_CASE(NetworkNode)

}  // namespace tl::network_node_test

#include "network_node.moc"
