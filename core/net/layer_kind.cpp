// The table of the kinds of layers.
#include "core/net/layer_kind.h"

#include "core/net/network.h"

namespace tl::net {

std::span<const LayerKindRow> layer_kinds() {
  using enum LayerKind;
  using enum ChannelRule;
  using enum SizeRule;
  using enum FilterLayout;
  using enum ForAllPixels;
  constexpr int64_t many = max_layers;
  static constexpr LayerKindRow all[] = {
      {input, "input", 0, 0, own, same, no_filters, unchanged},
      {convolution, "convolution", 1, many, own, window, out_in, dilated},
      {transposed_convolution, "transposed convolution", 1, many, own, squares, in_out, refused},
      {max_pool, "max pool", 1, 1, all_inputs, pooled, no_filters, strided},
      {average_pool, "average pool", 1, 1, all_inputs, pooled, no_filters, refused},
      {batch_norm, "batch norm", 1, 1, all_inputs, same, no_filters, unchanged},
      {relu, "relu", 1, 1, all_inputs, same, no_filters, unchanged, true},
      {concatenate, "concatenate", 1, many, all_inputs, same, no_filters, refused},
      {add, "add", 2, many, same_inputs, same, no_filters, refused},
      {crop, "crop", 2, 2, first_input, cropped, no_filters, refused},
      {resize, "resize", 1, 2, first_input, resized, no_filters, refused},
      {dropout, "dropout", 1, 1, all_inputs, same, no_filters, unchanged, true},
      {inner_product, "inner product", 1, many, own, one, flat, convolved},
      {softmax, "softmax", 1, 1, all_inputs, same, no_filters, unchanged},
  };
  return all;
}

const LayerKindRow& row_of(LayerKind kind) {
  for (const LayerKindRow& row : layer_kinds())
    if (row.kind == kind) return row;
  TL_CHECK(false, "a layer of an unknown kind");
  return layer_kinds().front();
}

std::optional<LayerKind> layer_kind_named(std::string_view name) {
  for (const LayerKindRow& row : layer_kinds())
    if (row.name == name) return row.kind;
  return std::nullopt;
}

}  // namespace tl::net
