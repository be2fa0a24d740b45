// Reads the headers of arrays: .zarray of Zarr 2, zarr.json of Zarr 3.
#include "core/io/zarr/array.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/io/keys/header_keys.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t highest_rank = 5;  // rank of OME-Zarr: t, c, z, y, x
constexpr const char* how_to_rewrite = "Write it uncompressed, or with gzip, zlib, zstd or blosc";

Error wrong_header(const std::string& what, const fs::path& file) {
  return invalid("the header of the array " + what, file.string(), "The file is damaged: copy it again");
}

Result<std::vector<int64_t>> parse_sizes(const json& list, const char* what, const fs::path& file) {
  const bool fits = list.is_array() && !list.empty() && list.size() <= highest_rank;
  std::vector<int64_t> sizes;
  for (const json& one : list)
    if (fits && one.is_number_integer() && one > 0 && one < int64_t{1} << 40) sizes.push_back(one.get<int64_t>());
  if (!fits || sizes.size() != list.size())
    return wrong_header(std::string("has no ") + what + " of one to five positive numbers", file);
  return sizes;
}

// The float with the bits given by a text such as "0x7fc00000"; nothing for other texts.
template <class Float, class Bits>
std::optional<double> float_of_bits(const std::string& text) {
  Bits bits = 0;
  const char* const end = text.data() + text.size();
  if (!text.starts_with("0x") || text.size() != 2 + 2 * sizeof bits) return std::nullopt;
  const auto read = std::from_chars(text.data() + 2, end, bits, 16);
  return read.ec == std::errc() && read.ptr == end ? std::optional<double>(std::bit_cast<Float>(bits)) : std::nullopt;
}

// A JSON null means that missing chunks have no value.
Result<std::optional<double>> parse_fill_value(const json& value, const std::string& type, const fs::path& file) {
  if (value.is_null()) return std::optional<double>();
  if (value.is_number()) return std::optional(value.get<double>());
  if (value.is_boolean()) return std::optional(value.get<bool>() ? 1.0 : 0.0);
  const std::string text = value.is_string() ? value.get<std::string>() : std::string();
  if (text == "NaN") return std::optional(std::numeric_limits<double>::quiet_NaN());
  if (text == "Infinity") return std::optional(std::numeric_limits<double>::infinity());
  if (text == "-Infinity") return std::optional(-std::numeric_limits<double>::infinity());
  const auto stated = type == "float32"   ? float_of_bits<float, uint32_t>(text)
                      : type == "float64" ? float_of_bits<double, uint64_t>(text)
                                          : std::nullopt;
  if (stated) return stated;
  return unavailable("its chunks that are absent have the value \"" + text + "\" (fill_value)", file.string(),
                     "Write it with a number as fill_value");
}

// "<u2" as order and "uint16".
Result<void> apply_type_2(const std::string& type, ZarrArray& array, const fs::path& file) {
  const std::string kind = type.size() == 3 ? type.substr(1) : std::string();
  constexpr std::pair<std::string_view, std::string_view> kinds[] = {
      {"b1", "uint8"}, {"u1", "uint8"},  {"i1", "int8"},  {"u2", "uint16"},  {"i2", "int16"},  {"u4", "uint32"},
      {"i4", "int32"}, {"u8", "uint64"}, {"i8", "int64"}, {"f4", "float32"}, {"f8", "float64"}};
  for (const auto& [name, ours] : kinds)
    if (kind == name) array.type = ours;
  if (array.type.empty() || (type[0] != '<' && type[0] != '>' && type[0] != '|'))
    return unavailable("voxels of the type \"" + type + "\" cannot be read", file.string(), "Save integers or floats");
  array.order = type[0] == '>' ? ByteOrder::big : ByteOrder::little;
  return ok();
}

Result<void> check_version(const json& header, int64_t version, const fs::path& file) {
  const json& stated = json_member(header, "zarr_format");
  if (stated.is_number_integer() && stated == version) return ok();
  return wrong_header("is not of version " + std::to_string(version) + " (zarr_format)", file);
}

// Unknown members of a Zarr 3 header may be ignored only if they state so.
Result<void> check_members_3(const json& header, const fs::path& file) {
  for (const auto& [name, value] : header.items()) {
    const json& must = json_member(value, "must_understand");
    if (zarr_3_keys.find(name) != nullptr || (must.is_boolean() && !must.get<bool>())) continue;
    return unavailable("the header of the array has \"" + name + "\", which is not known", file.string(),
                       "Write the array without it, with a program that knows its meaning");
  }
  return ok();
}

