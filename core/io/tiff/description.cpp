// Parses descriptions of TIFFs: ImageJ's lines, OME-XML, and tifffile's JSON.
#include "core/io/tiff/description.h"

#include <tiffio.h>

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/text.h"
#include "core/base/units.h"

namespace tl::io {
namespace {

using XmlAttributes = std::map<std::string, std::string>;

constexpr int64_t max_images = int64_t{1} << 40;

void add_axis(TiffDescription& d, const std::string& name, int64_t length) {
  if (length > 1) d.axes.push_back({name, length});
  const int64_t before = std::max<int64_t>(d.images, 1);
  d.images = length < 1 || length > max_images / before ? before : before * length;
}

int64_t integer_or(const std::string& text, int64_t value_if_none) {
  const auto number = integers_of(text, 1);
  return number ? number->front() : value_if_none;
}

TiffDescription imagej_description(const std::string& text) {
  TiffDescription d;
  d.dialect = TiffDialect::imagej;
  for (const char* axis : {"channels", "slices", "frames"}) add_axis(d, axis, integer_or(imagej_value(text, axis), 1));
  // For simple stacks only the number of images is given.
  const int64_t images = integer_or(imagej_value(text, "images"), d.images);
  if (d.axes.empty() && images > 1) {
    d.axes.push_back({"slices", images});
    d.images = images;
  }
  const std::string mode = imagej_value(text, "mode");
  d.is_colour = mode == "composite" || mode == "color";
  return d;
}

// The attributes of an XML tag NAME KEY="VALUE" ..., given without its angle brackets.
XmlAttributes parse_attributes(const std::string& tag) {
  XmlAttributes all;
  for (std::size_t at = 0; at < tag.size();) {
    const std::size_t equals = tag.find('=', at);
    if (equals == std::string::npos) break;
    const std::size_t open = tag.find_first_of("\"'", equals);
    if (open == std::string::npos) break;
    const std::size_t close = tag.find(tag[open], open + 1);
    if (close == std::string::npos) break;
    const std::string words = std::string(trimmed(tag.substr(at, equals - at)));
    all[words.substr(words.find_last_of(" \t\r\n") + 1)] = tag.substr(open + 1, close - open - 1);
    at = close + 1;
  }
  return all;
}

// The elements with a given name in an XML text, in order, whatever their namespaces.
std::vector<XmlAttributes> xml_elements(const std::string& text, std::string_view name) {
  std::vector<XmlAttributes> found;
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    if (text.compare(at, 4, "<!--") == 0) {
      at = text.find("-->", at);
      if (at == std::string::npos) break;
      continue;
    }
    const std::size_t end = std::min(text.find('>', at), text.size());
    const std::string tag = text.substr(at + 1, end - at - 1);
    const std::string whole = tag.substr(0, tag.find_first_of(" \t\r\n/"));
    if (whole.substr(whole.find(':') + 1) == name) found.push_back(parse_attributes(tag));
  }
  return found;
}

// An OME unit of length in millimetres; 0 for other units, such as pixels. The default of OME is micrometres.
double ome_mm(std::string unit) {
  if (unit.empty() || unit == "&#181;m" || unit == "&#xB5;m" || unit == "&#xb5;m") unit = "um";
  constexpr std::array<std::pair<std::string_view, double>, 5> others = {
      {{"\xc3\x85", 1e-7}, {"pm", 1e-9}, {"dm", 100}, {"in", 25.4}, {"km", 1e6}}};
  for (const auto& [name, mm] : others)
    if (unit == name) return mm;
  const auto known = parse_unit(unit);
  return known.ok() && dimension(known.value()) == Dimension::length ? to_stored(1, known.value()) : 0;
}

TiffDescription ome_description(const std::string& text) {
  TiffDescription d;
  d.dialect = TiffDialect::ome;
  const std::vector<XmlAttributes> images = xml_elements(text, "Pixels");
  if (images.empty()) return d;
  const auto value = [&](const XmlAttributes& of, const std::string& key) {
    const auto found = of.find(key);
    return found == of.end() ? std::string() : found->second;
  };
  const XmlAttributes& first = images.front();
  constexpr std::array<std::pair<const char*, const char*>, 3> axes = {
      {{"SizeC", "channels"}, {"SizeZ", "slices"}, {"SizeT", "frames"}}};
  for (const auto& [key, name] : axes) add_axis(d, name, integer_or(value(first, key), 1));
  add_axis(d, "images", static_cast<int64_t>(images.size()));
  std::array<double, 3> mm{};
  constexpr std::array<const char*, 3> sizes = {"PhysicalSizeX", "PhysicalSizeY", "PhysicalSizeZ"};
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (const auto size = numbers_of(value(first, sizes[i]), 1); size && size->front() > 0)
      mm[i] = size->front() * ome_mm(value(first, sizes[i] + std::string("Unit")));
  if (mm[0] > 0 && mm[1] > 0) d.voxel = Vec3{mm[0], mm[1], mm[2]};
  return d;
}

// {"shape": [6, 2, 33, 41]}: the last two are rows and columns.
TiffDescription tifffile_description(const std::string& text) {
  TiffDescription d;
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("shape") || !json["shape"].is_array()) return d;
  const auto& shape = json["shape"];
  for (const auto& length : shape)
    if (!length.is_number_integer()) return d;
  d.dialect = TiffDialect::tifffile;
  for (std::size_t i = 0; i + 2 < shape.size(); ++i)
    add_axis(d, "indices of axis " + std::to_string(i), shape[i].get<int64_t>());
  return d;
}

