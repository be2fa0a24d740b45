// The table of layer kinds.
#include "core/net/layer_kind.h"

#include "core/net/layer_forward.h"

namespace tl::net {
namespace {

std::optional<LayerKind> kind_with(std::string_view LayerKindRow::*column, std::string_view text) {
  for (const LayerKindRow& row : layer_kinds())
    if (row.*column == text) return row.kind;
  return std::nullopt;
}

}  // namespace

std::span<const LayerKindRow> layer_kinds() {
  using enum LayerKind;
  using enum ChannelRule;
  using enum SizeRule;
  using enum FilterLayout;
  using enum FullyConvolutionalForm;
  constexpr int64_t many = max_layers;
  constexpr auto one_gain = Gain::one;
  static constexpr LayerKindRow all[] = {
      {input, "input", "", nullptr, 0, 0, own, same, no_filters, unchanged},
      {convolution, "convolution", "Conv", convolved_maps, 1, many, own, window, out_in, dilated},
      {transposed_convolution, "transposed convolution", "ConvTranspose", convolved_transposed, 1, many, own, squares,
       in_out, refused},
      {max_pool, "max pool", "MaxPool", pooled_maximum, 1, 1, all_inputs, pooled, no_filters, strided},
      {average_pool, "average pool", "AveragePool", pooled_mean, 1, 1, all_inputs, pooled, no_filters, refused,
       Gain::window},
      {batch_norm, "batch norm", "BatchNormalization", normalised, 1, 1, all_inputs, same, no_filters, unchanged,
       Gain::statistics},
      {relu, "relu", "Relu", rectified, 1, 1, all_inputs, same, no_filters, unchanged, one_gain, true},
      {concatenate, "concatenate", "Concat", concatenated, 1, many, all_inputs, same, no_filters, refused},
      {add, "add", "Add", added, 2, many, same_inputs, same, no_filters, refused},
      {crop, "crop", "Slice", middle_part, 2, 2, first_input, cropped, no_filters, refused},
      {resize, "resize", "Resize", interpolated, 1, 2, first_input, resized, no_filters, refused, Gain::pixels},
      {dropout, "dropout", "Dropout", unchanged_map, 1, 1, all_inputs, same, no_filters, unchanged, one_gain, true},
      {inner_product, "inner product", "Gemm", multiplied, 1, many, own, one, flat, convolved},
      {softmax, "softmax", "Softmax", softmax_of_channels, 1, 1, all_inputs, same, no_filters, unchanged},
  };
  return all;
}

const LayerKindRow& row_of(LayerKind kind) {
  for (const LayerKindRow& row : layer_kinds())
    if (row.kind == kind) return row;
  TL_CHECK(false, "a layer of an unknown kind");
  return layer_kinds().front();
}

std::optional<LayerKind> layer_kind_named(std::string_view name) { return kind_with(&LayerKindRow::name, name); }
std::optional<LayerKind> layer_kind_of_onnx(std::string_view operation) {
  return kind_with(&LayerKindRow::onnx, operation);
}

}  // namespace tl::net
