// The network node: probabilities of the file's network, slice by slice or in three orientations, tiles and lazy parts;
// what cannot be is refused.
#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include "core/io/model/safetensors.h"
#include "core/net/architectures/architectures.h"
#include "core/net/forward.h"
#include "core/net/network_file.h"
#include "core/net/prune/prune.h"
#include "core/run/executor.h"
#include "tests/support/test_case.h"
#include "tests/support/volume_files.h"

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

  void save(const std::string& name, const at::Tensor& values) {
    io::VolumeTarget t = target(path(name + ".nrrd"), lattice());
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
