// Pruned networks: the smaller graph gives what the larger one gives with zeros; counts, schedule, report, files.
#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <nlohmann/json.hpp>

#include "core/io/model/safetensors.h"
#include "core/net/architectures/architectures.h"
#include "core/net/counts.h"
#include "core/net/files/network_file.h"
#include "core/net/footprint.h"
#include "core/net/forward.h"
#include "core/net/prune/prune_report.h"
#include "core/net/prune/smaller.h"
#include "tests/support/test_case.h"

namespace tl::pruned_networks_test {

using namespace net;

namespace {

Network trained(const QString& text, uint64_t seed = 3) {
  std::vector<std::string> words;
  for (const QString& w : text.split(' ', Qt::SkipEmptyParts)) words.push_back(w.toStdString());
  Network network = make_network(words.front(), {words.begin() + 1, words.end()}).or_throw();
  randomise(network, seed).or_throw();
  // Training makes some filters of dense networks strong, which they are not at first: then there are paths.
  if (words.front() == "msd")
    for (auto& [name, tensor] : network.tensors)
      if (tensor.dim() > 1) tensor.mul_(4);
  return network;
}

Pruned pruned_by(const Network& network, PruneMethod method, double keep, int64_t steps = 1) {
  PruneOptions options;
  options.method = method;
  options.keep = keep;
  options.steps = steps;
  return prune(network, options).or_throw();
}

at::Tensor picture_for(const Network& network, int64_t size) {
  std::vector<int64_t> shape{1, network.layers.front().channels};
  shape.insert(shape.end(), static_cast<std::size_t>(network.dims), size);
  return at::rand(shape);
}

// The first network with the edges set to zero that the report does not call kept, and nothing else.
Network with_zeros_by_report(const Network& network, const Pruned& pruned) {
  Network zeroed = network;
  for (auto& [name, tensor] : zeroed.tensors) tensor = tensor.clone();
  for (const PrunedLayer& p : pruned.layers)
    for (const Layer& l : network.layers) {
      if (l.name != p.name) continue;
      at::Tensor filters = filters_of(zeroed, l);
      std::vector<int64_t> shape = p.pruned_in_step.sizes().vec();
      shape.resize(static_cast<std::size_t>(filters.dim()), 1);
      zeroed.tensors[l.weight] = in_file_layout(zeroed, l, filters * p.pruned_in_step.eq(0).view(shape).to(at::kFloat));
    }
  return zeroed;
}

void compare(const at::Tensor& small, const at::Tensor& large) {
  QVERIFY(small.sizes().equals(large.sizes()));
  const double range = std::max((large.max() - large.min()).item<double>(), large.abs().max().item<double>());
  const double difference = (small - large).abs().max().item<double>();
  QVERIFY2(difference <= 1e-5 * range, qPrintable(QString("%1 of %2").arg(difference).arg(range)));
}

constexpr PruneMethod all_methods[] = {PruneMethod::lean, PruneMethod::operator_norm, PruneMethod::l1,
                                       PruneMethod::geometric_median, PruneMethod::soft};

}  // namespace

class PrunedNetworks : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void equal_the_larger_network_with_zeros_data() {
    QTest::addColumn<QString>("settings");
    QTest::addColumn<int>("size");
    QTest::addColumn<double>("keep");
    QTest::newRow("msd") << "msd depth=30 classes=3" << 40 << 0.1;
    QTest::newRow("msd, wide") << "msd depth=8 width=3 inputs=2" << 24 << 0.2;
    QTest::newRow("msd, 3D") << "msd depth=6 dims=3 dilations=2" << 9 << 0.3;
    QTest::newRow("unet") << "unet features=2" << 188 << 0.2;
    QTest::newRow("unet4") << "unet4 features=2" << 32 << 0.2;
    QTest::newRow("sk") << "sk shrink=16" << 110 << 0.5;
    QTest::newRow("sk, a fifth") << "sk shrink=16" << 110 << 0.2;
    QTest::newRow("sw") << "sw shrink=16" << 102 << 0.1;
    QTest::newRow("usk") << "usk features=4" << 190 << 0.2;
    QTest::newRow("plain") << "plain depth=5 channels=6" << 20 << 0.3;
  }
  void equal_the_larger_network_with_zeros() {
    const at::AutoGradMode off(false);
    QFETCH(QString, settings);
    QFETCH(int, size);
    QFETCH(double, keep);
    const Network network = trained(settings);
    const at::Tensor x = picture_for(network, size);
    for (const PruneMethod method : all_methods) {
      PruneOptions options;
      options.method = method;
      options.keep = keep;
      options.steps = 2;
      const Pruned p = prune(network, options).or_throw();
      if (method == PruneMethod::lean) QVERIFY(p.steps.front().paths > 0);
      EdgeMatrices kept;
      int64_t count = 0;
      for (const PrunedLayer& layer : p.layers) {
        kept[layer.name] = layer.pruned_in_step.eq(0);
        if (layer.prunable) count += kept[layer.name].sum().item<int64_t>();
      }
      QCOMPARE(count, p.steps.back().kept);
      const Connections left = connections(network, kept);
      for (const auto& [name, matrix] : left.edges) QVERIFY(matrix.equal(kept.at(name)));
      const at::Tensor small = forward(p.network, x);
      compare(small, forward(with_zeros(network, left), x));
      // No residual edge carries what biases alone make, so that they do not matter.
      compare(small, forward(with_zeros_by_report(network, p), x));
      // Not always fewer: in full matrices removed filters may stay as zeros.
      QVERIFY(counts_of(p.network).or_throw().parameters() <= counts_of(network).or_throw().parameters());
      // Through a file.
      const Network again =
          network_of(io::model_from_safetensors(io::to_safetensors(model_of(p.network)), "pruned").or_throw(), "pruned")
              .or_throw();
      QVERIFY(forward(again, x).equal(small));
    }
  }

