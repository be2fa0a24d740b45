// Checks networks of every architecture with random weights.
#include "core/net/verify/verify_networks.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <set>

#include "core/net/apply.h"
#include "core/net/architectures/architectures.h"
#include "core/net/convert.h"
#include "core/net/prune/edge_norms.h"
#include "gpu/segmentation/malis.h"
#include "gpu/verify/cases.h"

namespace tl::net {
namespace {

struct NetworkCase {
  std::string name;
  std::vector<std::string> settings;
  int64_t size;  // size of the input along each axis
};

// Every kind of layer.
std::vector<NetworkCase> network_cases(VerifySize size) {
  std::vector<NetworkCase> cases{{"msd", {"depth=12", "classes=3", "dilations=4"}, 20},
                                 {"msd", {"depth=4", "width=2", "dims=3", "dilations=2"}, 7},
                                 {"unet", {"features=2", "levels=2"}, 44},
                                 {"unet4", {"features=2"}, 32},
                                 {"u", {"features=2", "levels=1", "inputs=1"}, 24},
                                 {"sk", {"shrink=16", "width=30", "inputs=1"}, 33},
                                 {"plain", {"depth=3", "channels=4"}, 12}};
  if (size == VerifySize::full) cases.push_back({"usk", {"features=2"}, 188});
  return cases;
}

Network random_network(const NetworkCase& c) {
  Network network = make_network(c.name, c.settings).or_throw();
  randomise(network, 7).or_throw();
  for (auto& [name, tensor] : network.tensors) tensor = tensor.to(at::kDouble);
  return network;
}

at::Tensor random_input(const Network& network, int64_t size) {
  std::vector<int64_t> shape{1, network.layers.front().channels};
  shape.insert(shape.end(), static_cast<std::size_t>(network.dims), size);
  return verify::gaussian(shape, 3, 11);
}

std::string case_name(const NetworkCase& c) {
  std::string text = c.name;
  for (const std::string& s : c.settings) text += " " + s;
  return text;
}

// The derivative along one random direction of all weights and the input together.
double gradient_error(const Network& network, const at::Tensor& input) {
  const at::AutoGradMode on(true);
  Network leaf_network = network;
  std::vector<at::Tensor> leaves{input.clone().set_requires_grad(true)},
      directions{verify::gaussian(input.sizes().vec(), 5, 0)};
  uint64_t stream = 1;
  std::set<std::string> fixed;  // means and variances are measured, not trained
  for (const Layer& l : network.layers) fixed.insert({l.mean, l.variance});
  for (auto& [name, tensor] : leaf_network.tensors) {
    if (fixed.count(name) != 0) continue;
    tensor = tensor.clone().set_requires_grad(true);
    leaves.push_back(tensor);
    directions.push_back(verify::gaussian(tensor.sizes().vec(), 5, stream++));
  }
  at::Tensor weights;
  const auto loss = [&](const Network& n, const at::Tensor& x) {
    const at::Tensor out = forward(n, x);
    if (!weights.defined()) weights = verify::gaussian(out.sizes().vec(), 9, 0);
    return (out * weights).sum();
  };
  loss(leaf_network, leaves[0]).backward();
  double analytic = 0;
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (leaves[i].grad().defined()) analytic += (leaves[i].grad() * directions[i]).sum().item<double>();
  const at::AutoGradMode off(false);
  // So short that hardly any rectifier's input changes sign.
  constexpr double step = 1e-7;
  const auto moved = [&](double by) {
    Network n = leaf_network;
    std::size_t i = 0;
    const at::Tensor x = leaves[0].detach() + by * directions[0];
    for (auto& [name, tensor] : n.tensors) {
      if (fixed.count(name) != 0) continue;
      ++i;
      tensor = tensor.detach() + by * directions[i];
    }
    return loss(n, x).item<double>();
  };
  const double numeric = (moved(step) - moved(-step)) / (2 * step);
  return std::abs(analytic - numeric) / std::max(std::abs(analytic), 1e-300);
}

// A part of an image of which the size has nothing to do with the network's.
double tile_error(const Network& network) {
  const Footprint footprint = footprint_of(network).or_throw();
  const auto dims = static_cast<std::size_t>(network.dims);
  const int64_t length = network.dims == 3 ? 11 : 61;
  at::Tensor data = random_input(network, length).squeeze(0);
  const std::vector<std::optional<int64_t>> lengths(dims, length);
  const std::vector<Range> all(dims, Range{0, length}), part(dims, Range{length / 3, length / 2});
  const at::Tensor whole = apply(network, footprint, {data, all, lengths}, all);
  std::vector<Range> read;
  at::Tensor expected = whole;
  for (std::size_t a = 0; a < dims; ++a) {
    const auto axis = static_cast<int64_t>(a) + 1;
    read.push_back(range_read_by(tile_for(footprint, length, part[a]), length));
    data = data.narrow(axis, read[a].begin, read[a].size());
    expected = expected.narrow(axis, part[a].begin, part[a].size());
  }
  const at::Tensor got = apply(network, footprint, {data, read, lengths}, part);
  return (got - expected).abs().max().item<double>();
}

double window_error() {
  Network window = make_network("sw", {"shrink=16", "width=30", "inputs=2"}).or_throw();
  randomise(window, 5).or_throw();
  for (auto& [name, tensor] : window.tensors) tensor = tensor.to(at::kDouble);
  const Network all = fully_convolutional(window).or_throw();
  constexpr int64_t out = 7, width = 30;
  const at::Tensor x = random_input(window, out + width - 1), map = forward(all, x);
  double worst = 0;
  for (int64_t j = 0; j < out; ++j)
    for (int64_t i = 0; i < out; ++i) {
      const at::Tensor one = forward(window, x.narrow(2, j, width).narrow(3, i, width));
      worst = std::max(worst, (one.flatten() - map.select(3, i).select(2, j).flatten()).abs().max().item<double>());
    }
  return worst;
}

double box_norm_error() {
  const at::Tensor box = at::full({1, 3, 3}, 1.0 / 9, at::kDouble);
  return std::abs(operator_norms(box).item<double>() - 1);
}

// MALIS error for the published chain of pixels: 10 pairs in the same object, 26 in different ones.
double malis_error(ops::PixelPairs pairs, int64_t published) {
  const std::vector<int32_t> object{0, 1, 1, 1, 2, 2, 0, 5, 5, 5, 5};
  const ops::AffinityEdges chain{
      {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {0, 0.4F, 0.8F, 0, 0.8F, 0, 0, 0.4F, 0.8F, 1}};
  int64_t sum = 0;
  for (const int64_t n : ops::joined_pairs(object, chain, pairs)) sum += n;
  return std::abs(static_cast<double>(sum - published));
}

// Published numbers of layers, parameters and edges of networks; 0: not published.
struct PublishedCounts {
  const char* name;
  std::vector<std::string> settings;
  int64_t parameters = 0, weights = 0, edges = 0, reach = 0;
};
std::vector<PublishedCounts> published_counts() {
  return {{"msd", {"depth=50", "classes=5"}, 11785, 0, 0, 275},
          {"msd", {"depth=100", "classes=1"}, 45652, 0, 0, 550},
          {"unet", {}, 31030658},
          {"unet4", {}, 14787842, 0, 1835200},
          {"fcn_resnet50", {"classes=21"}, 32957013, 0, 14445248},
          {"fcn_resnet50", {"classes=21", "aux=1"}, 35322218},
          {"sk", {}, 0, 20567952},
          {"u", {}, 0, 28936000},
          {"usk", {}, 0, 5510976}};
}

}  // namespace

CheckTable verify_networks(VerifySize size, const CancelToken& cancel) {
  const at::AutoGradMode off(false);
  CheckTable table;
  const auto row = [&](const std::string& id, const std::string& what, const std::string& where, double value,
                       double bound) {
    table.push_back({id, what, where, "float64", value, bound, value <= bound});
  };
  for (const NetworkCase& c : network_cases(size)) {
    if (cancel.cancelled()) throw Failure(cancelled());
    const Network network = random_network(c);
    row("network gradients", "gradients of " + c.name, case_name(c),
        gradient_error(network, random_input(network, c.size)), 1e-6);
    row("network tiles", "tiles of " + c.name, case_name(c), tile_error(network), 1e-12);
  }
  for (const PublishedCounts& p : published_counts()) {
    const Network network = make_network(p.name, p.settings).or_throw();
    const Counts found = counts_of(network).or_throw();
    std::string name = p.name;
    for (const std::string& setting : p.settings) name += " " + setting;
    const auto same = [&](const char* what, int64_t published, int64_t value) {
      if (published > 0) row("network counts", what, name, std::abs(static_cast<double>(value - published)), 0);
    };
    same("parameters next to the published number", p.parameters, found.parameters());
    same("weights without biases next to the published number", p.weights, found.weights);
    same("edges next to the published number", p.edges, found.edges);
    if (p.reach > 0) same("reach next to the published number", p.reach, footprint_of(network).or_throw().reach());
  }
  row("network windows", "sk of sw", "sw shrink=16 width=30 inputs=2", window_error(), 1e-12);
  row("network pruning", "operator norm 1", "3 x 3 box of 1/9", box_norm_error(), 1e-12);
  row("network MALIS", "10 pairs of one object", "11 pixels", malis_error(ops::PixelPairs::of_one_object, 10), 0);
  row("network MALIS", "26 pairs of two objects", "11 pixels", malis_error(ops::PixelPairs::of_different_objects, 26),
      0);
  return table;
}

}  // namespace tl::net
