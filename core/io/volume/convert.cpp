// Copies volumes between formats, slab by slab.
#include "core/io/volume/convert.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/wording.h"
#include "core/io/samples.h"

namespace tl::io {
namespace {

// "10:20", "10:", ":20", "" or "7" as a range of indices below `length`.
std::optional<Range> parse_range(std::string_view text, int64_t length) {
  const auto number = [](std::string_view digits, int64_t otherwise) -> std::optional<int64_t> {
    if (digits.empty()) return otherwise;
    int64_t value = 0;
    const char* const end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, value);
    return read.ec == std::errc() && read.ptr == end ? std::optional(value) : std::nullopt;
  };
  const auto colon = text.find(':');
  const auto begin = number(text.substr(0, colon), 0);
  if (!begin) return std::nullopt;
  if (colon == std::string_view::npos) return text.empty() ? Range{0, length} : Range{*begin, *begin + 1};
  const auto end = number(text.substr(colon + 1), length);
  return end ? std::optional(Range{*begin, *end}) : std::nullopt;
}

}  // namespace

Result<GridBox> parse_box(const std::string& text, const VolumeGrid& grid) {
  const std::array<int64_t, 3> lengths = {grid.nz, grid.ny, grid.nx};
  std::array<Range, 3> ranges;
  std::string_view left = text;
  for (std::size_t d = 0; d < 3; ++d) {
    const auto comma = left.find(',');
    const auto range = parse_range(left.substr(0, comma), lengths[d]);
    if (!range || (d < 2) != (comma != std::string_view::npos))
      return invalid("\"" + text + "\" is no region", "region",
                     "Give z0:z1,y0:y1,x0:x1, for example 10:20,:,100:200; the ends are not included");
    if (range->begin < 0 || range->empty() || range->end > lengths[d])
      return invalid("the region \"" + text + "\" is not in the volume", "region",
                     "It has " + std::to_string(grid.nz) + " x " + std::to_string(grid.ny) + " x " +
                         std::to_string(grid.nx) + " voxels along z, y, x");
    ranges[d] = *range;
    left = comma == std::string_view::npos ? std::string_view() : left.substr(comma + 1);
  }
  return GridBox{ranges[0], ranges[1], ranges[2]};
}

Result<VolumeTarget> conversion_target(const VolumeFileInfo& source, const VolumeConversion& wanted) {
  VolumeTarget target;
  target.path = wanted.output;
  target.grid = wanted.box ? source.grid.sub(wanted.box->z, wanted.box->y, wanted.box->x) : source.grid;
  target.unit = source.unit;
  target.rules = wanted.rules;
  target.description = wanted.description;
  const auto stored = sample_type_named(source.voxel_type);
  target.type = wanted.type.value_or(stored.value_or(SampleType::float32));
  if (target.type == SampleType::float32) {
    if (wanted.low || wanted.high)
      return invalid("float32 keeps all values: it needs no range", "low",
                     "Leave low and high out, or write uint16 or uint8");
    return target;
  }
  // The same integers with the same meaning.
  const ValueScale scale = source.scale.value_or(ValueScale{});
  const bool same = stored == target.type && scale.step > 0;
  if (!same && (!wanted.low || !wanted.high))
    return invalid(
        "integers need the values that become the smallest and the largest integer", source.path.string(),
        two_wordings("Give --low and --high, or write --type float32", "Give low and high, or write float32"));
  target.low = wanted.low.value_or(scale.low);
  target.high = wanted.high.value_or(scale.low + scale.step * largest_sample(target.type));
  return target;
}

Result<void> convert_volume(VolumeReader& source, const VolumeConversion& wanted, const CancelToken& cancel,
                            const std::function<void(int64_t slices, int64_t all)>& done) {
  constexpr int64_t voxels_at_once = int64_t{1} << 24;
  TL_CHECK(wanted.format != nullptr, "a conversion has a format");
  TL_TRY(const VolumeTarget target, conversion_target(source.info(), wanted));
  const VolumeGrid& g = source.info().grid;
  const GridBox box = wanted.box.value_or(GridBox{{0, g.nz}, {0, g.ny}, {0, g.nx}});
  TL_TRY(const std::unique_ptr<VolumeWriter> writer, wanted.format->write(target));
  const int64_t slices = box.z.size();
  const int64_t at_once = std::max<int64_t>(1, voxels_at_once / (box.y.size() * box.x.size()));
  for (int64_t k = 0; k < slices; k += at_once) {
    const Range z{k, std::min(slices, k + at_once)};
    TL_TRY(const at::Tensor slab, source.read({{box.z.begin + z.begin, box.z.begin + z.end}, box.y, box.x}, cancel));
    TL_TRY(writer->write(z, slab));
    done(z.end, slices);
  }
  TL_TRY(OutputFile whole, writer->finish());
  TL_TRY(source.inputs()->unchanged());
  return whole.commit();
}

}  // namespace tl::io