// The name and number of a compression.
std::string tiff_compression_name(uint16_t compression) {
  constexpr std::array<std::pair<uint16_t, const char*>, 14> names = {{{7, "JPEG"},
                                                                       {8, "Deflate"},
                                                                       {33003, "JPEG 2000"},
                                                                       {33004, "JPEG 2000"},
                                                                       {33005, "JPEG 2000"},
                                                                       {34712, "JPEG 2000"},
                                                                       {22610, "JPEG XR"},
                                                                       {34934, "JPEG XR"},
                                                                       {50002, "JPEG XL"},
                                                                       {52546, "JPEG XL"},
                                                                       {34887, "LERC"},
                                                                       {34925, "LZMA"},
                                                                       {50000, "Zstandard"},
                                                                       {50001, "WebP"}}};
  for (const auto& [number, name] : names)
    if (number == compression) return std::string(name) + " (" + std::to_string(number) + ")";
  return "number " + std::to_string(compression);
}

}  // namespace

bool is_imagej(const std::string& description) { return description.starts_with("ImageJ="); }

std::string imagej_value(const std::string& description, const std::string& key) {
  std::istringstream lines(description);
  for (std::string line; std::getline(lines, line) && !line.starts_with('#');)
    if (line.starts_with(key + "=")) return std::string(trimmed(line.substr(key.size() + 1)));
  return {};
}

TiffDescription tiff_description(const std::string& text) {
  if (is_imagej(text)) return imagej_description(text);
  const std::string start = text.substr(0, 4096);
  if (start.find("<OME") != std::string::npos || start.find(":OME") != std::string::npos) return ome_description(text);
  return text.starts_with('{') ? tifffile_description(text) : TiffDescription{};
}

Result<void> check_tiff_axes(const TiffDescription& stated, int64_t images, const std::string& where) {
  std::string counts;
  for (const TiffAxis& axis : stated.axes)
    counts += (counts.empty() ? "" : " and ") + std::to_string(axis.length) + " " + axis.name;
  const bool one_axis =
      stated.axes.size() < 2 && !(stated.is_colour && !stated.axes.empty() && stated.axes.front().name == "channels");
  // A shape that tifffile wrote covers only the first images: others may follow.
  if (stated.dialect == TiffDialect::tifffile && images != stated.images) return ok();
  if (!one_axis)
    return invalid("the file holds " + counts + ", as its description says", where,
                   "Its images must lie along one axis: save one channel, or one time, per file");
  if (stated.images > 1 && stated.images != images)
    return invalid("its description says " + counts + ", but the file holds " + std::to_string(images) +
                       (images == 1 ? " image" : " images"),
                   where,
                   "The others are missing, or in other files: save all in one file, or write the description again");
  return ok();
}

Result<void> check_tiff_storage(tiff* file, const std::string& where) {
  uint32_t depth = 1;
  TIFFGetFieldDefaulted(file, TIFFTAG_IMAGEDEPTH, &depth);
  if (depth > 1)
    return unavailable("its pages hold " + std::to_string(depth) + " slices each (ImageDepth)", where,
                       "Save one slice a page, for example by tifffile without volumetric=True");
  uint16_t orientation = ORIENTATION_TOPLEFT;
  TIFFGetFieldDefaulted(file, TIFFTAG_ORIENTATION, &orientation);
  if (orientation >= ORIENTATION_LEFTTOP && orientation <= ORIENTATION_LEFTBOT)
    return unavailable("its rows are stored as columns (Orientation " + std::to_string(orientation) + ")", where,
                       "Save it with Orientation 1, for example by ImageMagick: convert IN -auto-orient OUT");
  uint16_t compression = COMPRESSION_NONE;
  TIFFGetFieldDefaulted(file, TIFFTAG_COMPRESSION, &compression);
  if (TIFFIsCODECConfigured(compression) != 0) return ok();
  return unavailable("its pixels are compressed as " + tiff_compression_name(compression) + ", which cannot be read",
                     where, "Save it without compression, or with Deflate or LZW, for example by Fiji or tifffile");
}

}  // namespace tl::io
