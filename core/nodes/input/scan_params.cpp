// Turns the parameters of the load node into what readers are asked for.
#include "core/nodes/input/scan_params.h"

#include <array>

#include "core/io/scans/scan_formats.h"

namespace tl {
namespace {

constexpr std::array<const char*, 10> raw_types = {"uint8", "int8",   "uint16", "int16",   "uint32",
                                                   "int32", "uint64", "int64",  "float32", "float64"};

std::optional<PixelKind> pixel_kind_of(ScanPixels pixels) {
  switch (pixels) {
    case ScanPixels::counts:
      return PixelKind::counts;
    case ScanPixels::transmission:
    case ScanPixels::percent:
      return PixelKind::transmission;
    case ScanPixels::absorption:
      return PixelKind::absorption;
    case ScanPixels::as_the_file_says:
      break;
  }
  return std::nullopt;
}

}  // namespace

std::string_view format_id(ScanFormatChoice format) {
  return format == ScanFormatChoice::automatic ? std::string_view()
                                               : io::scan_formats()[static_cast<std::size_t>(format) - 1].id;
}

std::vector<Choice> format_choices() {
  std::vector<Choice> all = {{"auto_detect", "Detect"}};
  for (const io::ScanFormat& f : io::scan_formats()) all.push_back({std::string(f.id), std::string(f.title)});
  return all;
}

std::vector<Choice> raw_type_choices() {
  std::vector<Choice> all;
  for (const char* type : raw_types) all.push_back({type, type});
  return all;
}

io::ReferenceUse use_of(const ScanParams& p) {
  return {p.odd_references, p.use_darks, p.pixels == ScanPixels::percent ? 0.01 : 1};
}

io::ScanChoices choices_of(const ScanParams& p) {
  const auto number = [](const auto& given) { return given ? std::optional<double>(given->value) : std::nullopt; };
  io::ScanChoices c;
  c.data = p.data;
  c.image_key = p.image_key;
  c.flats = p.flats;
  c.darks = p.darks;
  c.flats_file = p.flats_file;
  c.darks_file = p.darks_file;
  c.angles_dataset = p.angles_dataset;
  c.angles_file = p.angles_file;
  c.first_angle = number(p.first_angle);
  c.angle_step = number(p.angle_step);
  c.angle_unit = p.angle_unit;
  c.kind = pixel_kind_of(p.pixels);
  c.beam = chosen_beam(p.beam);
  c.source_to_axis = number(p.source_to_axis);
  c.axis_to_detector = number(p.axis_to_detector);
  c.energy = number(p.energy);
  c.order = p.order;
  c.raw = {p.raw_size, raw_types[static_cast<std::size_t>(p.raw_type)], p.raw_offset, p.raw_byte_order};
  return c;
}

}  // namespace tl
