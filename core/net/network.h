// Network: a convolutional network as data, a graph of layers with named tensors. Counts, shapes, conversion, files and
// the interpreter (forward.h) all read it.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/net/history.h"
#include "core/net/layer_kind.h"
#include "core/values/label_table.h"

namespace tl::net {

// How a convolution continues the map beyond its edges.
enum class Border {
  zeros,
  mirrored,  // mirrored, with the edge repeated: index -1 is 0, n is n - 1
};

enum class Interpolation { nearest, linear };

struct Layer {
  std::string name;
  LayerKind kind = LayerKind::input;
  // Indices of earlier layers. A convolution or an inner product with several inputs concatenates them.
  std::vector<int64_t> inputs = {};
  int64_t channels = 0;  // number of output channels of inputs, convolutions and inner products; others keep theirs
  int64_t kernel = 1, stride = 1, dilation = 1, padding = 0;  // along each axis
  Border border = Border::zeros;
  Interpolation interpolation = Interpolation::nearest;
  double epsilon = 1e-5;  // of batch norm
  // Names of tensors; without bias the name is empty. Several layers may share one tensor of biases.
  std::string weight = {}, bias = {}, mean = {}, variance = {};
  int64_t bias_offset = 0;
  // Standard deviation of the initial weights, not stored; negative: sqrt(2 / number of inputs of a filter).
  double initial_deviation = -1;
};

// Numbers of the input become (x - mean) / deviation, per channel; empty: unchanged.
struct InputScaling {
  std::vector<double> mean, deviation;
};

struct Network {
  std::string architecture;  // "msd depth=50 classes=5", for people
  int64_t dims = 2;          // 2 or 3 axes of space
  std::vector<Layer> layers;
  std::map<std::string, at::Tensor> tensors;
  InputScaling scaling;
  double voxel_size = 0;            // voxel size [mm] of the training data; 0: not known
  std::vector<LabelClass> classes;  // names of the output's channels; empty: numbered from 0
  History history;                  // trainings and prunings
};

// Limits for numbers in files.
inline constexpr int64_t max_layers = 4096, max_channels = 1 << 16, largest_kernel = 512, largest_dilation = 4096;

// Number of output channels of each layer. Errors: invalid, `where` names the layer: an invalid graph, numbers beyond
// the limits, layers that do not fit together.
Result<std::vector<int64_t>> channels_of(const Network& network);

// Channels that a layer reads, its inputs concatenated.
int64_t input_channels(const Layer& layer, const std::vector<int64_t>& channels);

// The shapes of all tensors of the layers, by name: filters [out, in, ky, kx], transposed ones [in, out, ky, kx], inner
// products [out, in * ky * kx], others [channels]. Errors as channels_of(), and tensors with two different shapes.
Result<std::map<std::string, std::vector<int64_t>>> tensor_shapes(const Network& network);

// True for layers on which the last one depends; others, such as an auxiliary head, are not computed.
std::vector<bool> used_layers(const Network& network);

// Sets initial values for training in every tensor (float32): normal weights, biases 0, batch norm the identity.
Result<void> initialise(Network& network, uint64_t seed);
// For checks: random weights also where training would start at 0, and biases that are not 0.
Result<void> randomise(Network& network, uint64_t seed);

}  // namespace tl::net
