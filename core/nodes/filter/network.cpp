// core/nodes/filter/network.cpp: a small convolutional network whose weights are learned.
#include <ATen/ATen.h>

#include <cmath>

#include "core/base/random.h"
#include "core/nodes/filter/filter_node.h"

namespace tl {
namespace filter_network_node {

enum class Gives { correction, picture };
enum class Activation { smooth, rectifier };

struct Params {
  std::vector<double> channels{16, 8};  // of the hidden layers
  Learnable<std::optional<NumberArray>> weights;
  Activation activation = Activation::smooth;
  Gives gives = Gives::correction;
  double scale = 1;
  int64_t seed = 1;
};

constexpr int64_t edge = 3;  // of the kernels
constexpr double most_channels = 512;

// One layer after the other: kernels [out, in, 3, 3], then [out] biases.
struct Layer {
  int64_t in = 1, out = 1;
  [[nodiscard]] int64_t kernels() const { return out * in * edge * edge; }
};
std::vector<Layer> layers_of(const Params& p) {
  std::vector<Layer> layers;
  int64_t before = 1;
  for (const double n : p.channels) {
    layers.push_back({before, static_cast<int64_t>(n)});
    before = layers.back().out;
  }
  layers.push_back({before, 1});
  return layers;
}
int64_t count_of(const Params& p) {
  int64_t count = 0;
  for (const Layer& l : layers_of(p)) count += l.kernels() + l.out;
  return count;
}

ops::Reach reach_of(const Params& p) {
  const auto layers = static_cast<int64_t>(p.channels.size()) + 1;
  return {0, layers * (edge / 2), layers * (edge / 2)};
}

Result<void> check(const Params& p, const Infos&) {
  for (const double n : p.channels)
    if (n != std::floor(n)) return invalid("a layer cannot have " + std::to_string(n) + " channels", "channels");
  if (p.channels.size() > 16) return invalid("more than 16 layers", "channels", "Give fewer");
  if (p.weights.value && p.weights.value->shape() != std::vector<int64_t>{count_of(p)})
    return invalid("the weights are " + shape_text(p.weights.value->shape()) + ", these layers have " +
                       std::to_string(count_of(p)),
                   "weights", "Learn them again, or set them to auto");
  return ok();
}

// Normal numbers of variance 2 / inputs (He et al.), biases 0; the last layer begins at a tenth of that, so that a
// correction begins small.
Result<NumberArray> drawn_weights(const Params& p, const Infos&) {
  std::vector<float> weights;
  const Philox random{static_cast<uint64_t>(p.seed), 0x4e37};
  const auto layers = layers_of(p);
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const double sigma = std::sqrt(2.0 / static_cast<double>(layers[l].in * edge * edge)) *
                         (l + 1 == layers.size() && p.gives == Gives::correction ? 0.1 : 1);
    for (int64_t i = 0; i < layers[l].kernels(); ++i) {
      const auto at = 2 * static_cast<uint64_t>(weights.size());
      const double radius = std::sqrt(-2 * std::log(random.uniform(at)));
      weights.push_back(static_cast<float>(sigma * radius * std::cos(2 * pi * random.uniform(at + 1))));
    }
    weights.insert(weights.end(), static_cast<std::size_t>(layers[l].out), 0.0F);
  }
  const std::vector<int64_t> shape{static_cast<int64_t>(weights.size())};
  return NumberArray::make(shape, std::move(weights));
}

at::Tensor through(const Params& p, const at::Tensor& slices, const at::Tensor& weights) {
  at::Tensor x = (slices / p.scale).unsqueeze(1);  // [slice, channel, y, x]
  int64_t at = 0;
  const auto layers = layers_of(p);
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const auto [in, out] = layers[l];
    const at::Tensor kernels = weights.narrow(0, at, layers[l].kernels()).view({out, in, edge, edge});
    const at::Tensor biases = weights.narrow(0, at + layers[l].kernels(), out);
    at += layers[l].kernels() + out;
    x = at::conv2d(x, kernels, biases, 1, edge / 2);
    if (l + 1 < layers.size()) x = p.activation == Activation::smooth ? at::silu(x) : at::relu(x);
  }
  x = x.squeeze(1) * p.scale;
  return p.gives == Gives::correction ? slices + x : x;
}

