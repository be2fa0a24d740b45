// LayerKind: the kinds of layers, and a table with a row for each kind: its name, its inputs, channels, sizes and
// filters, and the function that computes it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace at {
class Tensor;
}

namespace tl::net {

struct LayerInputs;  // layer_forward.h

enum class LayerKind {
  input,  // only the first layer, and no other
  convolution,
  transposed_convolution,  // with stride = kernel: every pixel becomes a square
  max_pool,
  average_pool,
  batch_norm,
  relu,
  concatenate,
  add,
  crop,           // the middle of the first input, as large as the second
  resize,         // by `stride`, or to the size of the second input
  dropout,        // nothing once trained
  inner_product,  // inner product with a whole map of `kernel` pixels along each axis
  softmax,        // over the channels
};

// How many channels come out.
enum class ChannelRule {
  all_inputs,   // the sum over all inputs
  first_input,  // as many as the first input has
  same_inputs,  // as many as each has
  own,          // Layer::channels
};

// The number of output pixels along an axis.
enum class SizeRule {
  same,
  window,   // one for each position of the kernel
  pooled,   // one for each kernel position; pixels of an incomplete one are left out
  squares,  // `stride` for each
  resized,  // as in the second input, or `stride` pixels for each
  cropped,  // as the second input
  one,
};

// The order of axes of the weights in files.
enum class FilterLayout {
  no_filters,
  out_in,  // [out, in, ky, kx]
  in_out,  // [in, out, ky, kx]
  flat,    // [out, in * ky * kx]
};

// How the layer changes when a classifier of windows is converted to one of all pixels at once.
enum class FullyConvolutionalForm { unchanged, dilated, strided, convolved, refused };

// The factor by which a layer enlarges the norm of a channel, used by pruning to compare paths through the network.
enum class Gain {
  one,
  statistics,  // batch norm: its weight divided by the standard deviation
  window,      // the factor of a mean over the kernel
  pixels,      // `stride` pixels for each, along every axis
};

struct LayerKindRow {
  LayerKind kind;
  std::string_view name;  // in files
  std::string_view onnx;  // the operator that is written
  at::Tensor (*compute)(const LayerInputs&);
  int64_t min_inputs, max_inputs;
  ChannelRule channels;
  SizeRule size;
  FilterLayout filters;
  FullyConvolutionalForm fully_convolutional;
  Gain gain = Gain::one;
  bool in_place = false;  // the result can overwrite the input

  [[nodiscard]] bool has_filters() const { return filters != FilterLayout::no_filters; }
  [[nodiscard]] bool has_window() const { return size == SizeRule::window || size == SizeRule::pooled; }
  // Whether only the size of the second input is used.
  [[nodiscard]] bool reads_size() const { return size == SizeRule::resized || size == SizeRule::cropped; }
};
std::span<const LayerKindRow> layer_kinds();
const LayerKindRow& row_of(LayerKind kind);
inline std::string_view to_string(LayerKind kind) { return row_of(kind).name; }
std::optional<LayerKind> layer_kind_named(std::string_view name);
std::optional<LayerKind> layer_kind_of_onnx(std::string_view operation);

}  // namespace tl::net
