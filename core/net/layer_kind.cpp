// The table of the kinds of layers.
#include "core/net/layer_kind.h"

#include <algorithm>
#include <array>

#include "core/net/network.h"

namespace tl::net {
namespace {

constexpr auto any_number = static_cast<std::size_t>(max_layers);

constexpr std::array<LayerKindRow, 14> rows = {{
    {LayerKind::input, "input", 0, 0, ChannelRule::own, SizeRule::same, FilterLayout::none, ForAllPixels::same},
    {LayerKind::convolution, "convolution", 1, any_number, ChannelRule::own, SizeRule::window, FilterLayout::out_in,
     ForAllPixels::dilated},
    {LayerKind::transposed_convolution, "transposed convolution", 1, any_number, ChannelRule::own, SizeRule::squares,
     FilterLayout::in_out, ForAllPixels::refused},
    {LayerKind::max_pool, "max pool", 1, 1, ChannelRule::all_inputs, SizeRule::pooled, FilterLayout::none,
     ForAllPixels::pooled},
    {LayerKind::average_pool, "average pool", 1, 1, ChannelRule::all_inputs, SizeRule::pooled, FilterLayout::none,
     ForAllPixels::refused},
    {LayerKind::batch_norm, "batch norm", 1, 1, ChannelRule::all_inputs, SizeRule::same, FilterLayout::none,
     ForAllPixels::same},
    {LayerKind::relu, "relu", 1, 1, ChannelRule::all_inputs, SizeRule::same, FilterLayout::none, ForAllPixels::same,
     true},
    {LayerKind::concatenate, "concatenate", 1, any_number, ChannelRule::all_inputs, SizeRule::same, FilterLayout::none,
     ForAllPixels::refused},
    {LayerKind::add, "add", 2, any_number, ChannelRule::same_inputs, SizeRule::same, FilterLayout::none,
     ForAllPixels::refused},
    {LayerKind::crop, "crop", 2, 2, ChannelRule::first_input, SizeRule::cropped, FilterLayout::none,
     ForAllPixels::refused},
    {LayerKind::resize, "resize", 1, 2, ChannelRule::first_input, SizeRule::resized, FilterLayout::none,
     ForAllPixels::refused},
    {LayerKind::dropout, "dropout", 1, 1, ChannelRule::all_inputs, SizeRule::same, FilterLayout::none,
     ForAllPixels::same, true},
    {LayerKind::inner_product, "inner product", 1, any_number, ChannelRule::own, SizeRule::one, FilterLayout::flat,
     ForAllPixels::convolution},
    {LayerKind::softmax, "softmax", 1, 1, ChannelRule::all_inputs, SizeRule::same, FilterLayout::none,
     ForAllPixels::same},
}};

}  // namespace

const LayerKindRow& row_of(LayerKind kind) {
  const auto* found = std::find_if(rows.begin(), rows.end(), [&](const LayerKindRow& r) { return r.kind == kind; });
  TL_CHECK(found != rows.end(), "a layer of an unknown kind");
  return *found;
}

std::optional<LayerKind> layer_kind_named(std::string_view name) {
  for (const LayerKindRow& r : rows)
    if (r.name == name) return r.kind;
  return std::nullopt;
}

}  // namespace tl::net