  void dense_layers_read_only_what_is_left() {
    const Network network = trained("msd depth=40 classes=2");
    const Pruned p = pruned_by(network, PruneMethod::lean, 0.05, 5);
    const int64_t filters_of_one_channel = p.steps.back().kept;
    int64_t weights = 0;
    for (const Layer& l : p.network.layers)
      if (l.kind == LayerKind::convolution && l.kernel == 3) weights += p.network.tensors.at(l.weight).numel();
    // No filter is there as zeros.
    QCOMPARE(weights, 9 * filters_of_one_channel);
    // It reaches no further than the network that it was, and is one for images still.
    const Footprint before = footprint_of(network).or_throw(), after = footprint_of(p.network).or_throw();
    QVERIFY(after.same && after.reach() <= before.reach());
  }

  // Without a listener the maps of a dense network make room for each other, and its last layer is computed along.
  void maps_that_make_room_equal_those_kept() {
    for (const char* text : {"msd depth=20 classes=3", "msd depth=12 width=2 classes=2 inputs=2", "msd depth=1"})
      for (const double keep : {1.0, 0.3, 0.05}) {
        const Network network = trained(text);
        const Network pruned = keep < 1 ? pruned_by(network, PruneMethod::operator_norm, keep).network : network;
        const at::NoGradGuard off;
        for (const int64_t size : {1, 7, 130}) {
          const at::Tensor picture = picture_for(pruned, size).to(at::kDouble);
          ForwardOptions kept;
          kept.after_layer = [](std::size_t, const at::Tensor&) {};
          const at::Tensor made = forward(pruned, picture), expected = forward(pruned, picture, kept);
          QVERIFY2(made.sizes().equals(expected.sizes()), text);
          // Rounding of float64: the last layer's sums have another order.
          const double bar = 1e-12 * std::max(1.0, expected.abs().max().item<double>());
          QVERIFY2((made - expected).abs().max().item<double>() < bar, text);
          // That of float32.
          const at::Tensor single = forward(pruned, picture.to(at::kFloat));
          QVERIFY2((single - expected).abs().max().item<double>() < 1e8 * bar, text);
        }
      }
  }

  void nothing_is_left_of_what_only_biases_reach() {
    const Network network = trained("plain depth=4 channels=5");
    EdgeMatrices kept = all_edges(network);
    kept["conv1"].zero_();
    kept["conv1"][2][1] = true;
    kept["conv2"].select(1, 2).zero_();  // nobody reads the one channel that is left
    const auto smaller = smaller_network(network, connections(network, kept));
    QVERIFY(!smaller.ok());
    QVERIFY(!smaller.error().hint.empty());
    kept["conv2"][4][2] = true;
    const SmallerNetwork one = smaller_network(network, connections(network, kept)).or_throw();
    QCOMPARE(one.network.tensors.at("conv1.weight").sizes().vec(), (std::vector<int64_t>{1, 1, 3, 3}));
    QCOMPARE(one.network.tensors.at("conv0.weight").size(0), 1);
    QCOMPARE(one.network.tensors.at("conv2.weight").sizes().vec(), (std::vector<int64_t>{1, 1, 3, 3}));
    QCOMPARE(one.network.tensors.at("conv1.bias").numel(), 1);
    QCOMPARE(one.network.tensors.at("conv3.weight").size(1), 1);
  }

