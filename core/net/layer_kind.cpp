// The table of the kinds of layers.
#include "core/net/layer_kind.h"

#include <algorithm>

#include "core/net/network.h"

namespace tl::net {
namespace {

constexpr auto any_number_of_inputs = static_cast<std::size_t>(max_layers);

constexpr LayerKindRow layer_kind_rows[] = {
    {.kind = LayerKind::input,
     .name = "input",
     .min_inputs = 0,
     .max_inputs = 0,
     .channels = ChannelRule::own,
     .for_all_pixels = ForAllPixels::same},
    {.kind = LayerKind::convolution,
     .name = "convolution",
     .max_inputs = any_number_of_inputs,
     .channels = ChannelRule::own,
     .size = SizeRule::window,
     .filters = FilterLayout::out_in,
     .for_all_pixels = ForAllPixels::dilated},
    {.kind = LayerKind::transposed_convolution,
     .name = "transposed convolution",
     .max_inputs = any_number_of_inputs,
     .channels = ChannelRule::own,
     .size = SizeRule::squares,
     .filters = FilterLayout::in_out},
    {.kind = LayerKind::max_pool, .name = "max pool", .size = SizeRule::pooled, .for_all_pixels = ForAllPixels::pooled},
    {.kind = LayerKind::average_pool, .name = "average pool", .size = SizeRule::pooled},
    {.kind = LayerKind::batch_norm, .name = "batch norm", .for_all_pixels = ForAllPixels::same},
    {.kind = LayerKind::relu, .name = "relu", .for_all_pixels = ForAllPixels::same, .in_place = true},
    {.kind = LayerKind::concatenate, .name = "concatenate", .max_inputs = any_number_of_inputs},
    {.kind = LayerKind::add,
     .name = "add",
     .min_inputs = 2,
     .max_inputs = any_number_of_inputs,
     .channels = ChannelRule::same_inputs},
    {.kind = LayerKind::crop,
     .name = "crop",
     .min_inputs = 2,
     .max_inputs = 2,
     .channels = ChannelRule::first_input,
     .size = SizeRule::cropped},
    {.kind = LayerKind::resize,
     .name = "resize",
     .max_inputs = 2,
     .channels = ChannelRule::first_input,
     .size = SizeRule::resized},
    {.kind = LayerKind::dropout, .name = "dropout", .for_all_pixels = ForAllPixels::same, .in_place = true},
    {.kind = LayerKind::inner_product,
     .name = "inner product",
     .max_inputs = any_number_of_inputs,
     .channels = ChannelRule::own,
     .size = SizeRule::one,
     .filters = FilterLayout::flat,
     .for_all_pixels = ForAllPixels::convolution},
    {.kind = LayerKind::softmax, .name = "softmax", .for_all_pixels = ForAllPixels::same},
};

}  // namespace

const LayerKindRow& row_of(LayerKind kind) {
  const auto* found = std::find_if(std::begin(layer_kind_rows), std::end(layer_kind_rows),
                                   [&](const LayerKindRow& r) { return r.kind == kind; });
  TL_CHECK(found != std::end(layer_kind_rows), "a layer of an unknown kind");
  return *found;
}

std::optional<LayerKind> layer_kind_named(std::string_view name) {
  for (const LayerKindRow& r : layer_kind_rows)
    if (r.name == name) return r.kind;
  return std::nullopt;
}

}  // namespace tl::net