Result<void> run(const Params& p, NodeRun& r) {
  at::Tensor weights = tensor_of(p.weights, {});
  if (!weights.defined()) {
    TL_TRY(const NumberArray drawn, drawn_weights(p, r.infos));
    weights = tensor_of(drawn);
  }
  if (weights.dim() != 1 || weights.size(0) != count_of(p))
    return invalid("the network has " + std::to_string(count_of(p)) + " weights", "weights");
  return run_filter(reach_of(p), r, [&](const at::Tensor& slices) -> Result<at::Tensor> {
    return through(p, slices, weights.to(slices.device(), slices.scalar_type()));
  });
}

int64_t workspace(const Params& p, const Infos& in, const Region& wanted, int64_t element_size) {
  int64_t widest = 1;
  for (const Layer& l : layers_of(p)) widest = std::max(widest, l.out);
  const VolumeGrid around = neighbourhood(volume_of(in).grid, std::get<VolumeGrid>(wanted), reach_of(p)).grid;
  return (2 * widest + 2) * region_bytes(around, element_size);  // two layers at a time
}

void describe(NodeBuilder<Params>& n) {
  n.id("filter.network", 1).title("Convolutional network").category("Filter");
  n.summary("Passes every slice through a small convolutional network (CNN) with learned weights.");
  n.description(
      "Layers of 3 x 3 kernels with a nonlinear activation between them. Train it like any other parameter: mark the "
      "weights, score the slices against a better reconstruction or against views that they were not made of, and "
      "learn, together with parameters of earlier nodes if wanted. Before training the weights are random. For many "
      "weights use Adam on subsets of the data.");
  n.cite(
      "K. He, X. Zhang, S. Ren, J. Sun, Delving deep into rectifiers: surpassing human-level performance on ImageNet "
      "classification, ICCV (2015) 1026");
  n.cite("S. Elfwing, E. Uchibe, K. Doya, Sigmoid-weighted linear units, Neural Networks 107 (2018) 3");
  n.cite("C. Dong et al., Image super-resolution using deep convolutional networks, IEEE TPAMI 38 (2016) 295");
  n.synonyms(
      {"CNN", "neural network", "denoise", "deep learning", "weights", "machine learning", "SiLU", "ReLU", "training"});
  n.input<Volume>("volume", "Any volume.");
  n.output<Volume>("volume", "The same grid.");
  n.param("channels", &Params::channels)
      .title("Channels")
      .range(1, most_channels)
      .help("Channels of every hidden layer; the output layer with one channel comes after them.");
  n.param("weights", &Params::weights)
      .title("Weights")
      .automatic("drawn at random, a small correction")
      .learnable()
      .help("Weights, layer by layer: the kernels, output channel by output channel, then the biases.");
  n.array_of_auto("weights", drawn_weights);
  n.param("activation", &Params::activation, {{"smooth", "x / (1 + exp(-x))"}, {"rectifier", "max(x, 0)"}})
      .title("Activation")
      .help(
          "Activation between the layers. The smooth one (SiLU) has a derivative everywhere, which suits methods other "
          "than Adam better.");
  n.param("gives", &Params::gives, {{"correction", "A correction"}, {"picture", "The slice"}})
      .title("Gives")
      .help("Whether the output of the network is added to the slice or replaces it.");
  n.param("scale", &Params::scale)
      .title("Scale")
      .range(1e-9, 1e9)
      .help("A typical grey value: slices are divided by it before the network and multiplied after it.");
  n.param("seed", &Params::seed)
      .title("Seed")
      .range(0, 2147483647)
      .advanced()
      .help("Seed of the weights before training.");
  n.needs([](const Params& p, const Infos& in, const Region& wanted) -> Result<Regions> {
    return Regions{{"volume", neighbourhood(volume_of(in).grid, std::get<VolumeGrid>(wanted), reach_of(p)).grid}};
  });
  n.check(check).workspace(workspace).run(run);
}

}  // namespace filter_network_node

TL_NODE(filter_network)

}  // namespace tl
