// core/nodes/filter/network.cpp: a small convolutional network whose weights are learned.
#include <ATen/ATen.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/random.h"
#include "core/io/bytes/input_files.h"
#include "core/io/model/safetensors.h"
#include "core/nodes/filter/filter_node.h"
#include "core/nodes/input/file_states.h"

namespace tl::filter_network_node {

enum class Gives { correction, picture };
enum class Activation { smooth, rectifier };

struct Params {
  std::vector<double> channels{16, 8};  // of the hidden layers
  Learnable<std::optional<NumberArray>> weights;
  std::string weights_file;
  Activation activation = Activation::smooth;
  Gives gives = Gives::correction;
  double scale = 1;
  int64_t seed = 1;
};

constexpr int64_t edge = 3;  // of the kernels
constexpr double max_channels = 512;
constexpr std::array inputs{"volume", "volume_2", "volume_3", "volume_4"};
constexpr const char *kind_of_model = "convolutional network", *name_of_weights = "weights";

// Number of volumes that the network reads as input channels.
int64_t inputs_of(const Infos& in) {
  int64_t count = 0;
  for (const char* port : inputs) count += in.count(port) != 0 ? 1 : 0;
  return count;
}

// Order of the weights: for each layer kernels [out, in, 3, 3], then [out] biases.
struct Layer {
  int64_t in = 1, out = 1;
  [[nodiscard]] int64_t kernels() const { return out * in * edge * edge; }
};
std::vector<Layer> layers_of(const Params& p, int64_t volumes) {
  std::vector<Layer> layers;
  int64_t before = volumes;
  for (const double n : p.channels) {
    layers.push_back({before, static_cast<int64_t>(n)});
    before = layers.back().out;
  }
  layers.push_back({before, 1});
  return layers;
}
int64_t count_of(const Params& p, int64_t volumes) {
  int64_t count = 0;
  for (const Layer& l : layers_of(p, volumes)) count += l.kernels() + l.out;
  return count;
}

ops::Reach reach_of(const Params& p) {
  const auto layers = static_cast<int64_t>(p.channels.size()) + 1;
  return {0, layers * (edge / 2), layers * (edge / 2)};
}

Result<void> check(const Params& p, const Infos& in) {
  for (const double n : p.channels)
    if (n != std::floor(n)) return invalid("a layer cannot have " + std::to_string(n) + " channels", "channels");
  if (p.channels.size() > 16) return invalid("more than 16 layers", "channels", "Give fewer");
  for (const char* port : inputs)
    if (const auto more = in.find(port);
        more != in.end() && std::get<VolumeInfo>(more->second).grid != volume_of(in).grid)
      return invalid("the volumes do not lie on one grid", port, "Reconstruct both with the same voxels");
  const int64_t count = count_of(p, inputs_of(in));
  if (p.weights.value && p.weights.value->shape() != std::vector<int64_t>{count})
    return invalid(
        "the weights are " + shape_text(p.weights.value->shape()) + ", these layers have " + std::to_string(count),
        "weights", "Learn them again, or set them to auto");
  return ok();
}

using ModelJson = nlohmann::ordered_json;

// The structure for which the weights of a file were made: other structures with the same number of weights are
// refused.
ModelJson layers_json(const Params& p, int64_t volumes) {
  ModelJson json = {{"kind", kind_of_model}, {"version", 1}, {"volumes", volumes}};
  json["channels"] = p.channels;
  json["activation"] = p.activation == Activation::smooth ? "smooth" : "rectifier";
  json["gives"] = p.gives == Gives::correction ? "correction" : "picture";
  json["scale"] = p.scale;
  return json;
}

Result<NumberArray> weights_in_file(const Params& p, int64_t volumes) {
  TL_TRY(const Model model, io::read_model(p.weights_file));
  const ModelJson made = ModelJson::parse(model.description, nullptr, /*allow_exceptions=*/false);
  if (!made.is_object() || !made.contains("kind") || made["kind"] != kind_of_model)
    return invalid("this model is not a convolutional network", p.weights_file,
                   "Choose a file that Save model wrote after a network");
  const ModelJson wanted = layers_json(p, volumes);
  for (const char* key : {"volumes", "channels", "activation", "gives", "scale"})
    if (!made.contains(key) || made[key] != wanted[key])
      return invalid("the weights were made for other layers: \"" + std::string(key) + "\" is " +
                         (made.contains(key) ? made[key].dump() : "not stated") + ", not " + wanted[key].dump(),
                     p.weights_file, "Set this node as the file says");
  const auto found = model.arrays.find(name_of_weights);
  const int64_t count = count_of(p, volumes);
  if (found == model.arrays.end() || found->second.scalar_type() != at::kFloat || found->second.dim() != 1 ||
      found->second.numel() != count)
    return invalid("the file does not contain the " + std::to_string(count) + " weights of these layers",
                   p.weights_file, "Save it again");
  const auto* first = found->second.const_data_ptr<float>();
  return NumberArray::make({count}, std::vector<float>(first, first + count));
}

Model model_of(const Params& p, const at::Tensor& weights, int64_t volumes) {
  Model model;
  model.description = layers_json(p, volumes).dump();
  model.arrays[name_of_weights] = weights.detach().to(at::kCPU, at::kFloat).contiguous().clone();
  return model;
}

// Initial weights: normal numbers of variance 2 / inputs (He et al.), biases 0; the last layer starts at a tenth of
// that, so that the correction starts small. From a file, if one is given.
Result<NumberArray> first_weights(const Params& p, const Infos& in) {
  const int64_t volumes = inputs_of(in);
  if (!p.weights_file.empty()) return weights_in_file(p, volumes);
  std::vector<float> weights;
  const Philox random{static_cast<uint64_t>(p.seed), 0x4e37};
  const auto layers = layers_of(p, volumes);
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

// volumes: [slice, channel, y, x].
at::Tensor through(const Params& p, const at::Tensor& volumes, const at::Tensor& weights) {
  at::Tensor x = volumes / p.scale;
  int64_t at = 0;
  const auto layers = layers_of(p, volumes.size(1));
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const auto [in, out] = layers[l];
    const at::Tensor kernels = weights.narrow(0, at, layers[l].kernels()).view({out, in, edge, edge});
    const at::Tensor biases = weights.narrow(0, at + layers[l].kernels(), out);
    at += layers[l].kernels() + out;
    x = at::conv2d(x, kernels, biases, 1, edge / 2);
    if (l + 1 < layers.size()) x = p.activation == Activation::smooth ? at::silu(x) : at::relu(x);
  }
  x = x.squeeze(1) * p.scale;
  return p.gives == Gives::correction ? volumes.select(1, 0) + x : x;
}

Result<void> run(const Params& p, NodeRun& r) {
  at::Tensor weights = tensor_of(p.weights, {});
  const int64_t volumes = inputs_of(r.infos), count = count_of(p, volumes);
  if (!weights.defined()) {
    TL_TRY(const NumberArray first, first_weights(p, r.infos));
    weights = tensor_of(first);
    if (!p.weights_file.empty())
      TL_TRY(r.host().reads(std::make_shared<io::InputFiles>(
          p.weights_file, std::vector<io::InputFile>{{p.weights_file, io::stamp_of(p.weights_file)}})));
  }
  if (weights.dim() != 1 || weights.size(0) != count)
    return invalid("the network has " + std::to_string(count) + " weights", "weights");
  r.out("model", model_of(p, weights, volumes));
  const auto* wanted = std::get_if<VolumeGrid>(&r.region);
  if (wanted == nullptr) return ok();
  std::vector<at::Tensor> slices;
  for (const char* port : inputs)
    if (r.has_in(port)) slices.push_back(r.in<Volume>(port).data);
  const at::Tensor channels = at::stack(slices, 1);
  const at::Tensor filtered = through(p, channels, weights.to(channels.device(), channels.scalar_type()));
  const Neighbourhood around = neighbourhood(r.info<VolumeInfo>("volume").grid, *wanted, reach_of(p));
  return r.done("volume", Volume{part_of_neighbourhood(filtered, around), *wanted, r.in<Volume>("volume").unit});
}

Result<Infos> infos(const Params&, const Infos& in, const Findings*) {
  return Infos{{"volume", volume_of(in)}, {"model", PlainInfo{}}};
}

Result<std::string> fingerprint(const Params& p) { return fingerprint_of_named(p.weights_file); }

int64_t workspace(const Params& p, const Infos& in, const Region& wanted, int64_t element_size) {
  if (!std::holds_alternative<VolumeGrid>(wanted)) return 0;
  int64_t widest = 1;
  for (const Layer& l : layers_of(p, inputs_of(in))) widest = std::max(widest, l.out);
  const VolumeGrid around = neighbourhood(volume_of(in).grid, std::get<VolumeGrid>(wanted), reach_of(p)).grid;
  return (2 * widest + 2) * region_bytes(around, element_size);  // two layers at a time
}

void describe(NodeBuilder<Params>& n) {
  n.id("filter.network", 1).title("Convolutional network").category("Filter").on_gpu();
  n.remedy("missing_angles");
  n.summary("Passes every slice through a small convolutional network (CNN) with learned weights.");
  n.description(
      "Layers of 3 x 3 kernels with a nonlinear activation between them. Train it like any other parameter: mark the "
      "weights, compare the slices with a better reconstruction or with views that were not used for them, and learn, "
      "together with parameters of earlier nodes if wanted. Before training the weights are random. For many weights "
      "use Adam on subsets of the data. Up to four volumes, such as two reconstructions of one scan, are read side by "
      "side. The weights are stored in the pipeline, or in a file that Save model writes from the output \"model\".");
  n.cite(
      "K. He, X. Zhang, S. Ren, J. Sun, Delving deep into rectifiers: surpassing human-level performance on ImageNet "
      "classification, ICCV (2015) 1026");
  n.cite("S. Elfwing, E. Uchibe, K. Doya, Sigmoid-weighted linear units, Neural Networks 107 (2018) 3");
  n.cite("C. Dong et al., Image super-resolution using deep convolutional networks, IEEE TPAMI 38 (2016) 295");
  n.synonyms(
      {"CNN", "neural network", "denoise", "deep learning", "weights", "machine learning", "SiLU", "ReLU", "training"});
  n.input<Volume>("volume", "Any volume.");
  for (std::size_t i = 1; i < inputs.size(); ++i)
    n.input<Volume>(inputs[i], "Another volume on the same grid, a further input channel.", false);
  n.output<Volume>("volume", "The same grid.");
  n.output<Model>("model", "Layers and weights, to be saved.");
  n.param("channels", "Channels", &Params::channels)
      .range(1, max_channels)
      .help("Channels of every hidden layer; the output layer with one channel comes after them.");
  n.param("weights", "Weights", &Params::weights)
      .automatic("the weights of the file; without a file random ones that change the slices little")
      .learnable()
      .help("Weights, layer by layer: the kernels, output channel by output channel, then the biases.");
  n.array_of_auto("weights", first_weights);
  n.advanced_param("weights_file", "File of the weights", &Params::weights_file)
      .input_file()
      .help(
          "A model file (.safetensors) with the weights, used where they are on auto; its path is relative to the "
          "pipeline, and its checksum is looked at. Learning begins from it.");
  n.param("activation", "Activation", &Params::activation,
          {{Activation::smooth, "smooth", "x / (1 + exp(-x))"}, {Activation::rectifier, "rectifier", "max(x, 0)"}})
      .help(
          "Activation between the layers. The smooth one (SiLU) has a derivative everywhere, which suits methods other "
          "than Adam better.");
  n.param("gives", "Gives", &Params::gives,
          {{Gives::correction, "correction", "A correction"}, {Gives::picture, "picture", "The slice"}})
      .help("Whether the output of the network is added to the slice or replaces it.");
  n.param("scale", "Scale", &Params::scale)
      .range(1e-9, 1e9)
      .help("A typical grey value: slices are divided by it before the network and multiplied after it.");
  n.advanced_param("seed", "Seed", &Params::seed).range(0, 2147483647).help("Seed of the weights before training.");
  n.needs([](const Params& p, const Infos& in, const Region& wanted) -> Result<Regions> {
    Regions needed;
    const auto* grid = std::get_if<VolumeGrid>(&wanted);
    for (const char* port : inputs)
      if (grid != nullptr && in.count(port) != 0)
        needed[port] = neighbourhood(volume_of(in).grid, *grid, reach_of(p)).grid;
    return needed;
  });
  n.check(check).infos(infos).workspace(workspace).run(run).fingerprint(fingerprint);
}

}  // namespace tl::filter_network_node

TL_NODE(filter_network)
