// Writes arrays of numbers into JSON as base64 of float32, and reads them back.
#include "core/graph/array_json.h"

#include <bit>
#include <cstring>

#include "core/graph/base64.h"

namespace tl::json {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie in memory");

std::vector<float> floats_of(const std::vector<unsigned char>& bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

Error unreadable(const std::string& what) {
  return invalid(what, "array", R"(An array is written as {"shape": [2, 3], "float32": "<base64>"})");
}

}  // namespace

Json array_json(const NumberArray& array) {
  Json json{{"shape", array.shape()}};
  if (array.unit() != Unit::none) json["unit"] = std::string(symbol(array.unit()));
  json["float32"] = encode_base64(array.values().data(), array.values().size() * sizeof(float));
  return json;
}

Result<NumberArray> array_from_json(const Json& json) {
  if (!json.is_object()) return unreadable("an array must be an object, not " + type_words(json));
  const auto shape = json.find("shape"), numbers = json.find("float32"), written = json.find("unit");
  if (shape == json.end() || !shape->is_array()) return unreadable("an array has no shape");
  if (numbers == json.end() || !numbers->is_string()) return unreadable("an array has no numbers");
  for (const auto& [key, value] : json.items())
    if (key != "shape" && key != "float32" && key != "unit") return unreadable("an array has no key " + in_quotes(key));
  std::vector<int64_t> sizes;
  for (const Json& n : *shape) {
    if (!n.is_number_integer() || (n.is_number_unsigned() && n.get<uint64_t>() > uint64_t{1} << 40))
      return unreadable("the shape of an array is a list of small integers");
    sizes.push_back(n.get<int64_t>());
  }
  Unit unit = Unit::none;
  if (written != json.end()) {
    if (!written->is_string()) return unreadable("the unit of an array is a text");
    TL_TRY(unit, parse_unit(written->get_ref<const std::string&>()));
  }
  const auto bytes = decode_base64(numbers->get_ref<const std::string&>());
  if (!bytes || bytes->size() % sizeof(float) != 0)
    return unreadable("the numbers of an array are not base64 of float32");
  return NumberArray::make(std::move(sizes), floats_of(*bytes), unit);
}

}  // namespace tl::json
