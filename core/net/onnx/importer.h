// Importer: follows the nodes of an ONNX graph and builds the layers of a network.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/net/counts.h"
#include "core/net/network.h"
#include "core/net/onnx/onnx_model.h"

namespace tl::net::onnx {

// An integer that depends on the size of the input: floor((sum of multiples of layers' sizes along axes + constant) /
// divisor). Axes are those of the map, [n, channel, (z,) y, x].
struct InputDependentSize {
  struct Axis {
    int64_t layer = 0, axis = 0, multiple = 1;
  };
  std::vector<Axis> axes;
  int64_t constant = 0, divisor = 1;
};

// A crop of a map along its spatial axes that is not a layer yet: a later operator determines to which other map's size
// it is cropped.
struct Crop {
  int64_t like = -1;                          // the layer with the same size, if the model specifies it
  const OnnxNode* node = nullptr;             // that cuts it
  std::vector<bool> cropped;                  // along the axes of space
  std::vector<int64_t> from_begin, from_end;  // else: how many pixels go
};

// One end of a map along an axis, in reverse order: the parts of mirrored borders.
struct MirroredEnd {
  std::string_view of;
  int64_t axis = 0, pixels = 0;
  bool first = true;
};

// The meaning of a name in the ONNX graph.
struct OnnxMeaning {
  enum class Kind { map, numbers, sizes, mirrored_end };
  Kind kind = Kind::map;
  // Maps, joined along the channels; flat: [n, channel] instead of a map of one pixel.
  std::vector<int64_t> layers = {};
  bool flat = false;
  std::vector<int64_t> padding = {};  // padding along the spatial axes that is not a layer yet; empty: none
  Border border = Border::zeros;
  std::vector<Crop> crop = {};  // none or one
  // Scaling of the network's input, (x - mean) / deviation; empty: none.
  std::vector<double> mean = {}, deviation = {};
  at::Tensor numbers = {};
  std::string_view tensor = {};        // the initializer that has them
  const OnnxTensor* stored = nullptr;  // it, loaded on first use
  std::vector<InputDependentSize> sizes = {};
  bool scalar = false;  // one size, of no axis
  MirroredEnd end = {};
};

class Importer {
 public:
  Importer(const OnnxModel& model, std::size_t file_bytes, const std::string& where);
  // The imported network, without metadata and checks. May be called once.
  Result<Network> network();

 private:
  enum class Form { map, flat };
  enum class Rank { scalar, vector };
  using Operator = Result<void> (Importer::*)(const OnnxNode&);
  static const std::map<std::string_view, Operator>& operators();

  // importer.cpp: names, layers and tensors.
  Result<void> add_input();
  [[nodiscard]] std::vector<bool> needed_nodes() const;
  Result<void> add_node(const OnnxNode& n);
  Result<void> end_with(std::string_view output);
  [[nodiscard]] Error refused(const OnnxNode& n, const std::string& what, const std::string& hint) const;
  Result<const OnnxMeaning*> meaning(const OnnxNode& n, std::size_t input) const;
  Result<void> put(const OnnxNode& n, OnnxMeaning meaning);
  // Counts memory that depends on numbers in nodes, not on the file's size, and limits it.
  Result<void> charge(const OnnxNode& n, std::size_t bytes);
  Result<at::Tensor> numbers(const OnnxNode& n, std::size_t input);
  // For an input that is a map: joined_map() returns its meaning, one_map() makes it one layer, without border.
  Result<OnnxMeaning> joined_map(const OnnxNode& n, std::size_t input);
  Result<int64_t> one_map(const OnnxNode& n, std::size_t input);
  Result<int64_t> as_layer(const OnnxNode& n, OnnxMeaning m);
  Result<void> fix_scaling(const OnnxNode& n, const OnnxMeaning& m);
  Layer named_layer(const OnnxNode& n, LayerKind kind);
  Result<void> put_layer(const OnnxNode& n, Layer layer, int64_t channels, Form form);
  Result<int64_t> add_layer(const OnnxNode& n, Layer layer, int64_t channels);
  // Adds the numbers of an input as a tensor of the network; returns its name.
  Result<std::string> add_tensor(const OnnxNode& n, std::size_t input, const std::vector<int64_t>& shape,
                                 const at::Tensor& given);
  [[nodiscard]] int64_t channels_joined(const std::vector<int64_t>& layers) const;
  [[nodiscard]] int64_t dims() const { return network_.dims; }
  // An attribute with a number per spatial axis: returns the number if all are equal, else an error that names it.
  Result<int64_t> same(const OnnxNode& n, const char* attribute, int64_t usual, std::size_t count) const;

