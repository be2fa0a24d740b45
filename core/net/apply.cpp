// Cuts, gathers with mirrored indices, computes, and puts together.
#include "core/net/apply.h"

#include <ATen/ATen.h>

#include "core/net/counts.h"
#include "gpu/image/mirrored_index.h"

namespace tl::net {
namespace {

using Box = std::vector<Range>;

std::vector<Box> boxes_of(const Footprint& footprint, const Box& wanted) {
  std::vector<Box> boxes{{}};
  const int64_t longest = default_tile_length(footprint, static_cast<int64_t>(wanted.size()));
  for (const Range& axis : wanted) {
    std::vector<Box> more;
    for (const Box& b : boxes)
      for (const Range& part : cut(axis, longest)) {
        more.push_back(b);
        more.back().push_back(part);
      }
    boxes = std::move(more);
  }
  return boxes;
}

at::Tensor gathered(const at::Tensor& data, int64_t axis, const AxisTile& tile, Range covered,
                    std::optional<int64_t> length) {
  const int64_t from = tile.first - covered.begin;
  const bool inside = tile.first >= 0 && (!length || tile.first + tile.count <= *length);
  if (inside) return data.narrow(axis, from, tile.count);
  std::vector<int64_t> index;
  for (int64_t i = 0; i < tile.count; ++i)
    index.push_back((length ? ops::mirrored_index(tile.first + i, *length) : tile.first + i) - covered.begin);
  return data.index_select(axis, at::tensor(index, at::kLong));
}

}  // namespace

at::Tensor apply(const Network& network, const Footprint& footprint, const Picture& picture,
                 const std::vector<Range>& wanted, const CancelToken& cancel) {
  const auto dims = static_cast<std::size_t>(network.dims);
  TL_CHECK(wanted.size() == dims && picture.covered.size() == dims && picture.length.size() == dims,
           "ranges of each axis");
  at::Tensor result;
  for (const Box& box : boxes_of(footprint, wanted)) {
    at::Tensor x = picture.data;
    std::vector<AxisTile> tiles;
    for (std::size_t a = 0; a < dims; ++a) {
      tiles.push_back(tile_for(footprint, picture.length[a], box[a]));
      x = gathered(x, static_cast<int64_t>(a) + 1, tiles[a], picture.covered[a], picture.length[a]);
    }
    ForwardOptions options;
    options.cancel = cancel;
    at::Tensor part = probabilities(network, forward(network, x.unsqueeze(0).contiguous(), options)).squeeze(0);
    for (std::size_t a = 0; a < dims; ++a)
      part = part.narrow(static_cast<int64_t>(a) + 1, tiles[a].skip, box[a].size());
    if (box == wanted) return part.contiguous();
    if (!result.defined()) {
      std::vector<int64_t> shape{part.size(0)};
      for (const Range& r : wanted) shape.push_back(r.size());
      result = at::empty(shape, part.options());
    }
    at::Tensor place = result;
    for (std::size_t a = 0; a < dims; ++a)
      place = place.narrow(static_cast<int64_t>(a) + 1, box[a].begin - wanted[a].begin, box[a].size());
    place.copy_(part);
  }
  return result;
}

double apply_bytes(const Network& network, const Footprint& footprint, const std::vector<Range>& wanted,
                   const std::vector<std::optional<int64_t>>& length) {
  const int64_t least = footprint.min_output + (footprint.same ? 0 : footprint.before + footprint.after);
  const auto taken = [&](int64_t n) {
    const int64_t steps = (std::max<int64_t>(n - least, 0) + footprint.alignment - 1) / footprint.alignment;
    return least + steps * footprint.alignment;
  };
  Size size;
  const Box box = boxes_of(footprint, wanted).front();
  for (std::size_t a = 0; a < box.size(); ++a) {
    // The tile of an infinite image, where no border truncates its surroundings. One pixel more, since tiles may differ
    // by one.
    int64_t n = taken(tile_for(footprint, {}, {box[a].begin, box[a].end + 1}).count + footprint.alignment);
    if (footprint.same && length[a]) n = std::min(n, taken(*length[a]));
    size.push_back(n);
  }
  const auto channels = channels_of(network);
  const auto sizes = layer_sizes(network, size);
  if (!channels.ok() || !sizes.ok()) return 0;
  return peak_bytes(network, channels.value(), sizes.value());
}

}  // namespace tl::net
