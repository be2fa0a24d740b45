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

// What a convolution finds beyond the edges.
enum class Border {
  zeros,
  mirrored,  // the edge repeated: index -1 is 0, n is n - 1
};

enum class Interpolation { nearest, linear };

struct Layer {
  std::string name;
  LayerKind kind = LayerKind::input;
  // Indices of earlier layers. A convolution or an inner product of several takes them as if concatenated.
  std::vector<int64_t> inputs = {};
  int64_t channels = 0;  // that come out: of input, convolutions and inner products; other layers keep what goes in
  int64_t kernel = 1, stride = 1, dilation = 1, padding = 0;  // along each axis
  Border border = Border::zeros;
  Interpolation interpolation = Interpolation::nearest;
  double epsilon = 1e-5;  // of batch norm
  // Names of tensors; without bias the name is empty. Several layers may share one tensor of biases.
  std::string weight = {}, bias = {}, mean = {}, variance = {};
  int64_t bias_offset = 0;
  // Of the weights before training, not stored; negative: sqrt(2 / numbers that a filter reads).
  double initial_deviation = -1;
};

// Numbers of the input become (x - mean) / deviation, per channel; empty: as they are.
struct InputScaling {
  std::vector<double> mean, deviation;
};

struct Network {
  std::string architecture;  // "msd depth=50 classes=5", for people
  int64_t dims = 2;          // 2 or 3 axes of space
  std::vector<Layer> layers;
  std::map<std::string, at::Tensor> tensors;
  InputScaling scaling;
  double voxel_size = 0;            // [mm] of what it was trained with; 0: not known
  std::vector<LabelClass> classes;  // of the output's channels; empty: numbered from 0
  History history;                  // trainings and prunings
};

// Bounds of what files may ask for.
inline constexpr int64_t max_layers = 4096, max_channels = 1 << 16, largest_kernel = 512, largest_dilation = 4096;

// Channels that come out of each layer. Errors: invalid, `where` names the layer: an invalid graph, numbers beyond
// the bounds, layers that do not fit together.
Result<std::vector<int64_t>> channels_of(const Network& network);

// Channels that a layer reads, its inputs concatenated.
int64_t input_channels(const Layer& layer, const std::vector<int64_t>& channels);

// By name, the shape of every tensor that the layers name: filters [out, in, ky, kx], transposed ones [in, out, ky,
// kx], inner products [out, in * ky * kx], the rest [channels]. Errors as channels_of(), and tensors of two shapes.
Result<std::map<std::string, std::vector<int64_t>>> tensor_shapes(const Network& network);

// True for layers that the last one depends on; others, such as an auxiliary head, are not computed.
std::vector<bool> used_layers(const Network& network);

// Gives every tensor its numbers before training: normal weights, biases 0, batch norm the identity (float32).
Result<void> initialise(Network& network, uint64_t seed);
// The same, but normal weights also where training would start at 0, and biases that are not 0: for checks.
Result<void> randomise(Network& network, uint64_t seed);

}  // namespace tl::net