  void residual_blocks_of_which_nothing_is_left_go() {
    const at::AutoGradMode off(false);
    const Network network = trained("fcn_resnet50 classes=2");
    EdgeMatrices kept = all_edges(network);
    kept["backbone.layer1.1.conv3"].zero_();
    const Connections left = connections(network, kept);
    const SmallerNetwork smaller = smaller_network(network, left).or_throw();
    for (const Layer& l : smaller.network.layers) QVERIFY(l.name.find("layer1.1.") == std::string::npos);
    const at::Tensor x = picture_for(network, 24);
    compare(forward(smaller.network, x), forward(with_zeros(network, left), x));
  }

  void sizes_that_crops_need_stay() {
    const at::AutoGradMode off(false);
    const Network network = trained("unet features=2 levels=2");
    EdgeMatrices kept = all_edges(network);
    kept["up0.enlarge"].zero_();  // only the map of the path down is left
    const Connections left = connections(network, kept);
    const SmallerNetwork smaller = smaller_network(network, left).or_throw();
    const at::Tensor x = picture_for(network, 44);
    compare(forward(smaller.network, x), forward(with_zeros(network, left), x));
    QVERIFY(counts_of(smaller.network).or_throw().edges * 3 < counts_of(network).or_throw().edges);
  }

  // Its filters of 10 x 10 pixels are stronger than all of 1 x 1 behind them, and more than a fifth of all.
  void a_layer_of_weak_filters_is_not_removed_whole() {
    const Network network = trained("sk shrink=16");
    for (const PruneMethod method : {PruneMethod::lean, PruneMethod::operator_norm, PruneMethod::l1}) {
      const Pruned p = pruned_by(network, method, 0.2);
      QVERIFY(p.steps.back().whole_chains);
      QCOMPARE(p.steps.back().paths, 0);
      QVERIFY(!pruned_by(network, method, 0.7).steps.back().whole_chains);
      const double reached = static_cast<double>(p.steps.back().kept) / static_cast<double>(p.edges);
      // Chains are kept whole, so that hardly an edge is redundant.
      QVERIFY2(std::abs(reached - 0.2) < 0.002, qPrintable(QString("%1: %2").arg(int(method)).arg(reached)));
      // Down to a single chain.
      const Pruned least = pruned_by(network, method, 1e-6);
      QCOMPARE(least.steps.back().kept, static_cast<int64_t>(filter_layers(network).size()) - 1);
    }
  }

  void the_ratio_is_reached_in_equal_steps() {
    const Network network = trained("msd depth=60 classes=2");
    for (const PruneMethod method : all_methods) {
      const Pruned p = pruned_by(network, method, 0.1, 4);
      QCOMPARE(p.edges, 60 * 61 / 2);
      QCOMPARE(p.steps.size(), std::size_t{4});
      int64_t before = p.edges;
      for (const PruneStep& s : p.steps) {
        QVERIFY(std::abs(s.asked - std::pow(0.1, static_cast<double>(s.step) / 4)) < 1e-12);
        // Redundant edges count as removed: never more than asked, but for the end of a path or the filters of one
        // layer.
        QVERIFY(s.kept <= (s.asked + 0.02) * static_cast<double>(p.edges));
        if (method != PruneMethod::soft) {
          QCOMPARE(s.kept + s.pruned + s.redundant, before);
          before = s.kept;
        }
      }
      const double reached = static_cast<double>(p.steps.back().kept) / static_cast<double>(p.edges);
      QVERIFY2(std::abs(reached - 0.1) <= 0.02, qPrintable(QString("%1: %2").arg(int(method)).arg(reached)));
    }
  }

  void training_in_between_sees_the_smaller_network_and_keeps_zeros() {
    const Network network = trained("msd depth=10 width=2");
    PruneOptions options;
    options.keep = 0.2;
    options.steps = 3;
    std::vector<int64_t> sizes;
    std::size_t masked = 0;
    options.fine_tune = [&](Network& n, const FilterMasks& masks) -> Result<void> {
      for (const auto& [name, mask] : masks) {
        const at::Tensor zeros = mask.eq(0);
        if (!zeros.any().item<bool>() || n.tensors.at(name).masked_select(zeros).ne(0).any().item<bool>())
          return invalid("a mask without zeros, or of other numbers", name);
      }
      masked += masks.size();
      sizes.push_back(counts_of(n).or_throw().edges);
      for (auto& [name, tensor] : n.tensors) tensor = tensor + 1;  // zeros among them
      return ok();
    };
    const Pruned p = prune(network, options).or_throw();
    QCOMPARE(sizes.size(), std::size_t{3});
    QVERIFY(sizes[0] > sizes[1] && sizes[1] > sizes[2]);
    int64_t filters = 0;
    for (const std::size_t i : filter_layers(p.network)) {
      if (i == filter_layers(p.network).back()) continue;
      filters += filters_of(p.network, p.network.layers[i]).abs().flatten(2).sum(2).gt(0).sum().item<int64_t>();
    }
    QCOMPARE(filters, p.steps.back().kept);
    QVERIFY(masked > 0);
    options.fine_tune = [](Network&, const FilterMasks&) -> Result<void> { return invalid("no data"); };
    QVERIFY(!prune(network, options).ok());
  }

