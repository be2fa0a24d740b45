// LayerKind: the kinds of layers, with a row of a table for each that says what follows from the kind: its name, its
// inputs, channels, sizes and filters, and how it is computed.
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
  input,  // the first layer, and only that
  convolution,
  transposed_convolution,  // of stride = kernel: every pixel becomes a square
  max_pool,
  average_pool,
  batch_norm,
  relu,
  concatenate,
  add,
  crop,           // the middle of the first input, as large as the second
  resize,         // by `stride`, or to the size of the second input
  dropout,        // nothing once trained
  inner_product,  // of a whole map of `kernel` pixels along each axis
  softmax,        // over the channels
};

// How many channels come out.
enum class ChannelRule {
  all_inputs,   // as many as all inputs have
  first_input,  // as many as the first has
  same_inputs,  // as many as each has
  own,          // Layer::channels
};

// How many pixels come out along an axis.
enum class SizeRule {
  same,
  window,   // one for each position of the kernel
  pooled,   // the same, without pixels that are left over
  squares,  // `stride` for each
  resized,  // as the second input, or `stride` for each
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

// What becomes of it where a classifier of windows is applied to all pixels at once.
enum class FullyConvolutionalForm { unchanged, dilated, strided, convolved, refused };

// By how much it enlarges the norm of a channel, where pruning compares paths through the network.
enum class Gain {
  one,
  statistics,  // batch norm: its weight by the deviation
  window,      // that of a mean over the kernel
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
  bool in_place = false;  // it can write over its input

  [[nodiscard]] bool has_filters() const { return filters != FilterLayout::no_filters; }
  [[nodiscard]] bool has_window() const { return size == SizeRule::window || size == SizeRule::pooled; }
  // Only the size of the second input matters.
  [[nodiscard]] bool reads_size() const { return size == SizeRule::resized || size == SizeRule::cropped; }
};
std::span<const LayerKindRow> layer_kinds();
const LayerKindRow& row_of(LayerKind kind);
inline std::string_view to_string(LayerKind kind) { return row_of(kind).name; }
std::optional<LayerKind> layer_kind_named(std::string_view name);
std::optional<LayerKind> layer_kind_of_onnx(std::string_view operation);

}  // namespace tl::net
