// Fills in the settings of each kind of layer.
#include "core/net/architectures/layer_list.h"

namespace tl::net {

LayerList::LayerList(int64_t dims, int64_t channels) {
  network_.dims = dims;
  Layer input;
  input.name = "input";
  input.channels = channels;
  add(input);
}

int64_t LayerList::add(Layer layer) {
  network_.layers.push_back(std::move(layer));
  return index();
}

int64_t LayerList::convolution(const std::string& name, std::vector<int64_t> inputs, int64_t channels, int64_t kernel,
                               Bias bias) {
  Layer l;
  l.name = name;
  l.kind = LayerKind::convolution;
  l.inputs = std::move(inputs);
  l.channels = channels;
  l.kernel = kernel;
  l.weight = name + ".weight";
  if (bias == Bias::with) l.bias = name + ".bias";
  return add(std::move(l));
}

int64_t LayerList::transposed(const std::string& name, int64_t input, int64_t channels, int64_t factor) {
  convolution(name, {input}, channels, factor);
  last().kind = LayerKind::transposed_convolution;
  last().stride = factor;
  return index();
}

int64_t LayerList::pool(const std::string& name, int64_t input, LayerKind kind, int64_t factor) {
  Layer l;
  l.name = name;
  l.kind = kind;
  l.inputs = {input};
  l.kernel = l.stride = factor;
  return add(std::move(l));
}

int64_t LayerList::batch_norm(const std::string& name, int64_t input) {
  Layer l;
  l.name = name;
  l.kind = LayerKind::batch_norm;
  l.inputs = {input};
  l.weight = name + ".weight";
  l.bias = name + ".bias";
  l.mean = name + ".running_mean";
  l.variance = name + ".running_var";
  return add(std::move(l));
}

int64_t LayerList::relu(const std::string& name, int64_t input) {
  Layer l;
  l.name = name;
  l.kind = LayerKind::relu;
  l.inputs = {input};
  return add(std::move(l));
}

int64_t LayerList::crop(const std::string& name, int64_t input, int64_t like) {
  Layer l;
  l.name = name;
  l.kind = LayerKind::crop;
  l.inputs = {input, like};
  return add(std::move(l));
}

int64_t LayerList::copied(const std::string& name, int64_t input, int64_t factor) {
  Layer l;
  l.name = name;
  l.kind = LayerKind::resize;
  l.inputs = {input};
  l.stride = factor;
  return add(std::move(l));
}

int64_t LayerList::softmax(int64_t input) {
  Layer l;
  l.name = "softmax";
  l.kind = LayerKind::softmax;
  l.inputs = {input};
  return add(std::move(l));
}

}  // namespace tl::net