Result<ZarrArray> read_array_2(const fs::path& folder) {
  const fs::path file = folder / zarr_array_2;
  TL_TRY(const json header, read_json_object(file));
  TL_TRY(check_version(header, 2, file));
  ZarrArray array;
  array.folder = folder;
  TL_TRY(array.shape, parse_sizes(json_member(header, "shape"), "shape", file));
  TL_TRY(array.chunk, parse_sizes(json_member(header, "chunks"), "chunks", file));
  TL_TRY(apply_type_2(json_text(header, "dtype"), array, file));
  if (const std::string order = json_text(header, "order"); !order.empty() && order != "C")
    return unavailable("the numbers of its chunks are in the order \"" + order + "\"", file.string(),
                       "Write it in the order C");
  if (const json& filters = json_member(header, "filters"); filters.is_array() && !filters.empty())
    return unavailable("its chunks are filtered by \"" + json_text(filters.front(), "id") + "\"", file.string(),
                       "Write it without filters");
  if (const json& compressor = json_member(header, "compressor"); !compressor.is_null()) {
    const std::string name = json_text(compressor, "id");
    const auto codec = zarr_codec_named(name);
    if (!codec) return unavailable("its chunks are compressed by \"" + name + "\"", file.string(), how_to_rewrite);
    array.codecs = {*codec};
  }
  TL_TRY(array.fill, parse_fill_value(json_member(header, "fill_value"), array.type, file));
  if (const std::string separator = json_text(header, "dimension_separator"); !separator.empty())
    array.separator = separator;
  return array;
}

// The chain of codecs in the order of compression: numbers to bytes, then bytes to bytes.
Result<void> apply_codecs_3(const json& codecs, ZarrArray& array, const fs::path& file) {
  if (!codecs.is_array() || codecs.empty()) return wrong_header("has no codecs", file);
  bool bytes = false;
  for (const json& codec : codecs) {
    const std::string name = json_text(codec, "name");
    const json& settings = json_member(codec, "configuration");
    if (name == "bytes") {
      bytes = true;
      const std::string order = json_text(settings, "endian");
      if (order != "little" && order != "big" && (!order.empty() || bytes_of_number(array.type) > 1))
        return wrong_header("does not state the byte order (endian)", file);
      if (order == "big") array.order = ByteOrder::big;
    } else if (name == "sharding_indexed") {
      return unavailable("its chunks are stored in shards", file.string(), "Write it without sharding");
    } else if (const auto known = zarr_codec_named(name); known && bytes && name != "zlib") {
      array.codecs.insert(array.codecs.begin(), *known);
      if (array.has_checksum)
        return unavailable("its chunks have checksums inside of their compression", file.string(), how_to_rewrite);
    } else if (name == "crc32c" && bytes && !array.has_checksum) {
      array.has_checksum = true;
    } else {
      return unavailable("its chunks are written by \"" + name + "\"", file.string(), how_to_rewrite);
    }
  }
  return bytes ? Result<void>() : wrong_header("does not say how numbers become bytes", file);
}

Result<ZarrArray> read_array_3(const fs::path& folder) {
  const fs::path file = folder / zarr_header_3;
  TL_TRY(const json header, read_json_object(file));
  if (json_text(header, "node_type") != "array")
    return invalid("there is no array", file.string(), "Open the volume that contains it");
  TL_TRY(check_version(header, 3, file));
  TL_TRY(check_members_3(header, file));
  ZarrArray array;
  array.folder = folder;
  array.version = ZarrVersion::three;
  TL_TRY(array.shape, parse_sizes(json_member(header, "shape"), "shape", file));
  const json& grid = json_member(header, "chunk_grid");
  if (json_text(grid, "name") != "regular")
    return unavailable("its chunks have unequal sizes", file.string(), "Write it with a regular grid of chunks");
  TL_TRY(array.chunk, parse_sizes(json_member(json_member(grid, "configuration"), "chunk_shape"), "chunk shape", file));
  const std::string type = json_text(header, "data_type");
  array.type = type == "bool" ? "uint8" : type;
  if (bytes_of_number(array.type) == 0)
    return unavailable("voxels of the type \"" + type + "\" cannot be read", file.string(), "Save integers or floats");
  TL_TRY(apply_codecs_3(json_member(header, "codecs"), array, file));
  if (const json& more = json_member(header, "storage_transformers"); more.is_array() && !more.empty())
    return unavailable("its chunks are stored by \"" + json_text(more.front(), "name") + "\"", file.string(),
                       "Write it without storage transformers");
  TL_TRY(array.fill, parse_fill_value(json_member(header, "fill_value"), array.type, file));
  const json& naming = json_member(header, "chunk_key_encoding");
  const std::string name = json_text(naming, "name"),
                    separator = json_text(json_member(naming, "configuration"), "separator");
  if (name != "default" && name != "v2")
    return unavailable("its chunks are named by \"" + name + "\"", file.string(), "Write it with the default names");
  array.has_prefix = name == "default";
  array.separator = !separator.empty() ? separator : array.has_prefix ? "/" : ".";
  for (const json& one : json_member(header, "dimension_names"))
    array.axes.push_back(one.is_string() ? one.get<std::string>() : std::string());
  return array;
}

}  // namespace

