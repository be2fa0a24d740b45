// Base64 (RFC 4648, section 4) around float32.
#include "core/graph/array_json.h"

#include <array>
#include <bit>
#include <cstring>

namespace tl::json {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie in memory");

constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string base64(const std::vector<float>& values) {
  std::vector<unsigned char> bytes(values.size() * sizeof(float));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    uint32_t triple = 0;
    for (std::size_t k = 0; k < 3; ++k) triple = triple << 8 | (k < count ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? letters[triple >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

constexpr unsigned char no_letter = 255;
constexpr std::array<unsigned char, 256> places_of_letters() {
  std::array<unsigned char, 256> places{};
  places.fill(no_letter);
  for (std::size_t i = 0; i < letters.size(); ++i)
    places[static_cast<unsigned char>(letters[i])] = static_cast<unsigned char>(i);
  return places;
}

// As many numbers as the text holds; nothing where it is no base64 of whole numbers.
std::optional<std::vector<float>> floats_of(std::string_view text) {
  static constexpr auto places = places_of_letters();
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::vector<unsigned char> bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const std::size_t used = i + 4 == text.size() ? 4 - padding : 4;
    uint32_t triple = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const unsigned char place = k < used ? places[static_cast<unsigned char>(text[i + k])] : 0;
      if (place == no_letter) return std::nullopt;
      triple = triple << 6 | place;
    }
    for (std::size_t k = 0; k + 1 < used; ++k) bytes.push_back(static_cast<unsigned char>(triple >> (16 - 8 * k)));
  }
  if (bytes.size() % sizeof(float) != 0) return std::nullopt;
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
  json["float32"] = base64(array.values());
  return json;
}

Result<NumberArray> array_of(const Json& json) {
  if (!json.is_object()) return unreadable("an array must be an object, not " + type_words(json));
  const auto shape = json.find("shape"), numbers = json.find("float32"), written = json.find("unit");
  if (shape == json.end() || !shape->is_array()) return unreadable("an array names no shape");
  if (numbers == json.end() || !numbers->is_string()) return unreadable("an array names no numbers");
  for (const auto& [key, value] : json.items())
    if (key != "shape" && key != "float32" && key != "unit") return unreadable("an array has no key " + in_quotes(key));
  std::vector<int64_t> sizes;
  for (const Json& n : *shape) {
    if (!n.is_number_integer() || (n.is_number_unsigned() && n.get<uint64_t>() > uint64_t{1} << 40))
      return unreadable("the shape of an array is a list of small whole numbers");
    sizes.push_back(n.get<int64_t>());
  }
  Unit unit = Unit::none;
  if (written != json.end()) {
    if (!written->is_string()) return unreadable("the unit of an array is a text");
    TL_TRY(unit, parse_unit(written->get_ref<const std::string&>()));
  }
  auto values = floats_of(numbers->get_ref<const std::string&>());
  if (!values) return unreadable("the numbers of an array are not base64 of float32");
  return NumberArray::make(std::move(sizes), *std::move(values), unit);
}

}  // namespace tl::json