  void softly_pruned_filters_grow_again() {
    const Network network = trained("plain depth=3 channels=8");
    PruneOptions options;
    options.method = PruneMethod::soft;
    options.keep = 0.3;
    options.steps = 2;
    int64_t calls = 0, grown = 0;
    options.fine_tune = [&](Network& n, const FilterMasks&) -> Result<void> {
      // After the first step all filters are there; those that were zero become the largest.
      if (calls++ == 0) {
        at::Tensor w = n.tensors.at("conv1.weight");
        const at::Tensor zero = w.abs().flatten(1).sum(1).eq(0);
        grown = zero.sum().item<int64_t>();
        n.tensors["conv1.weight"] = w + 10 * zero.to(at::kFloat).view({-1, 1, 1, 1});
      }
      return ok();
    };
    const Pruned p = prune(network, options).or_throw();
    const at::Tensor w = p.network.tensors.at("conv1.weight");
    QVERIFY(grown > 0 && w.size(0) < 8);
    QCOMPARE(w.flatten(1).amin(1).gt(5).sum().item<int64_t>(), std::min(grown, w.size(0)));
  }

  void the_report_names_every_edge() {
    const Network network = trained("msd depth=12 classes=2");
    PruneOptions options;
    options.keep = 0.2;
    options.steps = 3;
    const Pruned p = prune(network, options).or_throw();
    const auto json = nlohmann::json::parse(report_text(network, p, options).or_throw());
    QCOMPARE(json["layers"].size(), std::size_t{13});
    QCOMPARE(json["edges"].get<int64_t>(), 78);
    QCOMPARE(json["fine_tuned"].get<bool>(), false);
    int64_t kept = 0, edges = 0;
    for (const auto& layer : json["layers"]) {
      QCOMPARE(layer["fates"].size(), layer["norms"].size());
      for (std::size_t row = 0; row < layer["fates"].size(); ++row) {
        QCOMPARE(layer["fates"][row].size(), layer["inputs"].size());
        QCOMPARE(layer["norms"][row].size(), layer["inputs"].size());
        for (const auto& fate : layer["fates"][row]) {
          if (!layer["prunable"].get<bool>()) continue;
          ++edges;
          kept += fate == "kept" ? 1 : 0;
          QVERIFY(fate == "kept" || fate.get<std::string>().rfind("pruned ", 0) == 0 ||
                  fate.get<std::string>().rfind("redundant ", 0) == 0);
        }
      }
    }
    QCOMPARE(edges, 78);
    QCOMPARE(kept, p.steps.back().kept);
    QCOMPARE(json["layers"][3]["inputs"][1].get<std::string>(), std::string("relu0:0"));
  }

  void wrong_numbers_are_refused() {
    const Network network = trained("msd depth=4");
    PruneOptions options;
    for (const double keep : {0.0, 1.0, -1.0, std::nan("")}) {
      options.keep = keep;
      QVERIFY(!prune(network, options).ok());
    }
    options = {};
    options.steps = 0;
    QVERIFY(!prune(network, options).ok());
    options = {};
    QVERIFY(!prune(trained("plain depth=1"), options).ok());
    QVERIFY(!prune(make_network("msd", {"depth=4"}).or_throw(), options).ok());
    options.cancel.cancel();
    QVERIFY(prune(network, options).error().kind == ErrorKind::cancelled);
  }

  // Searches in large networks take long.
  void a_step_under_way_ends_when_it_is_cancelled() {
    const Network network = trained("msd depth=10");
    const CancelToken cancel;
    cancel.cancel();
    for (const PruneMethod method :
         {PruneMethod::lean, PruneMethod::operator_norm, PruneMethod::geometric_median, PruneMethod::soft})
      QVERIFY_EXCEPTION_THROWN(choose_edges(network, all_edges(network), method, 20, cancel), Failure);
  }
};

TL_TEST_CASE(PrunedNetworks)

}  // namespace tl::pruned_networks_test

#include "pruned_networks.moc"