std::string ZarrArray::chunk_name(std::span<const int64_t> index) const {
  std::string name = has_prefix ? "c" : "";
  for (const int64_t i : index) name += (name.empty() ? "" : separator) + std::to_string(i);
  return name;
}

bool ZarrArray::has_chunk(std::string name) const {
  if (has_prefix) {
    if (!name.starts_with("c" + separator)) return false;
    name.erase(0, 1 + separator.size());
  }
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool last = i + 1 == shape.size();
    const std::size_t end = last ? name.size() : name.find(separator);
    if (end == std::string::npos) return false;
    int64_t index = -1;
    const auto read = std::from_chars(name.data(), name.data() + end, index);
    const bool whole = read.ec == std::errc() && read.ptr == name.data() + end;
    if (!whole || std::to_string(index).size() != end || index < 0 || index > (shape[i] - 1) / chunk[i]) return false;
    name.erase(0, last ? end : end + separator.size());
  }
  return true;
}

int64_t ZarrArray::chunk_bytes() const {
  constexpr int64_t most = int64_t{1} << 62;
  int64_t bytes = bytes_of_number(type);
  for (const int64_t n : chunk) bytes = bytes > most / n ? most : bytes * n;
  return bytes;
}

int64_t ZarrArray::chunks() const {
  constexpr int64_t most = int64_t{1} << 62;
  int64_t count = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const int64_t along = (shape[i] - 1) / chunk[i] + 1;
    count = count > most / along ? most : count * along;
  }
  return count;
}

Result<ZarrArray> read_zarr_array(const fs::path& folder) {
  std::error_code failed;
  TL_TRY(ZarrArray array, fs::exists(folder / zarr_array_2, failed) ? read_array_2(folder) : read_array_3(folder));
  const fs::path header = folder / (array.version == ZarrVersion::two ? zarr_array_2 : zarr_header_3);
  if (array.chunk.size() != array.shape.size()) return wrong_header("has chunks of another rank", header);
  if (array.separator != "/" && array.separator != ".")
    return wrong_header("separates the indices of chunks by \"" + array.separator + "\"", header);
  return array;
}

Result<json> read_json_object(const fs::path& file) {
  constexpr std::size_t longest = std::size_t{64} << 20;
  constexpr int deepest = 64;
  TL_TRY(const std::string text, first_bytes(file, longest, Packing::none));
  const auto not_too_deep = [](int depth, json::parse_event_t, json&) { return depth <= deepest; };
  json object = json::parse(text, not_too_deep, false);
  if (!object.is_object())
    return invalid("the header is not a JSON object", file.string(), "The file is damaged: copy it again");
  return object;
}

std::optional<double> json_number(const json& object, const char* key) {
  const json& found = json_member(object, key);
  if (!found.is_number() || !std::isfinite(found.get<double>())) return std::nullopt;
  return found.get<double>();
}

std::string json_text(const json& object, const char* key) {
  const json& found = json_member(object, key);
  return found.is_string() ? found.get<std::string>() : std::string();
}

std::map<std::string, std::string> json_texts(const json& object) {
  std::map<std::string, std::string> all;
  if (!object.is_object()) return all;
  for (const auto& [name, value] : object.items())
    all[name] =
        value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, json::error_handler_t::replace);
  return all;
}

const json& json_member(const json& object, const char* key) {
  static const json none;
  if (!object.is_object()) return none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}

}  // namespace tl::io
