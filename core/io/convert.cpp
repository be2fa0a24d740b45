// Copies volumes between formats, slab by slab.
#include "core/io/convert.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/wording.h"
#include "core/io/output/samples.h"

namespace tl::io {
namespace {

// "10:20", "10:", ":20", "" or "7" as a range of indices below `length`.
std::optional<Range> parse_range(std::string_view text, int64_t length) {
  const auto parse_index = [](std::string_view digits, int64_t if_empty) -> std::optional<int64_t> {
    if (digits.empty()) return if_empty;
    int64_t value = 0;
    const char* const end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, value);
    return read.ec == std::errc() && read.ptr == end ? std::optional(value) : std::nullopt;
  };
  const auto colon = text.find(':');
  const auto begin = parse_index(text.substr(0, colon), 0);
  if (!begin) return std::nullopt;
  if (colon == std::string_view::npos) return text.empty() ? Range{0, length} : Range{*begin, *begin + 1};
  const auto end = parse_index(text.substr(colon + 1), length);
  return end ? std::optional(Range{*begin, *end}) : std::nullopt;
}

// The smallest integer of a type and the number of steps up to its largest; nothing for float types.
struct IntegerRange {
  double lowest = 0, steps = 0;
};
std::optional<IntegerRange> integer_range(const std::string& type) {
  if (type == "uint8") return IntegerRange{0, 255};
  if (type == "int8") return IntegerRange{-128, 255};
  if (type == "uint16") return IntegerRange{0, 65535};
  if (type == "int16") return IntegerRange{-32768, 65535};
  return std::nullopt;
}

// The value range for which integers of the source are stored as integers of a type without loss; nothing if they do
// not fit.
std::optional<std::pair<double, double>> range_without_loss(const VolumeFileInfo& source, SampleType type) {
  const auto stored = integer_range(source.voxel_type);
  const ValueScale scale = source.scale.value_or(ValueScale{});
  if (!stored || !(scale.step > 0) || stored->steps > largest_sample(type)) return std::nullopt;
  const double low = scale.low + scale.step * stored->lowest;
  return std::pair{low, low + scale.step * largest_sample(type)};
}

// Integers become float32 if only Tomoloom reads their scale, or if the scale reverses their order; unless the user
// chose a type or range.
SampleType type_to_write(const VolumeFileInfo& source, const VolumeConversion& wanted) {
  if (wanted.type) return *wanted.type;
  const SampleType stored = sample_type_named(source.voxel_type).value_or(SampleType::float32);
  const ValueScale scale = source.scale.value_or(ValueScale{});
  const bool is_free =
      wanted.format != nullptr && wanted.format->stores(SampleType::float32) && !wanted.low && !wanted.high;
  if (is_free && scale != ValueScale{} && (wanted.format->integer_scale == IntegerScale::by_tomoloom || scale.step < 0))
    return SampleType::float32;
  return wanted.format == nullptr || wanted.format->stores(stored) ? stored : SampleType::uint16;
}

constexpr int64_t voxels_at_once = int64_t{1} << 24;

// Passes the requested box of the source to `take`, some slices at a time: [z, y, x], and the index of their first
// slice in the box.
Result<void> for_each_slab(VolumeReader& source, const VolumeConversion& wanted, const CancelToken& cancel,
                           const std::function<Result<void>(Range z, const at::Tensor& slab)>& take) {
  const VolumeGrid& g = source.info().grid;
  const GridBox box = wanted.box.value_or(GridBox{{0, g.nz}, {0, g.ny}, {0, g.nx}});
  const int64_t slices = box.z.size();
  const int64_t at_once = std::max<int64_t>(1, voxels_at_once / (box.y.size() * box.x.size()));
  for (int64_t k = 0; k < slices; k += at_once) {
    const Range z{k, std::min(slices, k + at_once)};
    TL_TRY(const at::Tensor slab, source.read({{box.z.begin + z.begin, box.z.begin + z.end}, box.y, box.x}, cancel));
    TL_TRY(take(z, slab));
  }
  return ok();
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
      return invalid("\"" + text + "\" is not a region", "region",
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
  target.description =
      wanted.labels == LabelTable{} ? wanted.description : with_label_table(wanted.description, wanted.labels);
  target.type = type_to_write(source, wanted);
  target.compression = wanted.compression;
  if (wanted.format != nullptr && !wanted.format->stores(target.type))
    return invalid(std::string(wanted.format->title) + " has no voxels of " + sample_type_name(target.type), "type",
                   "It has " + std::string(wanted.format->types));
  if (wanted.format != nullptr) TL_TRY(wanted.format->check_compression(wanted.compression));
  if (target.type == SampleType::float32) {
    if (wanted.low || wanted.high)
      return invalid("float32 keeps all values: it needs no range", "low",
                     "Leave low and high out, or write uint16 or uint8");
    return target;
  }
  // Integers with the same meaning.
  const auto same = target.type == SampleType::int32 ? std::optional(std::pair{0.0, largest_sample(target.type)})
                                                     : range_without_loss(source, target.type);
  if (!same && (!wanted.low || !wanted.high))
    return invalid(
        "integers need the values that become the smallest and the largest integer", source.path.string(),
        two_wordings("Give --low and --high, or write --type float32", "Give low and high, or write float32"));
  target.low = wanted.low ? *wanted.low : same->first;
  target.high = wanted.high ? *wanted.high : same->second;
  return target;
}

Result<VolumeConversion> with_measured_range(VolumeReader& source, VolumeConversion wanted, const CancelToken& cancel) {
  const SampleType type = type_to_write(source.info(), wanted);
  if (type == SampleType::float32 || wanted.low || wanted.high || wanted.format == nullptr ||
      wanted.format->stores(SampleType::float32) || range_without_loss(source.info(), type))
    return wanted;
  ValueRange found;
  TL_TRY(for_each_slab(source, wanted, cancel, [&](Range, const at::Tensor& slab) -> Result<void> {
    const at::Tensor numbers = slab.masked_select(at::isfinite(slab));
    if (numbers.numel() == 0) return ok();
    found.add(numbers.min().item<double>());
    found.add(numbers.max().item<double>());
    return ok();
  }));
  if (!found.any || !(found.low < found.high))
    return invalid("all voxels have one value, so there is no range for integers", source.info().path.string(),
                   two_wordings("Give --low and --high", "Give low and high"));
  wanted.low = found.low;
  wanted.high = found.high;
  return wanted;
}

Result<ClippedVoxels> count_clipped(VolumeReader& source, const VolumeConversion& wanted, const CancelToken& cancel) {
  TL_TRY(const VolumeTarget target, conversion_target(source.info(), wanted));
  ClippedVoxels all;
  if (target.type == SampleType::float32 || (!wanted.low && !wanted.high)) return all;
  TL_TRY(for_each_slab(source, wanted, cancel, [&](Range, const at::Tensor& slab) -> Result<void> {
    all.add(clipped_voxels(slab, {target.type, target.low, target.high}));
    return ok();
  }));
  return all;
}

Result<void> convert_volume(VolumeReader& source, const VolumeConversion& wanted, const CancelToken& cancel,
                            const std::function<void(int64_t slices, int64_t all)>& done) {
  TL_CHECK(wanted.format != nullptr, "a conversion has a format");
  TL_TRY(const VolumeTarget target, conversion_target(source.info(), wanted));
  TL_TRY(const std::unique_ptr<VolumeWriter> writer, wanted.format->write(target));
  TL_TRY(for_each_slab(source, wanted, cancel, [&](Range z, const at::Tensor& slab) -> Result<void> {
    TL_TRY(writer->write(z, slab));
    done(z.end, target.grid.nz);
    return ok();
  }));
  TL_TRY(OutputFile whole, writer->finish());
  // Readers prefer a table of classes next to the file: a table left by an earlier file would name the wrong classes.
  if (wanted.labels != LabelTable{} && (!wanted.format->lacks.empty() || label_table_next_to(wanted.output)))
    TL_TRY(add_label_table(whole, wanted.output, wanted.labels, wanted.rules));
  TL_TRY(source.inputs()->unchanged());
  return whole.commit();
}

}  // namespace tl::io