  // layers.cpp
  Result<void> convolution(const OnnxNode& n);
  Result<void> transposed_convolution(const OnnxNode& n);
  Result<void> pooling(const OnnxNode& n);
  Result<void> batch_norm(const OnnxNode& n);
  Result<void> keeping_size(const OnnxNode& n);
  Result<void> sum(const OnnxNode& n);
  Result<void> softmax(const OnnxNode& n);
  Result<void> last_step(const OnnxNode& n);
  Result<void> flatten(const OnnxNode& n);
  Result<void> reshape(const OnnxNode& n);
  Result<void> gemm(const OnnxNode& n);
  Result<void> same_thing(const OnnxNode& n);
  Result<void> constant(const OnnxNode& n);
  Result<void> arithmetic(const OnnxNode& n);
  Result<void> scaling_step(const OnnxNode& n, std::size_t of);
  Result<int64_t> padding_of(const OnnxNode& n, int64_t kernel, int64_t dilation) const;
  Result<void> add_bias(const OnnxNode& n, Layer& layer);
  Result<void> filters(const OnnxNode& n, const OnnxMeaning& m, Layer& layer);

  // composed.cpp: operators composed of several layers.
  std::string own_tensor(const std::string& name, const char* ending, const at::Tensor& values);
  Result<void> charge_composed(const OnnxNode& n, double numbers);
  Result<at::Tensor> without_groups(const OnnxNode& n, const at::Tensor& weight);
  Result<int64_t> weighted_sum(const OnnxNode& n, const std::vector<int64_t>& inputs,
                               const std::vector<double>& factors, double bias);
  Result<int64_t> rectified(const OnnxNode& n, int64_t input);
  Result<void> put_map(const OnnxNode& n, int64_t layer);
  Result<void> leaky_relu(const OnnxNode& n);
  Result<void> clip(const OnnxNode& n);
  Result<void> padded_average(const OnnxNode& n, const Layer& pool);
  Result<void> enlarged_by_phases(const OnnxNode& n, const Layer& given, int64_t padding);

  // borders.cpp
  Result<void> pad(const OnnxNode& n);
  Result<void> slice(const OnnxNode& n);
  Result<void> concatenate(const OnnxNode& n);
  Result<void> mirrored_end(const OnnxNode& n, int64_t axis, int64_t begin, int64_t end);
  Result<void> mirrored_border(const OnnxNode& n, int64_t axis);
  Result<void> add_padding(const OnnxNode& n, OnnxMeaning& m, int64_t axis, int64_t pixels, Border border);
  Result<void> crop_axis(const OnnxNode& n, OnnxMeaning& part, int64_t axis, const InputDependentSize& begin,
                         const InputDependentSize& end);
  // All inputs of a node whose maps are joined or added: crops of maps are cropped to the size of the others.
  Result<std::vector<OnnxMeaning>> maps_of_one_size(const OnnxNode& n);
  Result<void> crop_like(const OnnxNode& n, OnnxMeaning& cropped, int64_t like);
  // The size of a layer for the input size that the model states, if it states one.
  std::optional<Size> stated_size(int64_t layer);

  // resize.cpp
  Result<at::Tensor> factors_of(const OnnxNode& n);
  Result<void> resize(const OnnxNode& n);
  Result<void> wanted_size(const OnnxNode& n, const std::vector<InputDependentSize>& wanted, Layer& l);

  // sizes.cpp: numbers that depend on the size of the input. From an input of the node, or in old versions from an
  // attribute.
  Result<std::vector<InputDependentSize>> sizes(const OnnxNode& n, std::size_t input, std::string_view attribute);
  Result<std::vector<int64_t>> integers(const OnnxNode& n, std::size_t input, std::string_view attribute);
  Result<std::vector<InputDependentSize>> sizes(const OnnxNode& n, std::size_t input);
  Result<std::vector<int64_t>> integers(const OnnxNode& n, std::size_t input);
  Result<void> shape(const OnnxNode& n);
  Result<void> gather(const OnnxNode& n);
  Result<void> squeeze(const OnnxNode& n);
  Result<void> join_sizes(const OnnxNode& n);
  Result<void> slice_of_sizes(const OnnxNode& n);
  Result<void> size_arithmetic(const OnnxNode& n);
  Result<void> put_sizes(const OnnxNode& n, std::vector<InputDependentSize> sizes, Rank rank);
  [[nodiscard]] bool same_size(int64_t a, int64_t b) const;
  [[nodiscard]] bool equal(const InputDependentSize& a, const InputDependentSize& b) const;

  const OnnxModel& model_;
  const std::string& where_;
  std::size_t allowed_;                                  // bytes that charge() grants
  std::size_t allowed_composed_ = std::size_t{1} << 29;  // bytes that charge_composed() grants
  Network network_;
  std::vector<int64_t> channels_, size_owner_;      // by layer; size_owner_: the layer whose size it has
  Size input_size_;                                 // -1 along axes for which the model does not state the size
  std::map<std::string, int64_t> copies_;           // number of copies of each tensor
  std::set<std::string> names_;                     // of layers
  std::map<std::vector<int64_t>, int64_t> joined_;  // from joined maps to the layer that joins them
  std::unordered_map<std::string_view, OnnxMeaning> meanings_;
  bool scaling_known_ = false;
  std::vector<Size> stated_sizes_;  // by layer, for those already computed
};

}  // namespace tl::net::onnx
